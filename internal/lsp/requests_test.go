package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

const (
	draftSkill   = "---\nname: draft\ndescription: Sorts photos. Use when photos are unsorted.\nallowed-tools: mcp__docs__serch\n---\n\n# Steps\n\nSort.\n"
	draftFile    = ".claude/skills/draft/SKILL.md"
	asMCPServer  = "mcp-server"
	asMuteServer = "mute-server"
)

// mcpServer is what the test program does as an MCP server with one tool. It notes in a file that it was started.
func mcpServer(mark string) {
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		panic(err)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := map[string]string{
			"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"docs","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"search","description":"Finds pages.","inputSchema":{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}}]}`,
		}[m.Method]
		if result == "" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// withServer is a folder with a skill and an MCP server that notes in the file "started" that it was started.
func withServer(t *testing.T) (dir, mark string) {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	mark = filepath.Join(t.TempDir(), "started")
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"docs": map[string]any{
		"command": os.Args[0], "args": []string{asMCPServer, mark}, "env": map[string]string{"GORACE": "atexit_sleep_ms=0"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return newFolder(t, map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".mcp.json": string(config), draftFile: draftSkill}), mark
}

// ask sends a request of the server's own and holds its parameters and answer against their schemas.
func (e *editor) ask(name, params string) map[string]any {
	e.t.Helper()
	conform(e.t, name+"-params", []byte(params))
	var raw jsonrpc2.RawMessage
	if _, err := e.conn.Call(e.ctx(), "skill/"+name, jsonrpc2.RawMessage(params), &raw); err != nil {
		e.t.Fatalf("skill/%s %s: %v", name, params, err)
	}
	return e.answered(name, raw)
}

func (e *editor) answered(name string, raw []byte) map[string]any {
	e.t.Helper()
	conform(e.t, name, raw)
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		e.t.Fatal(err)
	}
	return out
}

// conform holds JSON against a schema.
func conform(t testing.TB, schema string, data []byte) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "schemas", schema+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err == nil {
		err = s.Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v in\n%s", schema, err, data)
	}
}

func about(e *editor, file, more string) string {
	return fmt.Sprintf(`{"textDocument": {"uri": %q}%s}`, e.uri(file), more)
}

// text joins the texts of the parts of a prompt or an activation.
func joined(parts any) string {
	var b strings.Builder
	for _, p := range parts.([]any) {
		b.WriteString(p.(map[string]any)["text"].(string))
	}
	return b.String()
}

func TestSimulateTakesUnsavedTexts(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill}), editorOptions{})
	e.open(draftFile)
	e.setText(e.uri(draftFile), strings.ReplaceAll(strings.Replace(draftSkill, "Sorts photos", "Sorts shells", 1), "Sort.", "Sort by colour."))
	got := e.ask("simulate", about(e, draftFile, ""))
	if got["client"] != "claude-code" || !strings.Contains(joined(got["prompt"]), "- draft: Sorts shells.") {
		t.Errorf("%v has the prompt %s", got["client"], joined(got["prompt"]))
	}
	if a := got["activation"].(map[string]any); a["skill"] != "draft" || !strings.Contains(joined(a["parts"]), "Sort by colour.") || a["file"] != string(e.uri(draftFile)) {
		t.Errorf("the activation is %v", a)
	}
	if words := got["markdown"].(string); !strings.Contains(words, "## Activation of draft") {
		t.Errorf("the Markdown is\n%s", words)
	}
	got = e.ask("simulate", about(e, draftFile, `, "client": "codex"`))
	if got["client"] != "codex" || got["activation"] != nil {
		t.Errorf("%v does not read the folder and has the activation %v", got["client"], got["activation"])
	}
	if got = e.ask("simulate", about(e, draftFile, `, "activate": ""`)); got["activation"] != nil {
		t.Errorf("an activation nobody wants: %v", got["activation"])
	}
	raw := e.command(commandSimulate, fmt.Sprintf("%q", e.uri(draftFile)))
	if got := e.answered("simulate", raw); got["activation"] == nil {
		t.Error("the command brings back no activation")
	}
	e.sync()
	if got := e.message(); got != "Claude Code lists 1 skill in "+between(got, " in ", ";")+"; activating draft adds "+after(got, "adds ") {
		t.Errorf("the message is %q", got)
	}
}

// TestSimulateAboutOnePart leaves out what a panel does not show, and keeps the sums.
func TestSimulateAboutOnePart(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{
		".git/HEAD": "", draftFile: draftSkill, ".claude/skills/cook/SKILL.md": "---\nname: cook\ndescription: Cooks rice.\n---\n\nCook.\n",
	}), editorOptions{})
	all := e.ask("simulate", about(e, draftFile, ""))
	for part, has := range map[string]map[string]bool{
		"listing": {"prompt": true}, "activation": {"activation": true}, "tools": {},
	} {
		got := e.ask("simulate", about(e, draftFile, fmt.Sprintf(`, "about": %q`, part)))
		for _, name := range []string{"prompt", "activation"} {
			if shown := fmt.Sprint(got[name]) == fmt.Sprint(all[name]); shown != has[name] {
				t.Errorf("about %s: %s is %v", part, name, got[name])
			}
		}
		list := got["skills"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["file"] != string(e.uri(draftFile)) || got["markdown"] != nil || fmt.Sprint(got["tokens"]) != fmt.Sprint(all["tokens"]) {
			t.Errorf("about %s: %v", part, got)
		}
	}
}

// TestSimulateAboutAnExcerpt answers, of a listing that is long, what stands around the entry of the skill, and counts the rest.
func TestSimulateAboutAnExcerpt(t *testing.T) {
	files := map[string]string{".git/HEAD": ""}
	for i := range 40 {
		name := fmt.Sprintf("s%02d", i)
		files[".claude/skills/"+name+"/SKILL.md"] = fmt.Sprintf("---\nname: %s\ndescription: Räumt %s\n---\n\nDo.\n", name, strings.Repeat("äöü ", 120))
	}
	e := newEditor(t, newFolder(t, files), editorOptions{})
	for i, sides := range map[int]string{0: "false true", 20: "true true", 39: "true false"} {
		file := fmt.Sprintf(".claude/skills/s%02d/SKILL.md", i)
		all, got := joined(e.ask("simulate", about(e, file, ""))["prompt"]), e.ask("simulate", about(e, file, `, "about": "listing"`))
		prompt := got["prompt"].([]any)
		part := prompt[len(prompt)-1].(map[string]any)
		before, after := characters(part["before"]), characters(part["after"])
		text, entry := part["text"].(string), got["skills"].([]any)[0].(map[string]any)["entry"].(string)
		if !strings.Contains(text, entry) || !strings.Contains(all, text) || utf8.RuneCountInString(text) > 10_000 {
			t.Errorf("of %s there is\n%s", file, text)
		}
		if n := utf8.RuneCountInString(joined(prompt)); before+n+after != utf8.RuneCountInString(all) {
			t.Errorf("of %s there are %d + %d + %d characters, not %d", file, before, n, after, utf8.RuneCountInString(all))
		}
		if has := fmt.Sprint(part["before"] != nil, part["after"] != nil); has != sides {
			t.Errorf("of %s, characters are left out before and after: %s", file, has)
		}
	}
}

// TestSimulateAboutHidesCredentials hides those of an excerpt, also one that reaches into it.
func TestSimulateAboutHidesCredentials(t *testing.T) {
	files := map[string]string{".git/HEAD": ""}
	key := "ghp_" + "9fKq2mZx7Lw4Tb8Rv1Yc6Nd3Hs5Jg0Pa2Qe7"
	for i := range 20 {
		name := fmt.Sprintf("s%02d", i)
		files[".claude/skills/"+name+"/SKILL.md"] = fmt.Sprintf("---\nname: %s\ndescription: Opens doors. %s\n---\n\nDo.\n", name, strings.Repeat("Use "+key+". ", 20))
	}
	e := newEditor(t, newFolder(t, files), editorOptions{})
	got := fmt.Sprint(e.ask("simulate", about(e, ".claude/skills/s10/SKILL.md", `, "about": "listing"`)))
	if strings.Contains(got, key[len(key)-8:]) || strings.Contains(got, key[:8]) || !strings.Contains(got, "Use ***.") {
		t.Errorf("shown: %s", got)
	}
}

func characters(n any) int {
	f, _ := n.(float64)
	return int(f)
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

func after(s, from string) string {
	_, s, _ = strings.Cut(s, from)
	return s
}

// command runs a command with one argument.
func (e *editor) command(name, argument string) []byte {
	e.t.Helper()
	raw, err := e.ExecuteCommand(e.ctx(), &protocol.ExecuteCommandParams{Command: name, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}})
	if err != nil {
		e.t.Fatalf("%s: %v", name, err)
	}
	return raw
}

// TestCreateStaysInside has the command create files in the workspace alone, whatever leads out of it.
func TestCreateStaysInside(t *testing.T) {
	outside := newFolder(t, nil)
	dir := newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill})
	for name, target := range map[string]string{"out": outside, "nowhere.md": filepath.Join(outside, "a.md")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	e := newEditor(t, dir, editorOptions{})
	e.command(commandCreateFile, fmt.Sprintf("%q", e.uri("notes/new.md")))
	if _, err := os.Stat(filepath.Join(dir, "notes", "new.md")); err != nil {
		t.Errorf("the command creates nothing in the workspace: %v", err)
	}
	for _, file := range []string{"out/a.md", "out/new/a.md", "nowhere.md", "../a.md", "%2e%2e/a.md", "notes/..%2f..%2fa.md", "out/../../a.md"} {
		argument := fmt.Sprintf("%q", string(e.uri("."))+"/"+file)
		if _, err := e.ExecuteCommand(e.ctx(), &protocol.ExecuteCommandParams{Command: commandCreateFile, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}}); err == nil {
			t.Errorf("%s is created", file)
		}
	}
	for _, place := range []string{outside, filepath.Dir(dir)} {
		if _, err := os.Stat(filepath.Join(place, "a.md")); err == nil {
			t.Errorf("a file was created in %s", place)
		}
	}
}

// TestCreationsStayInside offers to create what a link leads to, unless a symbolic link leads out of the workspace.
func TestCreationsStayInside(t *testing.T) {
	outside := newFolder(t, nil)
	skill := draftSkill + "\nSee [inside](more/a.md) and [outside](out/a.md).\n"
	dir := newFolder(t, map[string]string{".git/HEAD": "", draftFile: skill})
	if err := os.Symlink(outside, filepath.Join(dir, filepath.FromSlash(path.Dir(draftFile)), "out")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	e := newEditor(t, dir, editorOptions{})
	e.open(draftFile)
	e.settle()
	for link, want := range map[string]bool{"more/a.md": true, "out/a.md": false} {
		before, _, _ := strings.Cut(skill, link)
		place := protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(len(before) - strings.LastIndex(before, "\n"))}
		at := protocol.Range{Start: place, End: place}
		actions, err := e.CodeAction(e.ctx(), &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(draftFile)}, Range: at})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(actions)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(raw), `"Create `); got != want {
			t.Errorf("%s: creating it is offered: %v, want %v", link, got, want)
		}
	}
}

