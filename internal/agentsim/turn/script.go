package turn

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Script is a conversation written down: what the user says, what the model answers and calls, and what is expected of
// the client and its tools. schemas/script.schema.json describes the file.
type Script struct {
	File  string
	Agent string // the agent's name, in messages of AgentScope
	// MaxIters is how often the model may call tools before the reply ends; 0 is what the client has.
	MaxIters   int
	Permission string // AgentScope 2: the permission mode
	Rules      []Rule // AgentScope 2: the user's permission rules
	// IDs and Files are what a program of AgentScope draws, in its order: the ids of messages and blocks, and the names of
	// temporary files with the data of results. Without them there are numbers, and a word.
	IDs, Files []string
	Sessions   map[string]string // AgentScope: "stateful" or "stateless", by server; stateful unless named
	Parallel   bool              // AgentScope 1: the calls of an answer run at once
	Tools      []OwnTool         // of the agent's own, beside those of servers
	Steps      []Step
}

// OwnTool is a tool that is no server's. Its results stand in the script.
type OwnTool struct {
	Name     string
	Schema   *catalog.Node
	ReadOnly bool
}

// Place is where something stands in a script, counted from 1.
type Place struct{ Line, Column int }

// Kind says what a step is.
type Kind string

// The steps.
const (
	User         Kind = "user"          // the user says something
	Say          Kind = "say"           // the model says something
	Calls        Kind = "calls"         // the model calls tools, one or several in one answer
	ExpectSkill  Kind = "expect_skill"  // the model loads a skill; the client must let it
	ExpectResult Kind = "expect_result" // of the last call
	ExpectEnd    Kind = "expect_end"    // of the reply
)

// Step is one line of the conversation.
type Step struct {
	Place
	Kind   Kind
	Text   string     // User, Say, and the reason of ExpectEnd
	Skill  *SkillStep // ExpectSkill
	Calls  []CallStep // Calls
	Expect *Expect    // ExpectResult
}

// SkillStep is a skill that the model loads.
type SkillStep struct {
	Name   string
	Args   string
	Within int // the rank that the skill must have, by words, for what the user said; 0 is any
}

// CallStep is a call of a tool.
type CallStep struct {
	Place
	Tool      string        // as the model names it
	Arguments string        // JSON, or whatever the script gives as a text
	Allow     *bool         // the answer when the user is asked; nil leaves the question open
	Always    bool          // and it holds for later calls of the tool
	Result    *catalog.Node // recorded, in the form of tools/call; nil when there is none
	Failure   string        // recorded: the error that the server answered with
	Takes     float64       // seconds from the beginning to the end, where calls run at once
	Expect    *Expect
}

// Expect is what a result must be, in the words that the model gets.
type Expect struct {
	Place
	Text     *string // all of it
	Contains []string
	Matches  []*regexp.Regexp
	State    string // success, error, denied or interrupted
	Lost     *bool  // whether something of the result may not reach the model
}

// Ends are the ways in which a reply ends, for expect_end.
const (
	Completed = "completed" // the model said its last word
	MaxIters  = "max_iters" // too many rounds of calls
	Waiting   = "waiting"   // for the user's permission
	Crashed   = "crashed"   // an exception that nobody catches
	Unknown   = "unknown"   // nobody knows how the client goes on
	NotEnded  = ""
)

// ScriptError is a fault of a script.
type ScriptError struct {
	File string
	Place
	Message string
}

func (e *ScriptError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ParseScript reads a script. All its faults are reported, each a *ScriptError.
func ParseScript(file string, data []byte) (*Script, error) {
	r := &scriptReader{file: file}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, r.syntaxError(err)
	}
	s := &Script{File: file}
	if len(doc.Content) > 0 {
		r.script(s, doc.Content[0])
	}
	if len(r.errs) == 0 && len(s.Steps) == 0 {
		r.fail(&yaml.Node{}, "there are no steps; begin with \"- user: …\" below \"steps:\"")
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return s, nil
}

type scriptReader struct {
	file  string
	errs  []error
	nodes int
}

func (r *scriptReader) syntaxError(err error) error {
	e := &ScriptError{File: r.file, Place: Place{1, 1}, Message: err.Error()}
	if le, ok := errors.AsType[*yaml.LoadError](err); ok {
		e.Message = "is not valid YAML: " + le.Message
		if le.Mark.Line > 0 {
			e.Place = Place{le.Mark.Line, le.Mark.Column}
		}
	}
	return e
}

func placeOf(n *yaml.Node) Place { return Place{max(n.Line, 1), max(n.Column, 1)} }

func (r *scriptReader) fail(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, &ScriptError{r.file, placeOf(n), fmt.Sprintf(format, args...)})
}

