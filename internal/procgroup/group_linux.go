package procgroup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// onlyZombies reports whether all processes of a group are dead and merely not collected yet. In a container whose
// first process does not collect orphans they stay so for ever.
func onlyZombies(pgid int) bool {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return false
	}
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid pgrp …: the name may hold anything, so count from its end.
		// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) > 2 && fields[2] == strconv.Itoa(pgid) && fields[0] != "Z" && fields[0] != "X" {
			return false
		}
	}
	return true
}
