package capture

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/npmtest"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// reads is how each client's model reads a file; it differs, as do the words that come back.
var reads = map[string]Step{
	"codex":       {Call: "exec_command", Arguments: map[string]any{"cmd": "cat notes.txt"}},
	"gemini-cli":  {Call: "read_file", Arguments: map[string]any{"file_path": "notes.txt"}},
	"pi":          {Call: "read", Arguments: map[string]any{"path": "notes.txt"}},
	"opencode":    {Call: "bash", Arguments: map[string]any{"command": "cat notes.txt", "description": "Reads the notes"}},
	"copilot-cli": {Call: "bash", Arguments: map[string]any{"command": "cat notes.txt", "description": "Reads the notes"}},
	"claude-code": {Call: "Skill", Arguments: map[string]any{"skill": "sort-photos"}},
}

// TestRealClients runs the clients that are installed, each once on a project with all fixtures, and wants each to send
// what is predicted.
func TestRealClients(t *testing.T) {
	t.Parallel()
	servers := offeredTools(t)
	for _, name := range Clients() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := profile.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			program := npmtest.Client(t, p.Run.Command[0])
			o := Options{Profile: p, Program: program, Dir: project(t, p, "usual", "odd"), Count: tokens.Estimate, Timeout: 2 * time.Minute}
			if step, known := reads[name]; known {
				step.Expect.Contains = "first line of the notes"
				if step.Call == "Skill" {
					step.Expect = Expect{} // what a skill brings stands in the message behind the result
				}
				o.Script = []Step{step}
			}
			if p.Run.Server != "" {
				o.Servers = servers
			}
			agree(t, o)
		})
	}
}

// captured captures, again when only the order differs: Gemini CLI reads folders at once and lists what it read first, which
// on a busy machine is not always the same.
func captured(t *testing.T, o Options) *Capture {
	t.Helper()
	for left := 2; ; left-- {
		c, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Reordered || left == 0 {
			return c
		}
		t.Logf("%s lists the skills in another order this time", c.Profile.Label)
	}
}

// agree captures, and reports every difference.
func agree(t *testing.T, o Options) {
	t.Helper()
	began := time.Now()
	c := captured(t, o)
	same := 0
	for _, s := range c.Skills {
		if s.Verdict != Same && s.Verdict != Own {
			t.Errorf("skill %s %s (%s)\n- %s\n+ %s", s.Name, s.Verdict, s.Reason, s.Predicted, s.Sent)
		} else if s.Verdict == Same {
			same++
		}
	}
	for _, k := range c.Tools {
		if k.Verdict != Same && k.Verdict != Own {
			t.Errorf("tool %s %s %v", k.Name, k.Verdict, k.Differs)
		} else if k.Verdict == Same {
			same++
		}
	}
	for _, s := range c.Steps {
		if s.Failed || !s.Offered {
			t.Errorf("step %s: %s, offered %v: %s", s.Call, s.Reason, s.Offered, s.Result)
		}
	}
	if c.Reordered || same == 0 {
		t.Errorf("%d as predicted, in another order: %v", same, c.Reordered)
	}
	t.Logf("%s %s: %d as predicted, %d requests, %s; %s", c.Profile.Label, c.Installed, same, c.Requests, time.Since(began).Round(10*time.Millisecond), strings.Join(c.Notes, " "))
}

// project writes fixtures where the client looks.
func project(t *testing.T, p *profile.Profile, fixtures ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, fixture := range fixtures {
		archive, err := txtar.ParseFile(filepath.Join("testdata", fixture+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			name := f.Name
			if rest, ok := strings.CutPrefix(name, ".agents/skills/"); ok && !p.Reads(".agents/skills") {
				name = p.Discovery.Roots[0].Path + "/" + rest
			}
			write(t, dir, name, string(f.Data))
		}
	}
	write(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
	return dir
}

func offeredTools(t *testing.T) []*catalog.Server {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := catalog.ReadList("words", data)
	if err != nil {
		t.Fatal(err)
	}
	return []*catalog.Server{s}
}
