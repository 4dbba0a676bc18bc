package agentsim_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/memfs"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// project holds skills of two clients and one that no client owns.
func project() memfs.FS {
	return memfs.New(map[string]string{
		"/w/.git/HEAD":                         "",
		"/w/.claude/skills/pdf/SKILL.md":       skillText("pdf", "Reads PDF files.", "Body of pdf: $1 in ${CLAUDE_SKILL_DIR} of ${CLAUDE_SESSION_ID}.\n"),
		"/w/.claude/skills/manual/SKILL.md":    "---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nBy hand.\n",
		"/w/.agents/skills/notes/SKILL.md":     skillText("notes", "Keeps notes.", "Body."),
		"/w/.agents/skills/notes/a/b.md":       "",
		"/w/.agents/skills/notes/.git/x":       "",
		"/w/examples/set/free/SKILL.md":        skillText("free", "Belongs to no client.", "Body."),
		"/other/set/z/SKILL.md":                skillText("z", "Last.", "Body."),
		"/other/set/a/SKILL.md":                skillText("a", "First.", "Body."),
		"/other/set/z/deep/inside/SKILL.md":    skillText("inside", "Within another skill.", "Body."),
		"/other/broken/x/SKILL.md":             "no front matter",
		"/home/u/.claude/skills/mine/SKILL.md": skillText("mine", "Of the user.", "Body."),
	})
}

func names(s *agentsim.Simulation) string {
	var out []string
	for _, k := range s.Skills {
		if k.Listed {
			out = append(out, k.Name)
		}
	}
	return strings.Join(out, " ")
}

// What is simulated depends on where the path lies and on whose folders those are.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		client, home, want string
		paths              []string
	}{
		{client: "claude-code", paths: []string{"/w"}, want: "pdf"},
		{client: "claude-code", paths: []string{"/w"}, home: "/home/u", want: "mine pdf"},
		{client: "claude-code", paths: []string{"/w/.claude/skills"}, want: "pdf"},
		{client: "claude-code", paths: []string{"/w/.agents/skills"}, want: "notes"}, // as if it read that folder
		{client: "claude-code", paths: []string{"/other"}, want: "x a z"},            // a collection of skills
		{client: "codex", paths: []string{"/w"}, want: "notes"},
		{client: "codex", paths: []string{"/w/examples"}, want: "notes"},     // started below the project's root
		{client: "codex", paths: []string{"/other/set/z"}, want: "inside z"}, // it looks below a skill too
		{client: "gemini-cli", paths: []string{"/other/set/a/SKILL.md"}, want: "a"},
		{client: "agentscope-2", paths: []string{"/other/set/z", "/other/set/a"}, want: "z a"},
		{client: "agentscope-2", paths: []string{"/other/set/a", "/other/set/z"}, want: "a z"},
		{client: "codex", paths: []string{"/other/broken"}, want: ""},
	} {
		s := simulate(t, agentsim.Input{Profile: client(t, c.client), FS: project(), Paths: c.paths, Home: c.home})
		if got := names(s); got != c.want {
			t.Errorf("%s %v: lists %q, want %q", c.client, c.paths, got, c.want)
		}
	}
}

func TestPathsRefused(t *testing.T) {
	for _, paths := range [][]string{nil, {"/w", "/other"}, {"/w/.claude/skills/pdf", "/other"}, {"/nowhere"}} {
		in := &agentsim.Input{Profile: client(t, "codex"), FS: project(), Paths: paths, Count: tokens.Estimate}
		if _, err := agentsim.Simulate(context.Background(), in); err == nil {
			t.Errorf("%v is taken", paths)
		}
	}
}

