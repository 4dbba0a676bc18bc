package profile_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// sessionID is the only part of an activation that differs between runs.
var sessionID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestActivations compares what a client's tool returned for a skill.
func TestActivations(t *testing.T) {
	dir := shared(t, "oracle", "activation")
	var o struct {
		Observed map[string]struct {
			Version string
			Call    struct{ Arguments map[string]string }
			Result  []string
		}
	}
	readJSON(t, filepath.Join(dir, "observed.json"), &o)
	src, err := os.ReadFile(filepath.Join(dir, "workspace", ".agents", "skills", "act-one", "SKILL.md"))
	must(t, err)
	for client, want := range o.Observed {
		folder := ".agents/skills"
		if client == "claude-code" {
			folder = ".claude/skills"
		}
		d := profile.NewDoc("$WORKSPACE/"+folder+"/act-one/SKILL.md", src)
		parts, _ := findVersion(t, client, want.Version).Activate(d, profile.Call{
			Args:    want.Call.Arguments["args"],
			Session: "SESSION",
			Files:   []string{"SKILL.md", "references/ref.md", "scripts/x.py"},
			Shell: func(command string) string {
				return strings.TrimSuffix(strings.TrimPrefix(command, "echo "), "$((1+1))") + "2"
			},
		})
		if len(parts) != len(want.Result) {
			t.Errorf("%s: %d parts, want %d", client, len(parts), len(want.Result))
			continue
		}
		for i, part := range parts {
			wanted := sessionID.ReplaceAllString(want.Result[i], "SESSION")
			if part.Text != wanted && !sameLines(client, part.Text, wanted) {
				t.Errorf("%s, part %d: got\n%q\nwant\n%q", client, i, part.Text, wanted)
			}
		}
	}
}

// sameLines compares without the order of lines for the clients that sample
// the list of files.
func sameLines(client, a, b string) bool {
	if client != "opencode" && client != "kilo" {
		return false
	}
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func TestArguments(t *testing.T) {
	text := "---\nname: x\ndescription: D.\narguments: [first, second]\n---\n"
	for _, c := range []struct{ client, body, args, want string }{
		{"claude-code", "$0 $1 $2 $second \\$1", `a "b c"`, `a b c $2 b c $1`},
		{"kimi-code", "$0 $1 $2.", "a", "a  ."},
		{"claude-code", "Nothing.", "a b", "Nothing.\n\nARGUMENTS: a b"},
		{"claude-code", "Nothing.", "", "Nothing."},
		{"opencode", "$1 $ARGUMENTS", "a", "$1 $ARGUMENTS"},
	} {
		parts, o := find(t, c.client).Activate(profile.NewDoc("x/SKILL.md", []byte(text+c.body)), profile.Call{Args: c.args})
		if len(parts) == 0 {
			t.Errorf("%s: no parts: %s", c.client, o.Reason)
			continue
		}
		if got := parts[len(parts)-1].Text; !strings.Contains(got, c.want) {
			t.Errorf("%s %q: got %q, want %q in it", c.client, c.body, got, c.want)
		}
	}
	if parts, o := find(t, "codex").Activate(profile.NewDoc("x/SKILL.md", []byte("broken")), profile.Call{}); parts != nil || o.Status != profile.Dropped {
		t.Errorf("a dropped skill is activated: %v %s", parts, o.Status)
	}
}