// TestClientsTakesAll has "all" stand for every client, in a request as on the command line.
func TestClientsTakesAll(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill}), editorOptions{})
	e.settle()
	got := e.ask("clients", about(e, draftFile, `, "clients": ["all"]`))
	if n, want := len(got["clients"].([]any)), len(profile.Everyone()); n != want {
		t.Errorf("%d clients answer, want %d", n, want)
	}
	if words := got["markdown"].(string); !strings.Contains(words, "**skilllint clients**: 1 skill, ") || !strings.Contains(words, "| "+draftFile+" |") {
		t.Errorf("the Markdown is\n%s", words)
	}
}

// TestClientsOfAllSkills has the request without a document, and the command, answer as the request about one does.
func TestClientsOfAllSkills(t *testing.T) {
	const broken, ref = ".agents/skills/other/SKILL.md", ".claude/skills/draft/more.md"
	e := newEditor(t, newFolder(t, map[string]string{
		".git/HEAD": "", draftFile: draftSkill + "\n[more](more.md)\n", ref: "# More\n", broken: "---\nname: other\ndescription: [\n---\n\n# Steps\n",
	}), editorOptions{})
	e.settle()
	all := e.ask("clients", `{}`)
	one := e.ask("clients", about(e, ref, ""))
	status := map[string]string{}
	for _, c := range all["clients"].([]any) {
		for _, s := range c.(map[string]any)["skills"].([]any) {
			s := s.(map[string]any)
			status[c.(map[string]any)["name"].(string)+" "+filepath.Base(path.Dir(s["file"].(string)))] = s["status"].(string) + fmt.Sprint(s["rule"])
		}
	}
	if status["claude-code draft"] != "listed<nil>" || status["copilot-cli other"] != "droppedyaml/unclosed-value" || status["claude-code other"] != "" {
		t.Errorf("of all skills it says %v", status)
	}
	if words := all["markdown"].(string); !strings.Contains(words, "2 skills") || !strings.Contains(words, broken) {
		t.Errorf("the Markdown is\n%s", words)
	}
	if got := fmt.Sprint(one["clients"]); !strings.Contains(got, "claude-code") || strings.Contains(got, "codex") || strings.Contains(got, "other") {
		t.Errorf("the skill of a file is told of as %v", got)
	}
	if raw := e.command(commandClients, fmt.Sprintf("%q", e.uri(broken))); !strings.Contains(string(raw), `yaml/unclosed-value`) {
		t.Errorf("the command answers %s", raw)
	}
	if got := e.message(); !strings.HasPrefix(got, "Listed by codex, ") {
		t.Errorf("the message is %q", got)
	}
	e.command(commandClients, `{}`)
	if got := e.message(); !strings.HasPrefix(got, "2 skills, ") {
		t.Errorf("the message is %q", got)
	}
}

