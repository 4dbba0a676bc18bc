package rules

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// toolCallRules returns the rules that hold what a skill says of MCP tools against the tools there are, by name.
func toolCallRules() []*lint.Rule {
	return []*lint.Rule{toolsArguments, toolsNotAllowed, toolsUnknownServer, toolsUnknownTool, toolsUnused}
}

// roster is what is known of the tools that a skill may speak of.
type roster struct {
	servers map[string]*lint.Offer // by the name in the names of tools
	shown   map[string][]toolOf    // by the names that clients show, and that people write
	bare    map[string][]toolOf    // by the tool's own name, where that is no usual word
	heads   []head                 // what stands before the name of a tool, the longest first
}

// head is how a name begins that a client, or people, give a tool of a server.
type head struct {
	text  string
	offer *lint.Offer
}

// toolOf is a tool of a server.
type toolOf struct {
	offer *lint.Offer
	tool  catalog.Tool
}

// key identifies the tool.
func (t toolOf) key() string { return t.offer.Name + "\x00" + t.tool.Name() }

// mention is a place in a skill that names a tool, or tries to.
type mention struct {
	at     text.Span
	server string // as written; "" for a tool named without it
	offer  *lint.Offer
	tool   *toolOf   // nil when the server has none of that name
	name   string    // the part that names the tool
	part   text.Span // and where it stands
	listed bool      // in allowed-tools
	named  bool      // in a matcher of a hook or another list than allowed-tools: it grants nothing and calls nothing
	weak   bool      // looks like the name of a tool only if it is nearly one
	// pattern says that the name is a regular expression which fits no tool of the server.
	pattern bool
}

type mentionsKey struct{}

// toolTalk is what a skill says of tools.
type toolTalk struct {
	roster   *roster
	mentions []mention
	strange  []mention       // names of servers that no configuration has
	whole    []mention       // names of servers without a tool, or with a pattern for several
	spoken   map[string]bool // names of servers the skill speaks of for certain
}

// talk reads what the skill says of tools, once for all rules. It is nil when no tools are known.
func talk(p *lint.Pass) *toolTalk {
	return lint.Shared(p, mentionsKey{}, listen)
}

// withTools runs visit over what the skill says of tools, when any are known.
func withTools(visit func(*lint.Pass, *toolTalk)) func(*lint.Pass) {
	return func(p *lint.Pass) {
		if t := talk(p); t != nil {
			visit(p, t)
		}
	}
}

func listen(p *lint.Pass) *toolTalk { return hear(p, map[string]bool{}) }

// hear reads what a text says of tools. spoken are the servers that are spoken of elsewhere; those of the text are added.
func hear(p *lint.Pass, spoken map[string]bool) *toolTalk {
	if p.Skill.Err != nil || len(p.View.Offers()) == 0 {
		return nil
	}
	r := rosterOf(p)
	if len(r.servers) == 0 {
		return nil
	}
	t := &toolTalk{roster: r, spoken: spoken}
	t.readAllowed(p)
	t.readMatchers(p)
	t.readProse(p)
	t.readWords(p)
	t.readBare(p)
	slices.SortStableFunc(t.mentions, func(a, b mention) int { return cmp.Compare(a.at.Start, b.at.Start) })
	return t
}

// rosterOf returns the tools of the servers that are configured for the skill's project, or for no project.
func rosterOf(p *lint.Pass) *roster {
	r := &roster{servers: map[string]*lint.Offer{}, shown: map[string][]toolOf{}, bare: map[string][]toolOf{}}
	tree := p.View.Tree()
	project := tree.Root(filepath.Dir(p.Doc().Abs))
	for _, offers := range p.View.Offers() {
		if c := offers.Config; c != nil && c.Scope() == mcpconfig.Project && tree.Root(filepath.Dir(c.Doc.Abs)) != project {
			continue
		}
		for i, names := range lint.Keep(offers, spelling{}, func() [][]spelling { return spellings(offers) }) {
			if o := &offers.Servers[i]; o.Server != nil && r.servers[profile.PlainToolName(o.Name)] == nil {
				r.add(o, names)
			}
		}
	}
	slices.SortStableFunc(r.heads, func(a, b head) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text+a.offer.Name, b.text+b.offer.Name))
	})
	return r
}

func (r *roster) add(o *lint.Offer, names []spelling) {
	r.servers[profile.PlainToolName(o.Name)] = o
	const tool = "tool"
	for _, s := range spell(o.Name, tool, profile.Naming()) {
		if text, ok := strings.CutSuffix(s, tool); ok && len(text) > len(o.Name) && !strings.HasPrefix(text, mcpPrefix) {
			r.heads = append(r.heads, head{text, o})
		}
	}
	for _, s := range names {
		r.put(s.name, s.tool)
	}
	for _, tool := range o.Server.Tools {
		if name := tool.Name(); distinct.MatchString(name) {
			r.bare[name] = append(r.bare[name], toolOf{o, tool})
		}
	}
}