func TestNotes(t *testing.T) {
	s := simulate(t, agentsim.Input{Profile: client(t, "claude-code"), FS: project(), Paths: []string{"/w"}})
	if n := strings.Join(s.Notes, " "); !strings.Contains(n, "does not look where 2 skills lie, in .agents/skills, examples/set.") {
		t.Errorf("notes: %s", n)
	}
	s = simulate(t, agentsim.Input{Profile: client(t, "cursor"), FS: project(), Paths: []string{"/w"}})
	if p := s.Prompt[len(s.Prompt)-1]; p.Exact || !strings.Contains(strings.Join(s.Notes, " "), "is not known") {
		t.Errorf("a listing that nobody has seen is exact: %+v %v", p, s.Notes)
	}
}

// A skill's entries cost what they add up to.
func TestCosts(t *testing.T) {
	s := simulate(t, agentsim.Input{Profile: client(t, "opencode"), FS: project(), Paths: []string{"/w"}, Count: func(text string) int { return len(text) }})
	sum := 0
	for _, k := range s.Skills {
		sum += k.Tokens
		if k.Listed && (k.Cumulative != sum || k.Tokens != len(k.Entry) || k.Characters != len(k.Entry)+1) {
			t.Errorf("%s costs %d, %d so far, want %d", k.Name, k.Tokens, k.Cumulative, sum)
		}
	}
	if sum == 0 || s.Tokens.Listing <= sum || s.Tokens.Listing != len(s.Prompt[len(s.Prompt)-1].Text) {
		t.Errorf("the listing costs %d, its entries %d", s.Tokens.Listing, sum)
	}
}

func TestAgentScopeAround(t *testing.T) {
	in := agentsim.Input{
		Profile: client(t, "agentscope-2"), FS: project(), Paths: []string{"/other/set/a"}, SystemPrompt: "Base.", Session: "s1",
		Instructions: "Work.", Clock: time.Date(2026, 11, 30, 12, 13, 46, 0, time.FixedZone("", 3600)),
	}
	s := simulate(t, in)
	text := s.Prompt[0].Text
	if !strings.HasPrefix(text, "Base.\n\n<system-notification>You're within a session (id=s1).</system-notification>\n<agent-skills>\n") || !strings.HasSuffix(text, "</agent-skills>\nWork.") {
		t.Errorf("the system prompt is %q", text)
	}
	if hint := s.Prompt[1]; hint.Role != "user" || !strings.HasSuffix(hint.Text, "<current-time>2026-11-30T11:13:46</current-time>\n<timezone>UTC</timezone>\n</system-reminder>") {
		t.Errorf("the state hint is %+v", hint)
	}
	in.Profile = client(t, "agentscope-1")
	if s := simulate(t, in); len(s.Prompt) != 1 || strings.Contains(s.Prompt[0].Text, "notification") {
		t.Errorf("version 1 has no sessions: %+v", s.Prompt)
	}
}

// A group's skills are there while it is active, behind the others (agentscope.md B2), and bring a tool (B4).
func TestGroups(t *testing.T) {
	in := agentsim.Input{Profile: client(t, "agentscope-2"), FS: project(), Paths: []string{"/other/set/z"}, Groups: []agentsim.Group{{Name: "office", Paths: []string{"/other/set/a"}}}}
	if s := simulate(t, in); names(s) != "z" || len(s.Tools) != 2 || s.Tools[0].Name != "Skill" || s.Tools[1].Name != "reset_tools" {
		t.Errorf("inactive: %s, tools %v", names(s), s.Tools)
	}
	in.Groups[0].Active = true
	if s := simulate(t, in); names(s) != "z a" {
		t.Errorf("active: %s", names(s))
	}
}

