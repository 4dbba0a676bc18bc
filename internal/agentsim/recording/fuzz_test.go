package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func FuzzDetect(f *testing.F)          { fuzz(f, "", "*") }
func FuzzClaudeCode(f *testing.F)      { fuzz(f, ClaudeCode, "claude-code") }
func FuzzCodex(f *testing.F)           { fuzz(f, Codex, "codex") }
func FuzzAgentScope1(f *testing.F)     { fuzz(f, AgentScope1, "agentscope-1") }
func FuzzAgentScope2(f *testing.F)     { fuzz(f, AgentScope2, "agentscope-2") }
func FuzzOpenAIChat(f *testing.F)      { fuzz(f, OpenAIChat, "openai-chat") }
func FuzzOpenAIResponses(f *testing.F) { fuzz(f, OpenAIResponses, "openai-responses") }
func FuzzAnthropic(f *testing.F)       { fuzz(f, Anthropic, "anthropic") }
func FuzzGemini(f *testing.F)          { fuzz(f, Gemini, "gemini*") }
func FuzzMCP(f *testing.F)             { fuzz(f, MCP, "mcp") }
func FuzzCalls(f *testing.F)           { fuzz(f, Calls, "calls") }

// fuzz holds what is true of any recording: every call begins and ends once, stands on a line that there is, and has
// either arguments or a reason why not; and the same bytes give the same calls.
func fuzz(f *testing.F, format Format, seeds string) {
	files, err := filepath.Glob("testdata/" + seeds + ".json*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, tr := read(t, data, format)
		lines := bytes.Count(data, []byte("\n")) + 1
		for c, open := range tr.open {
			switch {
			case open != 0 || !tr.ends[c]:
				t.Errorf("the call on line %d does not end once: %d", c.Line, open)
			case c.Line < 1 || c.Line > lines || c.ResultLine < 0 || c.ResultLine > lines:
				t.Errorf("a call on line %d with its result on line %d, of %d", c.Line, c.ResultLine, lines)
			case (c.Arguments == nil) != (c.Fault != ""):
				t.Errorf("arguments %v, fault %q", c.Arguments, c.Fault)
			}
		}
		if len(tr.open) != tr.sum.Calls {
			t.Errorf("%d calls began, the summary has %d", len(tr.open), tr.sum.Calls)
		}
		for _, n := range tr.sum.Notes {
			if n.Line < 1 || n.Line > lines || n.Message == "" {
				t.Errorf("a note on line %d of %d: %q", n.Line, lines, n.Message)
			}
		}
		if again, _ := read(t, data, format); again != first {
			t.Errorf("read again it is\n%s\nbefore it was\n%s", again, first)
		}
	})
}
