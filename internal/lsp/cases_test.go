package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// sharedCase is what expect.json of a case folder says.
type sharedCase struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Expect []struct {
		File     string     `json:"file"`
		Line     int        `json:"line"`
		Severity string     `json:"severity"`
		Range    [][]uint32 `json:"range"`
		Phase    string     `json:"phase"`
	} `json:"expect"`
	Run struct {
		LSP []struct {
			Open, Delete, Close, Create, Change, Text string
			Watched                                   []struct{ File, Type string }
		} `json:"lsp"`
		URIs []string `json:"uris"`
	} `json:"run"`
}

// sharedFolder finds the folder of shared cases beside the repository.
func sharedFolder(t *testing.T) string {
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "cases", "dev")); err != nil {
		t.Skip("there are no shared cases beside the repository")
	}
	return dir
}

func TestSharedCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedFolder(t), "cases", "dev", "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c sharedCase
		if err := json.Unmarshal(raw, &c); err != nil || c.Kind != "lsp" {
			continue
		}
		ran++
		for _, pull := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pull=%v", c.ID, pull), func(t *testing.T) { runCase(t, filepath.Dir(file), &c, pull) })
		}
	}
	if ran == 0 {
		t.Error("no case is about the language server")
	}
}

func runCase(t *testing.T, folder string, c *sharedCase, pull bool) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "expect.json")); err != nil {
		t.Fatal(err)
	}
	e := newEditor(t, dir, editorOptions{pull: pull})
	if len(c.Run.LSP) == 0 {
		for _, x := range c.Expect {
			e.open(x.File)
		}
		e.settle()
		e.holds(t, c, "")
		e.spellings(t, c)
		return
	}
	for _, step := range c.Run.LSP {
		switch {
		case step.Open != "":
			e.open(step.Open)
			e.settle()
			e.holds(t, c, "after open")
		case step.Delete != "":
			if err := os.Remove(filepath.Join(dir, step.Delete)); err != nil {
				t.Fatal(err)
			}
		case step.Create != "":
			writeFiles(t, dir, map[string]string{step.Create: step.Text})
		case step.Change != "":
			e.setText(e.uri(step.Change), step.Text)
		case step.Close != "":
			e.close(e.uri(step.Close))
		}
		for _, w := range step.Watched {
			e.watched(e.uri(w.File), map[string]protocol.FileChangeType{"created": 1, "changed": 2, "deleted": 3}[w.Type])
			if w.Type == "deleted" {
				e.sync()
				for !pull && len(e.diagnostics(e.uri(w.File))) > 0 {
					e.waitFor(e.uri(w.File), 0) // at once: the pause of these tests is longer than the wait
				}
				e.holds(t, c, "after delete")
			}
		}
	}
	e.settle()
	e.holds(t, c, "end")
	e.holds(t, c, "after delete")
}

// holds checks what a case expects of one phase.
func (e *editor) holds(t *testing.T, c *sharedCase, phase string) {
	t.Helper()
	for _, x := range c.Expect {
		if x.Phase != phase {
			continue
		}
		found := false
		for _, d := range e.diagnostics(e.uri(x.File)) {
			switch {
			case x.Line > 0 && int(d.Range.Start.Line) != x.Line-1:
			case len(x.Range) == 2 && d.Range != (protocol.Range{Start: positionOf(x.Range[0]), End: positionOf(x.Range[1])}):
			default:
				found = true
			}
		}
		if found == (x.Severity == "none") {
			t.Errorf("%s, %s: line %d of %s has %s, want %s", c.ID, phase, x.Line, x.File, rulesOf(e.diagnostics(e.uri(x.File))), x.Severity)
		}
	}
}

func positionOf(at []uint32) protocol.Position {
	return protocol.Position{Line: at[0], Character: at[1]}
}

// spellings opens the file of a case under each URI and wants its diagnostics under the same one.
func (e *editor) spellings(t *testing.T, c *sharedCase) {
	t.Helper()
	for _, spelling := range c.Run.URIs {
		src := e.read(c.Expect[0].File)
		spelling = strings.Replace(spelling, "…", "file://"+filepath.ToSlash(e.dir), 1)
		e.close(e.uri(c.Expect[0].File))
		u := uri.URI(spelling)
		e.openURI(u, src)
		if e.pull {
			if len(e.diagnostics(u)) == 0 {
				t.Errorf("%s has no diagnostics", spelling)
			}
			continue
		}
		e.settle()
		e.mu.Lock()
		if !slices.Contains(e.spelt, spelling) {
			t.Errorf("no diagnostics were sent as %s, but as %v", spelling, e.spelt)
		}
		e.mu.Unlock()
		e.close(u)
	}
}
