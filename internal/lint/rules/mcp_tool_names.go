package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

var portableName = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

var mcpToolChangedName = &lint.Rule{
	Name: "mcp-tool/name-characters", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The name of a tool has other characters than letters, digits, _ and -.",
		Why: "The Anthropic and OpenAI APIs refuse a request with such a name. Clients therefore write another character in its place, each its own, or send it as it is and fail: " +
			"a skill or a permission that names the tool fits none of them.",
		Bad:  toolsExample(toolExample("manual.search", goodSchema)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		name := t.Name()
		if name == "" || portableName.MatchString(name) {
			return
		}
		f := lint.Finding{
			Severity: lint.Warning,
			Message:  fmt.Sprintf("the tool name %q has %s, which some clients refuse", name, strangeIn(name)),
			Help:     "call it " + strings.Trim(notInName.ReplaceAllString(name, "_"), "_"),
		}
		if len([]rune(name)) > len(name) || strings.Trim(notInName.ReplaceAllString(name, "_"), "_") == "" {
			f.Help = "use letters, digits, _ and -"
		}
		s := staged(p)
		if h := s.suffers(s.judges, t, shownAs); len(h.clients) > 0 {
			f.Clients = h.ids()
			f.Message += ": " + h.String()
		}
		p.Report(t.at("/name", f))
	}),
}

// strangeIn names the first character of a name that is not portable.
func strangeIn(name string) string {
	i := notInName.FindStringIndex(name)
	r := []rune(name[i[0]:])[0]
	switch r {
	case ' ':
		return "a space"
	case '.':
		return "a dot"
	case '/':
		return "a slash"
	}
	return fmt.Sprintf("the character %q", r)
}

// shownAs tells the name a client shows in place of a tool's own.
func shownAs(s profile.ShownTool) string {
	if !s.Alone() || !s.Known || s.Name.How != "sanitised" {
		return ""
	}
	return "shows it as " + s.Name.Name
}

// usualLimit is how long a name may be for the APIs of OpenAI, Gemini and Bedrock, and for most clients.
const usualLimit = 64

var mcpToolNameLength = &lint.Rule{
	Name: "mcp-tool/name-length", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The name of a tool is too long together with that of its server.",
		Why: "Clients show a tool as mcp__server__tool or the like. The APIs of OpenAI, Gemini and Bedrock take 64 characters; Copilot CLI and Gemini CLI cut the rest off, Kimi Code and Codex (at 128) put a hash there, " +
			"Claude Code leaves a tool out from 128 on.",
		Bad:     toolsExample(toolExample("search_all_pages_of_the_manual_for_one_word_and_list_them", goodSchema)),
		Good:    goodTools,
		Clients: []string{"kimi-code"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		long := len("mcp____"+t.offer.Name) + len(t.Name())
		if long < usualLimit-len("mcp____") {
			return // too short for everybody
		}
		f := lint.Finding{
			Message: fmt.Sprintf("%s: its name with the server's is long (%d characters as mcp__%s__…, where many take %d)", t.title(), long, t.offer.Name, usualLimit),
			Help:    "shorten the name of the server or of the tool",
		}
		f, hurt := staged(p).blame(f, t, func(s profile.ShownTool) string {
			switch s.Name.How {
			case "dropped":
				return "leaves the tool out|leave the tool out"
			case "cut", "hashed":
				return "shows it as " + s.Name.Name
			}
			return ""
		})
		if hurt || len(t.Name()) > 128 {
			f.Message = strings.Replace(f.Message, "its name with the server's is long", "prefixed tool name longer than "+fmt.Sprint(usualLimit), 1)
			p.Report(t.at("/name", f))
		}
	}),
}

