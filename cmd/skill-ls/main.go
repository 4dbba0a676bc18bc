// Command skill-ls is the language server for Agent Skills.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/skill-ls/skill-ls/internal/lsp"
	"github.com/skill-ls/skill-ls/internal/version"
)

// Exit statuses.
const (
	statusClean   = 0
	statusFailure = 1 // the protocol was not kept, or the connection broke
	statusUsage   = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program. It returns the exit status.
func run(args []string, in io.ReadCloser, out io.WriteCloser, errOut io.Writer) int {
	o, err := parse(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return statusClean
	case err != nil:
		fmt.Fprintf(errOut, "skill-ls: %v\n", err)
		return statusUsage
	case o.version:
		fmt.Fprintf(out, "skill-ls %s\n", version.Text())
		return statusClean
	}
	logTo := errOut
	if o.log != "" {
		f, err := os.OpenFile(o.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintf(errOut, "skill-ls: %v\n", err)
			return statusUsage
		}
		defer f.Close()
		logTo = f
	}
	return serve(in, out, logTo)
}

func serve(in io.ReadCloser, out io.WriteCloser, logTo io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	level := new(slog.LevelVar)
	log := slog.New(slog.NewTextHandler(logTo, &slog.HandlerOptions{Level: level}))
	if err := lsp.Serve(ctx, in, out, lsp.Options{Version: version.Number(), Log: log, Level: level}); err != nil {
		log.Error("the server ends", "err", err)
		return statusFailure
	}
	return statusClean
}

// options are those of the command line.
type options struct {
	version bool
	log     string
}

// flags are all there are.
func (o *options) flags() *flag.FlagSet {
	f := flag.NewFlagSet("skill-ls", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Bool("stdio", true, "speak on standard input and output, the only way there is")
	f.StringVar(&o.log, "log", "", "append the log to `FILE` instead of writing it to standard error")
	f.BoolVar(&o.version, "version", false, "print the version")
	f.Usage = func() {}
	return f
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	f := o.flags()
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(out, "skill-ls [--stdio] [--log FILE] is the language server for Agent Skills; an editor starts it.")
			f.SetOutput(out)
			f.PrintDefaults()
		}
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("there is no argument %q; an editor speaks to the server on standard input", f.Arg(0))
	}
	return o, nil
}
