// Package measure runs a program and says how long it took and how much memory it had.
package measure

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Result is what one run took.
type Result struct {
	Wall time.Duration
	CPU  time.Duration // of all cores, the system's part included
	Peak int64         // bytes of resident memory; 0 where the system does not tell
}

// Run runs a program in a folder. One that fails, or prints nothing, is an error.
func Run(bin string, args []string, dir string) (Result, error) {
	cmd := exec.Command(bin, args...)
	var printed counter
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &printed, os.Stderr
	r, err := Command(cmd)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", bin, err)
	}
	if printed == 0 {
		return Result{}, fmt.Errorf("run %s: it printed nothing", bin)
	}
	return r, nil
}

// Command runs a command that is prepared. The result of one that fails is measured too.
func Command(cmd *exec.Cmd) (Result, error) {
	start := time.Now()
	err := cmd.Run()
	r := Result{Wall: time.Since(start)}
	if state := cmd.ProcessState; state != nil {
		r.CPU, r.Peak = state.UserTime()+state.SystemTime(), peakMemory(state)
	}
	return r, err
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
