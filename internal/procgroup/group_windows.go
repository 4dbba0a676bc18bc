package procgroup

import (
	"fmt"
	"os/exec"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a job object: it holds every descendant, and ends them all when it is closed.
// https://learn.microsoft.com/windows/win32/procthread/job-objects
type Group struct {
	job windows.Handle
}

// Start starts a command as the first of the group.
func (g *Group) Start(cmd *exec.Cmd) error {
	job, err := newJob()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return err
	}
	g.job = job
	if err := assign(job, cmd.Process.Pid); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.Close()
		return err
	}
	return nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create a job object: %w", err)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, fmt.Errorf("limit the job object: %w", err)
	}
	return job, nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("open the process: %w", err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return fmt.Errorf("put the process into its job: %w", err)
	}
	return nil
}

// Terminate does nothing: Windows has no polite way to end a process without a window.
func (g *Group) Terminate() {}

// Kill ends every process of the group.
func (g *Group) Kill() { _ = windows.TerminateJobObject(g.job, 1) }

// Close ends what is left of the group and gives back what the system keeps for it.
func (g *Group) Close() {
	_ = windows.CloseHandle(g.job)
	g.job = 0
}

// EmptyWithin does not wait: closing the job ends whatever is left in it.
func (g *Group) EmptyWithin(time.Duration) bool { return true }
