package mcpprobe

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/skill-ls/skill-ls/internal/procgroup"
)

// process is a server that was started, with everything it starts in turn.
type process struct {
	cmd    *exec.Cmd
	group  procgroup.Group
	stdin  *os.File
	stdout *os.File
	stderr *procgroup.Tail
	exited chan struct{} // closed when the process itself has ended; others of its group may live on
}

// start runs the program at path. The pipes are our own, not those of os/exec, so that neither waiting for the
// process nor a descendant that keeps them open can cut off or hold up what is read.
func start(l Launch, path string, env []string) (*process, error) {
	var pipes pipes
	stdin, stdinEnd := pipes.open()
	stdoutEnd, stdout := pipes.open()
	stderrEnd, stderr := pipes.open()
	if pipes.err != nil {
		pipes.closeAll()
		return nil, fmt.Errorf("open pipes: %w", pipes.err)
	}
	cmd := &exec.Cmd{Path: path, Args: append([]string{l.Command}, l.Args...), Env: env, Dir: l.Cwd}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	c := &process{cmd: cmd, stdin: stdinEnd, stdout: stdoutEnd, stderr: &procgroup.Tail{}, exited: make(chan struct{})}
	err := c.group.Start(cmd)
	for _, f := range []*os.File{stdin, stdout, stderr} {
		_ = f.Close() // the child has its own
	}
	if err != nil {
		pipes.closeAll()
		return nil, err
	}
	go c.drainStderr(stderrEnd)
	go c.wait()
	return c, nil
}

// pipes opens pipes until one fails.
type pipes struct {
	files []*os.File
	err   error
}

func (p *pipes) open() (r, w *os.File) {
	if p.err == nil {
		r, w, p.err = os.Pipe()
		p.files = append(p.files, r, w)
	}
	return r, w
}

func (p *pipes) closeAll() {
	for _, f := range p.files {
		_ = f.Close() // some are closed already, and nil is no file: both only give an error
	}
}

// drainStderr keeps the pipe empty: a server that fills it would hang.
func (c *process) drainStderr(r *os.File) {
	defer c.stderr.Close()
	defer r.Close()
	_, _ = io.Copy(c.stderr, r)
}

// lastWords is how long after the end of a process its output is still read. Without a bound, a descendant that
// keeps the pipe open would keep us waiting for an answer that nobody is going to give.
const lastWords = 500 * time.Millisecond

func (c *process) wait() {
	_ = c.cmd.Wait() // the status is in ProcessState
	close(c.exited)
	time.AfterFunc(lastWords, func() { _ = c.stdout.Close() })
}

// hasExited reports whether the process ends within d.
func (c *process) hasExited(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-timer.C:
		return false
	}
}

// ending says how a process came to its end.
type ending struct {
	byItself bool // when its standard input was closed, or before
	alone    bool // no descendant was left
}

// stop ends the process and everything in its group: it closes standard input, as the MCP specification wants, then
// asks the group to terminate, then kills it, giving each step the same time.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#stdio
func (c *process) stop(patience time.Duration) ending {
	_ = c.stdin.Close()
	e := ending{byItself: c.hasExited(patience), alone: true}
	if !e.byItself || !c.group.EmptyWithin(patience) {
		e.alone = !e.byItself
		c.group.Terminate()
		if !c.hasExited(patience) || !c.group.EmptyWithin(patience) {
			c.group.Kill()
		}
	}
	c.hasExited(lastWords) // nothing survives being killed, but it may take the system a while
	c.group.Close()
	_ = c.stdout.Close()
	c.stderr.Wait(lastWords)
	return e
}

// status says how the process ended. It may be called once exited is closed.
func (c *process) status() string {
	if state := c.cmd.ProcessState; state != nil {
		return state.String()
	}
	return "unknown status"
}

// succeeded reports whether the process ended with status 0. It may be called once exited is closed.
func (c *process) succeeded() bool { return c.cmd.ProcessState != nil && c.cmd.ProcessState.Success() }

// startReason says why a program could not be started, without its arguments.
func startReason(err error) string {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Sprintf("%s: %v", path.Path, path.Err)
	}
	return err.Error()
}
