package gen

import (
	"reflect"
	"strings"
	"testing"
)

func TestSameNumberGivesSameSkill(t *testing.T) {
	if a, b := New(7, 5000), New(7, 5000); !reflect.DeepEqual(a, b) {
		t.Error("two skills of one number differ")
	}
	if a, b := New(7, 5000), New(8, 5000); a.Name == b.Name || a.Files["SKILL.md"] == b.Files["SKILL.md"] {
		t.Error("skills of two numbers are the same")
	}
}

func TestSizeAndParts(t *testing.T) {
	var all strings.Builder
	for n := range 100 {
		text := New(n, 5000).Files["SKILL.md"]
		if len(text) < 5000 || len(text) > 6000 {
			t.Errorf("skill %d has %d bytes", n, len(text))
		}
		all.WriteString(text)
	}
	for _, part := range []string{"\n## ", "\n```bash\n", "\n- **", "\n1. ", "](references/guide.md)", "\n| --- |", "\n> ", "Use for: ", "-old\n", "allowed_tools", " #later", "description: \n"} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("no skill holds %q", part)
		}
	}
}
