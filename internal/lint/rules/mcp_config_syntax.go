package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var mcpSyntax = &lint.Rule{
	Name: "mcp-config/syntax", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "The file is not valid JSON, TOML or YAML.",
		Why:  "Clients ignore the whole file, most of them without a word: no server of it is there.",
		Bad:  "-- .mcp.json --\n{\n  \"mcpServers\": {\n    \"docs\": {" + goodRemote + "}\n    \"more\": {\"type\": \"http\", \"url\": \"https://more.example/mcp\"}\n  }\n}\n",
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		for _, x := range p.Config.Faults {
			if x.Kind != mcpconfig.SyntaxFault {
				continue
			}
			f := lint.Finding{
				Span:    x.Span,
				Message: fmt.Sprintf("the file is not valid %s: %s; clients ignore the whole file", syntaxName(p.Config), x.Message),
			}
			if len(x.Edits) > 0 {
				fix := lint.Fix{Title: "add the comma", Safe: true}
				for _, e := range x.Edits {
					fix.Edits = append(fix.Edits, lint.Edit{Edit: e})
				}
				f.Fixes = []lint.Fix{fix}
			}
			p.Report(f)
		}
	},
}

func syntaxName(f *mcpconfig.File) string {
	switch f.Format.Syntax {
	case mcpconfig.TOML:
		return "TOML"
	case mcpconfig.YAML:
		return "YAML"
	}
	return "JSON"
}

var mcpComment = &lint.Rule{
	Name: "mcp-config/comment", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "The file has comments, and its clients read strict JSON.",
		Why: "One comment in .mcp.json and Copilot CLI skips every server of the file (github/copilot-cli#4323); Amazon Q and Cursor do the same. " +
			"VS Code, Zed and OpenCode allow comments, Gemini CLI takes them out.",
		Bad:  "-- .mcp.json --\n{\n  \"mcpServers\": {\n    // the manual\n    \"docs\": {" + goodRemote + "}\n  }\n}\n",
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		if p.Config.Format.Syntax != mcpconfig.JSON || len(p.Config.Comments) == 0 {
			return
		}
		fix := lint.Fix{Title: "delete the comments", Safe: true}
		for _, c := range p.Config.Comments {
			fix.Edits = append(fix.Edits, lint.Delete(wholeLines(p.Text(), c)))
		}
		p.Report(lint.Finding{
			Span:    p.Config.Comments[0],
			Message: fmt.Sprintf("comments are not allowed in %s, which is strict JSON: a client that meets one skips the whole file", baseName(p)),
			Help:    "delete the comments, or keep them as the value of a key such as \"_comment\"",
			Fixes:   []lint.Fix{fix},
		})
	},
}

// wholeLines extends a span over the lines that hold nothing else, their line break included.
func wholeLines(src string, at text.Span) text.Span {
	start := len(strings.TrimRight(src[:at.Start], " \t"))
	end := len(src) - len(strings.TrimLeft(src[at.End:], " \t"))
	if start > 0 && src[start-1] != '\n' || end < len(src) && src[end] != '\n' && src[end] != '\r' {
		return at
	}
	if strings.HasPrefix(src[end:], "\r\n") {
		end++
	}
	return text.Span{Start: start, End: min(end+1, len(src))}
}

func baseName(p *lint.Pass) string {
	return p.Doc().Path[strings.LastIndexByte(p.Doc().Path, '/')+1:]
}

var mcpTrailingComma = &lint.Rule{
	Name: "mcp-config/trailing-comma", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "A comma stands before a closing bracket, and the file's clients read strict JSON.",
		Why:  "The whole file is refused, so every server in it is lost (upstash/context7#563). VS Code, Zed and OpenCode allow it.",
		Bad:  mcpExample(goodRemote + ","),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		if s := p.Config.Format.Syntax; s != mcpconfig.JSON && s != mcpconfig.Comments || len(p.Config.TrailingCommas) == 0 {
			return
		}
		fix := lint.Fix{Title: "delete the trailing commas", Safe: true}
		for _, c := range p.Config.TrailingCommas {
			fix.Edits = append(fix.Edits, lint.Delete(c))
		}
		p.Report(lint.Finding{
			Span:    p.Config.TrailingCommas[0],
			Message: fmt.Sprintf("a trailing comma before a closing bracket is not allowed in %s: clients refuse the whole file", baseName(p)),
			Help:    "delete the comma",
			Fixes:   []lint.Fix{fix},
		})
	},
}

