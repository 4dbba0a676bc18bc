//go:build !js

package agentsim

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// shellTime is how long a command in a skill's text may take.
const shellTime = 60 * time.Second

// RunShell returns what runs the commands of a skill's text in a folder, with sh, for Input.Shell. A command that
// fails is told in place of its output: the client would end the call of the skill.
func RunShell(ctx context.Context, dir string) func(command string) string {
	return func(command string) string {
		ctx, cancel := context.WithTimeout(ctx, shellTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Dir = dir
		cmd.WaitDelay = time.Second // a child that keeps the output open
		out, err := cmd.Output()
		if err != nil {
			return fmt.Sprintf("[failed: %s: %v]", command, err)
		}
		return strings.TrimRight(string(out), "\r\n")
	}
}
