package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/threat"
)

// checker holds the schemas of a tool, ready to be used. One that cannot be is nil.
type checker struct{ input, output *catalog.Schema }

func (p *player) checkerOf(t catalog.Tool) *checker {
	hash := t.Hash()
	if have := p.schemas[hash]; have != nil {
		return have
	}
	c := &checker{input: p.schema(t, "inputSchema"), output: p.schema(t, "outputSchema")}
	p.schemas[hash] = c
	return c
}

func (p *player) schema(t catalog.Tool, key string) *catalog.Schema {
	n := t.Get(key)
	if n == nil {
		return nil
	}
	s, err := catalog.CompileSchema(n, "")
	if err != nil {
		p.report.Notes = append(p.report.Notes, fmt.Sprintf("The %s of tool %q cannot be used, so calls were not held against it: %v.", key, t.Name(), err))
	}
	return s
}

// judge holds a call of an MCP tool against the tools there are.
func (p *player) judge(c *recording.Call, t target) []Finding {
	found := resultOrders(c)
	switch {
	case t.server == nil:
		return append(found, p.unknownServer(t)...)
	case t.server.Now == nil:
		return found
	case !t.found:
		return append(found, p.gone(c, t))
	}
	found = append(found, p.arguments(c, t)...)
	return append(found, p.result(c, t)...)
}

// orderKinds are what no answer of a tool has a reason for. Commands and credentials are often what was asked for.
var orderKinds = []threat.Kind{threat.Override, threat.Concealment, threat.HiddenOrders, threat.Beacon, threat.EncodedText}

// mostSearched is how much of a result is searched for orders, in bytes.
const mostSearched = 64 << 10

// resultOrders tells of a result that speaks to the model: whoever wrote what the tool fetched tries to steer the agent.
func resultOrders(c *recording.Call) []Finding {
	if c.Result == nil {
		return nil
	}
	src := cutTo(c.Result.Text(), mostSearched)
	order := ""
	if holdsTags(src) {
		order = "it holds words in characters that nobody sees"
	}
	for _, h := range threat.Find(&threat.Text{Src: src, Form: threat.Plain}) {
		if order == "" && h.Level > threat.Note && slices.Contains(orderKinds, h.Kind) {
			order = fmt.Sprintf("%s: %q", h.What, cutTo(h.Span.In(src), mostShown))
		}
	}
	if order == "" {
		return nil
	}
	return []Finding{{
		Kind: ResultOrders, Severity: lint.Warning,
		Message: fmt.Sprintf("the result of %q speaks to the model: %s", c.Name, order),
		Help:    "look at where the tool takes its text from, and at what the agent did next",
	}}
}

// mostShown is how many bytes of an order are shown.
const mostShown = 100

// holdsTags reports whether a text has letters of the block of tags, which no font shows, but behind the black flag, where
// they make the flag of a country. https://www.unicode.org/reports/tr51/#valid-emoji-tag-sequences
func holdsTags(s string) bool {
	const blackFlag = '\U0001F3F4'
	inFlag := false
	for _, r := range s {
		isTag := r >= 0xE0020 && r <= 0xE007F
		if isTag && !inFlag {
			return true
		}
		inFlag = r == blackFlag || isTag
	}
	return false
}

// unknownServer tells of a server that nothing is known of. Where none is configured, nothing is known of any.
func (p *player) unknownServer(t target) []Finding {
	var known []string
	for _, s := range p.in.Today.Servers {
		known = append(known, s.Name)
	}
	if len(known) == 0 {
		return nil
	}
	f := Finding{Kind: UnknownServer, Severity: lint.Info, Message: fmt.Sprintf("no MCP server called %q is configured here: the call was not checked", t.called)}
	switch near := lint.Nearest(t.called, known); {
	case t.called == "":
		f.Severity, f.Message = lint.Warning, fmt.Sprintf("no server has a tool %q", t.name)
	case near != "":
		f.Severity, f.Help = lint.Warning, fmt.Sprintf("did you mean %q?", near)
	}
	return []Finding{f}
}

