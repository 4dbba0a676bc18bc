package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// ownSkill is the skill that teaches agents to use the program.
const ownSkill = "../../skills/skilllint"

// output runs a command that has to end with 0, and returns what it prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	if status := run(args, strings.NewReader(""), &out, &errOut); status != 0 {
		t.Fatalf("%q: status %d: %s%s", args, status, out.String(), errOut.String())
	}
	return out.String()
}

// Our own skill has no finding, opinions included, whichever client it is for. VT Code alone is left out: it shows 32
// characters of any description.
func TestOwnSkillLintsClean(t *testing.T) {
	clients := slices.DeleteFunc(profile.Everyone(), func(name string) bool { return name == "vt-code" })
	var all []string
	for _, r := range rules.Registry().Rules() {
		all = append(all, r.Name)
	}
	if got := output(t, "lint", "-q", "--no-config", "--client", strings.Join(clients, ","), "--fail-on", "never", "--select", strings.Join(all, ","), ownSkill); got != "" {
		t.Errorf("findings:\n%s", got)
	}
}

// Every client lists it as itself, and an activation brings its text.
func TestOwnSkillIsListedByAll(t *testing.T) {
	for _, name := range profile.Everyone() {
		var sim struct {
			Skills []struct {
				Listed       bool
				Name, Status string
			}
			Activation struct{ Parts []struct{ Text string } }
		}
		out := output(t, "simulate", "--client", name, "--format", "json", "--activate", "skilllint", ownSkill)
		if err := json.Unmarshal([]byte(out), &sim); err != nil {
			t.Fatal(err)
		}
		if len(sim.Skills) != 1 || !sim.Skills[0].Listed || !strings.Contains(sim.Skills[0].Name, "skilllint") {
			t.Errorf("%s: %+v", name, sim.Skills)
		}
		brings := func(p struct{ Text string }) bool {
			return strings.Contains(p.Text, "After writing or changing a skill")
		}
		if parts := sim.Activation.Parts; len(parts) > 0 && !slices.ContainsFunc(parts, brings) && !slices.ContainsFunc(parts, namesFile) {
			t.Errorf("%s: the activation brings neither the text nor the file: %+v", name, parts)
		}
	}
}

// namesFile holds for clients whose model reads the file by itself.
func namesFile(p struct{ Text string }) bool { return strings.Contains(p.Text, "SKILL.md") }

// Its trigger evals pick it among skills about neighbouring work, and the others do not.
func TestOwnSkillTriggers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(ownSkill, "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root := filepath.Join(dir, ".claude", "skills")
	writeSkill := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "SKILL.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writeSkill("skilllint", string(text))
	for name, description := range map[string]string{
		"lint-code":     "Lints TypeScript, JavaScript and Python files and repairs their style. Use it before a commit of code.",
		"release-notes": "Writes the release notes of a version from the merged changes. Use it when a release is prepared.",
		"proofread":     "Checks spelling and grammar of texts such as a README. Use it before documentation is published.",
		"deploy":        "Deploys the client or the server to staging. Use it when somebody wants to try a change on a server.",
		"write-letters": "Writes letters of application with the skills that a position asks for. Use it for job applications.",
		"repair-build":  "Finds out why a build fails, such as a missing dependency. Use it when the build is red.",
	} {
		writeSkill(name, "---\nname: "+name+"\ndescription: "+description+"\n---\n\nWork.\n")
	}
	var report struct {
		Top1      float64
		Danger    int
		Positives int
		Negatives int
		Queries   []struct {
			Query         string
			Rank          int
			ShouldTrigger bool `json:"should_trigger"`
		}
	}
	out := output(t, "route", "--client", "claude-code", "--format", "json", "--evals", filepath.Join(ownSkill, "evals", "trigger-queries.json"), dir)
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	for _, q := range report.Queries {
		if (q.Rank == 1) != q.ShouldTrigger {
			t.Errorf("%q ranks the skill at %d, should trigger it: %v", q.Query, q.Rank, q.ShouldTrigger)
		}
	}
	if report.Positives < 5 || report.Negatives < 5 {
		t.Errorf("%d queries should trigger it and %d should not; there must be some of each", report.Positives, report.Negatives)
	}
}

// Each command and flag that the skill names is there.
func TestOwnSkillNamesWhatIsThere(t *testing.T) {
	root := newRoot(&app{})
	files, err := filepath.Glob(filepath.Join(ownSkill, "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range append(files, filepath.Join(ownSkill, "SKILL.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, code := range strings.Split(string(text), "`") {
			words := strings.Fields(code)
			if i%2 == 0 || len(words) < 2 || words[0] != "skilllint" {
				continue
			}
			named++
			cmd, rest, err := root.Find(words[1:])
			if err != nil || cmd == root {
				t.Errorf("%s: `%s`: there is no command %s", file, code, words[1])
				continue
			}
			for _, w := range rest {
				if flag, ok := strings.CutPrefix(w, "--"); ok && cmd.Flag(flag) == nil && cmd.InheritedFlags().Lookup(flag) == nil {
					t.Errorf("%s: `%s`: %s has no flag --%s", file, code, cmd.Name(), flag)
				}
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d commands were found in the skill", named)
	}
}