// TestEditorKnowsKeys leaves to an editor what it says that it completes and explains by itself.
func TestEditorKnowsKeys(t *testing.T) {
	dir := newFolder(t, map[string]string{".git/HEAD": "", draftFile: "---\n\n---\n"})
	for capability, want := range map[string]bool{`{}`: true, `{"completesSkillKeys": false}`: true, `{"completesSkillKeys": true}`: false} {
		e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) { p.Capabilities.Experimental = protocol.LSPAny(capability) }})
		e.open(draftFile)
		var offered []string
		at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(draftFile)}, Position: protocol.Position{Line: 1}}
		result, err := e.Completion(e.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: at})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range result.(*protocol.CompletionList).Items {
			offered = append(offered, item.Label)
		}
		if slices.Contains(offered, "license") != want || !slices.Contains(offered, "allowed-tools") {
			t.Errorf("%s: offered are %q", capability, offered)
		}
		e.setText(e.uri(draftFile), draftSkill)
		at.Position.Character = 1
		hover, err := e.Hover(e.ctx(), &protocol.HoverParams{TextDocumentPositionParams: at})
		if err != nil {
			t.Fatal(err)
		}
		if words := hover.Contents.(*protocol.MarkupContent).Value; strings.Contains(words, keyTexts["name"]) != want || !strings.Contains(words, "Read by") {
			t.Errorf("%s: the hover says %q", capability, words)
		}
	}
}

