package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var mcpUnknownKey = &lint.Rule{
	Name: "mcp-config/unknown-key", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "A key of a server that the file's clients do not read.",
		Why: "It is ignored without a word. `transport` for `type` leaves the server unconnected, `environment` for `env` loses the variables; each is right for another client. " +
			"Labels such as `description` and keys that start with `_` are nobody's business; `disabled: true` is when the client starts the server all the same.",
		Bad:  mcpExample(goodStdio + `, "environment": {"LEVEL": "1"}`),
		Good: mcpExample(goodStdio + `, "env": {"LEVEL": "1"}`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		clients := mcpJudges(p)
		if len(clients) == 0 {
			return
		}
		for _, m := range s.Node.Members {
			if mcpconfig.IsComment(m.Name) || slices.Contains(labelKeys, m.Name) || m.Name == bearerToken || slices.ContainsFunc(clients, func(c *mcpconfig.Client) bool { return c.Reads(m.Name) }) {
				continue
			}
			if f, ok := unreadKey(p, s, m, clients); ok {
				p.Report(inServer(s, f))
			}
		}
	}),
}

// labelKeys are keys that only describe a server, as seen in published configurations.
var labelKeys = []string{
	"description", "name", "title", "displayName", "icon", "homepage", "version", "author", "tags", "category", "notes", "note", "comments",
	"status", "license", "repository", "documentation", "metadata", "gallery",
}

// unreadKey says what a key was meant to be, or whether it matters that nobody reads it.
func unreadKey(p *lint.Pass, s *mcpconfig.Server, m *mcpconfig.Member, clients []*mcpconfig.Client) (lint.Finding, bool) {
	who := labels(clients)
	ignored := fmt.Sprintf("unknown key %s: %s %s it", m.Name, who, verb(clients, "does not read", "do not read"))
	f := lint.Finding{Span: m.Key, Message: ignored, Clients: clientNames(clients)}
	if want := meantKey(s, m, clients[0]); want != "" {
		f.Message += fmt.Sprintf("; did you mean %s?", want)
		f.Fixes = renameMember(p, m, want, certain(m, want, clients[0]))
		return f, true
	}
	switch role := mcpconfig.RoleOf(m.Name); {
	case role == mcpconfig.Disabled || role == mcpconfig.Enabled:
		f.Message = fmt.Sprintf("%s has no meaning to %s: the server is started all the same", m.Name, who)
		return f, s.Disabled()
	case role == mcpconfig.Include || role == mcpconfig.Exclude:
		f.Message += ": all tools are offered"
	}
	f.Severity = lint.Info
	return f, slices.ContainsFunc(clients, func(c *mcpconfig.Client) bool { return !c.Loose })
}

// meantKey returns the key that the client reads in place of an unknown one, or "": another client's name for the
// same, or one that differs by a slip.
func meantKey(s *mcpconfig.Server, m *mcpconfig.Member, c *mcpconfig.Client) string {
	if role := mcpconfig.RoleOf(m.Name); role != mcpconfig.NoRole {
		want := c.KeyFor(role)
		if role == mcpconfig.Timeout || s.Node.Member(want) != nil {
			return ""
		}
		return want
	}
	if want := lint.Nearest(m.Name, c.Keys()); want != "" && s.Node.Member(want) == nil && len(m.Name) > 2 {
		return want
	}
	return ""
}

// certain reports whether the value goes with the key it was meant for as it is.
func certain(m *mcpconfig.Member, want string, c *mcpconfig.Client) bool {
	if mcpconfig.RoleOf(m.Name) == mcpconfig.Type {
		return m.Value.Is(mcpconfig.String) && slices.Contains(c.Types, m.Value.Text)
	}
	return mcpconfig.RoleOf(m.Name) == mcpconfig.RoleOf(want) && !strings.EqualFold(m.Name, "link")
}

