// Session measures skilllint replay on a generated session: wall time, bytes a second and the peak memory of the
// process. Every run prints a line in the format of Go benchmarks; a summary for people goes to standard error.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/bench/measure"
)

func main() {
	bin := flag.String("bin", "bin/skilllint", "the program to measure")
	size := flag.Int64("size", 1<<30, "bytes of the session")
	runs := flag.Int("runs", 3, "how often to measure")
	write := flag.String("write", "", "only write the session into this folder")
	flag.Parse()
	var err error
	if *write != "" {
		err = gen.WriteSession(*write, *size)
	} else {
		err = measured(*bin, *size, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "session:", err)
		os.Exit(1)
	}
}

func measured(bin string, size int64, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	dir, err := os.MkdirTemp("", "skilllint-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the session: %w", err)
	}
	defer os.RemoveAll(dir)
	// Written by a process of its own: the peak memory of a child starts at that of its parent.
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, "-write", dir, "-size", strconv.FormatInt(size, 10))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	fmt.Printf("goos: %s\ngoarch: %s\npkg: github.com/skill-ls/skill-ls/bench/session\n", runtime.GOOS, runtime.GOARCH)
	for range runs {
		r, err := measure.Run(bin, []string{"replay", "--no-config", "--fail-on", "never", "--tools", "docs=docs.json", "session.jsonl"}, dir)
		if err != nil {
			return err
		}
		fmt.Printf("BenchmarkReplay%dMB-%d 1 %d ns/op %.2f MB/s %d peak-bytes\n", size>>20, runtime.GOMAXPROCS(0), r.Wall.Nanoseconds(), float64(size)/r.Wall.Seconds()/1e6, r.Peak)
		fmt.Fprintf(os.Stderr, "%d MiB: %.2f s, %d MiB of memory\n", size>>20, r.Wall.Seconds(), r.Peak>>20)
	}
	return nil
}