func TestRequestsRefuse(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill}), editorOptions{})
	for _, c := range []struct{ method, params, want string }{
		{"skill/simulate", `{"client": "nobody"}`, "nobody"},
		{"skill/simulate", `{"activate": "drift"}`, "finds no skill called"},
		{"skill/simulate", `{"clock": "noon"}`, "write a time as"},
		{"skill/simulate", `{"tokenizer": "x"}`, "no tokenizer"},
		{"skill/simulate", `{"about": "all"}`, "use activation, listing, tools"},
		{"skill/simulate", `{"activte": "draft"}`, "activte"},
		{"skill/simulate", `{"folder": "file:///elsewhere"}`, "no folder of the workspace"},
		{"skill/simulate", `{"textDocument": {"uri": "file:///elsewhere/a.txt"}}`, "is no skill"},
		{"skill/route", `{}`, "nothing to rank for"},
		{"skill/route", `{"evals": ["file:///elsewhere/none.json"]}`, "none.json"},
		{"skill/replay", `{}`, "name recordings"},
		{"skill/replay", `{"recordings": ["file:///elsewhere/none.jsonl"]}`, "none.jsonl"},
		{"skill/replay", `{"recordings": ["file:///elsewhere/none.jsonl"], "from": "tape"}`, "tape"},
		{"skill/probe", `{"servers": ["none"]}`, `no server "none"`},
		{"skill/probe", `{"probeTimeout": "soon"}`, "write 30s"},
	} {
		_, err := e.conn.Call(e.ctx(), c.method, jsonrpc2.RawMessage(c.params), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s %s: %v, want %q", c.method, c.params, err, c.want)
		}
	}
}