// spelling is a name that people write, or clients show, for a tool.
type spelling struct {
	name string
	tool toolOf
}

// forms are the ways to write a tool with its server that people use whatever the client.
var forms = []string{"mcp__%s__%t", "%s:%t", "%s/%t", "%s.%t", "%s__%t"}

// spellings returns the names of the tools of each server.
func spellings(offers *lint.Offers) [][]spelling {
	out, clients := make([][]spelling, len(offers.Servers)), profile.Naming()
	for i := range offers.Servers {
		o := &offers.Servers[i]
		if o.Server == nil {
			continue
		}
		for _, tool := range o.Server.Tools {
			for _, name := range spell(o.Name, tool.Name(), clients) {
				out[i] = append(out[i], spelling{name, toolOf{o, tool}})
			}
		}
	}
	return out
}

// spell returns the names of a tool of a server, some of them twice; none for a tool without a name.
func spell(server, tool string, clients []*profile.Profile) []string {
	if tool == "" {
		return nil
	}
	var out []string
	for _, form := range forms {
		out = append(out, strings.NewReplacer("%s", server, "%t", tool).Replace(form))
	}
	out = append(out, mcpPrefix+profile.PlainToolName(server)+"__"+profile.PlainToolName(tool))
	for _, c := range clients {
		if shown, known := c.ToolName(server, tool); known && shown.Name != "" && shown.Name != tool {
			out = append(out, shown.Name)
		}
	}
	return out
}

func (r *roster) put(name string, t toolOf) {
	if !slices.ContainsFunc(r.shown[name], func(have toolOf) bool { return have.key() == t.key() }) {
		r.shown[name] = append(r.shown[name], t)
	}
}

// distinct is a name that is no usual word: it has two parts.
var distinct = lazyregexp.New(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)+$|^[a-z]+[A-Z][A-Za-z0-9]*$`)

// find returns the tool of a server by its name as written, in any client's spelling.
func find(o *lint.Offer, name string) *toolOf {
	for _, t := range o.Server.Tools {
		if t.Name() == name || profile.PlainToolName(t.Name()) == name {
			return &toolOf{o, t}
		}
	}
	return nil
}

// readAllowed takes the tools in allowed-tools.
func (t *toolTalk) readAllowed(p *lint.Pass) {
	_, tools, _ := allowedTools(p)
	for i := range tools {
		name := tools[i].NameIn(p.Text())
		if strings.HasPrefix(name, mcpPrefix) {
			t.qualified(name, mention{at: tools[i].Name, listed: true})
		} else if known := t.roster.shown[name]; len(known) == 1 {
			t.found(known[0], name, tools[i].Name, true)
		}
	}
	for _, key := range otherLists {
		f := field(p, key)
		if f == nil || f.Value.Empty() || len(p.Skill.Front.Errors) > 0 {
			continue
		}
		tools, _ := p.Skill.Front.AllowedTools(p.Text(), f)
		for i := range tools {
			if name := tools[i].NameIn(p.Text()); strings.HasPrefix(name, mcpPrefix) {
				t.qualified(name, mention{at: tools[i].Name, named: true})
			}
		}
	}
}

// otherLists are keys beside allowed-tools whose values name tools: what Claude Code forbids, and what Qwen Code and Agent
// Zero read.
var otherLists = []string{"disallowed-tools", "allowedTools", "allowed_tools", "tools"}

// qualified takes a word that starts as a tool of an MCP server does. m says where it stands.
func (t *toolTalk) qualified(word string, m mention) {
	server, name, ok := strings.Cut(strings.TrimPrefix(word, mcpPrefix), "__")
	o := t.roster.servers[server]
	m.server, m.name, m.offer = server, name, o
	m.part = text.Span{Start: m.at.End - len(name), End: m.at.End}
	switch {
	case o == nil:
		m.part = text.Span{Start: m.at.Start + len(mcpPrefix), End: m.at.Start + len(mcpPrefix) + len(server)}
		t.strange = append(t.strange, m)
		return
	case !ok || name == "" || strings.ContainsAny(name, "*?"):
		t.spoken[o.Name] = true
		t.whole = append(t.whole, m)
		return
	}
	t.spoken[o.Name] = true
	m.tool = find(o, name)
	t.mentions = append(t.mentions, m)
}

func (t *toolTalk) found(tool toolOf, word string, at text.Span, listed bool) {
	t.spoken[tool.offer.Name] = true
	t.mentions = append(t.mentions, mention{at: at, server: tool.offer.Name, offer: tool.offer, tool: &tool, name: word, part: at, listed: listed})
}

// toolWords yields the words of the body that consist of the characters that names of tools and their servers have.
func toolWords(p *lint.Pass) iter.Seq2[text.Span, string] {
	src := p.Text()
	return func(yield func(text.Span, string) bool) {
		for i := bodyStart(p.Skill); i < len(src); i++ {
			if !wordByte(src[i]) {
				continue
			}
			start := i
			for i < len(src) && (wordByte(src[i]) || strings.IndexByte(":./-", src[i]) >= 0) {
				i++
			}
			w := strings.TrimRight(src[start:i], ".:/-")
			if !yield(text.Span{Start: start, End: start + len(w)}, w) {
				return
			}
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// readWords takes the words of the body that name a tool together with its server.
func (t *toolTalk) readWords(p *lint.Pass) {
	for s, w := range toolWords(p) {
		known := t.roster.shown[w]
		switch {
		case t.covered(s):
		case strings.HasPrefix(w, mcpPrefix):
			t.qualified(w, mention{at: s})
		case len(known) == 1:
			t.found(known[0], w, s, false)
		case len(known) == 0:
			t.nearly(w, s, p.Text())
		}
	}
}

// nearly takes a word in quotes that begins as some spelling of a server's tools does: whether it is meant as one shows in
// how near it is to a tool.
func (t *toolTalk) nearly(w string, at text.Span, src string) {
	if at.Start == 0 || strings.IndexByte("`\"'", src[at.Start-1]) < 0 {
		return
	}
	for _, h := range t.roster.heads {
		name, ok := strings.CutPrefix(w, h.text)
		if ok && distinct.MatchString(name) && find(h.offer, name) == nil {
			part := text.Span{Start: at.End - len(name), End: at.End}
			t.mentions = append(t.mentions, mention{at: at, server: h.offer.Name, offer: h.offer, name: name, part: part, weak: true})
			return
		}
	}
}

