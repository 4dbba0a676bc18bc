package profile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// accepted is how the acceptance rows write an accepted skill.
var accepted = regexp.MustCompile(`(?s)^OK (name=.* body=|\[\()`)

// TestAgentScopeAcceptance compares both versions with what AgentScope's own
// loaders said about each SKILL.md.
func TestAgentScopeAcceptance(t *testing.T) {
	var acceptance []struct {
		Label   string
		Content []byte `json:"content_b64"`
		V1, V2  string
	}
	readJSON(t, filepath.Join(shared(t, "oracle", "agentscope"), "acceptance.json"), &acceptance)
	one, two := find(t, "agentscope-1"), find(t, "agentscope-2")
	for _, row := range acceptance {
		if got := v1(one.PlayFile(profile.NewDoc("s/x/SKILL.md", row.Content))); !sameVerdict(row.V1, got) {
			t.Errorf("1.x %s: want %s, got %s", row.Label, row.V1, got)
		}
		if got := v2(two.PlayFile(profile.NewDoc("s/x/SKILL.md", row.Content))); !sameVerdict(cutBody(row.V2), got) {
			t.Errorf("2.x %s: want %s, got %s", row.Label, row.V2, got)
		}
	}
}

func sameVerdict(want, got string) bool {
	if accepted.MatchString(want) || strings.HasPrefix(want, "OK") {
		return want == got
	}
	return strings.HasPrefix(got, "SKIP")
}

func cutBody(verdict string) string {
	head, _, _ := strings.Cut(verdict, " body=")
	return head
}

func v1(o *profile.Outcome) string {
	if !o.Listed {
		return "SKIP " + o.Reason
	}
	return fmt.Sprintf("OK [(%s, %s)]", pythonRepr(o.Name), pythonRepr(o.Description))
}

func v2(o *profile.Outcome) string {
	if !o.Listed {
		return "SKIP " + o.Reason
	}
	return fmt.Sprintf("OK name=%s desc=%s", pythonRepr(o.Name), pythonRepr(o.Description))
}

func pythonRepr(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	return quote + strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(s) + quote
}

// TestAgentScopePrompts compares whole system prompts, byte for byte.
func TestAgentScopePrompts(t *testing.T) {
	dir := shared(t, "oracle", "agentscope")
	var manifest struct {
		Base   string
		Skills map[string][]struct{ Name, Description, Dir string }
	}
	readJSON(t, filepath.Join(dir, "manifest.json"), &manifest)
	for version, spec := range map[string]string{"1x": "agentscope-1", "2x": "agentscope-2"} {
		p := find(t, spec)
		for name, skills := range manifest.Skills {
			w := &profile.Workspace{Root: "/s", OnlyFolders: true}
			tree := fstest.MapFS{}
			for _, s := range skills {
				tree[strings.TrimPrefix(s.Dir, "/")+"/SKILL.md"] = &fstest.MapFile{Data: []byte(skill("name: "+quoted(s.Name), "description: "+quoted(s.Description)))}
				w.Folders = append(w.Folders, s.Dir)
			}
			w.Tree = absolute{profile.FS{FS: tree}}
			want, err := os.ReadFile(filepath.Join(dir, "sysprompt_"+version+"_"+name+".txt"))
			must(t, err)
			if got := p.Play(w).Prompt(manifest.Base); got != string(want) {
				t.Errorf("%s %s: got\n%q\nwant\n%q", version, name, got, want)
			}
		}
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
