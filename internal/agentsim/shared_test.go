package agentsim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/memfs"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// shared returns a path below the folder that SKILLLINT_SHARED names, else of one beside the repository. It skips
// the test where there is none.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	file := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skip("no recordings of real clients beside the repository: ", err)
	}
	return file
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func client(t *testing.T, spec string) *profile.Profile {
	t.Helper()
	p, err := profile.Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// recorded returns the profile of a recorded version, be it the newest or an older one.
func recorded(t *testing.T, name, version string) *profile.Profile {
	t.Helper()
	if p := client(t, name); p.Version == version {
		return p
	}
	return client(t, name+"@"+version)
}

func simulate(t *testing.T, in agentsim.Input) *agentsim.Simulation {
	t.Helper()
	if in.FS == nil {
		in.FS = skills.Disk{}
	}
	if in.Count == nil {
		in.Count = tokens.Estimate
	}
	s, err := agentsim.Simulate(context.Background(), &in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func skillText(name, description, body string) string {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n%s", quote(name), quote(description), body)
}

// TestAgentScopePrompts compares whole system prompts with those that AgentScope's own code made.
func TestAgentScopePrompts(t *testing.T) {
	dir := shared(t, "oracle", "agentscope")
	var manifest struct {
		Base   string
		Skills map[string][]struct{ Name, Description, Dir string }
	}
	readJSON(t, filepath.Join(dir, "manifest.json"), &manifest)
	seen := 0
	for version, spec := range map[string]string{"1x": "agentscope-1", "2x": "agentscope-2"} {
		for _, name := range slices.Sorted(maps.Keys(manifest.Skills)) {
			in := agentsim.Input{Profile: client(t, spec), SystemPrompt: manifest.Base}
			texts := map[string]string{"/s/keep": ""}
			for _, s := range manifest.Skills[name] {
				texts[s.Dir+"/SKILL.md"] = skillText(s.Name, s.Description, "Body.")
				in.Paths = append(in.Paths, s.Dir)
			}
			if in.Paths == nil {
				in.Paths = []string{"/s"}
			}
			in.FS = memfs.New(texts)
			want, err := os.ReadFile(filepath.Join(dir, "sysprompt_"+version+"_"+name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			s := simulate(t, in)
			if got := s.Text(); got != string(want) || !s.Prompt[0].Exact {
				t.Errorf("%s %s: got\n%q\nwant\n%q", version, name, got, want)
			}
			seen++
		}
	}
	if seen != 10 {
		t.Errorf("%d prompts are compared, want 10", seen)
	}
}

// sessionID is the only part of an activation that differs between runs.
var sessionID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestActivations compares what each client's own tool returned for a skill, the shell line run.
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
	if len(o.Observed) != 7 {
		t.Errorf("%d clients were recorded, want 7", len(o.Observed))
	}
	for name, want := range o.Observed {
		root := t.TempDir()
		folder := ".agents"
		if name == "claude-code" {
			folder = ".claude"
		}
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS(filepath.Join(dir, "workspace", ".agents"))); err != nil {
			t.Fatal(err)
		}
		s := simulate(t, agentsim.Input{
			Profile: recorded(t, name, want.Version), Paths: []string{root}, Skill: "act-one", Args: want.Call.Arguments["args"],
			Shell: agentsim.RunShell(context.Background(), root),
		})
		if len(s.Activation.Parts) != len(want.Result) {
			t.Errorf("%s: %d parts, want %d", name, len(s.Activation.Parts), len(want.Result))
			continue
		}
		for i, part := range s.Activation.Parts {
			got := mask(strings.ReplaceAll(part.Text, filepath.ToSlash(root), "$WORKSPACE"))
			if w := mask(want.Result[i]); got != w || !part.Exact {
				t.Errorf("%s, part %d (exact %v): got\n%q\nwant\n%q", name, i, part.Exact, got, w)
			}
		}
	}
}

// mask hides the session, and sorts the files in <skill_files>, which some clients sample.
func mask(s string) string {
	s = sessionID.ReplaceAllString(s, "SESSION")
	head, rest, ok := strings.Cut(s, "<skill_files>\n")
	list, tail, closed := strings.Cut(rest, "</skill_files>")
	if !ok || !closed {
		return s
	}
	lines := strings.SplitAfter(list, "\n")
	slices.Sort(lines)
	return head + "<skill_files>\n" + strings.Join(lines, "") + "</skill_files>" + tail
}

// TestListings compares each client's listing with the one that stood in its request.
func TestListings(t *testing.T) {
	recordings, err := filepath.Glob(filepath.Join(shared(t, "oracle", "listing"), "*.txt"))
	if err != nil || len(recordings) == 0 {
		t.Fatal("no listings", err)
	}
	from := shared(t, "oracle", "skills", "workspaces", "A", ".agents", "skills")
	for _, file := range recordings {
		name, version, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), "@")
		root := t.TempDir()
		folder := ".agents/skills"
		if name == "claude-code" || name == "continue" {
			folder = ".claude/skills"
		}
		for _, s := range []string{"a01-plain", "a03-crlf", "a09-trailing-space", "a15-rule-in-body"} {
			if err := os.CopyFS(filepath.Join(root, folder, s), os.DirFS(filepath.Join(from, s))); err != nil {
				t.Fatal(err)
			}
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := strings.Cut(string(src), "\n") // the first line says where the text stood
		s := simulate(t, agentsim.Input{Profile: recorded(t, name, version), Paths: []string{root}})
		got := strings.ReplaceAll(s.Text(), filepath.ToSlash(root), "$WORKSPACE")
		if got != strings.TrimSuffix(want, "\n") {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, want)
		}
		if part := s.Prompt[len(s.Prompt)-1]; part.Exact == strings.Contains(want, "[client's own text") {
			t.Errorf("%s: exact is %v", name, part.Exact)
		}
	}
}

// TestBudgets compares how many characters of 150 equal descriptions each client leaves.
func TestBudgets(t *testing.T) {
	type entry struct {
		Name  string
		Chars int `json:"description_chars"`
	}
	var o struct {
		Observed map[string]struct{ Entries []entry }
	}
	readJSON(t, shared(t, "oracle", "budget", "observed.json"), &o)
	texts := map[string]string{}
	for i := range 150 {
		name := fmt.Sprintf("bud-%03d", i)
		for _, folder := range []string{".agents", ".claude"} {
			texts["/w/"+folder+"/skills/"+name+"/SKILL.md"] = skillText(name, strings.Repeat("x", 414), "")
		}
	}
	for id, want := range o.Observed {
		name, version, _ := strings.Cut(id, "@")
		s := simulate(t, agentsim.Input{Profile: recorded(t, name, version), FS: memfs.New(texts), Paths: []string{"/w"}})
		if name == "continue" { // reads files concurrently: in any order
			slices.SortFunc(want.Entries, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
			slices.SortFunc(s.Skills, func(a, b agentsim.Skill) int { return strings.Compare(a.Name, b.Name) })
		}
		for i, e := range want.Entries {
			got := s.Skills[i]
			if got.Name != e.Name || strings.Count(got.Description, "x")+3*strings.Count(got.Description, "...") != min(e.Chars, 414) {
				t.Errorf("%s, entry %d: got %s with %d characters, want %s with %d", id, i, got.Name, len(got.Description), e.Name, e.Chars)
				break
			}
		}
		if s.Skills[len(want.Entries)-1].Cumulative == 0 {
			t.Errorf("%s: the listing costs nothing", id)
		}
	}
}