// prose are sentences that say whose tool it is: the first group is the tool or the server, the second the other.
var prose = []struct {
	pattern     *lazyregexp.Regexp
	serverFirst bool
}{
	{lazyregexp.New("`([A-Za-z0-9_.-]+)`(?:\\(\\))? (?:tool|tools) (?:of|from|in|on|provided by|offered by) (?:the )?[`\"*]*([A-Za-z0-9_-]+)[`\"*]* (?:MCP )?server"), false},
	{lazyregexp.New("(?:the )?[`\"*]*([A-Za-z0-9_-]+)[`\"*]* (?:MCP )?server'?s `([A-Za-z0-9_.-]+)`(?:\\(\\))? tool"), true},
	{lazyregexp.New("[`\"*]*([A-Za-z0-9_-]+)[`\"*]* MCP'?s? `([A-Za-z0-9_.-]+)`(?:\\(\\))? tool"), true},
}

// readProse takes "`x` tool of the y server" and the like, which stand on one line.
func (t *toolTalk) readProse(p *lint.Pass) {
	start := bodyStart(p.Skill)
	for line := range strings.Lines(p.Text()[start:]) {
		if strings.Contains(line, "tool") && (strings.Contains(line, "server") || strings.Contains(line, "MCP")) {
			t.readSentences(line, start)
		}
		start += len(line)
	}
}

// readSentences takes what the sentences of a line name, which starts at an offset.
func (t *toolTalk) readSentences(line string, start int) {
	for _, form := range prose {
		for _, m := range form.pattern.FindAllStringSubmatchIndex(line, -1) {
			tool, server := line[m[2]:m[3]], line[m[4]:m[5]]
			at := text.Span{Start: start + m[2], End: start + m[3]}
			if form.serverFirst {
				tool, server, at = server, tool, text.Span{Start: start + m[4], End: start + m[5]}
			}
			o := t.offerCalled(server)
			if o == nil || t.covered(at) {
				continue
			}
			t.spoken[o.Name] = true
			t.mentions = append(t.mentions, mention{at: at, server: o.Name, offer: o, tool: find(o, tool), name: tool, part: at})
		}
	}
}

// offerCalled returns the server of that name, whatever the case.
func (t *toolTalk) offerCalled(name string) *lint.Offer {
	for _, o := range t.roster.servers {
		if strings.EqualFold(o.Name, name) {
			return o
		}
	}
	return nil
}

// covered reports whether a place is part of a mention that was found already.
func (t *toolTalk) covered(at text.Span) bool {
	return slices.ContainsFunc(t.mentions, func(m mention) bool { return m.at.Start < at.End && at.Start < m.at.End })
}

// readBare takes tools that are named without their server, where the skill speaks of the server elsewhere: without
// that a word such as read_file says nothing of whose tool is meant.
func (t *toolTalk) readBare(p *lint.Pass) {
	if len(t.spoken) == 0 {
		return
	}
	for s, w := range toolWords(p) {
		known := slices.DeleteFunc(slices.Clone(t.roster.bare[w]), func(k toolOf) bool { return !t.spoken[k.offer.Name] })
		if len(known) == 1 && !t.covered(s) {
			t.mentions = append(t.mentions, mention{at: s, offer: known[0].offer, tool: &known[0], name: w, part: s})
		}
	}
}

// bodyStart returns where the body begins.
func bodyStart(s *skills.Skill) int {
	if s.Front.Exists() && s.Front.Closed() {
		return s.Front.Block.End
	}
	return 0
}