var mcpEncoding = &lint.Rule{
	Name: "mcp-config/encoding", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "The file is not plain UTF-8: another encoding, or a byte order mark.",
		Why:  "JSON is UTF-8 without a byte order mark (RFC 8259 §8.1). Parsers refuse other bytes, and with them all servers of the file.",
		Bad:  "-- .mcp.json --\n" + skills.BOM + mcpServersJSON(`"docs": {`+goodRemote+`}`),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		doc := p.Doc()
		switch {
		case doc.Encoding != skills.UTF8:
			p.Report(lint.Finding{
				Message: fmt.Sprintf("the file is %s, not UTF-8: clients cannot read it", doc.Encoding),
				Help:    "save it as UTF-8",
				Fixes: []lint.Fix{{
					Title: "write the file as UTF-8", Safe: doc.Encoding != skills.Windows1252,
					Edits: []lint.Edit{lint.Replace(text.Span{End: len(doc.Text)}, strings.TrimPrefix(doc.Text, skills.BOM))},
				}},
			})
		case doc.HasBOM() && isJSON(p.Config):
			mark := text.Span{End: len(skills.BOM)}
			p.Report(lint.Finding{
				Severity: lint.Warning, Span: mark,
				Message: "the file starts with a byte order mark (U+FEFF): strict JSON parsers refuse the file",
				Help:    "save it as UTF-8 without BOM",
				Fixes:   []lint.Fix{{Title: "remove the byte order mark", Safe: true, Edits: []lint.Edit{lint.Delete(mark)}}},
			})
		}
	},
}

var mcpDuplicateName = &lint.Rule{
	Name: "mcp-config/duplicate-name", Severity: lint.Error, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "Two servers of one file have the same name.",
		Why:  "JSON parsers keep the last of two equal keys, so the first server is not there and nobody is told. TOML parsers refuse the file.",
		Bad:  "-- .mcp.json --\n" + mcpServersJSON("\"docs\": {"+goodRemote+"},\n    \"docs\": {\"type\": \"http\", \"url\": \"https://more.example/mcp\"}"),
		Good: "-- .mcp.json --\n" + mcpServersJSON("\"docs\": {"+goodRemote+"},\n    \"more\": {\"type\": \"http\", \"url\": \"https://more.example/mcp\"}"),
	},
	Run: func(p *lint.Pass) {
		type place struct {
			in   *mcpconfig.Node
			name string
		}
		first := map[place]*mcpconfig.Server{}
		for _, s := range p.Config.Servers {
			before := first[place{s.In, s.Name}]
			if before == nil {
				first[place{s.In, s.Name}] = s
				continue
			}
			p.Report(inServer(s, lint.Finding{
				Span:    s.Key,
				Message: fmt.Sprintf("duplicate server name %q: the server of that name on line %d is lost, the last one wins", s.Name, mcpLine(p, before.Key.Start)),
				Help:    "give one of them another name, or delete it",
				Related: []lint.Related{{File: p.Doc().Path, Span: before.Key, Message: "it stands here first"}},
			}))
		}
	},
}

var mcpDuplicateKey = &lint.Rule{
	Name: "mcp-config/duplicate-key", Severity: lint.Error, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A key stands twice in one object.",
		Why:  "JSON parsers keep the last value, so the first has no effect and nobody is told; TOML and YAML parsers refuse the file.",
		Bad:  mcpExample(goodStdio + `, "env": {"LEVEL": "1"}, "env": {"LEVEL": "2"}`),
		Good: mcpExample(goodStdio + `, "env": {"LEVEL": "2"}`),
	},
	Run: func(p *lint.Pass) {
		reportTwice(p, p.Config.Root, nil)
		for _, s := range p.Config.Servers {
			reportTwice(p, s.Node, s)
			for _, m := range s.Node.Members {
				reportTwice(p, m.Value, s)
			}
		}
	},
}

// reportTwice reports the keys of an object that stand in it twice, servers left out: they have a rule of their
// own.
func reportTwice(p *lint.Pass, n *mcpconfig.Node, s *mcpconfig.Server) {
	if n == nil || p.Config.Bare && s == nil {
		return
	}
	first := map[string]*mcpconfig.Member{}
	for _, m := range n.Members {
		before := first[m.Name]
		if before == nil {
			first[m.Name] = m
			continue
		}
		f := lint.Finding{
			Span:    m.Key,
			Message: fmt.Sprintf("the key %q is a duplicate of the one on line %d, whose value is lost", m.Name, mcpLine(p, before.Key.Start)),
			Help:    "keep one of the two",
			Related: []lint.Related{{File: p.Doc().Path, Span: before.Key, Message: "it stands here first"}},
		}
		if s != nil {
			f.Server = s.Name
		}
		p.Report(f)
	}
}

var mcpShape = &lint.Rule{
	Name: "mcp-config/shape", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "A value is of another kind than its key wants: a list of servers, a text for args, a number in env.",
		Why:  "Clients check the kinds and drop the server, or the whole file. VS Code alone takes numbers and null in env.",
		Bad:  mcpExample(goodStdio + `, "env": {"PORT": 8080}`),
		Good: mcpExample(goodStdio + `, "env": {"PORT": "8080"}`),
	},
	Run: func(p *lint.Pass) {
		for _, x := range p.Config.Faults {
			if x.Kind == mcpconfig.ShapeFault {
				p.Report(lint.Finding{Span: x.Span, Message: x.Message + ": clients ignore it"})
			}
		}
		checkHolder(p)
		for _, s := range p.Config.Servers {
			for _, m := range s.Node.Members {
				checkKind(p, s, m)
			}
		}
	},
}

