package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/internal/text"
)

// benchSkills is how many skills the workspace of the benchmarks has.
const benchSkills = 5000

var benchDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "skill-ls-bench")
	if err != nil {
		return "", err
	}
	leftovers = append(leftovers, dir)
	return dir, gen.Write(filepath.Join(dir, ".claude", "skills"), benchSkills, 5<<10)
})

// bench is the real program over pipes with the workspace of the benchmarks open and looked at.
type bench struct {
	*editor
	process *process
	uri     uri.URI
}

func newBench(b *testing.B, size int) *bench {
	dir, err := benchDir()
	if err != nil {
		b.Fatal(err)
	}
	p := startProcess(b)
	e := p.connect(b, dir, editorOptions{})
	e.waitForProgress(2) // looking for the skills, and checking them
	skill := gen.New(7, size)
	x := &bench{e, p, e.uri(".claude/skills/" + skill.Name + "/SKILL.md")}
	e.openURI(x.uri, skill.Files["SKILL.md"])
	e.waitFor(x.uri, 1)
	return x
}

// waitForProgress returns when so many pieces of work that were shown have ended.
func (e *editor) waitForProgress(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for ended := 0; ended < n; {
		e.ended.Wait()
		ended = 0
		for _, kind := range e.progress {
			if kind == "end" {
				ended++
			}
		}
	}
}

// latencies measures calls one after the other and reports percentiles in microseconds.
func latencies(b *testing.B, call func(i int)) {
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		begun := time.Now()
		call(i)
		took = append(took, time.Since(begun))
	}
	b.StopTimer()
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) }
	b.ReportMetric(at(0.5), "p50-µs")
	b.ReportMetric(at(0.99), "p99-µs")
}

func BenchmarkDidChange(b *testing.B) {
	for _, kb := range []int{5, 50} {
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			x := newBench(b, kb<<10)
			at := strings.LastIndex(x.docs[x.uri].text, "\n\n") + 1
			latencies(b, func(i int) {
				span, with := text.At(at), "x"
				if i%2 == 1 {
					span, with = text.Span{Start: at, End: at + 1}, ""
				}
				x.waitFor(x.uri, x.replace(x.uri, span, with).version)
			})
		})
	}
}

func BenchmarkHover(b *testing.B) {
	x := newBench(b, 5<<10)
	at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: x.uri}, Position: protocol.Position{Line: 2, Character: 20}}
	latencies(b, func(int) {
		if h, err := x.Hover(x.ctx(), &protocol.HoverParams{TextDocumentPositionParams: at}); err != nil || h == nil {
			b.Fatal(h, err)
		}
	})
}

func BenchmarkCompletion(b *testing.B) {
	x := newBench(b, 5<<10)
	at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: x.uri}, Position: protocol.Position{Line: 3}}
	latencies(b, func(int) {
		if _, err := x.Completion(x.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: at}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkWorkspaceSymbol(b *testing.B) {
	x := newBench(b, 5<<10)
	latencies(b, func(i int) {
		if _, err := x.Symbols(x.ctx(), &protocol.WorkspaceSymbolParams{Query: fmt.Sprintf("-%d", i%benchSkills)}); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkStart measures from the start of the program to the first diagnostics of an open document.
func BenchmarkStart(b *testing.B) {
	dir, err := benchDir()
	if err != nil {
		b.Fatal(err)
	}
	program(b)
	skill := gen.New(7, 5<<10)
	latencies(b, func(int) {
		p := startProcess(b)
		e := p.connect(b, dir, editorOptions{})
		u := e.uri(".claude/skills/" + skill.Name + "/SKILL.md")
		e.openURI(u, skill.Files["SKILL.md"])
		e.waitFor(u, 1)
		_ = p.Process.Kill()
	})
}

// BenchmarkIdle reports what the program needs while nothing happens: it should compute nothing.
func BenchmarkIdle(b *testing.B) {
	x := newBench(b, 5<<10)
	var last time.Duration
	for quiet := 0; quiet < 3; quiet++ { // until what was begun has ended
		now, _ := x.process.cpu(b)
		if now != last {
			last, quiet = now, 0
		}
		time.Sleep(time.Second)
	}
	b.ResetTimer()
	begun := time.Now()
	time.Sleep(10 * time.Second)
	now, memory := x.process.cpu(b)
	b.ReportMetric(float64((now-last).Milliseconds())/time.Since(begun).Seconds(), "cpu-ms/s")
	b.ReportMetric(float64(memory)/(1<<20), "MB")
	b.ReportMetric(0, "ns/op")
}

// panelSkills is how many skills the workspace of the Simulate panel's benchmark has.
const panelSkills = 500

// BenchmarkSimulate measures what the Simulate panel asks at each keystroke: one edit and what each client makes of it.
func BenchmarkSimulate(b *testing.B) {
	for client, folder := range map[string]string{"claude-code": ".claude/skills", "codex": ".agents/skills", "opencode": ".agents/skills"} {
		b.Run(client, func(b *testing.B) {
			dir := b.TempDir()
			if err := gen.Write(filepath.Join(dir, folder), panelSkills, 1<<10); err != nil {
				b.Fatal(err)
			}
			e := newEditor(b, dir, editorOptions{})
			skill := gen.New(7, 1<<10)
			u := e.uri(folder + "/" + skill.Name + "/SKILL.md")
			e.openURI(u, skill.Files["SKILL.md"])
			e.waitFor(u, 1)
			at := strings.Index(skill.Files["SKILL.md"], "description: ") + len("description: ")
			ask := fmt.Sprintf(`{"textDocument": {"uri": %q}, "client": %q, "activate": "", "about": "listing"}`, u, client)
			latencies(b, func(int) {
				e.replace(u, text.At(at), "x")
				if _, err := e.call(methodSimulate, ask); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
