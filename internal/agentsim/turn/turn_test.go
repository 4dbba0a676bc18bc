package turn_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/memfs"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// Sections in comments are those of the description of AgentScope that these tests hold: A4 is tools of 1.x, B4 of 2.x.

const pdfSkill = "---\nname: pdf\ndescription: Fills in PDF forms.\n---\n\n# PDF\nRead references/a.md\n"

var project = memfs.New(map[string]string{
	"/s/pdf/SKILL.md":                 pdfSkill,
	"/s/xlsx/SKILL.md":                "---\nname: xlsx\ndescription: Edits spreadsheets.\n---\nCells.\n",
	"/s/lines/SKILL.md":               "---\r\nname: lines\r\ndescription: Zählt.\r\n---\r\nEins\rZwei\r\n",
	"/s/lines/references/größe.md":    "a\r\nb\rc\x0cd\ne",
	"/s/lines/references/latin.md":    "caf\xe9",
	"/s/lines/references/empty.md":    "",
	"/w/.claude/skills/pdf/SKILL.md":  pdfSkill + "\nOf $0.\n",
	"/w/.claude/skills/hand/SKILL.md": "---\nname: hand\ndescription: By hand.\ndisable-model-invocation: true\n---\nHand.\n",
})

const docsTools = `[
 {"name": "look.up", "description": "Looks up.", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}, "most": {"type": "integer"}}, "required": ["word"]}},
 {"name": "write", "description": "Writes.", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}},
 {"name": "typed", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
 {"name": "odd", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}}
]`

