//go:build unix

package procgroup

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// Group is a process group: npx, uvx and shells leave descendants that outlive them.
type Group struct {
	ID int // of its first process
}

// Start starts a command as the first of the group.
func (g *Group) Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.ID = cmd.Process.Pid
	return nil
}

// Terminate asks every process of the group to end.
func (g *Group) Terminate() { g.signal(syscall.SIGTERM) }

// Kill ends every process of the group.
func (g *Group) Kill() { g.signal(syscall.SIGKILL) }

// signal reaches whatever is left of the group; nothing being left is fine. A group keeps its number from being
// given to another process while it has members, and it is signalled right after it was seen to have some.
func (g *Group) signal(s syscall.Signal) { _ = syscall.Kill(-g.ID, s) }

// Close gives back what the system keeps for the group.
func (g *Group) Close() {}

// Empty reports whether no process of the group is alive.
func (g *Group) Empty() bool {
	return errors.Is(syscall.Kill(-g.ID, 0), syscall.ESRCH) || onlyZombies(g.ID)
}

// EmptyWithin waits at most d for the group to be empty. The kernel tells nobody about it, so it is asked.
func (g *Group) EmptyWithin(d time.Duration) bool {
	deadline := time.Now().Add(d)
	for !g.Empty() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}