func TestRouteRanksForSkillsAndEvals(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{
		".git/HEAD": "", draftFile: draftSkill,
		".claude/skills/cook/SKILL.md":                  "---\nname: cook\ndescription: Cooks rice. Use when somebody is hungry.\n---\n\n# Steps\n\nCook.\n",
		".claude/skills/cook/evals/trigger-eval.json":   `[{"query": "sort my photos", "should_trigger": false}]`,
		".claude/skills/cook/evals/trigger-other.json5": `none`,
	}), editorOptions{})
	got := e.ask("route", `{"queries": ["which photos are unsorted"]}`)
	if first := got["queries"].([]any)[0].(map[string]any)["ranking"].([]any)[0].(map[string]any)["skill"]; first != "draft" {
		t.Errorf("%v is first", first)
	}
	if words := got["markdown"].(string); !strings.Contains(words, "| 1 | ") || !strings.Contains(words, "| draft |") {
		t.Errorf("the Markdown is\n%s", words)
	}
	const evals = ".claude/skills/cook/evals/trigger-eval.json"
	e.open(evals)
	e.setText(e.uri(evals), `[{"query": "sort my photos", "should_trigger": false}, {"query": "I am hungry"}]`)
	for _, file := range []string{evals, ".claude/skills/cook/SKILL.md"} {
		got = e.ask("route", about(e, file, ""))
		if got["top1"] != 1.0 || got["negatives"] != 1.0 {
			t.Errorf("the evals of %s give top-1 %v and %v negatives", file, got["top1"], got["negatives"])
		}
	}
	e.command(commandRoute, `{"queries": ["hungry"]}`)
	e.sync()
	if got := e.message(); got != `"hungry" goes to cook` {
		t.Errorf("the message is %q", got)
	}
}

// TestProbeAsks has nothing start without consent, which counts once or until it is taken back.
func TestProbeAsks(t *testing.T) {
	dir, mark := withServer(t)
	e := newEditor(t, dir, editorOptions{})
	started := func() bool {
		_, err := os.Stat(mark)
		_ = os.Remove(mark)
		return err == nil
	}
	for _, c := range []struct {
		answer, params string
		asked, starts  bool
	}{
		{"", `{}`, true, false},
		{"No", `{"servers": ["docs"]}`, true, false},
		{"Once", `{}`, true, true},
		{"Always", about(e, ".mcp.json", ""), true, true},
		{"", `{"probeTimeout": "1m"}`, false, true},
		{"", `{"forget": true}`, false, false},
		{"", `{}`, true, false},
	} {
		e.mu.Lock()
		e.answer, e.asked = c.answer, nil
		e.mu.Unlock()
		got := e.ask("probe", c.params)
		status := got["servers"].([]any)[0].(map[string]any)["status"]
		e.mu.Lock()
		asked := strings.Join(e.asked, "\n")
		e.mu.Unlock()
		if ran := started(); ran != c.starts || (status == "answered") != c.starts || (asked != "") != c.asked {
			t.Errorf("%q to %s: started %v, %v, asked %q", c.answer, c.params, ran, status, asked)
		}
		if c.asked && (!strings.Contains(asked, mark) || !strings.Contains(asked, "GORACE")) {
			t.Errorf("the question does not show what would run:\n%s", asked)
		}
	}
}

