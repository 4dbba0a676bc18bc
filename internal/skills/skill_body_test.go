package skills

import (
	"runtime"
	"testing"
	"weak"
)

// Blocks are scanned once while somebody looks at them, and are gone when nobody does.
func TestBodyLivesWhileHeld(t *testing.T) {
	s := Parse(NewDocument("x/SKILL.md", "/x/SKILL.md", "---\nname: x\n---\n\n# Title\n"))
	body := s.Body()
	runtime.GC()
	if s.Body() != body || len(body.Headings) != 1 {
		t.Error("a body that is held is scanned again")
	}
	runtime.KeepAlive(body)
	dropped := weak.Make(body)
	runtime.GC()
	if dropped.Value() != nil {
		t.Error("a body that nobody holds stays")
	}
	if len(s.Body().Headings) != 1 {
		t.Error("a body that was dropped is not scanned again")
	}
}