func TestActivate(t *testing.T) {
	in := agentsim.Input{Profile: client(t, "claude-code"), FS: project(), Paths: []string{"/w"}, Skill: "pdf", Args: "a b"}
	a := simulate(t, in).Activation
	want := "Base directory for this skill: /w/.claude/skills/pdf\n\nBody of pdf: b in /w/.claude/skills/pdf of 00000000-0000-0000-0000-000000000000.\n"
	if len(a.Parts) != 2 || a.Parts[1].Text != want || !a.Parts[1].Exact || a.Tool != "Skill" {
		t.Errorf("got %+v", a)
	}
	in.Skill = "manual"
	if a := simulate(t, in).Activation; len(a.Parts) != 2 || !strings.Contains(strings.Join(a.Notes, " "), "The model does not see this skill") {
		t.Errorf("a skill that only a user can call: %+v", a)
	}
	in.Profile, in.Skill = client(t, "gemini-cli"), "NOTES"
	in.Paths = []string{"/w/.agents/skills"}
	if a := simulate(t, in).Activation; !strings.Contains(a.Parts[0].Text, "└───a/\n    └───b.md") || strings.Contains(a.Parts[0].Text, ".git") {
		t.Errorf("the files of a skill found in any letter case: %+v", a)
	}
	in.Profile, in.Skill = client(t, "pi"), "notes"
	if a := simulate(t, in).Activation; len(a.Parts) != 1 || a.Parts[0].Exact || len(a.Notes) != 1 {
		t.Errorf("a model that reads the file itself: %+v", a)
	}
	in.Profile, in.Skill = client(t, "codex"), "nothing"
	in.Count = tokens.Estimate
	if _, err := agentsim.Simulate(context.Background(), &in); err == nil || !strings.Contains(err.Error(), "it finds notes") {
		t.Errorf("a skill that is not there: %v", err)
	}
}

func TestRunShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	run := agentsim.RunShell(context.Background(), t.TempDir())
	if got := run("echo a; echo b"); got != "a\nb" {
		t.Errorf("got %q", got)
	}
	if got := run("exit 3"); !strings.Contains(got, "failed: exit 3: exit status 3") {
		t.Errorf("got %q", got)
	}
}

