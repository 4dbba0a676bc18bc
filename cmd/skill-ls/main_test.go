package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/version"
)

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		out    string
		err    string
	}{
		{[]string{"--version"}, statusClean, "skill-ls " + version.Number(), ""},
		{[]string{"-h"}, statusClean, "-log FILE", ""},
		{[]string{"--nonsense"}, statusUsage, "", "nonsense"},
		{[]string{"file"}, statusUsage, "", "no argument \"file\""},
		{[]string{"--log", filepath.Join(t.TempDir(), "none", "log")}, statusUsage, "", "none"},
		{nil, statusFailure, "", "without shutdown"},
	} {
		var out, errOut bytes.Buffer
		got := run(c.args, io.NopCloser(strings.NewReader("")), closer{&out}, &errOut)
		if got != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(errOut.String(), c.err) {
			t.Errorf("%q: status %d, want %d; output\n%s%s", c.args, got, c.status, &out, &errOut)
		}
	}
}

func TestLogGoesToFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	var errOut bytes.Buffer
	run([]string{"--stdio", "--log", file}, io.NopCloser(strings.NewReader("garbage\r\n\r\n")), closer{io.Discard}, &errOut)
	log, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(log), "the connection broke") || errOut.Len() > 0 {
		t.Errorf("the file holds %q, %v; standard error %q", log, err, &errOut)
	}
}
