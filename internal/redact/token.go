package redact

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// tokenForms are the forms of credentials that say by themselves whose they are. Each begins with two letters or figures.
var tokenForms = []string{
	`gh[pousr]_[A-Za-z0-9]{36,}`, `github_pat_[A-Za-z0-9_]{22,}`, `glpat-[A-Za-z0-9_-]{20,}`, // GitHub, GitLab
	`sk-[A-Za-z0-9_-]{20,}`, `pplx-[A-Za-z0-9]{32,}`, `hf_[A-Za-z0-9]{30,}`, `AIza[0-9A-Za-z_-]{35}`, `gsk_[A-Za-z0-9]{40,}`, // models
	`AKIA[0-9A-Z]{16}\b`, `ASIA[0-9A-Z]{16}\b`, `dop_v1_[a-f0-9]{64}`, `sbp_[a-f0-9]{40}`, `napi_[a-z0-9]{40,}`, `ya29\.[A-Za-z0-9_-]{40,}`, `GOCSPX-[A-Za-z0-9_-]{28}`, `dapi[a-f0-9]{32}\b`, // clouds
	`xox[abprs]-[A-Za-z0-9-]{10,}`, `xapp-[A-Za-z0-9-]{20,}`, `ntn_[A-Za-z0-9]{40,}`, `secret_[A-Za-z0-9]{40,}`, `lin_api_[A-Za-z0-9]{30,}`, `figd_[A-Za-z0-9_-]{30,}`, // services
	`npm_[A-Za-z0-9]{36}`, `pypi-[A-Za-z0-9_-]{50,}`, `tvly-[A-Za-z0-9-]{20,}`, `fc-[a-f0-9]{32}`, `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`,
	`rk_live_[A-Za-z0-9]{20,}`, `sk_live_[A-Za-z0-9]{20,}`, `whsec_[A-Za-z0-9]{32,}`, `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, `sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}`,
	`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, // a JSON Web Token
}

var tokenPattern = lazyregexp.New(`\b(?:` + strings.Join(tokenForms, "|") + `)`)

// tokenStarts are the first two characters of the forms.
var tokenStarts = func() map[string]bool {
	starts := map[string]bool{}
	for _, form := range tokenForms {
		starts[form[:2]] = true
	}
	return starts
}()

// mayHoldToken spares most runs of such characters the pattern: no form begins in them.
func mayHoldToken(run string) bool {
	for i := 0; i+2 <= len(run); i++ {
		if i == 0 || strings.IndexByte("-.:", run[i-1]) >= 0 {
			if tokenStarts[run[i:i+2]] {
				return true
			}
		}
	}
	return false
}

// shortestToken is the length of the shortest of these forms.
const shortestToken = 15

// botToken is how Telegram writes the key of a bot. https://core.telegram.org/bots/api#authorizing-your-bot
var botToken = lazyregexp.New(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b`)

// Tokens returns the credentials in s that are known by their form: those with the prefix of their issuer, JSON web tokens,
// private keys. Most texts cost no more than one look at each byte.
func Tokens(s string) []Secret {
	var out []Secret
	add := func(pattern *lazyregexp.Regexp, at, end int) {
		for _, m := range pattern.FindAllStringIndex(s[at:end], -1) {
			if span := (text.Span{Start: at + m[0], End: at + m[1]}); !isMadeUp(span.In(s)) {
				out = append(out, Secret{Span: span})
			}
		}
	}
	for i := 0; i < len(s); {
		end, figures := tokenEnd(s, i)
		if figures && end-i >= shortestToken {
			if mayHoldToken(s[i:end]) {
				add(tokenPattern, i, end)
			}
			if s[i] >= '0' && s[i] <= '9' {
				add(botToken, i, end)
			}
		}
		i = end + 1
	}
	return append(out, privateKeys(s)...)
}

// tokenEnd returns the end of the run of characters of tokens at an offset, and whether it has figures.
func tokenEnd(s string, at int) (end int, figures bool) {
	for end = at; end < len(s); end++ {
		switch c := s[end]; {
		case c >= '0' && c <= '9':
			figures = true
		case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_', c == '-', c == '.', c == ':' && figures:
		default:
			return end, figures
		}
	}
	return end, figures
}

var privateKey = lazyregexp.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\\r|\s|[A-Za-z0-9+/=])*(?:-----END [A-Z ]*PRIVATE KEY-----)?`)

// leastKey is how long a block with a private key is at least; a header alone is the pattern of a detector, or a document.
const leastKey = 100

func privateKeys(s string) []Secret {
	if !strings.Contains(s, "PRIVATE KEY-----") {
		return nil
	}
	var out []Secret
	for _, m := range privateKey.FindAllStringIndex(s, -1) {
		if block := s[m[0]:m[1]]; m[1]-m[0] >= leastKey && !isMadeUp(block) {
			out = append(out, Secret{Span: text.Span{Start: m[0], End: m[1]}})
		}
	}
	return out
}

var inventedWord = lazyregexp.New(`(?i)example|dummy|fake|sample|not-?real|invalid`)

// isMadeUp reports whether what has the form of a token was written to show the form.
func isMadeUp(token string) bool {
	return !varied(token) || IsPlaceholder(token) || inventedWord.MatchString(token) || counted(token)
}

// counted reports whether eight characters of s, or most of them in parts of four and more, follow each other as in the
// alphabet or in counting.
func counted(s string) bool {
	run, inRuns := 1, 0
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1]+1 && (s[i] != '0' || s[i-1] != '9') {
			run = 1
			continue
		}
		switch run++; {
		case run == 8:
			return true
		case run == 4:
			inRuns += run
		case run > 4:
			inRuns++
		}
	}
	return 2*inRuns > len(s)
}