func TestProbeIsRefusedWithoutTrust(t *testing.T) {
	dir, mark := withServer(t)
	for name, options := range map[string]string{"options": `{"trusted": false}`, "settings": `{}`} {
		e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) { p.InitializationOptions = protocol.LSPAny(options) }})
		e.answer = answerAlways
		if name == "options" { // which win
			e.srv.takeSettings([]byte(`{"trusted": true}`))
		} else {
			e.srv.takeSettings([]byte(`{"trusted": false}`))
		}
		e.settle()
		if _, err := e.conn.Call(e.ctx(), methodProbe, jsonrpc2.RawMessage(`{}`), nil); err == nil || !strings.Contains(err.Error(), "not trusted") {
			t.Errorf("%s: the answer is %v", name, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s: the server was started", name)
		}
		e.open(".mcp.json")
		lenses, err := e.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(".mcp.json")}})
		if err != nil || len(lenses) > 0 {
			t.Errorf("%s: %d lenses offer to probe, %v", name, len(lenses), err)
		}
	}
}

// TestServersTells has the servers told with what is known of them, and none started for it.
func TestServersTells(t *testing.T) {
	dir, mark := withServer(t)
	e := newEditor(t, dir, editorOptions{})
	tell := func() map[string]any {
		e.settle()
		return e.ask("servers", `{}`)["servers"].([]any)[0].(map[string]any)
	}
	if got := tell(); got["server"] != "docs" || got["file"] != string(e.uri(".mcp.json")) || got["consent"] != false || got["tools"] != nil {
		t.Errorf("before a probe: %v", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the server was started")
	}
	e.answer = answerAlways
	e.ask("probe", `{}`)
	got := tell()
	if tools := got["tools"].([]any); got["consent"] != true || len(tools) != 1 || tools[0].(map[string]any)["tokens"].(float64) == 0 {
		t.Errorf("after a probe: %v", got)
	}
}

// TestProbeIsLearnt has what a probe found hold for the diagnostics, until the server is started otherwise, and the
// lock file be written only when that is asked for.
func TestProbeIsLearnt(t *testing.T) {
	dir, _ := withServer(t)
	e := newEditor(t, dir, editorOptions{})
	e.answer = answerOnce
	e.open(draftFile)
	unknown := func() bool {
		e.settle()
		return strings.Contains(rulesOf(e.diagnostics(e.uri(draftFile))), "tools/unknown-tool")
	}
	if unknown() {
		t.Error("tools are known before a probe")
	}
	e.ask("probe", `{}`)
	if !unknown() {
		t.Error("what the probe found is not known")
	}
	lock := filepath.Join(dir, "mcp-tools.lock.json")
	if _, err := os.Stat(lock); err == nil {
		t.Fatal("a lock was written that nobody asked for")
	}
	config := e.read(".mcp.json")
	writeFiles(t, dir, map[string]string{".mcp.json": strings.Replace(config, asMCPServer, "other", 1)})
	e.watched(e.uri(".mcp.json"), protocol.FileChangeTypeCreated)
	if unknown() {
		t.Error("another server has the tools of the one that was probed")
	}
	writeFiles(t, dir, map[string]string{".mcp.json": config})
	e.watched(e.uri(".mcp.json"), protocol.FileChangeTypeChanged)
	e.settle()
	got := e.ask("probe", `{"writeLock": true}`)
	if locks := fmt.Sprint(got["locks"]); !strings.Contains(locks, "mcp-tools.lock.json") || !strings.Contains(locks, `tool "search"`) && !strings.Contains(locks, `server "docs"`) {
		t.Errorf("the locks are %s", locks)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error(err)
	}
}

// TestShownAnew has the client ask again for what it shows beside texts once files have come, and once a probe has found
// tools.
func TestShownAnew(t *testing.T) {
	dir, _ := withServer(t)
	e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) {
		w := p.Capabilities.Workspace
		w.InlayHint, w.CodeLens, w.SemanticTokens = &protocol.InlayHintWorkspaceClientCapabilities{RefreshSupport: new(true)},
			&protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: new(true)}, &protocol.SemanticTokensWorkspaceClientCapabilities{RefreshSupport: new(true)}
	}})
	e.answer = answerOnce
	<-e.srv.settledOnce
	e.open(".mcp.json")
	again := func() {
		e.settle()
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, what := range []string{"hints", "lenses", "tokens"} {
			for e.again[what] == 0 {
				e.ended.Wait()
			}
		}
		e.again = nil
	}
	writeFiles(t, dir, map[string]string{"skills/new/SKILL.md": draftSkill})
	e.watched(e.uri("skills/new/SKILL.md"), protocol.FileChangeTypeCreated)
	again()
	e.ask("probe", `{}`)
	again()
	lenses, err := e.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(".mcp.json")}})
	e.must(err)
	if len(lenses) != 1 || lenses[0].Command.Title != "Probe: 1 tool known" {
		t.Errorf("the lenses are %+v", lenses)
	}
	e.settle()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.again) > 0 {
		t.Errorf("it asks again for %v though nothing came or went", e.again)
	}
}