func server(t *testing.T, name, tools string) *catalog.Server {
	t.Helper()
	s, err := catalog.ReadList(name, []byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// game is a turn to be played.
type game struct {
	client string
	paths  []string // the skill pdf unless given
	script string
	tools  string // docsTools unless given
	change func(*turn.Input)
}

func (g game) play(t *testing.T) *turn.Transcript {
	t.Helper()
	p, err := profile.Find(g.client)
	if err != nil {
		t.Fatal(err)
	}
	script, err := turn.ParseScript("turn.yaml", []byte(g.script))
	if err != nil {
		t.Fatal(err)
	}
	if g.paths == nil {
		g.paths = []string{"/s/pdf"}
	}
	if g.tools == "" {
		g.tools = docsTools
	}
	in := &turn.Input{Script: script, Client: &agentsim.Input{
		Profile: p, FS: project, Paths: g.paths, SystemPrompt: "You are X.", Count: tokens.Estimate,
		Servers: []*catalog.Server{server(t, "docs", g.tools)},
	}}
	if g.change != nil {
		g.change(in)
	}
	out, err := turn.Play(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// story writes entries in one line each.
func story(t *turn.Transcript) string {
	var b strings.Builder
	for _, e := range t.Entries {
		text := e.Text
		if e.Kind == turn.Called {
			text = e.Tool + " " + e.Arguments
		}
		b.WriteString(string(e.Kind))
		if e.State != "" {
			b.WriteString("/" + e.State)
		}
		if e.Output != nil && e.Output.Plain {
			b.WriteString("/plain")
		}
		if !e.Exact {
			b.WriteString("/inexact")
		}
		b.WriteString(": " + strings.ReplaceAll(text, "\n", `\n`) + "\n")
	}
	return b.String()
}

func failures(t *turn.Transcript) string {
	var out []string
	for _, f := range t.Failures {
		out = append(out, strings.TrimSpace(strings.Join([]string{f.Message, f.Help}, " | ")))
	}
	return strings.Join(out, "\n")
}

func findings(t *turn.Transcript) string {
	var out []string
	for _, f := range t.Findings {
		out = append(out, f.Severity.String()+": "+f.Message)
	}
	return strings.Join(out, "\n")
}

// one plays a single call and returns its result as story does.
func one(t *testing.T, client, call string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(story(game{client: client, script: "- user: go\n- " + call + "\n"}.play(t))), "\n")
	return lines[len(lines)-1]
}

// B3: the Skill tool's results and errors, each kept as the agent keeps it: a text or blocks.
func TestAgentScope2Skill(t *testing.T) {
	for call, want := range map[string]string{
		"expect_skill: pdf":                               `result/success: # PDF\nRead references/a.md`,
		"{call: Skill, arguments: {skill: pdf}}":          `result/success: # PDF\nRead references/a.md`,
		"{call: Skill, arguments: {skill: PDF}}":          `result/error: SkillNotFoundError: Skill 'PDF' not found.`,
		"{call: Skill, arguments: {skill: 5}}":            `result/error/plain: Input validation failed for tool 'Skill': 5 is not of type 'string'`,
		"{call: Skill}":                                   `result/error/plain: Input validation failed for tool 'Skill': 'skill' is a required property`,
		"{call: Skill, arguments: {skill: pdf, x: 1}}":    `result/error: SkillViewer.call() got an unexpected keyword argument 'x'`,
		`{call: Skill, arguments: "[\"pdf\"]"}`:           `result/error/plain: <system-reminder>Error: Your argument string is decoded into a <class 'list'> object, but a dict object is expected!\n\nYour argument string is decoded by the following code snippet:\n` + "```python" + `\nimport json\n\nyour_tool_arguments = '["pdf"]'\njson.loads(your_tool_arguments)\n` + "```" + `\n\n**You should recorrect the arguments in JSON format.**</system-reminder>`,
		`{call: Skill, arguments: "{\"skill\": \"pdf\""}`: `result/success: # PDF\nRead references/a.md`,
		`{call: Skill, arguments: "{skill: 'pdf',}"}`:     `result/success: # PDF\nRead references/a.md`,
		`{call: Skill, arguments: "{\"skill\": \"p"}`:     `result/error: SkillNotFoundError: Skill 'p' not found.`,
		`{call: Skill, arguments: "{\"skill"}`:            undecoded(`Error: When decoding your tool arguments from JSON format to a Python dictionary, a JSONDecodeError was raised with message: Unterminated string starting at: line 1 column 2 (char 1).`, `{"skill`),
		`{call: Skill, arguments: "pdf"}`:                 undecoded(`Error: When decoding your tool arguments from JSON format to a Python dictionary, a JSONDecodeError was raised with message: Expecting value: line 1 column 1 (char 0).`, `pdf`),
		// By the schema the number is a text, and the call has the number all the same.
		`{call: Skill, arguments: "{\"skill\": 5"}`:            `result/error: SkillNotFoundError: Skill '5' not found.`,
		`{call: Skill, arguments: "{\"skill\": [5"}`:           undecoded(`Error: When decoding your tool arguments from JSON format to a Python dictionary, a JSONDecodeError was raised with message: Expecting ',' delimiter: line 1 column 13 (char 12).`, `{"skill": [5`),
		`{call: Skill, arguments: "{\"skill\": \"p\"d\"f\"}"}`: `result/error: SkillNotFoundError: Skill 'p"d"f' not found.`,
		`{call: Skill, arguments: "{\"skill\": \"p\\ud83d\""}`: `result/error/inexact: SkillNotFoundError: Skill 'p�' not found.`,
		// A text with JSON in it is an object by the schema, but not for the call.
		`{call: Skill, arguments: '"{\"skill\": \"pdf\"}"'}`: strings.Replace(undecoded(`Error: Your argument string is decoded into a <class 'str'> object, but a dict object is expected!`, `"{\\"skill\\": \\"pdf\\"}"`), "/plain", "", 1),
		"{call: reset_tools}":                                `result/error/plain: ToolNotFoundError: The tool named 'reset_tools' doesn't exist.`,
	} {
		if got := one(t, "agentscope-2", call); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", call, got, want)
		}
	}
}

// undecoded is the result of a call whose arguments do not become an object.
func undecoded(fault, raw string) string {
	return "result/error/plain: <system-reminder>" + fault + `\n\nYour argument string is decoded by the following code snippet:\n` + "```python" + `\nimport json\n\nyour_tool_arguments = '` + raw + `'\njson.loads(your_tool_arguments)\n` + "```" + `\n\n**You should recorrect the arguments in JSON format.**</system-reminder>`
}

// B3: permissions do not touch the Skill tool, in any mode.
func TestAgentScope2SkillIsAlwaysAllowed(t *testing.T) {
	for _, mode := range []string{"default", "accept_edits", "explore", "bypass", "dont_ask"} {
		g := game{client: "agentscope-2", script: "permission_mode: " + mode + "\nsteps: [{user: go}, {expect_skill: pdf}, {say: Done.}]"}
		if out := g.play(t); out.Failed() || out.End != turn.Completed {
			t.Errorf("%s: %s", mode, story(out))
		}
	}
}

// B4, steps 1 to 3, and name sanitising: what is not called is told in a text.
func TestAgentScope2Call(t *testing.T) {
	for call, want := range map[string]string{
		"{call: look.up, arguments: {word: a}}":                                                                        `result/error/plain: ToolNotFoundError: The tool named 'look.up' doesn't exist.`,
		"{call: mcp__docs__lookxup, arguments: {word: a}}":                                                             `result/success/inexact: [not called: give --call, or a result in the script]`,
		"{call: mcp__docs__lookxup, arguments: {word: a}, result: x}":                                                  `result/success: x`,
		"{call: mcp__docs__lookxup, arguments: {most: 1.5}}":                                                           `result/error/plain: Input validation failed for tool 'mcp__docs__lookxup': 'word' is a required property`,
		"{call: mcp__docs__lookxup, arguments: {word: a, most: 1.5}}":                                                  `result/error/plain: Input validation failed for tool 'mcp__docs__lookxup': 1.5 is not of type 'integer'`,
		"{call: mcp__docs__lookxup, arguments: {word: a}, error: Gone}":                                                `result/error: Error occurred when calling MCP tool: Gone`,
		"{call: mcp__docs__lookxup, arguments: {word: a}, result: {content: [{type: text, text: no}], isError: true}}": `result/error: no`,
	} {
		if got := one(t, "agentscope-2", call); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", call, got, want)
		}
	}
}

// B4, step 4: what each mode makes of a tool that is not read-only, and the answers of the user.
func TestAgentScope2Permissions(t *testing.T) {
	const write = "call: mcp__docs__write, arguments: {text: a}, result: written"
	for _, c := range []struct{ mode, call, end, want string }{
		{"default", write, turn.Waiting, "notice: I'm waiting for your permission or the external execution to finish."},
		{"accept_edits", write, turn.Waiting, "notice: I'm waiting for your permission or the external execution to finish."},
		{"default", write + ", allow: true", turn.NotEnded, "result/success: written"},
		{"default", write + ", allow: false", turn.NotEnded, `result/denied/plain: <system-reminder>The execution of tool "mcp__docs__write" is denied by user!</system-reminder>`},
		{"explore", write, turn.NotEnded, "result/denied/plain: Permission denied for mcp__docs__write (explore mode is read-only)"},
		{"dont_ask", write, turn.NotEnded, "result/denied/plain: Permission denied for mcp__docs__write (dont_ask mode - user not available)"},
		{"bypass", write, turn.NotEnded, "result/success: written"},
		{"dont_ask", "call: mcp__docs__lookxup, arguments: {word: a}, result: x", turn.NotEnded, "result/success: x"},
		{"default", "call: mine, result: x", turn.Waiting, "notice: I'm waiting for your permission or the external execution to finish."},
		{"default", "call: view, result: x", turn.NotEnded, "result/success: x"},
	} {
		script := "permission_mode: " + c.mode + "\ntools: [mine, {name: view, read_only: true}]\nsteps: [{user: go}, {" + c.call + "}]"
		out := game{client: "agentscope-2", script: script}.play(t)
		lines := strings.Split(strings.TrimSpace(story(out)), "\n")
		if got := lines[len(lines)-1]; got != c.want || out.End != c.end {
			t.Errorf("%s, %s: got %s (%s), want %s (%s)", c.mode, c.call, got, out.End, c.want, c.end)
		}
	}
}

// B3, B4: the user's rules. Those that deny or ask hold in every mode, those that allow where the mode asks; one with
// content matches nothing.
func TestAgentScope2Rules(t *testing.T) {
	const (
		write = "mcp__docs__write, arguments: {text: a}, result: written"
		look  = "mcp__docs__lookxup, arguments: {word: a}, result: x"
		waits = "notice: I'm waiting for your permission or the external execution to finish."
	)
	for _, c := range []struct{ mode, rules, call, want string }{
		{"default", "{tool_name: mcp__docs__write, behavior: allow}", write, "result/success: written"},
		{"accept_edits", "{tool_name: mcp__docs__write, rule_content: null, behavior: allow, source: user}", write, "result/success: written"},
		{"dont_ask", "{tool_name: mcp__docs__write, behavior: allow}", write, "result/success: written"},
		{"explore", "{tool_name: mcp__docs__write, behavior: allow}", write, "result/denied/plain: Permission denied for mcp__docs__write (explore mode is read-only)"},
		{"default", `{tool_name: mcp__docs__write, rule_content: "", behavior: deny}, {tool_name: mcp__docs__write, behavior: allow}`, write, "result/denied/plain: Permission to use mcp__docs__write has been denied"},
		{"bypass", "{tool_name: mcp__docs__write, behavior: deny}", write, "result/denied/plain: Permission to use mcp__docs__write has been denied"},
		{"bypass", "{tool_name: mcp__docs__write, behavior: ask}", write, waits},
		{"default", "{tool_name: mcp__docs__lookxup, behavior: ask}", look, waits},
		{"explore", "{tool_name: mcp__docs__lookxup, behavior: deny}", look, "result/denied/plain: Permission to use mcp__docs__lookxup has been denied"},
		{"dont_ask", "{tool_name: mcp__docs__lookxup, behavior: ask}", look, "result/denied/plain: Permission denied for mcp__docs__lookxup (dont_ask mode - ASK converted to DENY, user not available)"},
		{"default", "{tool_name: Skill, behavior: deny}", "Skill, arguments: {skill: pdf}", "result/denied/plain: Permission to use Skill has been denied"},
		{"default", "{tool_name: Skill, rule_content: pdf, behavior: deny}", "Skill, arguments: {skill: pdf}", `result/success: # PDF\nRead references/a.md`},
		{"default", "{tool_name: mcp__docs__write, rule_content: a, behavior: allow}", write, waits},
	} {
		script := "permission_mode: " + c.mode + "\npermission_rules: [" + c.rules + "]\nsteps: [{user: go}, {call: " + c.call + "}]"
		out := game{client: "agentscope-2", script: script}.play(t)
		lines := strings.Split(strings.TrimSpace(story(out)), "\n")
		if got := lines[len(lines)-1]; got != c.want {
			t.Errorf("%s, %s, %s: got %s, want %s", c.mode, c.rules, c.call, got, c.want)
		}
		if content := strings.Contains(c.rules, "rule_content: pdf") || strings.Contains(c.rules, "rule_content: a"); content != strings.Contains(strings.Join(out.Notes, " "), "The permission rule in line 2 matches no call") {
			t.Errorf("%s: %s", c.rules, out.Notes)
		}
	}
}

// B4: a user who allows a tool for good is not asked again; the call keeps the rule that was suggested.
func TestAgentScope2Always(t *testing.T) {
	out := game{client: "agentscope-2", script: `
- user: go
- {call: mcp__docs__write, arguments: {text: a}, allow: always, result: one}
- {call: mcp__docs__write, arguments: {text: b}, result: two}
- say: Done.
`}.play(t)
	if out.Failed() || out.End != turn.Completed {
		t.Errorf("%s: %s", out.End, story(out))
	}
	message := string(out.Messages[1])
	if strings.Count(message, `"suggested_rules":[{"tool_name":"mcp__docs__write","rule_content":null,"behavior":"allow","source":"suggested"}]`) != 1 || strings.Count(message, `"suggested_rules":[]`) != 1 {
		t.Errorf("got %s", message)
	}
}

// B4: functions of the agent run at once, so that questions come behind what needs none, and refusals before what is
// allowed; calls of servers run one after the other.
func TestAgentScope2Batches(t *testing.T) {
	for script, want := range map[string]string{
		"[{call: mine, allow: true, result: one}, {call: mine, allow: false}, {call: view, result: three}, {call: nothing}]": `
result/success: three
result/error/plain: ToolNotFoundError: The tool named 'nothing' doesn't exist.
result/denied/plain: <system-reminder>The execution of tool "mine" is denied by user!</system-reminder>
result/success: one
`,
		"[{call: mine, result: one}, {call: view, result: two}, {call: mcp__docs__lookxup, arguments: {word: a}, result: x}]": `
result/success: two
notice: I'm waiting for your permission or the external execution to finish.
`,
		"[{call: mcp__docs__write, allow: false}, {call: mcp__docs__lookxup, arguments: {word: a}, result: x}, {call: mcp__docs__write, allow: true, result: w}]": `
result/denied/plain: <system-reminder>The execution of tool "mcp__docs__write" is denied by user!</system-reminder>
result/success: x
result/success: w
`,
	} {
		out := game{client: "agentscope-2", script: "tools: [mine, {name: view, read_only: true}]\nsteps: [{user: go}, {calls: " + script + "}]"}.play(t)
		var got strings.Builder
		got.WriteString("\n")
		for _, line := range strings.Split(strings.TrimSpace(story(out)), "\n") {
			if strings.HasPrefix(line, "result") || strings.HasPrefix(line, "notice") {
				got.WriteString(line + "\n")
			}
		}
		if got.String() != want {
			t.Errorf("%s:\ngot%s\nwant%s", script, got.String(), want)
		}
	}
}

// A7 and B4: results of calls that run at once stand in the order in which they end. What is no call ends at once, and what
// takes equally long ends in the order of the calls, which a note tells.
func TestOrderOfEnds(t *testing.T) {
	const calls = `
tools: [slow, fast, {name: view, read_only: true}]
permission_rules: [{tool_name: slow, behavior: allow}]
steps:
  - user: go
  - calls:
      - {call: slow, takes: 2.5, result: slow}
      - {call: view, takes: 1, result: view}
      - {call: fast, takes: 3, allow: true, result: fast}
      - {call: nothing, takes: 9}
      - {call: view, takes: 0.5, result: soon}
`
	for _, c := range []struct{ client, script, want string }{
		{"agentscope-1", calls, "slow view fast nothing soon"},
		{"agentscope-1", "parallel_tool_calls: true" + calls, "nothing soon view slow fast"},
		{"agentscope-2", calls, "nothing soon view slow fast"},
		{"agentscope-2", strings.Replace(calls, "takes: 2.5", "takes: 0.25", 1), "nothing slow soon view fast"},
		{"agentscope-2", strings.Replace(calls, "allow: true", "allow: false", 1), "nothing soon view slow denied"},
	} {
		out := game{client: c.client, script: c.script}.play(t)
		var got []string
		for _, e := range out.Entries {
			switch {
			case e.Kind != turn.Returned:
			case strings.Contains(e.Text, "NotFoundError"):
				got = append(got, "nothing")
			case strings.Contains(e.Text, "denied"):
				got = append(got, "denied")
			default:
				got = append(got, e.Text)
			}
		}
		if strings.Join(got, " ") != c.want || strings.Contains(strings.Join(out.Notes, " "), "at once") {
			t.Errorf("%s, %s: got %s, want %s\n%s", c.client, c.script, got, c.want, out.Notes)
		}
	}
	for script, noted := range map[string]bool{
		"[{call: view, result: a}, {call: view, result: b}]":                                     true,
		"[{call: view, takes: 1, result: a}, {call: view, result: b}]":                           false,
		"[{call: view, result: a}, {call: nothing}]":                                             false,
		"[{call: mine, allow: true, result: a}, {call: mine, allow: false}]":                     false,
		"[{call: view, result: a}, {call: mine, allow: true, result: b}]":                        false,
		"[{call: mine, allow: true, result: a}, {call: mine, allow: true, result: b}]":           true,
		"[{call: mine, takes: 2, allow: true, result: a}, {call: mine, allow: true, result: b}]": false,
	} {
		out := game{client: "agentscope-2", script: "tools: [mine, {name: view, read_only: true}]\nsteps: [{user: go}, {calls: " + script + "}]"}.play(t)
		if notes := strings.Join(out.Notes, " "); strings.Contains(notes, "at once (line 2)") != noted {
			t.Errorf("%s: %s", script, notes)
		}
	}
}

// B4: a reply that waits asks once, and later calls of the answer stay as they are.
func TestAgentScope2Waits(t *testing.T) {
	out := game{client: "agentscope-2", script: `
- user: go
- calls:
    - {call: mcp__docs__lookxup, arguments: {word: a}, result: x}
    - {call: mcp__docs__write, arguments: {text: a}}
    - {call: mcp__docs__lookxup, arguments: {word: b}, result: y}
- say: Done.
- expect_end: waiting
`}.play(t)
	var m struct {
		Content []struct{ Type, ID, State string }
	}
	if err := json.Unmarshal(out.Messages[1], &m); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, b := range m.Content {
		got += b.Type + " " + b.ID + " " + b.State + "; "
	}
	if want := "tool_call call_1 finished; tool_call call_2 asking; tool_call call_3 pending; tool_result call_1 success; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f := failures(out); !strings.Contains(f, `the reply has ended (waiting), the model does not get the word; the call before needs "allow: true"`) || len(out.Failures) != 1 {
		t.Errorf("failures: %s", f)
	}
}

