package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// buffered gives work a buffer in front of w.
func buffered(w io.Writer, work func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := work(b); err != nil {
		return err
	}
	return b.Flush()
}

// isBrokenPipe reports whether the reader of the output has gone, as head does when it has seen enough.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// patience is how long work may take before its progress is shown.
const patience = time.Second

// progress says on a terminal what takes so long. The function it returns ends that.
func (a *app) progress(what string) (done func()) {
	if a.quiet || !isTerminal(a.err) {
		return func() {}
	}
	shown := make(chan bool, 1)
	timer := time.AfterFunc(patience, func() {
		fmt.Fprintf(a.err, "%s…", what)
		shown <- true
	})
	return func() {
		if !timer.Stop() && <-shown {
			fmt.Fprint(a.err, "\r\x1b[K")
		}
	}
}
