package rules

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/redact"
)

var mcpSSE = &lint.Rule{
	Name: "mcp-config/sse", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A server is reached by the SSE transport.",
		Why:  "The protocol deprecates it since 2025-03-26. Codex has no SSE, Goose refuses it, and others will drop it; streamable HTTP takes its place.",
		Bad:  mcpExample(`"type": "sse", "url": "https://docs.example/sse"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		m := s.Field(mcpconfig.Type)
		if m == nil || !m.Value.Is(mcpconfig.String) || s.Transport() != mcpconfig.SSE || urlEnds(urlText(s), "/mcp") {
			return
		}
		if len(blamed(p, func(c *mcpconfig.Client) bool { return !slices.Contains(c.Types, m.Value.Text) })) == 0 {
			p.Report(inServer(s, lint.Finding{
				Span: m.Value.Span, Message: "the SSE transport is deprecated: Codex and Goose do not have it",
				Help: "ask the server for its streamable HTTP address, and write the type http",
			}))
		}
	}),
}

func urlText(s *mcpconfig.Server) string {
	if s.URL == nil {
		return ""
	}
	return s.URL.Text
}

var mcpURLPath = &lint.Rule{
	Name: "mcp-config/url-path", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The type and the path of the URL contradict each other: type http with /sse, or type sse with /mcp.",
		Why:  "By custom /sse answers the SSE transport and /mcp streamable HTTP. The other client gets status 400 or 405 and the server is not there. VS Code, Cursor and OpenCode try both.",
		Bad:  mcpExample(`"type": "http", "url": "https://docs.example/sse"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		m := s.Field(mcpconfig.Type)
		if m == nil || !m.Value.Is(mcpconfig.String) || s.URL == nil || mcpconfig.TransportOf(m.Value.Text) == mcpconfig.Unknown {
			return
		}
		want := ""
		switch {
		case s.Transport() == mcpconfig.HTTP && urlEnds(s.URL.Text, "/sse"):
			want = "sse"
		case s.Transport() == mcpconfig.SSE && urlEnds(s.URL.Text, "/mcp"):
			want = "http"
		}
		bad := blamed(p, func(c *mcpconfig.Client) bool { return !c.Both })
		if want == "" || len(bad) == 0 {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: m.Value.Span, Clients: clientNames(bad),
			Message: fmt.Sprintf("the type is %s, but the path of the URL is that of %s: the connection fails", m.Value.Text, want),
			Help:    fmt.Sprintf("write the type %s, or the URL of the other transport", want),
			Fixes:   setValue(m.Value, want, "write the type "+want, false),
		}))
	}),
}

var mcpURL = &lint.Rule{
	Name: "mcp-config/url", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The URL of a server is not one: no scheme, another scheme than http and https, or no host.",
		Why:  "No client can reach the server. VS Code alone takes unix:// and pipe:// too.",
		Bad:  mcpExample(`"type": "http", "url": "docs.example/mcp"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if s.URL == nil || !s.URL.Is(mcpconfig.String) || s.URL.Text == "" || len(mcpconfig.Variables(s.URL.Text)) > 0 || redact.IsPlaceholder(s.URL.Text) {
			return
		}
		fault := urlFault(p, s)
		if fault == "" {
			return
		}
		f := lint.Finding{Span: s.URL.Span, Message: "the URL " + fault + ": no client can reach the server"}
		if fault == noScheme {
			f.Help = "begin it with https://"
			f.Fixes = insertInto(s.URL, 0, "https://", "begin it with https://")
		}
		p.Report(inServer(s, f))
	}),
}

const noScheme = "has no scheme"

// urlFault says what is wrong with a URL, never repeating it: it may hold a secret.
func urlFault(p *lint.Pass, s *mcpconfig.Server) string {
	raw := strings.TrimSpace(s.URL.Text)
	if !strings.Contains(raw, "://") {
		return noScheme
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return "is malformed"
	case slices.Contains([]string{"unix", "pipe"}, u.Scheme) && len(blamed(p, func(c *mcpconfig.Client) bool { return c.Name != "vscode" })) == 0:
		return ""
	case slices.Contains([]string{"ws", "wss"}, u.Scheme) && s.Field(mcpconfig.Type) != nil && s.Field(mcpconfig.Type).Value.Text == "ws":
		return ""
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Sprintf("has the scheme %s, not http or https", u.Scheme)
	case u.Hostname() == "":
		return "has no host"
	}
	return ""
}

var mcpPlainHTTP = &lint.Rule{
	Name: "mcp-config/plain-http", Severity: lint.Info, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Risk: &lint.Risk{CWE: []int{319}, OWASP: []string{"AST06"}},
	Page: lint.Page{
		What: "A server on another machine is reached by http without TLS.",
		Why:  "Whoever sits between reads the headers with their tokens and can answer in the server's place. Kiro refuses such a URL.",
		Bad:  mcpExample(`"type": "http", "url": "http://docs.example.com/mcp"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		const scheme = "http"
		if !strings.HasPrefix(urlText(s), scheme+"://") || !publicHost(urlText(s)) {
			return
		}
		f := lint.Finding{
			Span: s.URL.Span, Message: "the server is reached by http without encryption: tokens and answers can be read and changed on the way",
			Help: "use https", Fixes: insertInto(s.URL, len(scheme), "s", "use https"),
		}
		if kiro := blamed(p, func(c *mcpconfig.Client) bool { return c.Name == "kiro" }); len(kiro) > 0 {
			f.Severity, f.Clients = lint.Warning, clientNames(kiro)
			f.Message = "the server is reached by http without encryption: Kiro refuses that for any host but localhost"
		}
		p.Report(inServer(s, f))
	}),
}

// insertInto offers to add to a text at a place in it. The rest, which may be a secret, is not repeated.
func insertInto(n *mcpconfig.Node, at int, add, title string) []lint.Fix {
	if !n.Verbatim() {
		return nil
	}
	return []lint.Fix{{Title: title, Edits: []lint.Edit{lint.Insert(n.Part(at, at).Start, add)}}}
}

var hostPattern = lazyregexp.New(`^[A-Za-z0-9.-]+$`)

// publicHost reports whether a URL names a host beyond the machine and its own network.
func publicHost(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(host); err == nil {
		return !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsLinkLocalUnicast() && !addr.IsUnspecified()
	}
	if !strings.Contains(host, ".") || !hostPattern.MatchString(host) {
		return false
	}
	for _, own := range []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test"} {
		if strings.HasSuffix(host, own) {
			return false
		}
	}
	return true
}
