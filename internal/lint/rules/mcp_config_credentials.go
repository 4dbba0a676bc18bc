package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/text"
)

var mcpLiteralCredential = &lint.Rule{
	Name: "mcp-config/literal-credential", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Risk: &lint.Risk{CWE: []int{798}, OWASP: []string{"AST01"}},
	Page: lint.Page{
		What: "A key, token or password stands in a file that others get.",
		Why: "Whoever reads the repository, now or later, can use it; 4 of 40 published configurations hold one, in arguments and URLs as well as in env. " +
			"Variables, placeholders, hashes and the usual passwords of local databases are not reported, and the value is never repeated.",
		Bad:  mcpExample(`"type": "http", "url": "https://docs.example/mcp?api_key=4f7d1c92ab60e8353d1e"`),
		Good: mcpExample(`"type": "http", "url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${DEMO_SET}"}`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if !p.Config.Shared() {
			return
		}
		before := ""
		for _, x := range s.Texts() {
			secret, ok := findSecret(x, before)
			if before = ""; x.Role == mcpconfig.Args {
				before = x.Text
			}
			if ok {
				p.Report(inServer(s, credentialFinding(p, s, x, secret)))
			}
		}
		if m := s.Node.Member(bearerToken); m != nil && m.Value.Is(mcpconfig.String) {
			p.Report(inServer(s, lint.Finding{
				Severity: lint.Error, Span: m.Value.Span, Private: true, Clients: []string{"codex"},
				Message: "Codex refuses a literal secret in bearer_token, and the configuration with it",
				Help:    "name the variable that holds it in bearer_token_env_var",
			}))
		}
	}),
}

// bearerToken is a key that Codex knows only to refuse it. openai/codex codex-rs/config/src/mcp_types.rs
const bearerToken = "bearer_token"

func credentialFinding(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text, found redact.Secret) lint.Finding {
	f := lint.Finding{
		Private: true,
		Span:    x.Part(found.Span.Start, found.Span.End),
		Message: fmt.Sprintf("a literal secret stands in %s of a file that is committed for others: whoever reads it can use it", placeOf(x)),
		Help:    "revoke it, and take it from a variable of the environment",
	}
	for _, c := range mcpJudges(p) {
		if to := c.Native(variableName(s, x, found)); to != "" && x.Verbatim() {
			f.Fixes = []lint.Fix{{Title: "take it from " + to, Edits: []lint.Edit{lint.Replace(f.Span, to)}}}
			break
		}
	}
	return f
}

var notName = lazyregexp.New(`[^A-Z0-9]+`)

// variableName proposes a name for a variable: that of the value, or of the server.
func variableName(s *mcpconfig.Server, x mcpconfig.Text, found redact.Secret) string {
	name := found.Name
	if x.Role == mcpconfig.Headers || name == "" || strings.EqualFold(name, "Authorization") {
		name = s.Name + "_TOKEN"
	}
	return strings.Trim(notName.ReplaceAllString(strings.ToUpper(name), "_"), "_")
}

// findSecret looks for a credential in a text: one of a known form, one behind a name that says so, or one in a
// URL. before is the argument in front of it.
func findSecret(x mcpconfig.Text, before string) (redact.Secret, bool) {
	for _, find := range []func() []redact.Secret{
		func() []redact.Secret { return redact.Tokens(x.Text) },
		func() []redact.Secret { return namedSecret(x, before) },
		func() []redact.Secret { return redact.Pairs(x.Text) },
		func() []redact.Secret { return redact.Passwords(x.Text) },
	} {
		if found := find(); len(found) > 0 {
			return found[0], true
		}
	}
	return redact.Secret{}, false
}

// schemes are the words before a credential in an Authorization header.
var schemes = lazyregexp.New(`^(?i)(?:bearer|basic|token|apikey|api-key)\s+`)

// headerArgument is the beginning of a header in an argument, as mcp-remote takes one.
var headerArgument = lazyregexp.New(`^(?:--?[a-z-]+=)?([A-Za-z][A-Za-z0-9-]*):\s?`)

// namedSecret looks at a whole value whose name says that it is a credential: of a variable, a header or an
// option.
func namedSecret(x mcpconfig.Text, before string) []redact.Secret {
	name, start := x.Name, 0
	if x.Role == mcpconfig.Args && strings.HasPrefix(before, "--") && !strings.Contains(before, "=") {
		name = strings.TrimLeft(before, "-")
	}
	header := x.Role == mcpconfig.Headers
	if m := headerArgument.FindStringSubmatchIndex(x.Text); m != nil && x.Role == mcpconfig.Args {
		header, name, start = true, x.Text[m[2]:m[3]], m[1]
	}
	start += len(schemes.FindString(x.Text[start:]))
	authorization := header && strings.EqualFold(name, "Authorization")
	if !authorization && !redact.IsName(name) || !redact.IsValue(name, x.Text[start:]) {
		return nil
	}
	return []redact.Secret{{Name: name, Span: text.Span{Start: start, End: len(x.Text)}}}
}

var mcpPlaceholder = &lint.Rule{
	Name: "mcp-config/placeholder", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A value is a placeholder that was never filled in.",
		Why:  "The server gets the words `YOUR_API_KEY` for a key, or a path that is nowhere. A template for others says what to fill in better by a variable.",
		Bad:  mcpExample(goodStdio + `, "env": {"DOCS_API_KEY": "YOUR_API_KEY"}`),
		Good: mcpExample(goodStdio + `, "env": {"DOCS_API_KEY": "${DEMO_SET}"}`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		if s.Disabled() || !redact.IsPlaceholder(x.Text) || isScript(s, x) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: x.Span, Message: fmt.Sprintf("%s holds a placeholder: the server gets it as it stands", placeOf(x)),
			Help: "fill it in, or take the value from a variable of the environment",
		}))
	}),
}
