package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skilllint": main})
}

// TestScript runs the commands as users do. The scripts lie in testdata/script at the root.
func TestScript(t *testing.T) {
	scripts := "*"
	if racetest.On { // the rest has one goroutine, and starts hundreds of programs: make test runs it without
		scripts = "{lint,files-from,scale,probe,mcp,replay,capture}"
	}
	files, err := doublestar.FilepathGlob("../../testdata/script/" + scripts + ".txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			docs, err := filepath.Abs("../../docs")
			if err != nil {
				return err
			}
			e.Setenv("DOCS", docs)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would hold each command for a second at its end
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "mode": mode},
	})
}

// status N COMMAND…: the command must end with that exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	}
	if want, _ := strconv.Atoi(args[0]); got != want {
		ts.Fatalf("exit status %d, want %s (%v)", got, args[0], err)
	}
}

// mode PERM FILE: the file must have these permissions.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	if info.Mode().Perm() != fs.FileMode(want) {
		ts.Fatalf("%s has mode %o", args[1], info.Mode().Perm())
	}
}
