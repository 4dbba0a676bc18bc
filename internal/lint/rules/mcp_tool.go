package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// mcpToolRules returns the rules about MCP servers and their tools, by name.
func mcpToolRules() []*lint.Rule {
	return []*lint.Rule{
		mcpServerAutoApproved,
		mcpServerChanged,
		mcpServerEmpty,
		mcpServerInstructions,
		mcpServerLock,
		mcpServerNoTools,
		mcpServerNotProbed,
		mcpServerProtocol,
		mcpServerSameTool,
		mcpServerTokens,
		mcpServerToolLists,
		mcpServerTooManyTools,
		mcpServerTotalTokens,
		mcpToolAnnotations,
		mcpToolArrayItems,
		mcpToolBooleanParameter,
		mcpToolBounds,
		mcpToolChangedName,
		mcpToolDefault,
		mcpToolDepth,
		mcpToolDescriptionLength,
		mcpToolDescriptionMissing,
		mcpToolDescriptionShort,
		mcpToolDialect,
		mcpToolDuplicateName,
		mcpToolEnum,
		mcpToolFormat,
		mcpToolGeminiAPI,
		mcpToolHiddenText,
		mcpToolIcons,
		mcpToolInvalidSchema,
		mcpToolLocalReference,
		mcpToolLostKeywords,
		mcpToolLostOutput,
		mcpToolMarkup,
		mcpToolMeta,
		mcpToolNameCollision,
		mcpToolNameLength,
		mcpToolNoAnnotations,
		mcpToolNoProperties,
		mcpToolOldKeyword,
		mcpToolOpenAIStrict,
		mcpToolOrders,
		mcpToolOtherServer,
		mcpToolOutputSchema,
		mcpToolParameterDescription,
		mcpToolParameterName,
		mcpToolPattern,
		mcpToolPrivateText,
		mcpToolReadOnly,
		mcpToolReference,
		mcpToolRequired,
		mcpToolRootCombinator,
		mcpToolRootReference,
		mcpToolShape,
		mcpToolTaskOnly,
	}
}

// toolsExample writes a saved answer of a server called docs, for the pages: `skilllint lint --tools docs=docs.tools.json`.
func toolsExample(tools ...string) string {
	return "-- docs.tools.json --\n{\"tools\": [\n  " + strings.Join(tools, ",\n  ") + "\n]}\n"
}

// toolExample is a tool with a schema, with nothing else to say about it.
func toolExample(name, schema string) string {
	return fmt.Sprintf(`{"name": %q, "description": "Searches the manual for a word.", "annotations": {"readOnlyHint": true}, "inputSchema": %s}`, name, schema)
}

const goodSchema = `{"type": "object", "properties": {"word": {"type": "string", "description": "The word"}}, "required": ["word"]}`

var goodTools = toolsExample(toolExample("search_manual", goodSchema))

// eachOffer runs visit over the servers of which anything is known.
func eachOffer(visit func(*lint.Pass, *lint.Offer)) func(*lint.Pass) {
	return func(p *lint.Pass) {
		for i := range p.Offers.Servers {
			visit(p, &p.Offers.Servers[i])
		}
	}
}

// offered is one tool of one server.
type offered struct {
	catalog.Tool
	offer *lint.Offer
}

// eachTool runs visit over the tools of all servers.
func eachTool(visit func(*lint.Pass, offered)) func(*lint.Pass) {
	return eachOffer(func(p *lint.Pass, o *lint.Offer) {
		if o.Server == nil {
			return
		}
		for _, t := range o.Server.Tools {
			visit(p, offered{t, o})
		}
	})
}

// eachSchema runs visit over the schemas of a tool's arguments, the outermost and all inside, with their pointers into
// the tool.
func eachSchema(visit func(p *lint.Pass, t offered, pointer string, n *catalog.Node)) func(*lint.Pass) {
	return eachTool(func(p *lint.Pass, t offered) {
		catalog.WalkSchema(t.InputSchema(), func(at string, n *catalog.Node) { visit(p, t, "/inputSchema"+at, n) })
	})
}

// at puts the tool, and the place in it, into a finding.
func (t offered) at(pointer string, f lint.Finding) lint.Finding {
	f.Server, f.Tool, f.Pointer = t.offer.Name, t.Name(), pointer
	f.File, f.Span = t.offer.Place(t.Tool, pointer)
	return f
}

// onServer puts the server into a finding.
func onServer(o *lint.Offer, f lint.Finding) lint.Finding {
	f.Server = o.Name
	var first catalog.Tool
	if o.Server != nil && len(o.Server.Tools) > 0 {
		first = o.Server.Tools[0]
	}
	f.File, f.Span = o.Place(first, "")
	return f
}

