package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/text"
)

// TestYAMLFixes applies the first fix of the one finding about YAML to front matter.
func TestYAMLFixes(t *testing.T) {
	const good = "description: Plans rounds. Use when asked.\n"
	cases := map[string]struct{ front, want string }{
		"entry with a colon":     {good + "metadata:\n  owner: Ada\n  note: rounds: early", good + "metadata:\n  owner: Ada\n  note: \"rounds: early\""},
		"entry with escapes":     {good + "metadata:\n  folder: \"D:\\Queue\"", good + "metadata:\n  folder: 'D:\\Queue'"},
		"entry below an entry":   {good + "metadata:\n  a:\n    b: c: d", good + "metadata:\n  a:\n    b: \"c: d\""},
		"entry of an item":       {good + "hooks:\n  Stop:\n    - matcher: Bash\n      command: say a: b", good + "hooks:\n  Stop:\n    - matcher: Bash\n      command: \"say a: b\""},
		"entry without a space":  {good + "metadata:\n  owner:Ada\n  team: milk", good + "metadata:\n  owner: Ada\n  team: milk"},
		"entry after a comment":  {good + "metadata:\n\n  # who\n  owner: Ada: Byte", good + "metadata:\n\n  # who\n  owner: \"Ada: Byte\""},
		"entry that is no ASCII": {good + "metadata:\n  作者: 李: 王", good + "metadata:\n  作者: \"李: 王\""},
		"quotes inside quotes":   {`description: "Plans "early" rounds. Use when asked."`, `description: 'Plans "early" rounds. Use when asked.'`},
		"apostrophe":             {`description: 'Plans Ada's rounds. Use when asked.'`, `description: "Plans Ada's rounds. Use when asked."`},
		"two quoted words":       {`description: "early" and "late"`, `description: '"early" and "late"'`},
		"escaped apostrophe":     {`description: "Plans Ada\'s \d rounds."`, `description: "Plans Ada's \\d rounds."`},
		"indented key":           {" description: Plans rounds. Use when asked.", "description: Plans rounds. Use when asked."},
		"lines at the margin":    {"description: >\nPlans rounds.\nUse when asked.", "description: >\n  Plans rounds.\n  Use when asked."},
		"type that is none":      {"description: !important Plans. Use when asked.", `description: "!important Plans. Use when asked."`},
		"colon in a wrapped key": {"description: Plans\n  rounds: early ones", `description: "Plans rounds: early ones"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "-- demo/SKILL.md --\n---\nname: demo\n"+c.front+"\n---\n\n# Steps\n\nPlan.\n")
			findings := lintTree(t, dir, nil)
			n := 0
			var edits []text.Edit
			for _, f := range findings {
				if f.Rule.Group() != "yaml" {
					continue
				}
				n++
				for _, e := range f.Fixes[0].Edits {
					edits = append(edits, e.Edit)
				}
			}
			if n != 1 {
				t.Fatalf("found %q, want one finding about YAML", brief(t, dir, findings))
			}
			src, err := os.ReadFile(filepath.Join(dir, "demo/SKILL.md"))
			must(t, err)
			fixed, err := text.Apply(string(src), edits)
			must(t, err)
			_, got, _ := strings.Cut(fixed, "name: demo\n")
			got, _, _ = strings.Cut(got, "\n---\n")
			if got != c.want {
				t.Errorf("the fix gives\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
