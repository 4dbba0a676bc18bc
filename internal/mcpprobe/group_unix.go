//go:build unix

package mcpprobe

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// group is a process group: npx, uvx and shells leave descendants that outlive them.
type group struct {
	id int
}

func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.id = cmd.Process.Pid
	return nil
}

func (g *group) terminate() { g.signal(syscall.SIGTERM) }

func (g *group) kill() { g.signal(syscall.SIGKILL) }

// signal reaches whatever is left of the group; nothing being left is fine. A group keeps its number from being
// given to another process while it has members, and it is signalled right after it was seen to have some.
func (g *group) signal(s syscall.Signal) { _ = syscall.Kill(-g.id, s) }

func (g *group) close() {}

// empty reports whether no process of the group is alive.
func (g *group) empty() bool {
	return errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH) || onlyZombies(g.id)
}

// emptyWithin waits at most d for the group to be empty. The kernel tells nobody about it, so it is asked.
func (g *group) emptyWithin(d time.Duration) bool {
	deadline := time.Now().Add(d)
	for !g.empty() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}