func TestTools(t *testing.T) {
	server, err := catalog.ReadList("srv", []byte(`[{"name":"get.x","description":"One.","inputSchema":{"type":"object"}},{"name":"get:x","description":"Two."},{"name":"ok"},{"name":"bad"},{}]`))
	if err != nil {
		t.Fatal(err)
	}
	in := agentsim.Input{Profile: client(t, "agentscope-2"), FS: project(), Paths: []string{"/w"}, Servers: []*catalog.Server{server}}
	tell := func(s *agentsim.Simulation) string {
		var out []string
		for _, k := range s.Tools {
			line := k.Tool + "=" + k.Name
			if !k.Listed {
				line += " out: " + k.Reason
			}
			out = append(out, line+strings.Join(k.Changes, ","))
		}
		return strings.Join(out, "; ")
	}
	// The last of two tools of one name wins, in the first one's place (agentscope.md B4).
	want := "Skill=Skill; get:x=mcp__srv__getxxname sanitised; get.x=mcp__srv__getxx out: another tool has this name too; ok=mcp__srv__ok; bad=mcp__srv__bad; = out: the tool has no name"
	if got := tell(simulate(t, in)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	in.Profile = client(t, "kimi-code")
	if got := tell(simulate(t, in)); !strings.HasPrefix(got, "get.x=mcp__srv__get_x out: another tool makes the client refuse the whole server: inputSchema is missing") {
		t.Errorf("got %s", got)
	}
	in.Profile = client(t, "cursor")
	if got := tell(simulate(t, in)); !strings.HasPrefix(got, "get.x=what Cursor does to descriptions and schemas is not known; ") {
		t.Errorf("got %s", got)
	}
}

// The same input gives the same simulation.
// Qwen Code lists tools in a message, as captured on 2026-11-30, and Claude Code may; what is sent only on request costs no more
// than its line.
func TestDeferredTools(t *testing.T) {
	long := strings.Repeat("word ", 40)
	server, err := catalog.ReadList("words", []byte(`[{"name":"rhyme with","description":"Finds rhymes.\nOf any kind.","inputSchema":{"type":"object"}},{"name":"look_up","description":"Looks \"up\": `+long+`","inputSchema":{"type":"object"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	in := agentsim.Input{Profile: client(t, "qwen-code"), FS: project(), Paths: []string{"/w"}, Servers: []*catalog.Server{server}}
	s := simulate(t, in)
	want := "### MCP servers\n#### words\n" +
		`- "mcp__words__look_up": "Looks \"up\": ` + strings.Repeat("word ", 28) + `word ..."` + "\n" +
		`- "mcp__words__rhyme_with_1cvl3oh": "Finds rhymes."` + "\n</system-reminder>"
	part := s.Prompt[len(s.Prompt)-1]
	if part.Role != "user" || !part.Exact || !strings.HasSuffix(part.Text, want) {
		t.Errorf("got %+v, want the end %s", part, want)
	}
	if k := s.Tools[0]; k.Line != `- "mcp__words__rhyme_with_1cvl3oh": "Finds rhymes."` || !k.Listed || k.Tokens != tokens.Estimate(k.Line) {
		t.Errorf("got %+v", k)
	}
	in.Servers = nil
	if n := len(simulate(t, in).Prompt); n != len(s.Prompt)-1 {
		t.Errorf("%d parts without tools", n)
	}
	in.Profile, in.Servers = client(t, "claude-code"), []*catalog.Server{server}
	if notes := strings.Join(simulate(t, in).Notes, " "); !strings.Contains(notes, "When ENABLE_TOOL_SEARCH is on, Claude Code tells its model only the names of these tools") {
		t.Errorf("notes: %s", notes)
	}
}

// A listing of Qwen Code above 8,000 characters keeps first lines only, as captured on 2026-11-30.
func TestFirstLines(t *testing.T) {
	const two = "---\nname: two\ndescription: |-\n  First line.\n  Second line.\n---\n\nBody.\n"
	all := map[string]string{"/w/.git/HEAD": "", "/w/.qwen/skills/two/SKILL.md": two}
	in := agentsim.Input{Profile: client(t, "qwen-code"), FS: memfs.New(all), Paths: []string{"/w"}}
	if d := simulate(t, in).Skills[0].Description; d != "First line.\nSecond line. (project)" {
		t.Errorf("alone: %q", d)
	}
	all["/w/.qwen/skills/long/SKILL.md"] = skillText("long", strings.Repeat("Goes on. ", 240), "Body.")
	in.FS = memfs.New(all)
	s := simulate(t, in)
	if d := s.Skills[1].Description; d != "First line. (project)" || !strings.HasPrefix(s.Skills[0].Description, "Goes on. Goes on.") || s.Skills[1].Reason == "" {
		t.Errorf("beside a long one: %q (%s)", d, s.Skills[1].Reason)
	}
}

func TestSameBytes(t *testing.T) {
	for _, p := range profile.All() {
		in := agentsim.Input{Profile: p, FS: project(), Paths: []string{"/w"}}
		a, errA := json.Marshal(simulate(t, in))
		b, errB := json.Marshal(simulate(t, in))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: %v %v\n%s\n%s", p.Name, errA, errB, a, b)
		}
	}
}

// FuzzSimulate plays every client on any text, with an activation: none may panic.
func FuzzSimulate(f *testing.F) {
	f.Add("---\nname: x\ndescription: D.\narguments: [a]\n---\n$0 $a \\$1 $ARGUMENTS[9] !`x` ${CLAUDE_SKILL_DIR}", "a 'b c")
	f.Add("", "")
	f.Add("\xef\xbb\xbf---\n---", "\x00")
	all := profile.All()
	f.Fuzz(func(t *testing.T, text, args string) {
		fsys := memfs.New(map[string]string{"/s/x/SKILL.md": text})
		for _, p := range all {
			in := &agentsim.Input{Profile: p, FS: fsys, Paths: []string{"/s/x"}, Count: tokens.Estimate, Skill: "x", Args: args}
			agentsim.Simulate(context.Background(), in) //nolint:errcheck // a skill that is not loaded is an error
		}
	})
}