// B4, AS213: a schema that jsonschema cannot use ends the reply. AS212: one that is no object ends every reply.
func TestAgentScope2Crashes(t *testing.T) {
	out := game{client: "agentscope-2", script: "- user: go\n- {call: mcp__docs__odd, arguments: {a: 1}}\n- expect_end: crashed\n"}.play(t)
	if out.End != turn.Crashed || out.Failed() || !strings.Contains(findings(out), "error: jsonschema raises an exception that nobody catches when mcp__docs__odd is called") {
		t.Errorf("%s: %s\n%s", out.End, findings(out), failures(out))
	}
	out = game{client: "agentscope-2", script: "- user: go\n- {call: mcp__docs__odd}\n"}.play(t)
	if out.End == turn.Crashed {
		t.Error("a reference that nobody follows does no harm")
	}
	for _, schema := range []string{`{"type": "string"}`, `{"type": ["object"]}`, `{"type": "object", "properties": []}`} {
		out = game{client: "agentscope-2", script: "- user: go\n- say: Done.\n", tools: `[{"name": "a", "inputSchema": ` + schema + `}]`}.play(t)
		if out.End != turn.Crashed || !out.Failed() {
			t.Errorf("%s: the reply ends as %q", schema, out.End)
		}
	}
}

// B7: the hint on the state comes behind the user's message, once; calls count as one round each; no last request.
func TestAgentScope2Loop(t *testing.T) {
	clock := func(in *turn.Input) { in.Client.Clock = time.Date(2026, 11, 30, 11, 13, 46, 0, time.UTC) }
	out := game{client: "agentscope-2", change: clock, script: `
max_iters: 2
steps:
  - user: one
  - say: I look.
  - call: mcp__docs__lookxup
    arguments: {word: a}
    result: x
  - say: Done.
  - user: two
  - {call: mcp__docs__lookxup, arguments: {word: b}, result: y}
  - {call: mcp__docs__lookxup, arguments: {word: c}, result: z}
  - expect_end: max_iters
`}.play(t)
	hint := `<system-reminder>Treat the following as the ground truth at this point of the conversation. Anything stated earlier is outdated, and a later reminder, if any, supersedes this one:\n<current-time>2026-11-30T11:13:46</current-time>\n<timezone>UTC</timezone>\n</system-reminder>`
	want := `user: one
hint: ` + hint + `
text: I look.
call: mcp__docs__lookxup {"word": "a"}
result/success: x
text: Done.
user: two
call: mcp__docs__lookxup {"word": "b"}
result/success: y
call: mcp__docs__lookxup {"word": "c"}
result/success: z
notice: The maximum reasoning-acting iterations are exceeded.
`
	if got := story(out); got != want || out.Failed() || out.Requests != 4 {
		t.Errorf("%d requests, %s\ngot\n%s\nwant\n%s", out.Requests, failures(out), got, want)
	}
	if n := len(out.Messages); n != 4 { // one message a reply
		t.Errorf("%d messages", n)
	}
}