// gone tells of a tool that its server does not have. It is renamed when another one is like it and takes the call.
func (p *player) gone(c *recording.Call, t target) Finding {
	was := fmt.Sprintf("server %q has no tool %q", t.server.Name, t.name)
	var old catalog.Tool
	if tool, had := p.before(t.server, t.name); had {
		old = tool
		was += " any more"
	}
	if to, why := p.successor(c, t, old); to != "" {
		return Finding{Kind: RenamedTool, Severity: lint.Error, Message: fmt.Sprintf("%s; %q %s", was, to, why), Help: fmt.Sprintf("call %q", to)}
	}
	return Finding{Kind: RemovedTool, Severity: lint.Error, Message: was}
}

// successor returns the tool that most likely stands for one that is gone, and why; "" when there is none.
func (p *player) successor(c *recording.Call, t target, old catalog.Tool) (name, why string) {
	var known []string
	for _, tool := range t.server.Now.Tools {
		if _, had := p.before(t.server, tool.Name()); had {
			continue // it was there beside the one that is gone
		}
		known = append(known, tool.Name())
		if old.Node != nil && (old.InputSchema().Hash() == tool.InputSchema().Hash() && len(old.InputSchema().Get("properties").Raw()) > len("{}") || old.Description() != "" && old.Description() == tool.Description()) {
			return tool.Name(), "is the same under another name"
		}
	}
	if near := lint.Nearest(t.name, known); near != "" {
		return near, p.takes(c, t.server, near)
	}
	for _, k := range known {
		if why := p.takes(c, t.server, k); why == takesCall && shareWords(t.name, k) {
			return k, why
		}
	}
	return "", ""
}

// before returns a tool as the server had it: when the calls were recorded, if that is known, else in the lock file.
func (p *player) before(s *Server, tool string) (catalog.Tool, bool) {
	was := p.then[s]
	if was == nil {
		was = s.Before
	}
	if was == nil {
		return catalog.Tool{}, false
	}
	return was.Tool(tool)
}

const takesCall = "takes the same arguments"

// takes says whether a tool takes the arguments of a call.
func (p *player) takes(c *recording.Call, s *Server, name string) string {
	tool, _ := s.Now.Tool(name)
	check := p.checkerOf(tool)
	if c.Arguments == nil || check.input == nil {
		return "has a name like it"
	}
	if len(check.input.Violations(c.Arguments)) > 0 || len(unknownArguments(tool, c.Arguments)) > 0 {
		return "has a name like it, and other arguments"
	}
	return takesCall
}

// shareWords reports whether two names have at least half of their words in common.
func shareWords(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	same := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			same++
		}
	}
	return 2*same >= max(len(x), len(y)) && same > 0
}

func nameWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '/' })
}

// arguments holds the arguments against the schema of the tool.
func (p *player) arguments(c *recording.Call, t target) []Finding {
	if c.Arguments == nil {
		return []Finding{p.weigh(c, Finding{Kind: BadArguments, Severity: lint.Error, Message: fmt.Sprintf("the arguments of %q cannot be used: %s", t.name, c.Fault)})}
	}
	var out []Finding
	check := p.checkerOf(t.tool)
	if check.input != nil {
		for _, v := range check.input.Violations(c.Arguments) {
			if v.Keyword != "additionalProperties" || v.Pointer != "" { // those are told one by one
				out = append(out, p.weigh(c, violation(t, v)))
			}
		}
	}
	for _, name := range unknownArguments(t.tool, c.Arguments) {
		f := Finding{
			Kind: UnknownArgument, Severity: lint.Warning, Pointer: catalog.Join("", name),
			Message: fmt.Sprintf("tool %q has no parameter %q%s", t.name, name, lint.Suggest(name, propertyNames(t.tool))),
		}
		if closed(t.tool) {
			f.Severity = lint.Error
		}
		out = append(out, p.weigh(c, f))
	}
	return out
}