// title names a tool in a message.
func (t offered) title() string {
	if t.Name() == "" {
		return "a tool of " + t.offer.Name
	}
	return fmt.Sprintf("tool %q", t.Name())
}

// stage is what clients make of all tools.
type stage struct {
	servers []*catalog.Server
	judges  []*profile.Profile // those that count
	others  []*profile.Profile // of whom it is known too
	shown   map[*profile.Profile]map[*catalog.Node]profile.ShownTool
}

type stageKey struct{}

// staged returns the play of the clients on the tools, which all rules share.
func staged(p *lint.Pass) *stage {
	return lint.Shared(p, stageKey{}, func(p *lint.Pass) *stage {
		s := &stage{
			servers: p.Offers.Catalog(), judges: p.Offers.Judges(p.Clients), shown: map[*profile.Profile]map[*catalog.Node]profile.ShownTool{},
		}
		for _, c := range toolClients() {
			if !slices.Contains(s.judges, c) {
				s.others = append(s.others, c)
			}
		}
		return s
	})
}

// of returns what a client makes of a tool. A client is played on all tools when it is first asked for: most sets of
// tools give no reason to ask for more than the judges.
func (s *stage) of(c *profile.Profile, t catalog.Tool) profile.ShownTool {
	if s.shown[c] == nil {
		s.shown[c] = map[*catalog.Node]profile.ShownTool{}
		for _, shown := range c.ShowTools(s.servers) {
			s.shown[c][shown.Tool.Node] = shown
		}
	}
	return s.shown[c][t.Node]
}

// toolClients returns the clients of which it was seen what they do to tools.
func toolClients() []*profile.Profile {
	return slices.DeleteFunc(profile.All(), func(c *profile.Profile) bool { return c.Schema == nil })
}

// harm is what clients do to a tool, in words, by client.
type harm struct {
	clients []*profile.Profile
	words   []string // one for each client
	server  bool     // a client refuses the whole server because of this tool
}

// suffers returns what the clients of a list do to a tool; what gives it in words for one client, "" when it does
// nothing that matters here.
func (s *stage) suffers(clients []*profile.Profile, t offered, what func(profile.ShownTool) string) harm {
	var h harm
	for _, c := range clients {
		shown := s.of(c, t.Tool)
		if words := what(shown); words != "" {
			h.clients, h.words = append(h.clients, c), append(h.words, words)
			h.server = h.server || shown.Loss != nil && shown.Loss.Server && shown.Culprit == ""
		}
	}
	return h
}

func (h harm) ids() []string {
	var out []string
	for _, c := range h.clients {
		out = append(out, c.ID())
	}
	return out
}

// String tells what the clients do, those that do the same together.
func (h harm) String() string {
	var order []string
	who := map[string][]*profile.Profile{}
	for i, w := range h.words {
		if who[w] == nil {
			order = append(order, w)
		}
		who[w] = append(who[w], h.clients[i])
	}
	var out []string
	for _, w := range order {
		one, many, _ := strings.Cut(w, "|")
		if len(who[w]) > 1 && many != "" {
			one = many
		}
		out = append(out, lint.Labels(who[w]...)+" "+one)
	}
	return strings.Join(out, "; ")
}

// lossOf returns what a client does that does not list a tool because of one of the traits.
func lossOf(traits ...string) func(profile.ShownTool) string {
	return func(s profile.ShownTool) string {
		switch {
		case s.Loss == nil || s.Culprit != "" || !slices.Contains(traits, s.Loss.Trait):
			return ""
		case s.Loss.Server:
			return "takes none of the server's tools|take none of the server's tools"
		}
		return "leaves the tool out|leave the tool out"
	}
}

// blame tells in a finding what clients do: of those that judge at the level of a warning, or of an error where
// other tools go too; else, when least is not above it, of the others.
func (s *stage) blame(f lint.Finding, t offered, what func(profile.ShownTool) string) (lint.Finding, bool) {
	if h := s.suffers(s.judges, t, what); len(h.clients) > 0 {
		f.Clients = h.ids()
		f.Message += ": " + h.String()
		f.Severity = max(f.Severity, lint.Warning)
		if h.server {
			f.Severity = lint.Error
		}
		return f, true
	}
	if h := s.suffers(s.others, t, what); len(h.clients) > 0 {
		f.Message += ": " + h.String()
		f.Severity = max(f.Severity, lint.Info)
		return f, true
	}
	return f, false
}
