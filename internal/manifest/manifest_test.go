package manifest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// read writes an archive to a folder and reads one manifest of it.
func read(t *testing.T, archive, place string) (*manifest.File, *skills.Tree) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := skills.NewTree(skills.Disk{}, dir)
	f := manifest.Read(tree, dir, ".", place)
	if f == nil {
		t.Fatalf("no manifest at %s", place)
	}
	return f, tree
}

func TestProblems(t *testing.T) {
	const plugin, market = ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"
	cases := map[string]struct {
		place, text string
		want        []string // the text at each problem and a part of what is said of it
	}{
		"sound plugin":        {plugin, `{"name": "photos", "version": "1.0.0", "skills": ["./skills/a"], "mcpServers": {"x": {}}, "hooks": "./${X}/h.json"}`, nil},
		"no name":             {plugin, `{"version": "1"}`, []string{"{ name is missing"}},
		"kinds":               {plugin, `{"name": 1, "version": 2}`, []string{"1 name must be a text", "2 version must be a text"}},
		"upper case":          {plugin, `{"name": "My Photos"}`, []string{`"My Photos" lower case`}},
		"absent paths":        {plugin, `{"name": "a", "skills": "./skills/", "agents": ["./agents/x.md", "reviewer"]}`, []string{`"./agents/x.md" nothing lies`, `"reviewer" nothing lies`}},
		"not an object":       {plugin, `[1]`, []string{"[1] must be an object"}},
		"marketplace":         {market, `{"name": "m", "owner": {"name": "me"}, "plugins": [{"name": "a", "source": "./"}, {"name": "b", "source": {"source": "github", "repo": "x/y"}}]}`, nil},
		"marketplace lacks":   {market, `{"name": "m", "plugins": [{"source": "./"}]}`, []string{"{ owner is missing", "{ plugin name is missing"}},
		"source is gone":      {market, `{"name": "m", "owner": {}, "plugins": [{"name": "a", "source": "./gone"}]}`, []string{`"./gone" source of plugin a`}},
		"source below a root": {market, `{"name": "m", "owner": {}, "metadata": {"pluginRoot": "./skills"}, "plugins": [{"name": "a", "source": "./a"}]}`, nil},
		"twice":               {market, `{"name": "m", "owner": {}, "plugins": [{"name": "a", "source": "./"}, {"name": "a", "source": "./"}]}`, []string{`"a" two plugins`}},
		"codex":               {".codex-plugin/plugin.json", `{"name": "Any Name", "skills": "./no/"}`, []string{`"./no/" nothing lies`}},
		"extension":           {"gemini-extension.json", `{"name": "x", "contextFileName": "NO.md"}`, []string{"{ version is missing", `"NO.md" nothing lies`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, tree := read(t, "-- skills/a/SKILL.md --\nx\n-- "+c.place+" --\n"+c.text+"\n", c.place)
			got := slices.Concat(f.Keys(), f.Twice(), f.Paths(tree))
			if len(got) != len(c.want) || len(f.Faults) > 0 {
				t.Fatalf("problems %+v and faults %v, want %q", got, f.Faults, c.want)
			}
			for i, x := range got {
				place, said, _ := strings.Cut(c.want[i], " ")
				if strings.HasPrefix(c.want[i], `"`) {
					end := strings.LastIndexByte(c.want[i], '"') + 1
					place, said = c.want[i][:end], c.want[i][end+1:]
				}
				if x.Span.In(f.Doc.Text) != place || !strings.Contains(x.Message, said) {
					t.Errorf("%q: %s; want %q: %s", x.Span.In(f.Doc.Text), x.Message, place, said)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, text := range []string{`{"name": "a",}`, "{\"name\": \"a\" // why\n}", `{"name" "a"}`, `{"name": "a"`} {
		f, _ := read(t, "-- gemini-extension.json --\n"+text+"\n", "gemini-extension.json")
		if len(f.Faults) == 0 {
			t.Errorf("%s has no faults", text)
		}
	}
}