// TestLockKeepsWhatWasNotProbed has a lock file lose those servers alone that no configuration names: none that was not
// probed, nor one that an edit has just made unreadable, and nothing when two probes end at once.
func TestLockKeepsWhatWasNotProbed(t *testing.T) {
	dir, _ := withServer(t)
	e := newEditor(t, dir, editorOptions{})
	var config struct {
		Servers map[string]map[string]any `json:"mcpServers"`
	}
	e.must(json.Unmarshal([]byte(e.read(".mcp.json")), &config))
	write := func(names ...string) {
		servers := map[string]any{}
		for _, name := range names {
			servers[name] = config.Servers["docs"]
		}
		raw, err := json.Marshal(map[string]any{"mcpServers": servers})
		e.must(err)
		writeFiles(t, dir, map[string]string{".mcp.json": string(raw)})
		e.watched(e.uri(".mcp.json"), protocol.FileChangeTypeChanged)
		e.settle()
	}
	locked := func() string {
		c, err := catalog.Decode([]byte(e.read(catalog.LockName)))
		e.must(err)
		var out []string
		for _, s := range c.Servers {
			out = append(out, s.Name)
		}
		return strings.Join(out, " ")
	}
	e.answer = answerOnce
	write("docs", "more", "old")
	var probes sync.WaitGroup
	for _, name := range []string{"docs", "more", "old"} {
		probes.Go(func() { e.ask("probe", fmt.Sprintf(`{"servers": [%q], "writeLock": true}`, name)) })
	}
	probes.Wait()
	if got := locked(); got != "docs more old" {
		t.Errorf("after three probes at once the lock has %s", got)
	}
	write("docs", "more")
	e.open(".mcp.json")
	e.replace(e.uri(".mcp.json"), text.Span{Start: strings.Index(e.read(".mcp.json"), `"more"`), End: len(e.read(".mcp.json"))}, "")
	e.settle()
	e.ask("probe", `{"servers": ["docs"], "writeLock": true}`)
	if got := locked(); got != "docs more old" {
		t.Errorf("while the configuration cannot be read the lock has %s", got)
	}
	e.setText(e.uri(".mcp.json"), e.read(".mcp.json"))
	e.settle()
	e.ask("probe", `{"servers": ["docs"], "writeLock": true}`)
	if got := locked(); got != "docs more" {
		t.Errorf("without the server that is not configured any more the lock has %s", got)
	}
}

