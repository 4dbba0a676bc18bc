package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var mcpName = &lint.Rule{
	Name: "mcp-config/name", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The name of a server has characters that a client does not take, or is reserved.",
		Why: "The name becomes part of the name of each tool. Claude Code and Codex take letters, digits, - and _ only; Codex refuses to start over another. " +
			"Claude Code skips the names of its own servers. Two underscores in a row, or one for Gemini CLI, make it unclear where the server's name ends.",
		Bad:  "-- .mcp.json --\n" + mcpServersJSON(`"Docs (remote)": {`+goodRemote+`}`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		strict := blamed(p, func(c *mcpconfig.Client) bool { return c.Names != "" && !allowedName(s.Name, c) })
		reserved := blamed(p, func(c *mcpconfig.Client) bool { return slices.Contains(c.Reserved, s.Name) })
		f := lint.Finding{Span: s.Key}
		switch {
		case len(reserved) > 0:
			f.Clients = clientNames(reserved)
			f.Message = fmt.Sprintf("the server name %q is reserved: %s skips the server", s.Name, labels(reserved))
		case len(strict) > 0:
			f.Clients, f.Help = clientNames(strict), "use letters, digits, - and _"
			f.Message = fmt.Sprintf("the server name %q is not portable: %s %s letters, digits, - and _ only", s.Name, labels(strict), verb(strict, "takes", "take"))
			f.Fixes = renameServer(p, s)
		case len(s.Name) > longestServer:
			f.Message = fmt.Sprintf("the server name has %d characters: in mcp__server__tool there is no room for a tool in the 64 that most APIs take", len(s.Name))
			f.Help = "choose a shorter one"
		case strings.Contains(s.Name, "__"):
			f.Severity = lint.Info
			f.Message = fmt.Sprintf("the server name %q has two underscores in a row: in mcp__server__tool nobody can tell where it ends", s.Name)
		case strings.Contains(s.Name, "_") && len(blamed(p, func(c *mcpconfig.Client) bool { return c.Name == "gemini-cli" })) > 0:
			f.Severity, f.Clients = lint.Info, []string{"gemini-cli"}
			f.Message = fmt.Sprintf("the server name %q has an underscore: in mcp_server_tool Gemini CLI's policies cannot tell where it ends", s.Name)
			f.Help = "use - in its place"
		default:
			return
		}
		p.Report(inServer(s, f))
	}),
}

// longestServer is what leaves no room for the name of a tool, of ten characters, in 64.
const longestServer = 64 - len("mcp__") - len("__") - 10

func allowedName(name string, c *mcpconfig.Client) bool {
	ok, err := regexp.MatchString("^["+c.Names+"]+$", name)
	return err == nil && ok
}

var notInName = lazyregexp.New(`[^A-Za-z0-9_-]+`)

// renameServer offers a name without the characters that some client refuses. Skills and settings that name the
// server have to follow.
func renameServer(p *lint.Pass, s *mcpconfig.Server) []lint.Fix {
	name := strings.Trim(notInName.ReplaceAllString(s.Name, "-"), "-")
	if name == "" || s.In.Member(name) != nil || !isJSON(p.Config) {
		return nil
	}
	return []lint.Fix{{Title: "call it " + name, Edits: []lint.Edit{lint.Replace(s.Key, mcpconfig.Quote(name))}}}
}

var mcpSimilarName = &lint.Rule{
	Name: "mcp-config/similar-name", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "The names of two servers differ in case, - and _ only.",
		Why:  "Clients that write - as _, or compare without case, take them for one, and their tools collide.",
		Bad:  "-- .mcp.json --\n" + mcpServersJSON("\"docs-v2\": {"+goodRemote+"},\n    \"docs_v2\": {\"type\": \"http\", \"url\": \"https://more.example/mcp\"}"),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		seen := map[string]*mcpconfig.Server{}
		for _, s := range p.Config.Servers {
			key := strings.ToLower(strings.ReplaceAll(s.Name, "-", "_"))
			if before := seen[key]; before == nil {
				seen[key] = s
			} else if before.Name != s.Name && before.In == s.In {
				p.Report(inServer(s, lint.Finding{
					Span: s.Key, Message: fmt.Sprintf("the server names %q and %q differ in case, - or _ only: some clients take them for one", s.Name, before.Name),
					Related: []lint.Related{{File: p.Doc().Path, Span: before.Key, Message: "the other one"}},
				}))
			}
		}
	},
}

var mcpSameServer = &lint.Rule{
	Name: "mcp-config/same-server", Severity: lint.Info, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "One server is configured under two names, in one file or in two that one client reads.",
		Why:  "The model is shown all of its tools twice, which costs tokens and makes it choose between equals.",
		Bad:  "-- .mcp.json --\n" + mcpServersJSON("\"docs\": {"+goodRemote+"},\n    \"manual\": {"+goodRemote+"}"),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		type place struct{ client, launch string }
		seen, told := map[place][]*mcpconfig.Server{}, map[*mcpconfig.Server]bool{}
		for s, client := range readServers(p) {
			at := place{client, launchOf(s)}
			if at.launch == "" || s.Disabled() {
				continue
			}
			for _, before := range seen[at] {
				if before.Name != s.Name && bothThere(before, s) && !told[s] {
					told[s] = true
					p.Report(inServer(s, lint.Finding{
						File: s.File.Doc.Path, Span: s.Key,
						Message: fmt.Sprintf("the server is the same as %q: its tools are shown twice", before.Name),
						Help:    "delete one of the two",
						Related: []lint.Related{{File: before.File.Doc.Path, Span: before.Key, Message: "the same server"}},
					}))
				}
			}
			seen[at] = append(seen[at], s)
		}
	},
}

// bothThere reports whether a client that reads both entries has both servers at once: AgentScope keeps those of each
// session in a list of its own.
func bothThere(a, b *mcpconfig.Server) bool {
	return a.Meets(b) && (a.File != b.File || a.In == b.In || a.Scope() != b.Scope()) && (a.File == b.File || len(a.File.Format.Clients) > 0)
}