// readers are the keys that a mapping may have.
type readers map[string]func(key, value *yaml.Node)

func (r *scriptReader) keys(n *yaml.Node, known readers) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "write a mapping with the keys %s", names(known))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read := known[key.Value]
		switch {
		case seen[key.Value]:
			r.fail(key, "the key %q stands here twice", key.Value)
		case read != nil:
			read(key, resolved(n.Content[i+1]))
		default:
			hint := lint.Suggest(key.Value, slices.Sorted(maps.Keys(known)))
			if hint == "" {
				hint = "; known are " + names(known)
			}
			r.fail(key, "unknown key %q%s", key.Value, hint)
		}
		seen[key.Value] = true
	}
}

func names(known readers) string {
	return strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(s string) bool { return s[0] == '$' }), ", ")
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (r *scriptReader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		r.fail(n, "must be a text")
		return ""
	}
	return n.Value
}

// word is a text that is not empty.
func (r *scriptReader) word(n *yaml.Node) string {
	s := r.text(n)
	if s == "" && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		r.fail(n, "must not be empty")
	}
	return s
}

func (r *scriptReader) words(n *yaml.Node) []string {
	var out []string
	for _, item := range r.items(n) {
		out = append(out, r.word(item))
	}
	return out
}

func (r *scriptReader) oneOf(n *yaml.Node, allowed ...string) string {
	s := r.text(n)
	if !slices.Contains(allowed, s) {
		r.fail(n, "%q is not one of %s", s, strings.Join(allowed, ", "))
	}
	return s
}

func (r *scriptReader) number(n *yaml.Node) int {
	var out int
	if n.Decode(&out) != nil || out < 1 {
		r.fail(n, "must be a whole number from 1 on")
	}
	return out
}

func (r *scriptReader) seconds(n *yaml.Node) float64 {
	var out float64
	if n.Decode(&out) != nil || !(out >= 0) {
		r.fail(n, "must be a number of seconds")
	}
	return out
}

func (r *scriptReader) yes(n *yaml.Node) *bool {
	var out bool
	if n.Kind != yaml.ScalarNode || n.Decode(&out) != nil {
		r.fail(n, "must be true or false")
		return nil
	}
	return &out
}

// allow is the user's answer to a question: true, false or always.
func (r *scriptReader) allow(n *yaml.Node) (yes *bool, always bool) {
	if n.Kind == yaml.ScalarNode && n.Value == "always" {
		return new(true), true
	}
	var out bool
	if n.Kind != yaml.ScalarNode || n.Decode(&out) != nil {
		r.fail(n, "must be true, false or always")
		return nil, false
	}
	return &out, false
}

func (r *scriptReader) items(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "must be a list")
		return nil
	}
	out := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		out[i] = resolved(item)
	}
	return out
}

// mostNodes bounds what a script's values may grow to by aliases.
const mostNodes = 200_000

// json returns a value as JSON. It is nil when JSON does not have the value.
func (r *scriptReader) json(n *yaml.Node) *catalog.Node {
	var b strings.Builder
	before := len(r.errs)
	r.writeJSON(&b, n)
	if len(r.errs) > before {
		return nil
	}
	out, err := catalog.Parse(b.String())
	if err != nil {
		r.fail(n, "cannot be written as JSON: %v", err)
	}
	return out
}

func (r *scriptReader) writeJSON(b *strings.Builder, n *yaml.Node) {
	if r.nodes++; r.nodes > mostNodes {
		if r.nodes == mostNodes+1 {
			r.fail(n, "the script has more than %d values", mostNodes)
		}
		return
	}
	switch n = resolved(n); n.Kind {
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			separate(b, i)
			r.writeJSON(b, item)
		}
		b.WriteByte(']')
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			separate(b, i)
			b.WriteString(text.Quote(n.Content[i].Value) + ": ")
			r.writeJSON(b, n.Content[i+1])
		}
		b.WriteByte('}')
	default:
		r.writeScalar(b, n)
	}
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

func (r *scriptReader) writeScalar(b *strings.Builder, n *yaml.Node) {
	var v any
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		if json.Valid([]byte(n.Value)) { // as it is spelled: 1.0 is not 1
			b.WriteString(n.Value)
			return
		}
		err := n.Decode(&v)
		data, jsonErr := json.Marshal(v)
		if err != nil || jsonErr != nil {
			r.fail(n, "JSON has no value %s", n.Value)
		}
		b.Write(data)
	default:
		b.WriteString(text.Quote(n.Value))
	}
}

