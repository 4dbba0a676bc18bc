package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// fake returns what captures the fake client on a project with three skills, of which it drops one. Whatever the test
// does, nothing may be left of it.
func fake(t *testing.T, prompt string) Options {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "fake.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	versions, err := profile.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Cleanup(func() {
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	})
	dir := t.TempDir()
	write(t, dir, ".fake/skills/one/SKILL.md", "---\nname: one\ndescription: First of all.\n---\n")
	write(t, dir, ".fake/skills/two/SKILL.md", "---\nname: two\ndescription: Second to none.\n---\n")
	write(t, dir, ".fake/skills/bad/SKILL.md", "---\nname: bad\n---\n")
	return Options{Profile: versions[0], Exactly: true, Program: os.Args[0], Dir: dir, Temp: temp, Prompt: prompt, Timeout: 30 * time.Second, Count: tokens.Estimate}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sends lets the client send that listing.
func sends(t *testing.T, o *Options, listing string) {
	t.Helper()
	write(t, o.Dir, "prompt.txt", "You are fake.\n\n<skills>\n"+listing+"\n</skills>\n")
}

func verdicts(c *Capture) string {
	var out []string
	for _, s := range c.Skills {
		out = append(out, s.Name+" "+string(s.Verdict))
	}
	return strings.Join(out, ", ")
}

func TestPredictionIsComparedEntryByEntry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listing, want string
		reordered     bool
	}{
		{"- one: First of all.\n- two: Second to none.", "one same, two same", false},
		{"- own: Comes along.\n- one: First of all.\n- two: Second to none.", "own own, one same, two same", false},
		{"- one: First of all, changed.\n- two: Second to none.", "one differs, two same", false},
		{"- one: First\n  of all.\n- two: Second to none.", "one differs, two same", false},
		{"- two: Second to none.", "two same, one missing", false},
		{"- bad: Shown all the same.\n- one: First of all.\n- two: Second to none.", "bad unexpected, one same, two same", false},
		{"- two: Second to none.\n- one: First of all.", "two same, one same", true},
		{"nothing here", "one missing, two missing", false},
	} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			o := fake(t, "hello")
			sends(t, &o, c.listing)
			got, err := Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			if v := verdicts(got); v != c.want || got.Reordered != c.reordered {
				t.Errorf("%q: %s, reordered %v; want %s, %v", c.listing, v, got.Reordered, c.want, c.reordered)
			}
			differs := strings.Contains(strings.ReplaceAll(c.want, "own own", ""), "differs") || strings.Contains(c.want, "missing") || strings.Contains(c.want, "unexpected")
			if got.Agrees() != (!differs && !c.reordered) {
				t.Errorf("%q: agrees is %v", c.listing, got.Agrees())
			}
		})
	}
}

func TestWhatIsSentIsShown(t *testing.T) {
	t.Parallel()
	o := fake(t, "hello there")
	sends(t, &o, "- one: First of all.\n- two: Second to none.")
	c, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if c.Installed != "2.1.0-beta" || c.Protocol != "openai-chat" || c.Requests != 1 || c.Place != "system" || len(c.Notes) > 0 {
		t.Errorf("%+v", c)
	}
	if len(c.Prompt) != 2 || c.Prompt[1].Text != "hello there" || c.Prompt[1].Role != "user" {
		t.Errorf("prompt: %+v", c.Prompt)
	}
	if len(c.Tools) != 1 || c.Tools[0].Name != "read" || c.Tools[0].Verdict != Own {
		t.Errorf("tools: %+v", c.Tools)
	}
}

// A client that does not come to ask its model gives one message with the last it said.
func TestFailures(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"crash":   "nothing was sent to the model. Fake ended with exit status 7; the last it said:\n  panic: no such luck\n  API_TOKEN=*",
		"login":   "it seems to ask for a login, and nothing was sent to the model. Fake ended with exit status 1; the last it said:\n  Please log in to go on.",
		"silent":  "nothing was sent to the model. Fake ended; it said nothing",
		"garbage": "what it sent to the model was not understood: read the request to /v1/chat/completions as openai-chat: ",
	} {
		_, err := Run(context.Background(), fake(t, prompt))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", prompt, err)
		}
	}
}

func TestHangingClientIsEnded(t *testing.T) {
	t.Parallel()
	o := fake(t, "hang")
	o.Timeout = 3 * time.Second
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "Fake was not done after ") || !strings.HasSuffix(err.Error(), "\n  thinking") {
		t.Errorf("%v", err)
	}
}

func TestInterruptEndsTheClient(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	o := fake(t, "hang")
	time.AfterFunc(300*time.Millisecond, cancel)
	if _, err := Run(ctx, o); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("%v", err)
	}
}

