package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

func TestStatusOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
		says string
	}{
		{nil, statusClean, ""},
		{errFindings, statusFindings, ""},
		{syscall.EPIPE, statusClean, ""},
		{errors.New("no such rule"), statusUsage, "skilllint: no such rule\n"},
		{context.Canceled, statusUsage, "skilllint: interrupted\n"},
		{&workspace.Fault{File: "x/SKILL.md", Value: "index out of range", Stack: []byte("stack")}, statusFault, "please report"},
	} {
		var errOut bytes.Buffer
		if got := statusOf(c.err, &errOut); got != c.want || !strings.Contains(errOut.String(), c.says) || c.says == "" && errOut.Len() > 0 {
			t.Errorf("%v: status %d and %q, want %d and %q", c.err, got, errOut.String(), c.want, c.says)
		}
	}
}

// panicReader panics when it is read.
type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("a fault") }

func TestPanicIsReported(t *testing.T) {
	var errOut bytes.Buffer
	got := run([]string{"--stdin", "--stdin-filename", "x/SKILL.md"}, panicReader{}, io.Discard, &errOut)
	if got != statusFault || !strings.Contains(errOut.String(), "please report") || !strings.Contains(errOut.String(), "a fault") {
		t.Errorf("status %d and %q, want %d and a request to report it", got, errOut.String(), statusFault)
	}
}

// brokenPipe is an output whose reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A reader that has seen enough changes neither the status nor standard error.
func TestBrokenPipe(t *testing.T) {
	bad := "---\nname: x\ndescription: a: b\n---\n"
	var errOut bytes.Buffer
	got := run([]string{"--stdin", "--stdin-filename", "x/SKILL.md"}, strings.NewReader(bad), brokenPipe{}, &errOut)
	if got != statusFindings || errOut.Len() > 0 {
		t.Errorf("status %d and %q, want %d and nothing", got, errOut.String(), statusFindings)
	}
}

// One cycle of --watch: the work runs at once, not at a tick without a change, again after one with.
func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ticks := make(chan time.Time)
	stamps := make(chan uint64)
	worked := make(chan bool, 1)
	ended := make(chan error)
	go func() {
		ended <- watch(ctx, ticks,
			func(context.Context) (uint64, error) { return <-stamps, nil },
			func() error { worked <- true; return nil })
	}()
	for _, c := range []struct {
		stamp uint64
		works bool
	}{{7, true}, {7, false}, {8, true}, {8, false}} {
		stamps <- c.stamp
		ticks <- time.Time{} // taken only once the stamp is dealt with
		if got := len(worked) > 0; got != c.works {
			t.Errorf("stamp %d: work done is %v, want %v", c.stamp, got, c.works)
		}
		for len(worked) > 0 {
			<-worked
		}
	}
	cancel()
	stamps <- 8
	if err := <-ended; err != nil {
		t.Errorf("an interrupt is no error: %v", err)
	}
}

// printed is what a program that still runs has printed.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

// take returns what was printed since the last call.
func (p *printed) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.text.Reset()
	return p.text.String()
}

// --watch prints anew what is found once a file or a configuration has changed, and lives through a fault
// in one that is being edited.
func TestWatchFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("skills/x/SKILL.md", "---\nname: x\ndescription: Plans: all. Use when asked.\n---\n\nPlan.\n")
	var out, errOut printed
	l := &lintCommand{app: &app{in: strings.NewReader(""), out: &out, err: &errOut, color: "never", format: "text"}, failOn: "error", probe: "off"}
	if err := errors.Join(l.prepare(), l.check(nil)); err != nil {
		t.Fatal(err)
	}
	job, err := l.job(&cobra.Command{}, nil, l.machine())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ticks := make(chan time.Time)
	ended := make(chan error)
	go func() { ended <- l.watchFiles(ctx, job, ticks) }()
	ticks <- time.Time{} // taken when the first run is over
	after := func(want string, in *printed) {
		t.Helper()
		ticks <- time.Time{} // the change is seen now, or was at the tick before
		ticks <- time.Time{}
		if got := in.take(); !strings.Contains(got, want) {
			t.Errorf("printed is %q, want %q", got, want)
		}
	}
	after("error[yaml/unquoted-colon]", &out)
	write(".skilllint.yaml", "rules: {yaml: info}\n")
	after("info[yaml/unquoted-colon]", &out)
	write(".skilllint.yaml", "rules: {yaml: inf}\n")
	after(".skilllint.yaml:1:15: ", &errOut)
	write(".skilllint.yaml", "rules: {}\n")
	write("skills/x/SKILL.md", "---\nname: x\ndescription: Plans all. Use when asked.\n---\n\nPlan.\n")
	after("no findings in 1 skill", &out)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
