package tokens_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

func TestEstimateGrows(t *testing.T) {
	if got := tokens.Estimate(""); got != 0 {
		t.Errorf("nothing has %d tokens", got)
	}
	one, ten := tokens.Estimate("a word or two\n"), tokens.Estimate(strings.Repeat("a word or two\n", 10))
	if one < 4 || ten < 9*one || ten > 11*one {
		t.Errorf("one line has %d tokens, ten have %d", one, ten)
	}
}

// TestOf follows links and paths in code through the files of a skill, each file once.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"demo/SKILL.md":             "---\nname: demo\ndescription: one two three\n---\nSee [a](references/a.md), `references/a.md` and [gone](references/gone.md).\n\n```sh\npython3 scripts/x.py\n```\n",
		"demo/references/a.md":      "Then [b](deep/b.md) and [home](../SKILL.md).\n",
		"demo/references/deep/b.md": "Back to [a](../a.md).\n",
		"demo/references/c.md":      "Nobody names this.\n",
		"demo/scripts/x.py":         "print()\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	loader := &skills.LocalLoader{FS: skills.Disk{}, Base: dir, Paths: []string{dir}}
	all, err := loader.List(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d skills, %v", len(all), err)
	}
	words := func(s string) int { return len(strings.Fields(s)) }
	got := tokens.Of(all[0], skills.NewTree(skills.Disk{}, dir), words)
	want := []tokens.File{{Path: "references/a.md", Tokens: 4, Depth: 1}, {Path: "references/deep/b.md", Tokens: 3, Depth: 2}}
	if got.Description != 3 || got.Body != 9 || len(got.Files) != 2 || got.Files[0] != want[0] || got.Files[1] != want[1] || got.Total() != 16 {
		t.Errorf("got %+v", got)
	}
}

func BenchmarkEstimate5KB(b *testing.B) {
	text := strings.Repeat("Read the dates with `exiftool -n` and see the notes in 2026.\n", 84)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tokens.Estimate(text)
	}
}

// TestMemo counts a short text once for each counter, a long one line by line, a long line each time, and does not keep
// texts for ever.
func TestMemo(t *testing.T) {
	var m tokens.Memo
	asked := 0
	length := m.Counter("length", func(s string) int { asked++; return len(s) })
	double := m.Counter("double", func(s string) int { asked++; return 2 * len(s) })
	long := strings.Repeat("word ", 10_000)
	for range 3 {
		if length("four") != 4 || double("four") != 8 || length(long) != len(long) {
			t.Fatal("a wrong count")
		}
	}
	if asked != 1+1+3 {
		t.Fatalf("counted %d times, not 1 + 1 + 3", asked)
	}
	asked = 0
	for i := range 3 {
		lines := strings.Repeat("- one line\n", 1000) + strconv.Itoa(i)
		if n := length(lines); n != len(lines) {
			t.Fatalf("%d, not %d", n, len(lines))
		}
	}
	if asked != 1+3 {
		t.Fatalf("counted %d lines, not the one that comes again and three others", asked)
	}
	for i := range 30_000 {
		length(strconv.Itoa(i))
	}
	asked = 0
	if length("four") != 4 || asked != 1 {
		t.Fatalf("counted %d times after many others", asked)
	}
}
