package gen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Tools is a result of tools/list with the tools of the server that sessions call.
const Tools = `{"tools": [
 {"name": "search_manual", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["word"]}},
 {"name": "convert", "inputSchema": {"type": "object", "properties": {"value": {"type": "number"}, "unit": {"enum": ["celsius", "fahrenheit"]}}, "required": ["value", "unit"]},
  "outputSchema": {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]}}
]}
`

// WriteSession writes a session of Claude Code of about size bytes, and the tools that it calls, below the folder dir.
// A call in fifty no longer fits its tool; results are from a line to hundreds of kilobytes long, as in real sessions.
func WriteSession(dir string, size int64) error {
	if err := os.WriteFile(filepath.Join(dir, "docs.json"), []byte(Tools), 0o644); err != nil {
		return fmt.Errorf("write tools: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, "session.jsonl"))
	if err != nil {
		return fmt.Errorf("write a session: %w", err)
	}
	b := bufio.NewWriterSize(f, 1<<20)
	s := &session{w: &writer{Rand: rand.New(rand.NewPCG(1, 2))}, out: b}
	for n := 0; s.size < size; n++ {
		s.turn(n)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write a session: %w", err)
	}
	return f.Close()
}

type session struct {
	w     *writer
	out   io.Writer
	size  int64
	lines []string
}

// turn writes a question, a call and its result.
func (s *session) turn(n int) {
	id := fmt.Sprintf("toolu_%08d", n)
	if n%10 == 0 {
		s.line("user", "user", s.w.sentence())
	}
	s.line("assistant", "assistant", []any{map[string]any{"type": "text", "text": s.w.sentence()}})
	name, input := s.call(n)
	s.line("assistant", "assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}})
	s.line("user", "user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": s.result(n)}})
}

func (s *session) call(n int) (string, map[string]any) {
	switch {
	case n%50 == 0:
		return "mcp__docs__convert", map[string]any{"value": n, "unit": "kelvin"}
	case n%3 == 0:
		return "mcp__docs__search_manual", map[string]any{"word": s.w.pick(nouns), "limit": n % 20}
	}
	return "Bash", map[string]any{"command": "git log -" + fmt.Sprint(n), "description": s.w.sentence()}
}

// result is a text of some lines, every hundredth one a large file. Making the lines anew each time would take longer
// than reading them.
func (s *session) result(n int) string {
	for len(s.lines) < 100 {
		s.lines = append(s.lines, fmt.Sprintf("%d\t%s\n", len(s.lines), s.w.sentence()))
	}
	lines := 1 + n%60
	if n%100 == 99 {
		lines = 4000
	}
	var text strings.Builder
	for i := range lines {
		text.WriteString(s.lines[(n+i)%len(s.lines)])
	}
	return text.String()
}

func (s *session) line(kind, role string, content any) {
	data, err := json.Marshal(map[string]any{
		"type": kind, "sessionId": "5f0c", "uuid": fmt.Sprint(s.size), "cwd": "/home/user/shop", "version": "2.1.197",
		"timestamp": "2026-11-30T10:00:00.000Z", "message": map[string]any{"role": role, "content": content},
	})
	if err != nil {
		panic(err) // texts and numbers
	}
	n, _ := s.out.Write(append(data, '\n')) // the buffer keeps the error
	s.size += int64(n)
}