// B4, "Message JSON" and "Wire".
func TestAgentScope2Messages(t *testing.T) {
	out := game{client: "agentscope-2", script: `
agent: bot
steps:
  - user: Hello
  - say: ok
  - expect_skill: pdf
  - {call: Skill, arguments: {}, expect_result: {state: error}}
  - say: done
`}.play(t)
	const block = `"created_at":"1970-01-01T00:00:00","finished_at":null`
	want := `{"name":"bot","content":[{"type":"text","text":"ok","id":"00000000000000000000000000000004",` + block + `},` +
		`{"type":"tool_call","id":"call_1","name":"Skill","input":"{\"skill\": \"pdf\"}","state":"finished","suggested_rules":[],` + block + `},` +
		`{"type":"tool_result","id":"call_1","name":"Skill","output":[{"type":"text","text":"# PDF\nRead references/a.md","id":"00000000000000000000000000000005",` + block + `}],"state":"success","metadata":{},` + block + `},` +
		`{"type":"tool_call","id":"call_2","name":"Skill","input":"{}","state":"finished","suggested_rules":[],` + block + `},` +
		`{"type":"tool_result","id":"call_2","name":"Skill","output":"Input validation failed for tool 'Skill': 'skill' is a required property","state":"error","metadata":{},` + block + `},` +
		`{"type":"text","text":"done","id":"00000000000000000000000000000006",` + block + `}],` +
		`"role":"assistant","id":"00000000000000000000000000000003","metadata":{},"created_at":"1970-01-01T00:00:00","usage":null,"finished_at":null,"finished_reason":null,"structured_output":null,"error":null}`
	if got := string(out.Messages[1]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	wire := `{"role":"assistant","name":"bot","content":[{"type":"text","text":"ok"}],"tool_calls":[{"id":"call_1","type":"function","function":{"name":"Skill","arguments":"{\"skill\": \"pdf\"}"}}]}
{"role":"tool","tool_call_id":"call_1","name":"Skill","content":"# PDF\nRead references/a.md"}
{"role":"assistant","name":"bot","content":null,"tool_calls":[{"id":"call_2","type":"function","function":{"name":"Skill","arguments":"{}"}}]}`
	if got := lines(out.Wire[2:5]); got != wire {
		t.Errorf("got  %s\nwant %s", got, wire)
	}
	if got := lines(out.Wire[1:2]); got != `{"role":"user","name":"user","content":[{"type":"text","text":"Hello"}]}` {
		t.Errorf("got %s", got)
	}
	if got := lines(out.Wire[:1]); !strings.HasPrefix(got, `{"role":"system","name":"system","content":[{"type":"text","text":"You are X.\n<agent-skills>`) {
		t.Errorf("got %s", got)
	}
}

func lines(messages []json.RawMessage) string {
	var out []string
	for _, m := range messages {
		out = append(out, string(m))
	}
	return strings.Join(out, "\n")
}

// B2, B4: groups are activated by reset_tools, and bring their skills.
func TestAgentScope2Groups(t *testing.T) {
	group := func(in *turn.Input) {
		in.Client.Groups = []agentsim.Group{{Name: "office", Paths: []string{"/s/xlsx"}}}
	}
	out := game{client: "agentscope-2", change: group, script: `
- user: go
- {call: Skill, arguments: {skill: xlsx}, expect_result: "SkillNotFoundError: Skill 'xlsx' not found."}
- {call: reset_tools, arguments: {office: "yes"}, expect_result: {text: "Input validation failed for tool 'reset_tools': 'yes' is not of type 'boolean'", state: error}}
- {call: reset_tools, arguments: {office: true, none: true}, expect_result: "The currently activated tool group(s): office."}
- {call: Skill, arguments: {skill: xlsx}, expect_result: Cells.}
- {call: reset_tools, arguments: {none: 1}, expect_result: {text: "Invalid arguments: the argument none should be a bool value, but got <class 'int'>.", state: success}}
- {call: Skill, arguments: {skill: xlsx}, expect_result: "SkillNotFoundError: Skill 'xlsx' not found."}
- {call: reset_tools, expect_result: All tool groups are currently deactivated.}
- say: Done.
`}.play(t)
	if out.Failed() {
		t.Errorf("%s\n%s", failures(out), story(out))
	}
}

// A3: AgentScope's own tool for files reads all line breaks as one, and tells what it cannot read.
func TestAgentScope1ViewsFiles(t *testing.T) {
	const content, fence = `result: The content of /s/lines/references/`, "\\n```\\n"
	for arguments, want := range map[string]string{
		`{file_path: /s/lines/SKILL.md}`:                                 "result: The content of /s/lines/SKILL.md:" + fence + `1: ---\n2: name: lines\n3: description: Zählt.\n4: ---\n5: Eins\n6: Zwei\n` + "```",
		`{file_path: /s/lines/SKILL.md, ranges: [5, 9]}`:                 "result: The content of /s/lines/SKILL.md in [5, 9] lines:" + fence + `5: Eins\n6: Zwei\n` + "```",
		`{file_path: /s/lines/references/größe.md}`:                      content + "größe.md:" + fence + "1: a\\n2: b\\n3: c\x0cd\\n4: e```",
		`{file_path: /s/lines/references/größe.md, ranges: [-3, -1]}`:    content + "größe.md in [-3, -1] lines:" + fence + "-3: a\\n-2: b\\n-1: c\x0cd\\n```",
		`{file_path: /s/lines/references/größe.md, ranges: []}`:          content + "größe.md in [] lines:" + fence + "1: a\\n2: b\\n3: c\x0cd\\n4: e```",
		`{file_path: /s/lines/references/größe.md, ranges: null}`:        content + "größe.md:" + fence + "1: a\\n2: b\\n3: c\x0cd\\n4: e```",
		`{file_path: /s/lines/references/größe.md, ranges: [3, 1]}`:      "result: InvalidArgumentError: The start line is greater than the end line in the given range [3, 1].",
		`{file_path: /s/lines/references/größe.md, ranges: [5, 6]}`:      "result: InvalidArgumentError: The range '[5, 6]' is out of bounds for the file '/s/lines/references/größe.md', which has only 4 lines.",
		`{file_path: /s/lines/references/größe.md, ranges: "1"}`:         "result: InvalidArgumentError: Invalid range format. Expected a list of two integers, but got '1'.",
		`{file_path: /s/lines/references/größe.md, range: [1, 2]}`:       "result: Error: view_text_file() got an unexpected keyword argument 'range'",
		`{file_path: /s/lines/references/empty.md}`:                      content + "empty.md:" + fence + "```",
		`{file_path: /s/lines/references/none.md}`:                       "result: Error: The file /s/lines/references/none.md does not exist.",
		`{file_path: /s/lines/references}`:                               "result: Error: The path /s/lines/references is not a file.",
		`{file_path: /s/lines/references/latin.md}`:                      "result/inexact: [not read]",
		`{file_path: /s/pdf/SKILL.md}`:                                   "result: FunctionNotFoundError: Cannot find the function named view_text_file",
		`{file_path: /s/lines/../pdf/SKILL.md}`:                          "result: FunctionNotFoundError: Cannot find the function named view_text_file",
		`{file_path: /s/lines/references/none.md}, result: "what it is"`: "result: FunctionNotFoundError: Cannot find the function named view_text_file",
	} {
		out := game{client: "agentscope-1", paths: []string{"/s/lines"}, script: "- user: go\n- {call: view_text_file, arguments: " + arguments + "}\n"}.play(t)
		lines := strings.Split(strings.TrimSpace(story(out)), "\n")
		if got := lines[len(lines)-1]; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", arguments, got, want)
		}
	}
}