var mcpURLWithoutType = &lint.Rule{
	Name: "mcp-config/url-without-type", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "An entry with a URL does not say its type, and a client takes it for another one.",
		Why: "Claude Code reads an entry without `type` as a local program, finds no command and drops it without a word (anthropics/claude-code#73885). Roo Code wants the type too. " +
			"Cline and Gemini CLI take it for SSE: told where the path of the URL ends in /mcp.",
		Bad:  mcpExample(`"url": "https://docs.example/mcp"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if s.URL == nil || s.URL.Text == "" || s.Command != nil || s.Type != nil {
			return
		}
		bad := blamed(p, func(c *mcpconfig.Client) bool { return c.URLAlone == mcpconfig.Stdio && len(c.Types) > 1 })
		if len(bad) == 0 {
			reportTakenForSSE(p, s)
			return
		}
		want, sure := guessType(s.URL.Text, bad[0])
		p.Report(inServer(s, lint.Finding{
			Span:    s.Key,
			Message: fmt.Sprintf("url without type: %s %s the entry as a program to start, and %s it", labels(bad), verb(bad, "takes", "take"), verb(bad, "drops", "drop")),
			Help:    fmt.Sprintf("add \"type\": %q", want),
			Clients: clientNames(bad),
			Fixes:   insertBefore(p, s.Node.Members[0], "type", mcpconfig.Quote(want), sure),
		}))
	}),
}

// reportTakenForSSE tells of a URL that by custom is one of streamable HTTP, where clients ask for an event stream.
func reportTakenForSSE(p *lint.Pass, s *mcpconfig.Server) {
	key := s.Field(mcpconfig.URL)
	bad := blamed(p, func(c *mcpconfig.Client) bool {
		return key != nil && c.Reads(key.Name) && c.Transport(s) == mcpconfig.SSE
	})
	if len(bad) == 0 || !urlEnds(s.URL.Text, "/mcp") {
		return
	}
	f := lint.Finding{
		Severity: lint.Warning, Span: s.Key, Clients: clientNames(bad),
		Message: fmt.Sprintf("url without type: %s %s the entry for SSE, but the path of the URL is that of streamable HTTP", labels(bad), verb(bad, "takes", "take")),
	}
	if want := "httpUrl"; bad[0].Reads(want) {
		f.Help = "name the URL " + want
		f.Fixes = renameMember(p, key, want, false)
	} else if i := slices.IndexFunc(bad[0].Types, func(t string) bool { return mcpconfig.TransportOf(t) == mcpconfig.HTTP }); i >= 0 {
		f.Help = fmt.Sprintf("add \"type\": %q", bad[0].Types[i])
		f.Fixes = insertBefore(p, s.Node.Members[0], "type", mcpconfig.Quote(bad[0].Types[i]), false)
	}
	p.Report(inServer(s, f))
}

// guessType returns the type that a URL most likely has, in the client's word, and whether its path says so.
func guessType(url string, c *mcpconfig.Client) (string, bool) {
	if urlEnds(url, "/sse") {
		return "sse", true
	}
	for _, want := range []string{"http", "streamable-http"} {
		if slices.Contains(c.Types, want) {
			return want, urlEnds(url, "/mcp")
		}
	}
	return "http", false
}

// urlEnds reports whether the path of a URL ends in a part.
func urlEnds(url, part string) bool {
	url, _, _ = strings.Cut(url, "?")
	return strings.HasSuffix(strings.TrimSuffix(url, "/"), part)
}

var mcpType = &lint.Rule{
	Name: "mcp-config/type", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "The type of a server is a word that a client does not know, or one for a transport that it does not have.",
		Why:  "Every client has its own words: `http`, `streamable-http`, `streamableHttp`, `remote`; `stdio`, `local`. An entry with another one is dropped. Claude Desktop starts local programs only.",
		Bad:  "-- .vscode/mcp.json --\n{\n  \"servers\": {\n    \"docs\": {\"type\": \"streamable-http\", \"url\": \"https://docs.example/mcp\"}\n  }\n}\n",
		Good: "-- .vscode/mcp.json --\n{\n  \"servers\": {\n    \"docs\": {\"type\": \"http\", \"url\": \"https://docs.example/mcp\"}\n  }\n}\n",
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if m := s.Field(mcpconfig.Type); m != nil && m.Value.Is(mcpconfig.String) {
			bad := blamed(p, func(c *mcpconfig.Client) bool {
				return len(c.Types) > 0 && c.Reads(m.Name) && !slices.Contains(c.Types, m.Value.Text)
			})
			if len(bad) > 0 {
				p.Report(inServer(s, wrongType(s, m, bad)))
			}
			return
		}
		local := blamed(p, func(c *mcpconfig.Client) bool { return len(c.Types) == 1 && c.Types[0] == "stdio" })
		if s.URL != nil && s.Command == nil && len(local) > 0 {
			p.Report(inServer(s, lint.Finding{
				Span: s.Key, Clients: clientNames(local),
				Message: fmt.Sprintf("%s starts local programs only: a server with a URL is not there", labels(local)),
				Help:    "add it as a connector, or through a program such as mcp-remote",
			}))
		}
	}),
}

func wrongType(s *mcpconfig.Server, m *mcpconfig.Member, bad []*mcpconfig.Client) lint.Finding {
	f := lint.Finding{
		Span: m.Value.Span, Clients: clientNames(bad),
		Message: fmt.Sprintf("the type %q is unknown to %s: the server is dropped; the types are %s", m.Value.Text, labels(bad), strings.Join(bad[0].Types, ", ")),
	}
	meant := func(t string) bool { return strings.EqualFold(t, m.Value.Text) }
	if !slices.ContainsFunc(bad[0].Types, meant) {
		meant = func(t string) bool {
			return s.Transport() != mcpconfig.Unknown && mcpconfig.TransportOf(t) == s.Transport()
		}
	}
	if i := slices.IndexFunc(bad[0].Types, meant); i >= 0 {
		f.Fixes = setValue(m.Value, bad[0].Types[i], "write "+bad[0].Types[i], len(bad) == 1)
	}
	return f
}

var mcpCommandAndURL = &lint.Rule{
	Name: "mcp-config/command-and-url", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "An entry has a command and a URL.",
		Why:  "A server is either started or reached. Codex refuses the configuration, the others take one of the two and drop the other.",
		Bad:  mcpExample(goodStdio + `, "url": "https://docs.example/mcp"`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if s.Command == nil || s.URL == nil || s.URL.Text == "" {
			return
		}
		f := lint.Finding{
			Span: s.Key, Message: "the entry has both a command and a URL: one of them has no effect",
			Help: "keep the one that is meant, or make two servers of it",
		}
		if strict := blamed(p, func(c *mcpconfig.Client) bool { return c.Strict }); len(strict) > 0 {
			f.Severity, f.Clients = lint.Error, clientNames(strict)
			f.Message = fmt.Sprintf("the entry has both a command and a URL: %s refuses the whole configuration", labels(strict))
		}
		p.Report(inServer(s, f))
	}),
}

var mcpOtherTransportKey = &lint.Rule{
	Name: "mcp-config/other-transport-key", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A key that means something only for the other kind of server: headers for a program, arguments for a URL.",
		Why:  "It has no effect: a program gets no headers, and a server behind a URL no environment. Codex refuses the configuration.",
		Bad:  mcpExample(goodRemote + `, "env": {"LEVEL": "1"}`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if s.Command != nil && s.URL != nil {
			return
		}
		for _, m := range s.Node.Members {
			bad := blamed(p, func(c *mcpconfig.Client) bool { return otherKey(c, s, m.Name) })
			if len(bad) == 0 || len(bad) < len(mcpJudges(p)) || isEmptyValue(m.Value) && !bad[0].Strict {
				continue
			}
			f := lint.Finding{
				Span: m.Key, Clients: clientNames(bad),
				Message: fmt.Sprintf("%s has no effect for a server that is %s", m.Name, reached(s)),
			}
			if bad[0].Strict {
				f.Severity = lint.Error
				f.Message = fmt.Sprintf("%s does not go with a server that is %s: %s refuses the whole configuration", m.Name, reached(s), labels(bad))
			}
			p.Report(inServer(s, f))
		}
	}),
}

// otherKey reports whether a client reads a key for the other kind of server only.
func otherKey(c *mcpconfig.Client, s *mcpconfig.Server, key string) bool {
	if s.Command != nil {
		return slices.Contains(c.Remote, key) && mcpconfig.RoleOf(key) != mcpconfig.URL
	}
	return s.URL != nil && slices.Contains(c.Stdio, key)
}

func reached(s *mcpconfig.Server) string {
	if s.Command != nil {
		return "started by a command"
	}
	return "reached by a URL"
}

func isEmptyValue(n *mcpconfig.Node) bool {
	return n.Is(mcpconfig.Null) || len(n.Members) == 0 && len(n.Items) == 0 && n.Text == ""
}

var mcpNoCommand = &lint.Rule{
	Name: "mcp-config/no-command", Severity: lint.Error, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "An entry has neither a command nor a URL, or not the one that its type needs.",
		Why:  "There is nothing to start or to reach: clients drop the entry. An empty URL is Claude Code's way to say \"not set up\", and no fault.",
		Bad:  mcpExample(`"type": "http", "headers": {"X-Team": "core"}`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		want := lacking(s)
		if want == "" || s.Disabled() || p.Config.Broken() || mayBePart(p, s) || meansOther(p, s, want) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span:    s.Key,
			Message: fmt.Sprintf("the server has no %s: there is nothing to %s", want, map[bool]string{true: "reach", false: "start"}[want == "URL"]),
			Help:    fmt.Sprintf("say the %s, or delete the entry", want),
		}))
	}),
}

// lacking names what an entry lacks, or "".
func lacking(s *mcpconfig.Server) string {
	typ := s.Field(mcpconfig.Type)
	switch {
	case s.Command != nil && (s.Command.Kind != mcpconfig.String || s.Command.Text != "") && (s.URL != nil || !s.Transport().Remote()):
		return ""
	case s.URL != nil && s.Transport() != mcpconfig.Stdio:
		return ""
	case typ == nil && s.Command == nil:
		return "command and no URL"
	case s.Transport().Remote():
		return "URL"
	case s.Transport() == mcpconfig.Stdio:
		return "command"
	}
	return ""
}

// mayBePart reports whether a client takes the entry together with one that stands elsewhere: in another file, or
// in an extension of the editor. One that says its type means to be whole.
func mayBePart(p *lint.Pass, s *mcpconfig.Server) bool {
	if s.Field(mcpconfig.Type) == nil && slices.ContainsFunc(mcpJudges(p), func(c *mcpconfig.Client) bool { return c.Merges }) {
		return true
	}
	return s.Node.Member("settings") != nil || s.Node.Member("source") != nil
}

// meansOther reports whether an unknown key stands for what is missing; then that is the finding.
func meansOther(p *lint.Pass, s *mcpconfig.Server, want string) bool {
	for _, c := range mcpJudges(p) {
		for _, m := range s.Node.Members {
			near := lint.Nearest(m.Name, c.Keys())
			if !c.Reads(m.Name) && near != "" && (mcpconfig.RoleOf(near) == mcpconfig.URL || mcpconfig.RoleOf(near) == mcpconfig.Command) && want != "" {
				return true
			}
		}
	}
	return false
}