// closed reports whether a tool refuses arguments that it does not name. Others read past them, as a rule.
func closed(t catalog.Tool) bool {
	allowed, is := t.InputSchema().Get("additionalProperties").Bool()
	return is && !allowed
}

// violation puts a fault of the arguments into words.
func violation(t target, v catalog.Violation) Finding {
	f := Finding{Kind: ArgumentValue, Severity: lint.Error, Pointer: v.Pointer}
	where := ""
	if v.Pointer != "" {
		where = fmt.Sprintf(" at %s", v.Pointer)
	}
	f.Message = fmt.Sprintf("tool %q does not take these arguments%s: %s", t.name, where, v.Reason)
	switch {
	case v.Keyword == "required" || strings.HasPrefix(v.Keyword, "dependent") || strings.HasPrefix(v.Keyword, "dependency"):
		f.Kind = MissingArgument
	case v.Keyword == "enum" || v.Keyword == "const":
		f.Kind = EnumValue
	case v.Keyword == "additionalProperties":
		f.Kind = UnknownArgument
	}
	return f
}

// weigh lowers the severity of a fault of the arguments when the call went wrong already when it was recorded: that is no
// news.
func (p *player) weigh(c *recording.Call, f Finding) Finding {
	if c.Result != nil && c.Result.Failed {
		f.Severity, f.Message = lint.Info, f.Message+" (it failed when it was recorded, too)"
	}
	return f
}

// unknownArguments returns the arguments that a tool does not name, where its schema does not say that others may be
// there.
func unknownArguments(t catalog.Tool, arguments *catalog.Node) []string {
	schema := t.InputSchema()
	known := propertyNames(t)
	if !schema.Get("properties").Is(catalog.Object) || open(schema) {
		return nil
	}
	var out []string
	for _, m := range arguments.Members {
		if !slices.Contains(known, m.Key) {
			out = append(out, m.Key)
		}
	}
	return out
}

// open reports whether a schema may take properties that it does not name itself.
func open(schema *catalog.Node) bool {
	extra := schema.Get("additionalProperties")
	if allowed, is := extra.Bool(); is && allowed || extra.Is(catalog.Object) {
		return true
	}
	for _, key := range []string{"patternProperties", "unevaluatedProperties", "$ref", "anyOf", "oneOf", "allOf", "if"} {
		if schema.Get(key) != nil {
			return true
		}
	}
	return false
}

func propertyNames(t catalog.Tool) []string {
	var out []string
	if properties := t.InputSchema().Get("properties"); properties != nil {
		for _, m := range properties.Members {
			out = append(out, m.Key)
		}
	}
	return out
}

// result holds the structured result against the output schema. Where the client kept only the text, that of a tool
// with an output schema is the same value as JSON.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content
func (p *player) result(c *recording.Call, t target) []Finding {
	check, r := p.checkerOf(t.tool), c.Result
	if check.output == nil || r == nil || r.Failed || r.Cut() {
		return nil
	}
	value := r.Structured
	if value == nil && p.recording.Format == recording.MCP {
		return []Finding{{Kind: ResultShape, Severity: lint.Warning, Message: fmt.Sprintf("tool %q has an output schema today, and its result had no structuredContent", t.name)}}
	}
	if value == nil && len(r.Content()) == 1 {
		value, _ = catalog.Parse(r.Text()) // text that is no JSON says nothing
		if !value.Is(catalog.Object) {
			return nil
		}
	}
	if value == nil {
		return nil
	}
	var out []Finding
	for _, v := range check.output.Violations(value) {
		where := ""
		if v.Pointer != "" {
			where = " at " + v.Pointer
		}
		out = append(out, Finding{
			Kind: ResultShape, Severity: lint.Warning, Pointer: v.Pointer,
			Message: fmt.Sprintf("the result of %q does not fit its output schema%s: %s", t.name, where, v.Reason),
		})
	}
	return out
}