// newImpatientEditor has a user who stops the probe of a server, which never answers, as soon as it is shown.
func newImpatientEditor(t *testing.T) *editor {
	t.Helper()
	dir, _ := withServer(t)
	writeFiles(t, dir, map[string]string{".mcp.json": `{"mcpServers": {"mute": {"command": "sleep", "args": ["600"]}}}`})
	e := newEditor(t, dir, editorOptions{})
	e.mu.Lock()
	e.answer = answerOnce
	e.said = func(token protocol.ProgressToken, message string) {
		if strings.HasPrefix(message, "mute: connecting") {
			go func() {
				_ = e.conn.Notify(e.ctx(), protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: token})
			}()
		}
	}
	e.mu.Unlock()
	return e
}

// TestProbeIsCancelled has the user stop a server that never answers.
func TestProbeIsCancelled(t *testing.T) {
	e := newImpatientEditor(t)
	got := e.ask("probe", `{"probeTimeout": "10m"}`)
	if server := got["servers"].([]any)[0].(map[string]any); server["status"] != "not-probed" || !strings.Contains(fmt.Sprint(server["problems"]), "cancelled") {
		t.Errorf("the result is %v", server)
	}
}

// TestReplay reads a recording as the editor has it, and calls again only with consent.
func TestReplay(t *testing.T) {
	dir, mark := withServer(t)
	const file = "monday.jsonl"
	writeFiles(t, dir, map[string]string{file: "{}\n"})
	e := newEditor(t, dir, editorOptions{})
	e.answer = answerOnce
	e.ask("probe", `{"writeLock": true}`)
	e.must(os.Remove(mark))
	e.watched(e.uri("mcp-tools.lock.json"), protocol.FileChangeTypeCreated)
	e.settle()
	e.open(file)
	e.setText(e.uri(file), `{"skilllint":"call","version":1,"name":"mcp__docs__search","server":"docs","tool":"search","arguments":{"wort":"x"},"result":{"content":[{"type":"text","text":"page 4"}]}}`+"\n")
	for _, c := range []struct {
		answer, more string
		starts       bool
	}{{answerOnce, "", false}, {answerNo, `, "live": true`, false}, {answerOnce, `, "live": true, "allowWrites": true`, true}} {
		e.mu.Lock()
		e.answer, e.asked = c.answer, nil
		e.mu.Unlock()
		got := e.ask("replay", about(e, file, c.more))
		calls := got["calls"].([]any)
		if len(calls) == 0 || calls[0].(map[string]any)["file"] != string(e.uri(file)) || !strings.Contains(fmt.Sprint(calls[0]), "wort") {
			t.Fatalf("%s: the calls are %v", c.more, calls)
		}
		if words := got["markdown"].(string); !strings.Contains(words, "# Replay") || !strings.Contains(words, file) {
			t.Errorf("the Markdown is\n%s", words)
		}
		_, err := os.Stat(mark)
		if (err == nil) != c.starts || (len(e.asked) > 0) != (c.more != "") {
			t.Errorf("%q to %s: started %v, asked %q", c.answer, c.more, err == nil, e.asked)
		}
	}
	e.command(commandReplay, fmt.Sprintf("%q", e.uri(file)))
	if got := e.message(); !strings.HasPrefix(got, "1 call: ") {
		t.Errorf("the message is %q", got)
	}
}

// TestSchemaExamples has the program take the examples of the schemas.
func TestSchemaExamples(t *testing.T) {
	reg := newServer(t.Context(), Options{}).reg
	for name, read := range map[string]func([]byte) error{
		"clients-params":  takes[clientsParams],
		"simulate-params": takes[simulateParams],
		"route-params":    takes[routeParams],
		"probe-params":    takes[probeParams],
		"replay-params":   takes[replayParams],
		"servers-params":  takes[serversParams],
		"settings":        func(raw []byte) error { _, err := parseSettings(raw, reg); return err },
	} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "schemas", name+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Examples   []json.RawMessage          `json:"examples"`
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(raw, &schema); err != nil || len(schema.Examples) == 0 {
			t.Fatalf("%s has no examples: %v", name, err)
		}
		for _, example := range schema.Examples {
			conform(t, name, example)
			if err := read(example); err != nil {
				t.Errorf("%s: %s: %v", name, example, err)
			}
		}
	}
}

func takes[P any](raw []byte) error {
	_, err := decoded[P](raw)
	return err
}