var mcpToolNameCollision = &lint.Rule{
	Name: "mcp-tool/name-collision", Severity: lint.Error, Scope: lint.CatalogScope, Since: since,
	Risk: &lint.Risk{CWE: []int{694}, OWASP: []string{"AST04"}},
	Page: lint.Page{
		What: "A client shows two tools under one name.",
		Why:  "Names that differ in characters a client replaces, or only behind the place where it cuts, become one: the model sees one of the tools, or calls the wrong one.",
		Bad:  toolsExample(toolExample("search-manual", goodSchema), toolExample("search_manual", goodSchema)),
		Good: goodTools, Clients: []string{"codex"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		var other string
		s := staged(p)
		h := s.suffers(s.judges, t, func(s profile.ShownTool) string {
			if s.Twin == "" || s.Twin == t.Name() && s.TwinOf == t.offer.Name { // mcp-tool/duplicate-name tells those
				return ""
			}
			other = fmt.Sprintf("%q of server %q", s.Twin, s.TwinOf)
			return "shows " + s.Name.Name + " for both|show " + s.Name.Name + " for both"
		})
		if len(h.clients) > 0 {
			p.Report(t.at("/name", lint.Finding{Clients: h.ids(), Message: fmt.Sprintf("%s and %s have one name: %s", t.title(), other, h)}))
		}
	}),
}

// clientTools are names that many clients give tools of their own: the tool of one server that stands in for another's
// under such a name is what is called shadowing.
var clientTools = []string{"bash", "shell", "read_file", "write_file", "edit_file", "apply_patch", "web_search", "web_fetch", "grep", "glob"}

var mcpServerSameTool = &lint.Rule{
	Name: "mcp-server/same-tool", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Risk: &lint.Risk{CWE: []int{694}, OWASP: []string{"AST04"}},
	Page: lint.Page{
		What: "Two servers have a tool of the same name.",
		Why:  "A client that shows tools without their server, such as Zed or LibreChat, gives every call to one of them, and a skill that names the tool alone does not say which is meant.",
		Bad:  toolsExample(toolExample("search", goodSchema)) + strings.Replace(toolsExample(toolExample("search", goodSchema)), "docs.tools", "wiki.tools", 1),
		Good: goodTools,
	},
	Run: func(p *lint.Pass) {
		first := map[string]*lint.Offer{}
		eachTool(func(p *lint.Pass, t offered) {
			name := t.Name()
			before := first[name]
			switch {
			case name == "":
			case before == nil:
				first[name] = t.offer
			case before.Name != t.offer.Name:
				f := lint.Finding{Message: fmt.Sprintf("the tool name %q is also offered by server %q", name, before.Name)}
				if slices.Contains(clientTools, name) {
					f.Severity = lint.Warning
					f.Message += ", and clients have a tool of that name themselves"
				}
				if before.Entry != nil {
					f.Related = []lint.Related{{File: before.Entry.File.Doc.Path, Span: before.Entry.Key, Message: "the other server"}}
				}
				p.Report(t.at("/name", f))
			}
		})(p)
	},
}

var mcpToolParameterName = &lint.Rule{
	Name: "mcp-tool/parameter-name", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The name of a parameter has characters, or a length, that the Anthropic API does not take.",
		Why: "It wants 1 to 64 letters, digits, _, . and -. With `filter[name]`, `$top` or `@id` every request that holds the tool fails in clients that do not check; " +
			"Claude Code leaves the tool out.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"$top": {"type": "integer", "description": "How many"}}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		properties := n.Get("properties")
		if !properties.Is(catalog.Object) {
			return
		}
		for _, m := range properties.Members {
			if anthropicKey.MatchString(m.Key) {
				continue
			}
			f := lint.Finding{
				Severity: lint.Warning,
				Message:  fmt.Sprintf("%s: the property key %q is not accepted by the Anthropic API", t.title(), shortened(m.Key)),
				Help:     "use 1 to 64 letters, digits, _, . and -",
			}
			f, _ = staged(p).blame(f, t, lossOf("property-key"))
			p.Report(t.at(catalog.Join(pointer, "properties", m.Key), f))
		}
	}),
}

// anthropicKey is from the API's own error message: https://github.com/twilio-labs/mcp/issues/49
var anthropicKey = lazyregexp.New(`^[a-zA-Z0-9_.-]{1,64}$`)
