package rules

import (
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

var mcpLiteralCredential = &lint.Rule{
	Name: "mcp-config/literal-credential", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
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

// secret is a credential in a text.
type secret struct {
	name string    // what it is called, if anything says so
	at   text.Span // in the text
}

func credentialFinding(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text, found secret) lint.Finding {
	f := lint.Finding{
		Private: true,
		Span:    x.Part(found.at.Start, found.at.End),
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

var notName = regexp.MustCompile(`[^A-Z0-9]+`)

// variableName proposes a name for a variable: that of the value, or of the server.
func variableName(s *mcpconfig.Server, x mcpconfig.Text, found secret) string {
	name := found.name
	if x.Role == mcpconfig.Headers || name == "" {
		name = s.Name + "_TOKEN"
	}
	return strings.Trim(notName.ReplaceAllString(strings.ToUpper(name), "_"), "_")
}

// knownTokens are the forms of credentials that say by themselves whose they are.
var knownTokens = regexp.MustCompile(`\b(?:` + strings.Join([]string{
	`gh[pousr]_[A-Za-z0-9]{36,}`, `github_pat_[A-Za-z0-9_]{22,}`, `glpat-[A-Za-z0-9_-]{20,}`, // GitHub, GitLab
	`sk-[A-Za-z0-9_-]{20,}`, `pplx-[A-Za-z0-9]{32,}`, `hf_[A-Za-z0-9]{30,}`, `AIza[0-9A-Za-z_-]{35}`, // models
	`AKIA[0-9A-Z]{16}`, `dop_v1_[a-f0-9]{64}`, `sbp_[a-f0-9]{40}`, `napi_[a-z0-9]{40,}`, // clouds
	`xox[abprs]-[A-Za-z0-9-]{10,}`, `ntn_[A-Za-z0-9]{40,}`, `secret_[A-Za-z0-9]{40,}`, `lin_api_[A-Za-z0-9]{30,}`, `figd_[A-Za-z0-9_-]{30,}`, // services
	`npm_[A-Za-z0-9]{36}`, `tvly-[A-Za-z0-9-]{20,}`, `fc-[a-f0-9]{32}`, `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, `[rs]k_live_[A-Za-z0-9]{20,}`,
	`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, // a JSON Web Token
}, "|") + `)|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// findSecret looks for a credential in a text: one of a known form, one behind a name that says so, or one in a
// URL. before is the argument in front of it.
func findSecret(x mcpconfig.Text, before string) (secret, bool) {
	for _, at := range knownTokens.FindAllStringIndex(x.Text, -1) {
		if token := x.Text[at[0]:at[1]]; varied(token) && !isPlaceholder(token) {
			return secret{at: text.Span{Start: at[0], End: at[1]}}, true
		}
	}
	for _, find := range []func(mcpconfig.Text, string) (secret, bool){namedSecret, pairSecret, urlSecret} {
		if s, ok := find(x, before); ok {
			return s, true
		}
	}
	return secret{}, false
}

// schemes are the words before a credential in an Authorization header.
var schemes = regexp.MustCompile(`^(?i)(?:bearer|basic|token|apikey|api-key)\s+`)

// namedSecret looks at a whole value whose name says that it is a credential: of a variable, a header or an
// option.
func namedSecret(x mcpconfig.Text, before string) (secret, bool) {
	name := x.Name
	if x.Role == mcpconfig.Args && strings.HasPrefix(before, "--") && !strings.Contains(before, "=") {
		name = strings.TrimLeft(before, "-")
	}
	start := len(schemes.FindString(x.Text))
	authorization := x.Role == mcpconfig.Headers && strings.EqualFold(x.Name, "Authorization")
	if !authorization && !secretName(name) || !secretValue(name, x.Text[start:]) {
		return secret{}, false
	}
	return secret{name, text.Span{Start: start, End: len(x.Text)}}, true
}

// pairPattern finds a name with its value inside a text: NAME=value, --name=value, "name": "value", ?name=value.
var pairPattern = regexp.MustCompile(`(?:^|[\s"'{,?&;-])([A-Za-z][A-Za-z0-9_.-]*)(?:=|"\s*:\s*")([^\s"'&,;]+)`)

func pairSecret(x mcpconfig.Text, _ string) (secret, bool) {
	for _, m := range pairPattern.FindAllStringSubmatchIndex(x.Text, -1) {
		name, value := x.Text[m[2]:m[3]], x.Text[m[4]:m[5]]
		query := x.Role == mcpconfig.URL && strings.EqualFold(name, "key")
		if (secretName(name) || query) && secretValue(name, value) {
			return secret{name, text.Span{Start: m[4], End: m[5]}}, true
		}
	}
	return secret{}, false
}

var userInfo = regexp.MustCompile(`[a-z][a-z0-9+.-]*://([^/\s:@]*):([^/\s@]+)@([^/\s:?]+)`)

// urlSecret looks for a password in a URL. One for a server on the same machine opens nothing to others.
func urlSecret(x mcpconfig.Text, _ string) (secret, bool) {
	for _, m := range userInfo.FindAllStringSubmatchIndex(x.Text, -1) {
		password, host := x.Text[m[4]:m[5]], x.Text[m[6]:m[7]]
		if addr, err := netip.ParseAddr(host); host == "localhost" || err == nil && addr.IsLoopback() {
			continue
		}
		if decoded, err := url.PathUnescape(password); err == nil && len(mcpconfig.Variables(password)) == 0 && !isDefault(decoded) && !isPlaceholder(password) && len(password) >= 4 {
			return secret{"PASSWORD", text.Span{Start: m[4], End: m[5]}}, true
		}
	}
	return secret{}, false
}

// secretNames are the ends of names, without case and separators, of which the value is a credential.
var secretNames = []string{
	"token", "secret", "password", "passwd", "passphrase", "pwd", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "encryptionkey",
	"signingkey", "credentials", "bearer",
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "")

func secretName(name string) bool {
	folded := strings.ToLower(separators.Replace(name))
	return slices.ContainsFunc(secretNames, func(end string) bool { return strings.HasSuffix(folded, end) }) ||
		strings.HasSuffix(strings.ToLower(name), "_key") && !strings.Contains(folded, "public") && !strings.Contains(folded, "publishable") && !strings.Contains(folded, "anon")
}

// secretValue reports whether the value behind such a name is a credential and not one of the many other things
// that stand there.
func secretValue(name, value string) bool {
	low := strings.ToLower(name)
	if strings.Contains(low, "pass") || strings.HasSuffix(low, "pwd") {
		return looksPassword(value)
	}
	return looksSecret(value)
}

// looksSecret reports whether a value is drawn at random: long, without blanks, with figures or mixed case, and
// varied.
func looksSecret(s string) bool {
	return len(s) >= 12 && !otherThing(s) && varied(s) && (strings.ContainsAny(s, "0123456789") || mixedCase(s)) && !strings.ContainsAny(s, " \t")
}

// looksPassword is less strict: people choose passwords.
func looksPassword(s string) bool {
	return len(s) >= 6 && !otherThing(s) && !isDefault(s) && (strings.ContainsAny(s, "0123456789!@#%^&*") || mixedCase(s))
}

// otherThing reports whether a value is a variable, a placeholder, a path, an address, a hash with its kind, or
// the number of something.
func otherThing(s string) bool {
	return len(mcpconfig.Variables(s)) > 0 || isPlaceholder(s) || isDefault(s) || strings.Contains(s, "://") || pathLike.MatchString(s) ||
		hashPattern.MatchString(s) || strings.Trim(s, "0123456789") == "" && len(s) < 16 || strings.ContainsAny(s, "<>{}$")
}

var (
	pathLike    = regexp.MustCompile(`^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]|\.(?:json|pem|key|txt|env|ya?ml|crt|p12)$`)
	hashPattern = regexp.MustCompile(`^sha(?:1|256|384|512)[:-]`)
)

func mixedCase(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

// varied reports whether the characters of a text are spread as in a random one: at least 2.5 bits each.
func varied(s string) bool {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		bits -= float64(c) / n * math.Log2(float64(c)/n)
	}
	return bits >= 2.5
}

// isDefault reports whether a password is one that everybody knows, as of a database on the own machine.
func isDefault(s string) bool {
	low := strings.ToLower(s)
	return slices.Contains([]string{
		"postgres", "password", "passwd", "pass", "admin", "root", "user", "secret", "guest", "default", "mysql", "redis", "password123",
		"admin123", "postgres123", "12345678", "123456", "username", "pwd",
	}, low) || defaultWord.MatchString(low)
}

var defaultWord = regexp.MustCompile(`^(?:test|demo|dummy|fake|example|sample|local|dev|mock|not-?a-?real|no-?key)(?:[-_.]|\d|$)`)

var mcpPlaceholder = &lint.Rule{
	Name: "mcp-config/placeholder", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A value is a placeholder that was never filled in.",
		Why:  "The server gets the words `YOUR_API_KEY` for a key, or a path that is nowhere. A template for others says what to fill in better by a variable.",
		Bad:  mcpExample(goodStdio + `, "env": {"DOCS_API_KEY": "YOUR_API_KEY"}`),
		Good: mcpExample(goodStdio + `, "env": {"DOCS_API_KEY": "${DEMO_SET}"}`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		if s.Disabled() || !isPlaceholder(x.Text) || isScript(s, x) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: x.Span, Message: fmt.Sprintf("%s holds a placeholder: the server gets it as it stands", placeOf(x)),
			Help: "fill it in, or take the value from a variable of the environment",
		}))
	}),
}

var placeholderPattern = regexp.MustCompile(`(?i)\byour[-_ ]|<[a-z][a-z0-9 _/.-]*>|x{4,}|\bxxx\b|change[-_ ]?me\b|replace[-_ ]?(?:me|with|this)|placeholder|redacted|[/\\]path[/\\]to[/\\]|^path[/\\]to[/\\]|` +
	`\binsert[-_ ](?:your|key|token)|[-_]here\b|\*{4,}|^my[-_](?:api[-_]?key|token|secret|key)$|\.{3}$|\[(?:your|api|token|insert)[^\]]*\]`)

// isPlaceholder reports whether a text stands for one that has yet to be filled in.
func isPlaceholder(s string) bool { return placeholderPattern.MatchString(s) }