func (r *scriptReader) script(s *Script, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode { // nothing but steps
		s.Steps = r.steps(n)
		return
	}
	r.keys(n, readers{
		"$schema":             func(_, _ *yaml.Node) {},
		"ids":                 func(_, v *yaml.Node) { s.IDs = r.words(v) },
		"temporary_files":     func(_, v *yaml.Node) { s.Files = r.words(v) },
		"agent":               func(_, v *yaml.Node) { s.Agent = r.word(v) },
		"max_iters":           func(_, v *yaml.Node) { s.MaxIters = r.number(v) },
		"permission_mode":     func(_, v *yaml.Node) { s.Permission = r.oneOf(v, modes...) },
		"permission_rules":    func(_, v *yaml.Node) { s.Rules = r.rules(v) },
		"sessions":            func(_, v *yaml.Node) { s.Sessions = r.sessions(v) },
		"parallel_tool_calls": func(_, v *yaml.Node) { s.Parallel = isYes(r.yes(v)) },
		"tools":               func(_, v *yaml.Node) { s.Tools = r.tools(v) },
		"steps":               func(_, v *yaml.Node) { s.Steps = r.steps(v) },
	})
}

func (r *scriptReader) sessions(n *yaml.Node) map[string]string {
	out := map[string]string{}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "write SERVER: stateful or SERVER: stateless")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		out[n.Content[i].Value] = r.oneOf(resolved(n.Content[i+1]), "stateful", "stateless")
	}
	return out
}

// rules reads permission rules with the names that AgentScope has for their parts.
func (r *scriptReader) rules(n *yaml.Node) []Rule {
	var out []Rule
	for _, item := range r.items(n) {
		rule := Rule{Place: placeOf(item)}
		r.keys(item, readers{
			"tool_name": func(_, v *yaml.Node) { rule.Tool = r.word(v) },
			"rule_content": func(_, v *yaml.Node) {
				if v.ShortTag() != "!!null" {
					rule.Content = r.text(v)
				}
			},
			"behavior": func(_, v *yaml.Node) { rule.Behavior = r.oneOf(v, allowed, denied, asked) },
			"source":   func(_, v *yaml.Node) { _ = r.text(v) },
		})
		if item.Kind == yaml.MappingNode && (rule.Tool == "" || rule.Behavior == "") {
			r.fail(item, "the rule needs a tool_name, and the behavior allow, deny or ask")
		}
		out = append(out, rule)
	}
	return out
}

func (r *scriptReader) tools(n *yaml.Node) []OwnTool {
	var out []OwnTool
	for _, item := range r.items(n) {
		if item.Kind == yaml.ScalarNode {
			out = append(out, OwnTool{Name: r.word(item)})
			continue
		}
		var t OwnTool
		r.keys(item, readers{
			"name":         func(_, v *yaml.Node) { t.Name = r.word(v) },
			"input_schema": func(_, v *yaml.Node) { t.Schema = r.json(v) },
			"read_only":    func(_, v *yaml.Node) { t.ReadOnly = isYes(r.yes(v)) },
		})
		if t.Name == "" {
			r.fail(item, "the tool needs a name")
		}
		out = append(out, t)
	}
	return out
}

func isYes(b *bool) bool { return b != nil && *b }

func (r *scriptReader) steps(n *yaml.Node) []Step {
	var out []Step
	for _, item := range r.items(n) {
		out = append(out, r.step(item))
	}
	r.order(out)
	return out
}

// order checks what can be told of the order of steps before they are played.
func (r *scriptReader) order(steps []Step) {
	called := false
	for i, s := range steps {
		switch {
		case i == 0 && s.Kind != User:
			r.errs = append(r.errs, &ScriptError{r.file, s.Place, "the first step must be what the user says: \"- user: …\""})
		case s.Kind == ExpectResult && !called:
			r.errs = append(r.errs, &ScriptError{r.file, s.Place, "there is no call before this whose result could be looked at"})
		}
		called = called || s.Kind == Calls || s.Kind == ExpectSkill
	}
}

func (r *scriptReader) step(n *yaml.Node) Step {
	s := Step{Place: placeOf(n)}
	kinds := 0
	is := func(kind Kind, read func(v *yaml.Node)) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) {
			kinds++
			s.Kind = kind
			read(v)
		}
	}
	c := CallStep{Place: s.Place, Arguments: "{}"}
	known := readers{
		"user":         is(User, func(v *yaml.Node) { s.Text = r.text(v) }),
		"say":          is(Say, func(v *yaml.Node) { s.Text = r.text(v) }),
		"calls":        is(Calls, func(v *yaml.Node) { s.Calls = r.calls(v) }),
		"call":         is(Calls, func(v *yaml.Node) { c.Tool = r.word(v) }),
		"expect_skill": is(ExpectSkill, func(v *yaml.Node) { s.Skill = r.skill(v) }),
		"expect_end":   is(ExpectEnd, func(v *yaml.Node) { s.Text = r.oneOf(v, Completed, MaxIters, Waiting, Crashed, Unknown) }),
	}
	if single(n, "call") {
		maps.Copy(known, r.callKeys(&c))
	} else {
		known["expect_result"] = is(ExpectResult, func(v *yaml.Node) { s.Expect = r.expect(v) })
	}
	r.keys(n, known)
	if kinds != 1 && n.Kind == yaml.MappingNode {
		r.fail(n, "a step is one of user, say, call, calls, expect_skill, expect_result and expect_end")
	}
	if c.Tool != "" {
		s.Calls = []CallStep{c}
	}
	return s
}

