package workspace_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// liveFiles is a workspace whose skills refer to each other, share a name and hold faults.
var liveFiles = map[string]string{
	".git/HEAD":                               "ref: refs/heads/main\n",
	".claude/skills/alpha/SKILL.md":           "---\nname: alpha\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSee [more](references/more.md#two) and [beta](../beta/SKILL.md#steps).\n",
	".claude/skills/alpha/references/more.md": "# One\n\n## Two\n\nBack to [top](../SKILL.md#steps), [none](none.md).\n",
	".claude/skills/beta/SKILL.md":            "---\nname: alpha\ndescription: Use for: all.\nversion: 1\n---\n\n# Steps\n\n[gone](gone.md)\n",
	".agents/skills/gamma/SKILL.md":           "---\nname: gamma\ndescription: >\n  Long text\n---\n<!-- skilllint-disable-next-line link/missing -- later -->\n[gone](gone.md)\n",
	".agents/skills/gamma/agents/openai.yaml": "interface:\n  display_name: Gamma\n  short_description: x\n",
	"skills/delta/SKILL.md":                   "---\nname: delta\n---\n# T\n",
	".mcp.json":                               "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [1]}}}\n",
}

// snippets are pieces of text that edits put in: such that start and end things.
var snippets = []string{
	"a", " ", "\n", ": ", "---\n", "# ", "`", "```\n", "[x](gone.md)", "<!-- skilllint-disable-line -->", "name: beta\n", "\"", "é", "😀", "\r\n",
	"](../beta/SKILL.md#steps)", "\t", "- ", "description: x\n", "}", ",", "{",
}

// take takes a snapshot of a folder as fsys shows it.
func take(t testing.TB, dir string, fsys skills.FS) *workspace.Snapshot {
	t.Helper()
	j := job(t, dir, rules.All()...)
	j.FS = fsys
	s, err := workspace.Load(t.Context(), j.Options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// print writes down findings so that two sets can be compared.
func print(findings []lint.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s %v %s %v %s %v %d\n", f.File, f.Span, f.Rule.Name, f.Severity, f.Message, f.Clients, len(f.Fixes))
	}
	return b.String()
}

func all(t testing.TB, l *workspace.Live) string {
	t.Helper()
	var out []lint.Finding
	for _, file := range l.Files() {
		out = append(out, findings(t, l, file)...)
	}
	lint.Sort(out)
	return print(out)
}

// TestLiveEqualsRebuild edits files at random and wants the workspace that follows along to say what one that
// is taken anew says, and what the batch linter says.
func TestLiveEqualsRebuild(t *testing.T) {
	edits := 400
	if testing.Short() {
		edits = 50
	}
	dir := tree(t, liveFiles)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(liveFiles)), func(name string) bool { return strings.HasPrefix(name, ".git/") })
	r := rand.New(rand.NewPCG(1, 2))
	engine := lint.NewEngine(rules.Registry())
	overlay := workspace.NewOverlay(skills.Disk{}, nil)
	texts := map[string]string{}
	fresh := func() *workspace.Live {
		return workspace.NewLive(take(t, dir, overlay), engine)
	}
	live := fresh()
	for i := range edits {
		name := names[r.IntN(len(names))]
		have, ok := texts[name]
		if !ok || r.IntN(12) == 0 {
			have = liveFiles[name]
		}
		texts[name] = edit(r, have)
		abs := filepath.Join(dir, filepath.FromSlash(name))
		overlay = overlay.With(map[string]string{abs: texts[name]})
		next, _, ok := live.With(overlay, skills.NewDocument(name, abs, texts[name]))
		if !ok {
			next = fresh()
		}
		if _, err := next.Findings(name); err != nil {
			t.Fatal(err)
		}
		if r.IntN(3) > 0 {
			live = next // several edits between two looks at the whole
			continue
		}
		var err error
		if live, err = next.Settle(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		anew, err := fresh().Settle(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		got, want := all(t, live), all(t, anew)
		if got != want {
			t.Fatalf("edit %d of %s:\n%s\nthe workspace that followed says\n%s\none taken anew\n%s", i, name, texts[name], got, want)
		}
		result, err := take(t, dir, overlay).Lint(t.Context(), engine, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := print(result.Findings); got != want {
			t.Fatalf("edit %d of %s: alive\n%s\nin a batch\n%s", i, name, got, want)
		}
	}
}

// edit replaces a random part of a text, both ends between characters.
func edit(r *rand.Rand, s string) string {
	x := text.NewLineIndex(s)
	at := func() int { return x.PositionOffset(x.OffsetPosition(r.IntN(len(s)+1), text.UTF32), text.UTF32) }
	a, b := at(), at()
	if a > b {
		a, b = b, a
	}
	if b-a > 20 {
		b = a
	}
	return s[:a] + snippets[r.IntN(len(snippets))] + s[b:]
}

func TestLiveFollowsWhatItRead(t *testing.T) {
	dir := tree(t, liveFiles)
	live, err := workspace.NewLive(take(t, dir, skills.Disk{}), lint.NewEngine(rules.Registry())).Settle(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	name, skill := ".claude/skills/alpha/references/more.md", ".claude/skills/alpha/SKILL.md"
	abs := filepath.Join(dir, filepath.FromSlash(name))
	text := "# One\n"
	next, affected, ok := live.With(workspace.NewOverlay(skills.Disk{}, map[string]string{abs: text}), skills.NewDocument(name, abs, text))
	if !ok || !slices.Equal(affected, []string{skill}) {
		t.Fatalf("affected are %v, want the skill whose folder the file lies in", affected)
	}
	before, after := print(findings(t, live, name)), print(findings(t, next, name))
	if !strings.Contains(before, "link/missing") || after != "" {
		t.Errorf("with the link to nowhere: %q; without: %q", before, after)
	}
}

func findings(t testing.TB, l *workspace.Live, file string) []lint.Finding {
	t.Helper()
	out, err := l.Findings(file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
