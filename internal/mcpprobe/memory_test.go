//go:build linux && !race

package mcpprobe

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// memoryLimit is the most a probe may take, in KiB.
const memoryLimit = 200 << 10

const asProber = "MCPPROBE_TEST_PROBES"

// TestMemoryStaysBounded probes the servers that send most, each from a process of its own, whose largest size the
// kernel knows.
func TestMemoryStaysBounded(t *testing.T) {
	if mode := os.Getenv(asProber); mode != "" {
		fmt.Println(ask(t, bad(mode), time.Minute).Status)
		return
	}
	for _, mode := range []string{"huge", "large", "endless", "chatty", "stderrflood", "cursorinf", "many"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemoryStaysBounded$")
		cmd.Env = append(os.Environ(), asProber+"="+mode)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "PASS") {
			t.Errorf("%s: %v\n%s", mode, err, out)
			continue
		}
		used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		t.Logf("%-12s %4d MiB", mode, used>>10)
		if used > memoryLimit {
			t.Errorf("%s: takes %d MiB, more than %d", mode, used>>10, memoryLimit>>10)
		}
	}
}