// A5, B5: a library compares structuredContent with outputSchema, and what it raises for the schema is all that the model
// reads. Of several faulty members nobody knows which comes first.
func TestOutputSchemaIsWrong(t *testing.T) {
	const call = "{call: TOOL, result: {content: [{type: text, text: x}], structuredContent: {n: 1, m: 1}}}"
	const required = `: Invalid schema for tool look: 'n' is not of type 'array'\n\nFailed validating 'type' in metaschema['allOf'][3]['properties']['required']:\n    {'type': 'array',\n     'items': {'type': 'string'},\n     'uniqueItems': True,\n     'default': []}\n\nOn schema['required']:\n    'n'`
	for _, c := range []struct{ client, schema, want string }{
		{"agentscope-1", `{"type": "object", "required": "n"}`, "result: Error" + required},
		{"agentscope-2", `{"type": "object", "required": "n"}`, "result/error" + required},
		{"agentscope-1", `{"type": "object", "properties": {"n": {"$ref": "#/$defs/none"}}}`, `result: Error: PointerToNowhere: '/$defs/none' does not exist within {'type': 'object', 'properties': {'n': {'$ref': '#/$defs/none'}}}`},
		{"agentscope-1", `{"type": "object", "properties": {"n": {"minimum": 2}}}`, `result: Error: Invalid structured content returned by tool look: 1 is less than the minimum of 2\n\nFailed validating 'minimum' in schema['properties']['n']:\n    {'minimum': 2}\n\nOn instance['n']:\n    1`},
		{"agentscope-1", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"n": {"pattern": "\\p{L}"}}}`, `result: Error: Invalid schema for tool look: '\\p{L}' is not a 'regex'\n\nFailed validating 'format' in metaschema['properties']['properties']['additionalProperties']['properties']['pattern']:\n    {'type': 'string', 'format': 'regex'}\n\nOn schema['properties']['n']['pattern']:\n    '\\p{L}'`},
		{"agentscope-1", `{"type": "object", "properties": {"n": {"minimum": "x"}, "m": {"type": "strin"}}}`, "result/inexact: Error: Invalid schema for tool look: "},
	} {
		tool := map[string]string{"agentscope-1": "look", "agentscope-2": "mcp__docs__look"}[c.client]
		out := game{
			client: c.client, script: "- user: go\n- " + strings.Replace(call, "TOOL", tool, 1) + "\n",
			tools: `[{"name": "look", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {}}, "outputSchema": ` + c.schema + `}]`,
		}.play(t)
		got := strings.Split(strings.TrimSpace(story(out)), "\n")[2]
		if got != c.want && !(strings.Contains(c.want, "inexact") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s, %s:\ngot  %s\nwant %s", c.client, c.schema, got, c.want)
		}
	}
}

// A3, A4, A7: the loop of 1.x.
func TestAgentScope1(t *testing.T) {
	for call, want := range map[string]string{
		"expect_skill: pdf": `result: The content of /s/pdf/SKILL.md:\n` + "```" + `\n1: ---\n2: name: pdf\n3: description: Fills in PDF forms.\n4: ---\n5: \n6: # PDF\n7: Read references/a.md\n` + "```",
		"{call: nothing}":   `result: FunctionNotFoundError: Cannot find the function named nothing`,
		"{call: look.up, arguments: {most: x}, error: Invalid params}":              `result: Error occurred when calling MCP tool: Invalid params`,
		"{call: write, arguments: {text: a}, result: written}":                      `result: written`,
		"{call: write, result: {content: [{type: text, text: no}], isError: true}}": `result: no`,
		"{call: typed, result: x}":                                                  `result: Error: Tool typed has an output schema but did not return structured content`,
		"{call: write, result: [{type: text, text: a}, {type: text, text: b}]}":     `result: - a\n- b`,
	} {
		if got := one(t, "agentscope-1", call); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", call, got, want)
		}
	}
}

// A7: when the rounds are used up, the model is asked once more, without tools.
func TestAgentScope1MaxIters(t *testing.T) {
	g := game{client: "agentscope-1", script: "max_iters: 1\nsteps: [{user: go}, {call: write, result: a}, {say: So far.}, {expect_end: max_iters}]"}
	out := g.play(t)
	want := "user: go\ncall: write {}\nresult: a\nhint: You have failed to generate response within the maximum iterations. Now respond directly by summarizing the current situation.\ntext: So far.\n"
	if got := story(out); got != want || out.Failed() || out.Requests != 2 {
		t.Errorf("%s\ngot\n%s\nwant\n%s", failures(out), got, want)
	}
	g.script = "max_iters: 1\nsteps: [{user: go}, {call: write, result: a}, {call: write, result: b}]"
	if f := failures(g.play(t)); !strings.Contains(f, "asks for the last word without offering tools") {
		t.Errorf("failures: %s", f)
	}
}

// A4, "Message JSON" and "Wire": each result is a message of its own.
func TestAgentScope1Messages(t *testing.T) {
	out := game{client: "agentscope-1", script: "agent: bot\nsteps: [{user: Hello}, {say: ok}, {call: write, arguments: {text: ä}, result: [{type: image, data: AA==, mimeType: image/png}]}, {say: done}]"}.play(t)
	const end = `,"metadata":{},"timestamp":"1970-01-01 00:00:00.000"}`
	want := `{"id":"00000000000000000000000000000001","name":"user","role":"user","content":"Hello"` + end + `
{"id":"00000000000000000000000000000002","name":"bot","role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"call_1","name":"write","input":{"text": "ä"}}]` + end + `
{"id":"00000000000000000000000000000003","name":"system","role":"system","content":[{"type":"tool_result","id":"call_1","name":"write","output":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]}]` + end
	if got := lines(out.Messages[:3]); strings.ReplaceAll(got, `": "`, `":"`) != strings.ReplaceAll(want, `": "`, `":"`) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := lines(out.Wire[2:3]); got != `{"role":"assistant","name":"bot","content":[{"type":"text","text":"ok"}],"tool_calls":[{"id":"call_1","type":"function","function":{"name":"write","arguments":"{\"text\": \"ä\"}"}}]}` {
		t.Errorf("got %s", got)
	}
}

// A7: 1.x repairs the arguments of a call when it reads the answer, and calls with nothing when it cannot.
func TestAgentScope1Repairs(t *testing.T) {
	for raw, want := range map[string]string{`{"text": "a`: `{"text": "a"}`, `[1]`: `{}`, `none`: `{}`, `{'text': True}`: `{"text": true}`} {
		var made string
		call := func(_ context.Context, _, _ string, arguments json.RawMessage, _ bool) (*catalog.Node, error) {
			made = string(arguments)
			return catalog.Parse(`{"content": []}`)
		}
		out := game{client: "agentscope-1", change: func(in *turn.Input) { in.Call = call }, script: "- user: go\n- call: write\n  arguments: " + text.Quote(raw) + "\n- say: Done.\n"}.play(t)
		if made != want || !strings.Contains(string(out.Wire[2]), `"arguments":`+text.Quote(want)) {
			t.Errorf("%s: called with %s, sent %s", raw, made, out.Wire[2])
		}
	}
}

// A4, B4: ids and the names of temporary files may stand in the script, in the order in which the program draws them.
func TestGivenNames(t *testing.T) {
	const image = "[{type: text, text: See}, {type: image, data: AA==, mimeType: image/png}]"
	out := game{client: "agentscope-2", script: "ids: [t1, m1, reply, b1, see, pic]\nsteps: [{user: go}, {say: ok}, {call: mcp__docs__lookxup, arguments: {word: a}, result: " + image + "}, {say: Done.}]"}.play(t)
	wire := `{"role":"tool","tool_call_id":"call_1","name":"mcp__docs__lookxup","content":"See\n<system-reminder>A(n) image file is returned and will be presented to you with the identifier [pic].</system-reminder>"}
{"role":"user","name":"system-reminder","content":[{"type":"text","text":"<system-reminder>The multimodal data and their identifiers are listed as follows:"},{"type":"text","text":"- pic (image file): "},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"text","text":"</system-reminder>"}]}`
	if got := lines(out.Wire[3:5]); got != wire {
		t.Errorf("got  %s\nwant %s", got, wire)
	}
	for _, want := range []string{`"id":"reply","metadata"`, `"text":"ok","id":"b1"`, `"media_type":"image/png"},"name":null,"id":"pic"`, `"text":"Done.","id":"00000000000000000000000000000007"`} {
		if !strings.Contains(string(out.Messages[1]), want) {
			t.Errorf("no %s in %s", want, out.Messages[1])
		}
	}
	out = game{client: "agentscope-1", script: "ids: [a, b, c]\ntemporary_files: [/tmp/x.png]\nsteps: [{user: go}, {call: write, result: " + image + "}, {say: Done.}]"}.play(t)
	if e := out.Entries[2]; e.Text != "- See\n- The returned image can be found at: /tmp/x.png" || !e.Exact || !strings.HasPrefix(string(out.Messages[2]), `{"id":"c"`) {
		t.Errorf("got %+v, %s", e, out.Messages[2])
	}
}

// A5, B5: which content becomes what, and what is dropped or glued.
func TestResults(t *testing.T) {
	const resource = `{type: resource, resource: {uri: "file:///a.txt", mimeType: text/plain, text: "a\nb"}}`
	const asJSON = `{\n  "uri": "file:///a.txt",\n  "mimeType": "text/plain",\n  "meta": null,\n  "text": "a\nb"\n}`
	for _, c := range []struct{ client, result, want, lost string }{
		{"agentscope-2", "[{type: text, text: a}, {type: text, text: b}]", "result/success: ab", "info: two texts become one without anything between them: …ab…"},
		{"agentscope-2", `[{type: text, text: "a\n"}, {type: text, text: b}]`, `result/success: a\nb`, ""},
		{"agentscope-2", "[" + resource + "]", "result/success: " + asJSON, "info: the embedded resource file:///a.txt is shown as JSON, its text escaped"},
		{"agentscope-1", "[" + resource + "]", "result: " + asJSON, "info: the embedded resource file:///a.txt is shown as JSON, its text escaped"},
		{"agentscope-2", `[{type: resource, resource: {uri: "x:/b", blob: AA==}}]`, "result/success: ", "warning: the embedded resource x:/b is dropped: it is no text\nerror: nothing of the result reaches the model: it reads an empty success"},
		{"agentscope-1", `[{type: resource_link, uri: "x:/c", name: c}, {type: text, text: See c.}]`, "result: See c.", "warning: the resource_link x:/c is dropped"},
		{"agentscope-2", `{content: [], structuredContent: {n: 7}}`, "result/success: ", "warning: structuredContent is dropped, and /n stands in no text\nerror: nothing of the result reaches the model: it reads an empty success"},
		{"agentscope-2", `{content: [{type: text, text: "{\"n\": 7}"}], structuredContent: {n: 7}}`, `result/success: {"n": 7}`, ""},
		{"agentscope-1", `{content: [{type: text, text: no}], isError: true}`, "result: no", "warning: isError is ignored: the model is not told that the call failed"},
		{"agentscope-2", "[{type: text, text: a}, {type: text, text: ''}, {type: text, text: b}]", "result/success: ab", "info: two texts become one without anything between them: …ab…"},
		{"agentscope-1", "[{type: text, text: a}, {type: text, text: ''}]", `result: - a\n- `, "info: 2 parts are shown as a list, each behind \"- \""},
		// The Python SDK refuses what is not as MCP wants it, in words of pydantic's, and writes addresses as browsers do.
		{"agentscope-1", "[{type: text}]", "result/inexact: ", ""},
		{"agentscope-2", "[{type: text, text: 5}, {type: text, text: b}]", "result/success/inexact: b", ""},
		{"agentscope-1", "[{type: resource, resource: {uri: 'HTTPS://Example.com:443/größe/../a b', text: t}}]", `result: {\n  "uri": "https://example.com/a%20b",\n  "mimeType": null,\n  "meta": null,\n  "text": "t"\n}`, "info: the embedded resource HTTPS://Example.com:443/größe/../a b is shown as JSON, its text escaped"},
		{"agentscope-2", "[{type: resource, resource: {uri: 'file:///größe.txt', text: t}}]", `result/success: {\n  "uri": "file:///gr%C3%B6%C3%9Fe.txt",\n  "mimeType": null,\n  "meta": null,\n  "text": "t"\n}`, "info: the embedded resource file:///größe.txt is shown as JSON, its text escaped"},
		{"agentscope-1", "[{type: resource, resource: {uri: a.txt, text: t}}]", `result/inexact: {\n  "uri": "a.txt",\n  "mimeType": null,\n  "meta": null,\n  "text": "t"\n}`, "info: the embedded resource a.txt is shown as JSON, its text escaped"},
		{"agentscope-2", `[{type: hologram}]`, "result/success/inexact: ", "warning: content of the type \"hologram\" is dropped\nerror: nothing of the result reaches the model: it reads an empty success"},
		{"agentscope-2", `{content: []}`, "result/success: ", ""},
		{"agentscope-1", "[{type: image, data: AA==, mimeType: image/png}]", "result/inexact: The returned image can be found at: [a temporary file]", ""},
		{"agentscope-1", "[{type: text, text: See}, {type: audio, data: AA==, mimeType: audio/wav}]", `result/inexact: - See\n- The returned audio can be found at: [a temporary file]`, "info: 2 parts are shown as a list, each behind \"- \""},
		{"agentscope-2", "[{type: text, text: a}, {type: image, data: AA==, mimeType: image/png}, {type: text, text: b}]", `result/success: a\n<system-reminder>A(n) image file is returned and will be presented to you with the identifier [00000000000000000000000000000005].</system-reminder>\nb`, ""},
		{"agentscope-2", "[{type: audio, data: AA==, mimeType: audio/ogg}]", "result/success/inexact: <system-reminder>A(n) audio file is returned and saved locally at: [a temporary file].</system-reminder>", ""},
	} {
		name := map[string]string{"agentscope-1": "look.up", "agentscope-2": "mcp__docs__lookxup"}[c.client]
		out := game{client: c.client, script: "- user: go\n- {call: " + name + ", arguments: {word: a}, result: " + c.result + "}\n"}.play(t)
		all := strings.Split(strings.TrimSuffix(story(out), "\n"), "\n")
		if got := all[len(all)-1]; got != c.want || findings(out) != c.lost {
			t.Errorf("%s %s:\ngot  %s\nwant %s\nlost %s\nwant %s", c.client, c.result, got, c.want, findings(out), c.lost)
		}
	}
}

// AS219: the SDK compares structuredContent with outputSchema, unless the call failed.
func TestOutputSchema(t *testing.T) {
	for result, want := range map[string]string{
		"x": "result/error: Tool typed has an output schema but did not return structured content",
		"{content: [], structuredContent: {n: a}}":                          `result/error: Invalid structured content returned by tool typed: 'a' is not of type 'integer'\n\nFailed validating 'type' in schema['properties']['n']:\n    {'type': 'integer'}\n\nOn instance['n']:\n    'a'`,
		"{content: [{type: text, text: \"7\"}], structuredContent: {n: 7}}": "result/success: 7",
		"{content: [{type: text, text: no}], isError: true}":                "result/error: no",
	} {
		if got := one(t, "agentscope-2", "{call: mcp__docs__typed, result: "+result+"}"); got != want {
			t.Errorf("%s: got %s, want %s", result, got, want)
		}
	}
}

// A result that is longer than the limit is cut like a skill's text (B3).
func TestAgentScope2Limit(t *testing.T) {
	out := game{client: "agentscope-2", script: "- user: go\n- {call: mcp__docs__lookxup, arguments: {word: a}, result: " + strings.Repeat("x", 200002) + "}\n"}.play(t)
	text := out.Entries[2].Text
	if want := strings.Repeat("x", 200001) + "\n<<<TRUNCATED>>>\n<system-reminder>The remaining content has been omitted for limited context.</system-reminder>"; text != want {
		t.Errorf("%d characters, the end is %s", len(text), text[len(text)-60:])
	}
	if !strings.Contains(findings(out), "longer than 200001 bytes") {
		t.Error(findings(out))
	}
}

// Other clients: what is known of them, and no more.
func TestOtherClients(t *testing.T) {
	out := game{client: "claude-code", paths: []string{"/w"}, script: `
- user: Fill in the form
- expect_skill: {name: pdf, args: a b}
- {call: mcp__docs__write, arguments: {text: a}, result: written}
- say: Done.
- user: And now?
- expect_skill: hand
- {call: mcp__docs__wriet, arguments: {text: a}}
- {call: mcp__docs__write, arguments: {text: 5}, result: written}
- {call: look.up, arguments: {word: a}, result: x}
`}.play(t)
	got := story(out)
	if !strings.Contains(got, "call: Skill {\"skill\": \"pdf\", \"args\": \"a b\"}\nresult/success: Launching skill: pdf\nhint: Base directory for this skill: /w/.claude/skills/pdf\\n\\n# PDF\\nRead references/a.md\\n\\nOf a.") {
		t.Errorf("got\n%s", got)
	}
	f := failures(out)
	for _, want := range []string{
		"Claude Code does not list the skill \"hand\": Claude Code does not show the skill to the model: disable-model-invocation is set",
		`sees no tool called mcp__docs__wriet | it sees mcp__docs__look_up, mcp__docs__write, mcp__docs__typed, mcp__docs__odd; did you mean "mcp__docs__write"?`,
		"the arguments of mcp__docs__write do not fit its schema: /text: got number, want string",
		"sees no tool called look.up | it sees the tool of docs as mcp__docs__look_up",
	} {
		if !strings.Contains(f, want) {
			t.Errorf("no %q in\n%s", want, f)
		}
	}
	if out.Messages != nil || len(out.Wire) == 0 {
		t.Errorf("%d messages, %d on the wire", len(out.Messages), len(out.Wire))
	}
	out = game{client: "codex", script: "- user: go\n- expect_skill: pdf\n- say: Done.\n"}.play(t)
	if got := story(out); !strings.Contains(got, `call: read {"path": "/s/pdf/SKILL.md"}`+"\nresult/success/inexact: ---") {
		t.Errorf("a model that reads the file itself:\n%s", got)
	}
}

// A skill that is not there is told once.
func TestNoSuchSkill(t *testing.T) {
	for _, name := range []string{"agentscope-1", "agentscope-2", "claude-code", "codex", "opencode"} {
		out := game{client: name, script: "- user: go\n- expect_skill: none\n- say: Done.\n"}.play(t)
		if f := failures(out); len(out.Failures) != 1 || !strings.Contains(f, `does not list the skill "none" | it lists pdf`) {
			t.Errorf("%s: %s", name, f)
		}
		if notes := strings.Join(out.Notes, " "); strings.Contains(notes, "not known") {
			t.Errorf("%s: %s", name, notes)
		}
	}
}

// Expectations that do not hold say what is wanted and what there is.
func TestExpectations(t *testing.T) {
	out := game{client: "agentscope-2", script: `
- user: go
- {call: mcp__docs__lookxup, arguments: {word: a}, result: "one two", expect_result: {text: one, contains: [two, three], matches: "^t", state: error, lost: true}}
- expect_result: one two
- expect_end: completed
- say: Done.
- say: And more.
- expect_skill: PDF
`, change: func(in *turn.Input) { in.Rank = func(string) []string { return []string{"xlsx", "pdf"} } }}.play(t)
	want := `the state of the result of mcp__docs__lookxup is another one | one two
the result of mcp__docs__lookxup is another one |
the result of mcp__docs__lookxup does not contain the text |
the result of mcp__docs__lookxup does not match the pattern |
nothing of the result of mcp__docs__lookxup is lost, though that is expected |
the reply ends in another way |
the reply has ended (completed), the model does not get the word; begin the next reply with "user:" |
the reply has ended (completed), the model does not get the word; begin the next reply with "user:" |`
	if got := failures(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f := out.Failures[1]; f.Want != "one" || f.Got != "one two" || f.Line != 3 {
		t.Errorf("got %+v", f)
	}
	rank := func(in *turn.Input) { in.Rank = func(string) []string { return []string{"xlsx", "pdf"} } }
	out = game{client: "agentscope-2", change: rank, script: "- user: go\n- expect_skill: {name: pdf, within: 1}\n- say: Done.\n"}.play(t)
	if got := failures(out); !strings.Contains(got, `the skill "pdf" is number 2 of 2 for what the user said, behind xlsx; it should be within 1`) {
		t.Errorf("got %s", got)
	}
}

// Calls are made with the server's name of the tool, in a session of their own where the script says so.
func TestCalls(t *testing.T) {
	var made []string
	call := func(_ context.Context, server, tool string, arguments json.RawMessage, fresh bool) (*catalog.Node, error) {
		made = append(made, server+" "+tool+" "+string(arguments)+map[bool]string{true: " fresh"}[fresh])
		switch len(made) {
		case 1:
			return catalog.Parse(`{"content": [{"type": "text", "text": "real"}]}`)
		case 2:
			return nil, &mcpprobe.Refusal{Code: -32602, Message: "No such word"}
		}
		return nil, errors.New("call look.up: the server ended")
	}
	script := "sessions: {docs: stateless}\nsteps: [{user: go}, {call: mcp__docs__lookxup, arguments: {word: a}, result: recorded, expect_result: real}, {call: mcp__docs__lookxup, arguments: {word: b}}, {call: mcp__docs__lookxup, arguments: {word: c}}, {call: mcp__docs__lookxup}]"
	out := game{client: "agentscope-2", script: script, change: func(in *turn.Input) { in.Call = call }}.play(t)
	if got, want := strings.Join(made, "; "), `docs look.up {"word": "a"} fresh; docs look.up {"word": "b"} fresh; docs look.up {"word": "c"} fresh`; got != want {
		t.Errorf("made %s, want %s", got, want)
	}
	if !strings.Contains(story(out), "result/error: Error occurred when calling MCP tool: No such word\n") {
		t.Error(story(out))
	}
	if f := failures(out); !strings.Contains(f, "mcp__docs__lookxup could not be called: call look.up: the server ended") {
		t.Error(f)
	}
}

// model answers from a list.
type model struct {
	answers []turn.Answer
	asked   []*turn.Request
}

func (m *model) Answer(_ context.Context, r *turn.Request) (*turn.Answer, error) {
	m.asked = append(m.asked, r)
	if len(m.asked) > len(m.answers) {
		return nil, errors.New("nothing more to say")
	}
	return &m.answers[len(m.asked)-1], nil
}

// A model that plays itself is held against the same script.
func TestLiveModel(t *testing.T) {
	m := &model{answers: []turn.Answer{
		{Text: "I see.", Calls: []turn.ModelCall{{ID: "x1", Tool: "Skill", Arguments: `{"skill": "pdf"}`}}},
		{Calls: []turn.ModelCall{{Tool: "mcp__docs__lookxup", Arguments: `{"word": "tax"}`}}},
		{Text: "Done."},
	}}
	out := game{client: "agentscope-2", change: func(in *turn.Input) { in.Model = m }, script: `
- user: go
- expect_skill: pdf
- {call: mcp__docs__lookxup, result: form-7}
- expect_result: form-7
- {call: mcp__docs__write, result: written}
- say: whatever
- expect_end: completed
`}.play(t)
	if got := failures(out); got != "the model does not call mcp__docs__write |" {
		t.Errorf("failures: %s", got)
	}
	if got, want := story(out), "user: go\ntext: I see.\ncall: Skill {\"skill\": \"pdf\"}\nresult/success: # PDF\\nRead references/a.md\ncall: mcp__docs__lookxup {\"word\": \"tax\"}\nresult/success: form-7\ntext: Done.\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if r := m.asked[0]; !strings.HasPrefix(r.System, "You are X.\n<agent-skills>") || r.Tools[0].Name != "Skill" || len(r.Tools) != 5 {
		t.Errorf("asked %+v", r)
	}
}

func TestScriptErrors(t *testing.T) {
	for script, want := range map[string]string{
		"":                                     `turn.yaml:1:1: there are no steps; begin with "- user: …" below "steps:"`,
		"steps: []":                            `turn.yaml:1:1: there are no steps; begin with "- user: …" below "steps:"`,
		"- user: [":                            "turn.yaml:2:1: is not valid YAML: ",
		"- say: x":                             `turn.yaml:1:3: the first step must be what the user says: "- user: …"`,
		"- usre: x":                            `turn.yaml:1:3: unknown key "usre"; did you mean "user"?`,
		"- user: x\n  say: y":                  "turn.yaml:1:3: a step is one of user, say, call, calls, expect_skill, expect_result and expect_end",
		"- user: x\n- user: y\n  user: z":      "turn.yaml:3:3: ",
		"- hello":                              "turn.yaml:1:3: write a mapping with the keys call, calls, expect_end, expect_result, expect_skill, say, user",
		"stpes: []":                            `turn.yaml:1:1: unknown key "stpes"; did you mean "steps"?`,
		"- user: x\n- {call: a, arguments: 5}": "turn.yaml:2:24: write the arguments as a mapping, or as the text that the model sends",
		"- user: x\n- {call: a, arguments: {b: .inf}}":                              "turn.yaml:2:28: JSON has no value .inf",
		"- user: x\n- {call: a, result: {x: 1}}":                                    "turn.yaml:2:21: write the result as a text, as a list of content blocks, or with the keys content, structuredContent and isError",
		"- user: x\n- {call: a, allow: perhaps}":                                    "turn.yaml:2:20: must be true, false or always",
		"permission_rules: [{tool_name: a}]\nsteps: [{user: x}]":                    "turn.yaml:1:20: the rule needs a tool_name, and the behavior allow, deny or ask",
		"permission_rules: [{tool_name: a, behavior: perhaps}]\nsteps: [{user: x}]": `turn.yaml:1:45: "perhaps" is not one of allow, deny, ask`,
		"ids: x\nsteps: [{user: x}]":                                                "turn.yaml:1:6: must be a list",
		"- user: x\n- expect_result: y":                                             "turn.yaml:2:3: there is no call before this whose result could be looked at",
		"- user: x\n- {call: a, expect_result: {matches: '('}}":                     "turn.yaml:2:38: cannot read the pattern",
		"- user: x\n- expect_end: soon":                                             `turn.yaml:2:15: "soon" is not one of completed, max_iters, waiting, crashed, unknown`,
		"max_iters: 0\nsteps: [{user: x}]":                                          "turn.yaml:1:12: must be a whole number from 1 on",
		"permission_mode: yolo\nsteps: [{user: x}]":                                 `turn.yaml:1:18: "yolo" is not one of default, accept_edits, explore, bypass, dont_ask`,
		"- user: x\n- expect_skill: {args: y}":                                      "turn.yaml:2:17: the skill needs a name",
		"- user: x\n- calls: [{arguments: {}}]":                                     `turn.yaml:2:11: the call needs a tool: "call: NAME"`,
	} {
		if _, err := turn.ParseScript("turn.yaml", []byte(script)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", script, err, want)
		}
	}
}

// The same script gives the same bytes.
func TestSameBytes(t *testing.T) {
	for _, p := range profile.All() {
		g := game{client: p.Name, script: "- user: go\n- expect_skill: pdf\n- {call: x}\n- say: Done.\n"}
		a, errA := json.Marshal(g.play(t))
		b, errB := json.Marshal(g.play(t))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: %v %v", p.Name, errA, errB)
		}
	}
}