// checkHolder looks at what the key of the servers holds.
func checkHolder(p *lint.Pass) {
	key := p.Config.Key
	if key == nil {
		return
	}
	v := key.Value
	if v.Kind == mcpconfig.String && p.Config.Format.Settings || p.Config.Format.AgentScope {
		return // a plugin names the file that holds them
	}
	if v.Kind != mcpconfig.Object {
		p.Report(lint.Finding{
			Span:    v.Span,
			Message: fmt.Sprintf("%s must be an object that maps names to servers, not %s: no server of it is there", key.Name, v.Kind),
		})
		return
	}
	for _, m := range v.Members {
		if m.Value.Kind != mcpconfig.Object && !mcpconfig.IsComment(m.Name) {
			p.Report(lint.Finding{
				Server: m.Name, Span: m.Value.Span,
				Message: fmt.Sprintf("the server %s must be an object, not %s: clients drop it", m.Name, m.Value.Kind),
			})
		}
	}
}

// checkKind looks at the kind of one value of a server.
func checkKind(p *lint.Pass, s *mcpconfig.Server, m *mcpconfig.Member) {
	v := m.Value
	switch mcpconfig.RoleOf(m.Name) {
	case mcpconfig.Command:
		checkCommand(p, s, m)
	case mcpconfig.Args:
		if v.Kind != mcpconfig.Array {
			wrongKind(p, s, m, v, "a list of texts", argsFix(v))
			return
		}
		for _, item := range v.Items {
			checkText(p, s, m, item)
		}
	case mcpconfig.Env, mcpconfig.Headers:
		if v.Kind != mcpconfig.Object {
			wrongKind(p, s, m, v, "an object that maps names to texts", nil)
			return
		}
		for _, x := range v.Members {
			if !takesNumbers(p) {
				checkText(p, s, x, x.Value)
			}
		}
	case mcpconfig.Type:
		if v.Kind != mcpconfig.String && v.Kind != mcpconfig.Null && v.Kind != mcpconfig.Object { // Cline's transport is an object
			wrongKind(p, s, m, v, "a text", nil)
		}
	case mcpconfig.URL, mcpconfig.Cwd:
		if v.Kind != mcpconfig.String && v.Kind != mcpconfig.Null {
			wrongKind(p, s, m, v, "a text", nil)
		}
	}
}

// takesNumbers reports whether VS Code alone judges: its env may hold numbers and null.
func takesNumbers(p *lint.Pass) bool {
	return len(blamed(p, func(c *mcpconfig.Client) bool { return c.Name != "vscode" })) == 0
}

func checkCommand(p *lint.Pass, s *mcpconfig.Server, m *mcpconfig.Member) {
	v := m.Value
	lists := blamed(p, func(c *mcpconfig.Client) bool { return c.Name == "opencode" })
	switch {
	case len(lists) > 0 && v.Kind == mcpconfig.String:
		words, sure := commandWords(v.Text)
		fix := "[" + quoteAll(append(words, textsOf(s.Args)...)) + "]"
		f := lint.Finding{
			Span:    v.Span,
			Message: fmt.Sprintf("%s must be a list of the program and its arguments, not a text: OpenCode refuses the entry", m.Name),
			Clients: clientNames(lists),
		}
		if s.Field(mcpconfig.Args) == nil {
			f.Fixes = []lint.Fix{{Title: "write it as a list", Safe: sure, Edits: []lint.Edit{lint.Replace(v.Span, fix)}}}
		}
		p.Report(inServer(s, f))
	case len(lists) == 0 && v.Kind == mcpconfig.Array:
		wrongKind(p, s, m, v, "the name of a program, with its arguments in args", nil)
	case v.Kind == mcpconfig.Number || v.Kind == mcpconfig.Bool:
		wrongKind(p, s, m, v, "the name of a program", nil)
	}
}

func checkText(p *lint.Pass, s *mcpconfig.Server, m *mcpconfig.Member, v *mcpconfig.Node) {
	switch v.Kind {
	case mcpconfig.Number, mcpconfig.Bool:
		wrongKind(p, s, m, v, "a text", setValue(v, v.Text, "put it in quotes", true))
	case mcpconfig.Null, mcpconfig.Object, mcpconfig.Array:
		wrongKind(p, s, m, v, "a text", nil)
	}
}

func wrongKind(p *lint.Pass, s *mcpconfig.Server, m *mcpconfig.Member, v *mcpconfig.Node, want string, fixes []lint.Fix) {
	p.Report(inServer(s, lint.Finding{
		Span:    v.Span,
		Message: fmt.Sprintf("%s must be %s, not %s: clients drop the server or the file", m.Name, want, v.Kind),
		Fixes:   fixes,
	}))
}

// argsFix offers to write a text as a list of words.
func argsFix(v *mcpconfig.Node) []lint.Fix {
	if v.Kind != mcpconfig.String {
		return nil
	}
	words, _ := commandWords(v.Text)
	return []lint.Fix{{Title: "write it as a list", Edits: []lint.Edit{lint.Replace(v.Span, "["+quoteAll(words)+"]")}}}
}

func textsOf(nodes []*mcpconfig.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Text)
	}
	return out
}

// quoteAll writes texts as the items of a list.
func quoteAll(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, mcpconfig.Quote(w))
	}
	return strings.Join(out, ", ")
}