// single reports whether a mapping has a key.
func single(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func (r *scriptReader) callKeys(c *CallStep) readers {
	return readers{
		"arguments":     func(_, v *yaml.Node) { c.Arguments = r.arguments(v) },
		"allow":         func(_, v *yaml.Node) { c.Allow, c.Always = r.allow(v) },
		"result":        func(_, v *yaml.Node) { c.Result = r.result(v) },
		"error":         func(_, v *yaml.Node) { c.Failure = r.word(v) },
		"takes":         func(_, v *yaml.Node) { c.Takes = r.seconds(v) },
		"expect_result": func(_, v *yaml.Node) { c.Expect = r.expect(v) },
	}
}

func (r *scriptReader) calls(n *yaml.Node) []CallStep {
	var out []CallStep
	for _, item := range r.items(n) {
		c := CallStep{Place: placeOf(item), Arguments: "{}"}
		known := r.callKeys(&c)
		known["call"] = func(_, v *yaml.Node) { c.Tool = r.word(v) }
		r.keys(item, known)
		if c.Tool == "" && item.Kind == yaml.MappingNode {
			r.fail(item, "the call needs a tool: \"call: NAME\"")
		}
		out = append(out, c)
	}
	return out
}

// arguments are JSON. A text stands for what a model sends that is not always JSON.
func (r *scriptReader) arguments(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		if node := r.json(n); node != nil {
			return node.Raw()
		}
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		return n.Value
	default:
		r.fail(n, "write the arguments as a mapping, or as the text that the model sends")
	}
	return "{}"
}

// result reads a recorded result: a text, a list of content, or all that tools/call returns.
func (r *scriptReader) result(n *yaml.Node) *catalog.Node {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return textResult(n.Value)
	}
	v := r.json(n)
	switch {
	case v.Is(catalog.Array):
		return python.Node(map[string]json.RawMessage{"content": json.RawMessage(v.Raw())})
	case v.Is(catalog.Object) && (v.Get("content") != nil || v.Get("structuredContent") != nil):
		return v
	case v != nil:
		r.fail(n, "write the result as a text, as a list of content blocks, or with the keys content, structuredContent and isError")
	}
	return nil
}

// textResult is the result of a tool that returns a text.
func textResult(text string) *catalog.Node {
	return python.Node(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}})
}

func (r *scriptReader) skill(n *yaml.Node) *SkillStep {
	s := &SkillStep{}
	if n.Kind == yaml.ScalarNode {
		s.Name = r.word(n)
		return s
	}
	r.keys(n, readers{
		"name":   func(_, v *yaml.Node) { s.Name = r.word(v) },
		"args":   func(_, v *yaml.Node) { s.Args = r.text(v) },
		"within": func(_, v *yaml.Node) { s.Within = r.number(v) },
	})
	if s.Name == "" {
		r.fail(n, "the skill needs a name")
	}
	return s
}

func (r *scriptReader) expect(n *yaml.Node) *Expect {
	e := &Expect{Place: placeOf(n)}
	if n.Kind == yaml.ScalarNode {
		text := r.text(n)
		e.Text = &text
		return e
	}
	r.keys(n, readers{
		"text":     func(_, v *yaml.Node) { text := r.text(v); e.Text = &text },
		"contains": func(_, v *yaml.Node) { e.Contains = r.texts(v) },
		"matches":  func(_, v *yaml.Node) { e.Matches = r.patterns(v) },
		"state":    func(_, v *yaml.Node) { e.State = r.oneOf(v, "success", "error", "denied", "interrupted") },
		"lost":     func(_, v *yaml.Node) { e.Lost = r.yes(v) },
	})
	return e
}

// texts reads one text or a list of them.
func (r *scriptReader) texts(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{r.text(n)}
	}
	var out []string
	for _, item := range r.items(n) {
		out = append(out, r.text(item))
	}
	return out
}

func (r *scriptReader) patterns(n *yaml.Node) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range r.texts(n) {
		re, err := regexp.Compile(s)
		if err != nil {
			r.fail(n, "cannot read the pattern %q: %v", s, err)
			continue
		}
		out = append(out, re)
	}
	return out
}
