// Batch measures skilllint, run with the arguments given, in a folder of generated skills: wall time, files a
// second and the peak memory of the process. Every run prints a line in the format of Go benchmarks, so that
// benchstat can compare two results; a summary for people goes to standard error.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/bench/measure"
)

func main() {
	bin := flag.String("bin", "bin/skilllint", "the program to measure")
	count := flag.Int("skills", 10_000, "how many skills")
	size := flag.Int("size", 5<<10, "bytes of a SKILL.md")
	runs := flag.Int("runs", 5, "how often to measure")
	write := flag.String("write", "", "only write the skills below this folder")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: batch [flags] [ARGUMENT…]   (the arguments of the program; default: lint --format json --fail-on never .)")
		flag.PrintDefaults()
	}
	flag.Parse()
	var err error
	if *write != "" {
		err = gen.Write(*write, *count, *size)
	} else {
		err = measured(*bin, arguments(), *count, *size, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "batch:", err)
		os.Exit(1)
	}
}

func arguments() []string {
	if flag.NArg() > 0 {
		return flag.Args()
	}
	return []string{"lint", "--format", "json", "--fail-on", "never", "."}
}

func measured(bin string, args []string, count, size, runs int) error {
	if count < 1 || runs < 1 {
		return errors.New("there is nothing to measure without skills and runs")
	}
	bin, err := filepath.Abs(bin)
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	dir, err := os.MkdirTemp("", "skilllint-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the skills: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := generate(dir, count, size); err != nil {
		return err
	}
	if _, err := measure.Run(bin, args, dir); err != nil { // not counted: it brings the files into the cache of the system
		return err
	}
	results := make([]measure.Result, runs)
	for i := range results {
		if results[i], err = measure.Run(bin, args, dir); err != nil {
			return err
		}
	}
	printBenchmarks(results, count)
	printSummary(results, count, size)
	return nil
}

// generate writes the skills from a process of its own: on Linux the peak memory of a child starts at that of
// its parent (exec_mmap in the kernel's fs/exec.c keeps the maximum of the old memory), so the parent has to stay
// small.
func generate(dir string, count, size int) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, "-write", filepath.Join(dir, ".agents", "skills"), "-skills", strconv.Itoa(count), "-size", strconv.Itoa(size))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("write skills: %w", err)
	}
	return nil
}

func printBenchmarks(results []measure.Result, count int) {
	fmt.Printf("goos: %s\ngoarch: %s\npkg: github.com/skill-ls/skill-ls/bench/batch\n", runtime.GOOS, runtime.GOARCH)
	for _, r := range results {
		fmt.Printf("BenchmarkLint%dSkills-%d 1 %d ns/op %.0f files/s %d peak-bytes\n",
			count, runtime.GOMAXPROCS(0), r.Wall.Nanoseconds(), perSecond(count, r.Wall), r.Peak)
	}
}

func printSummary(results []measure.Result, count, size int) {
	walls := sorted(results, func(r measure.Result) time.Duration { return r.Wall })
	peaks := sorted(results, func(r measure.Result) int64 { return r.Peak >> 20 })
	mid, last := len(results)/2, len(results)-1
	fmt.Fprintf(os.Stderr, "%d skills of %d bytes, %d runs, %d cores: median (min to max)\n", count, size, len(results), runtime.GOMAXPROCS(0))
	fmt.Fprintf(os.Stderr, "  time    %.2f s (%.2f to %.2f)\n", walls[mid].Seconds(), walls[0].Seconds(), walls[last].Seconds())
	fmt.Fprintf(os.Stderr, "  speed   %.0f files/s (%.0f to %.0f)\n", perSecond(count, walls[mid]), perSecond(count, walls[last]), perSecond(count, walls[0]))
	fmt.Fprintf(os.Stderr, "  memory  %d MiB (%d to %d)\n", peaks[mid], peaks[0], peaks[last])
}

func perSecond(count int, wall time.Duration) float64 { return float64(count) / wall.Seconds() }

func sorted[T cmp.Ordered](results []measure.Result, of func(measure.Result) T) []T {
	out := make([]T, len(results))
	for i, r := range results {
		out[i] = of(r)
	}
	slices.Sort(out)
	return out
}
