// Command skilllint checks Agent Skills.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/skill-ls/skill-ls/internal/version"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Exit statuses.
const (
	statusClean    = 0
	statusFindings = 1
	statusUsage    = 2 // usage, configuration, or a file that cannot be read or written
	statusFault    = 3 // of the program itself
)

func main() {
	paceGC()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// errFindings ends a command that has done its work and found something.
var errFindings = errors.New("findings")

// run is the whole program. It returns the exit status.
func run(args []string, in io.Reader, out, errOut io.Writer) (status int) {
	defer func() {
		if v := recover(); v != nil {
			status = fault(errOut, &workspace.Fault{File: "the command line", Value: v, Stack: debug.Stack()})
		}
	}()
	signal.Ignore(syscall.SIGPIPE) // a reader that has seen enough, such as head, is no reason to be killed
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: in, out: out, err: errOut}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	return statusOf(errors.Join(err, a.misuse), errOut)
}

func statusOf(err error, errOut io.Writer) int {
	var f *workspace.Fault
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return statusClean
	case errors.Is(err, errFindings):
		return statusFindings
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	case errors.As(err, &f):
		return fault(errOut, f)
	}
	fmt.Fprintf(errOut, "skilllint: %v\n", err)
	return statusUsage
}

// fault asks for a report of a fault of the program.
func fault(errOut io.Writer, f *workspace.Fault) int {
	fmt.Fprintf(errOut, "skilllint %s: this is a fault of skilllint, please report it with the text below and the file it names:\n%v\n%s", version.Text(), f, f.Stack)
	return statusFault
}
