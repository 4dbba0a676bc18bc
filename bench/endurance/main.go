// Endurance measures the memory and the processor time of skill-ls while somebody edits: a scripted session with the real
// program over its pipes, in a folder of generated skills. It prints a line a minute and at the end how the last third
// compares with the second. It needs /proc, so Linux.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	bin := flag.String("bin", "bin/skill-ls", "the program to measure")
	duration := flag.Duration("duration", 30*time.Minute, "how long to edit")
	every := flag.Duration("every", time.Minute, "how often to print a line")
	skills := flag.Int("skills", 200, "how many skills the workspace has")
	pause := flag.Duration("pause", 150*time.Millisecond, "from one key to the next")
	flag.Parse()
	if err := measure(*bin, *duration, *every, *skills, *pause); err != nil {
		fmt.Fprintln(os.Stderr, "endurance:", err)
		os.Exit(1)
	}
}

func measure(bin string, duration, every time.Duration, skills int, pause time.Duration) (err error) {
	if bin, err = filepath.Abs(bin); err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	root, err := os.MkdirTemp("", "skill-ls-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the skills: %w", err)
	}
	defer os.RemoveAll(root)
	s, err := newSession(bin, root, skills, pause, duration)
	if err != nil {
		return err
	}
	begin, stop := time.Now(), make(chan struct{})
	watched := make(chan []sample, 1)
	go func() { watched <- watch(s.cmd.Process.Pid, begin, every, stop) }()
	err = s.run()
	close(stop)
	samples := <-watched
	err = errors.Join(err, s.stop())
	fmt.Printf("%d skills, %d edited, %d keys, %d requests, %d notifications from the server in %v\n",
		skills, s.cycle, s.keys, s.requests, s.pushed, time.Since(begin).Round(time.Second))
	compare(samples)
	return err
}

// sample is what the process had at one moment.
type sample struct {
	memory  int64         // resident bytes
	time    time.Duration // of the processor, so far
	threads int
	files   int // open
}

// watch prints a sample of a process each time until stop is closed.
func watch(pid int, begin time.Time, every time.Duration, stop <-chan struct{}) []sample {
	var all []sample
	fmt.Printf("%8s %10s %12s %8s %6s\n", "time", "memory", "processor", "threads", "files")
	last := time.Duration(0)
	for tick := time.Tick(every); ; {
		select {
		case <-stop:
			return all
		case <-tick:
			s, err := read(pid)
			if err != nil {
				fmt.Println(err)
				return all
			}
			fmt.Printf("%8s %6.1f MiB %9.0f ms %8d %6d\n", time.Since(begin).Round(time.Second),
				float64(s.memory)/(1<<20), float64((s.time - last).Milliseconds()), s.threads, s.files)
			all, last = append(all, s), s.time
		}
	}
}

// ticks is how many of the units in which Linux counts processor time are a second: USER_HZ is 100 on all systems Go runs on.
const ticks = 100

// read reads a sample: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
func read(pid int) (sample, error) {
	dir := fmt.Sprintf("/proc/%d", pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return sample{}, fmt.Errorf("measure the server: %w", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // from field 3 on
	number := func(field int) int64 {
		n, e := strconv.ParseInt(fields[field-3], 10, 64)
		err = errors.Join(err, e)
		return n
	}
	s := sample{
		memory:  number(24) * int64(os.Getpagesize()),
		time:    time.Duration(number(14)+number(15)) * time.Second / ticks,
		threads: int(number(20)),
	}
	open, e := os.ReadDir(dir + "/fd")
	s.files = len(open)
	return s, errors.Join(err, e)
}

// compare prints how the last third of a session compares with the second: the first warms up.
func compare(all []sample) {
	third := len(all) / 3
	if third == 0 {
		return
	}
	second, last := all[third:2*third], all[len(all)-third:]
	fmt.Printf("memory, median of the second third %.1f MiB, of the last %.1f MiB\n", median(second), median(last))
	fmt.Printf("processor, in the second third %.1f s, in the last %.1f s\n", used(second).Seconds(), used(last).Seconds())
}

func median(some []sample) float64 {
	sorted := slices.SortedFunc(slices.Values(some), func(a, b sample) int { return int(a.memory - b.memory) })
	return float64(sorted[len(sorted)/2].memory) / (1 << 20)
}

func used(some []sample) time.Duration { return some[len(some)-1].time - some[0].time }