// FuzzPlay plays any script with clients of each kind: none may panic.
func FuzzPlay(f *testing.F) {
	f.Add("- user: x\n- say: y\n- {call: Skill, arguments: {skill: pdf}, allow: false, result: [{type: text}]}\n")
	f.Add("max_iters: 1\ntools: [a, {name: b, input_schema: {type: [x], pattern: '('}}]\nsteps: [{user: &a x}, {calls: [{call: a}, {call: b, arguments: \"{\"}]}, {expect_result: {contains: *a}}, {say: z}, {expect_end: waiting}]")
	f.Add("- user: &x [*x]\n")
	f.Add("- user: x\n- {call: mcp__docs__typed, result: {structuredContent: [1], content: 5}}\n- expect_skill: hand\n")
	docs, err := catalog.ReadList("docs", []byte(docsTools))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		script, err := turn.ParseScript("turn.yaml", []byte(text))
		if err != nil {
			return
		}
		for _, name := range []string{"agentscope-1", "agentscope-2", "claude-code", "codex"} {
			p, err := profile.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			in := &agentsim.Input{Profile: p, FS: project, Paths: []string{"/s/pdf"}, Count: tokens.Estimate, Servers: []*catalog.Server{docs}}
			if _, err := turn.Play(context.Background(), &turn.Input{Client: in, Script: script}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