func TestAbsentClient(t *testing.T) {
	o := fake(t, "hello")
	o.Program = filepath.Join(o.Dir, "absent")
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "start Fake") {
		t.Errorf("%v", err)
	}
	p, err := profile.Find("codex")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", o.Dir)
	o.Profile, o.Program = p, ""
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "npm install -g @openai/codex installs it") {
		t.Errorf("%v", err)
	}
}

// A client that fails after it has asked its model was captured all the same.
func TestLateFailureIsANote(t *testing.T) {
	t.Parallel()
	o := fake(t, "late")
	sends(t, &o, "- one: First of all.\n- two: Second to none.")
	c, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Fake ended with exit status 3; the last it said:\n  could not save the session"; !c.Agrees() || !slices.Contains(c.Notes, want) {
		t.Errorf("%q, agrees %v", c.Notes, c.Agrees())
	}
}

func TestTheProjectStaysAsItIs(t *testing.T) {
	t.Parallel()
	o := fake(t, "spoil")
	write(t, o.Dir, ".git/HEAD", "ref: refs/heads/main\n")
	write(t, o.Dir, "sub/prompt.txt", "as it was")
	o.Dir = filepath.Join(o.Dir, "sub")
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(o.Dir, "prompt.txt")); err != nil || string(data) != "as it was" {
		t.Errorf("%q %v", data, err)
	}
}

func TestNothingElseIsReached(t *testing.T) {
	t.Parallel()
	c, err := Run(context.Background(), fake(t, "outside"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"telemetry.example:443", "updates.example"}; !slices.Equal(c.Refused, want) {
		t.Errorf("refused %q, want %q", c.Refused, want)
	}
}

func TestOnlyLoopback(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "localhost:0", "127.0.0.1"} {
		o := fake(t, "hello")
		o.Listen = address
		if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "address") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestScript(t *testing.T) {
	t.Parallel()
	o := fake(t, "hello")
	o.Script = []Step{
		{Call: "read", Arguments: map[string]any{"file": "a"}, Expect: Expect{Contains: "result of"}},
		{Call: "burn", Expect: Expect{Text: "nowhere"}},
		{Say: "that is all"},
		{Say: "never asked for"},
	}
	c, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range c.Steps {
		got = append(got, fmt.Sprintf("%s%s %v %q %s", p.Call, p.Say, p.Offered, p.Result, p.Reason))
	}
	want := []string{
		`read true "result of {\\\"file\\\":\\\"a\\\"}" `,
		`burn false "result of {}" the result does not hold what is expected`,
		`that is all false "" `,
		`never asked for false "" the client did not ask its model so often`,
	}
	if !slices.Equal(got, want) || c.Agrees() {
		t.Errorf("got %q\nwant %q, agrees %v", got, want, c.Agrees())
	}
}

func TestScriptsAreRead(t *testing.T) {
	prompt, steps, err := ParseScript([]byte("steps:\n  - user: do it\n  - call: read\n    arguments: {path: x}\n    expect_result: {contains: y}\n  - say: done\n"))
	if err != nil || prompt != "do it" || len(steps) != 2 || steps[0].Arguments["path"] != "x" || steps[0].Expect.Contains != "y" || steps[1].Say != "done" {
		t.Errorf("%q %+v %v", prompt, steps, err)
	}
	if _, steps, err := ParseScript([]byte(`[{"call": "read"}]`)); err != nil || len(steps) != 1 {
		t.Errorf("%+v %v", steps, err)
	}
	for src, want := range map[string]string{
		"":                                     "it is empty",
		"- {}":                                 "step 1: it needs either",
		"- {call: a, say: b}":                  "step 1: it needs either",
		"- {say: a, expect_result: {text: b}}": "step 1: arguments and expect_result belong",
		"- {call: a}\n- {cal: b}":              "cal",
		"- {say: a}\n- {user: b}":              "step 2: the user speaks in the first step",
		"steps: 1":                             "read the script",
		"just words":                           "read the script",
		"- {call: a, arguments: {b: .inf}}":    "step 1: the arguments have no form in JSON",
	} {
		if _, _, err := ParseScript([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestNewerVersions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.10.0", "1.9.9", true}, {"1.9.9", "1.10.0", false}, {"2.0.0", "2.0.0", false}, {"2.0.1-beta.3", "2.0.1", false}, {"0.73.1", "0.74.2", false}} {
		if got := newer(c.a, c.b); got != c.want {
			t.Errorf("newer(%s, %s) is %v", c.a, c.b, got)
		}
	}
}
