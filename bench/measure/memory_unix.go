//go:build unix

package measure

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most memory, in bytes, that an ended process had resident.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // getrusage(2) counts bytes there, KiB elsewhere
	}
	return int64(usage.Maxrss) << 10
}
