package dialect

import (
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// Clients that mend the text after a YAML error and parse it once more.

// OpenCode (config/markdown.ts) writes top-level values with a colon as block
// scalars. Keys with a hyphen do not match its pattern.
var openCodeKey = lazyregexp.New(`^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$`)

func colonBlocks(front string) string {
	lines := strings.Split(strings.ReplaceAll(front, "\r\n", "\n"), "\n")
	for i, line := range lines {
		m := openCodeKey.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		v := strings.TrimSpace(m[2])
		if strings.Contains(v, ":") && !strings.HasPrefix(v, `"`) && !strings.HasPrefix(v, "'") {
			lines[i] = m[1] + ": |-\n  " + v
		}
	}
	return strings.Join(lines, "\n")
}

// codexQuote puts single quotes around values that Codex saves since
// https://github.com/openai/codex/pull/28628: plain ones with a colon before
// white space, and those that start with [ { @ or a backtick and are no YAML.
// Lines of block scalars stay; comments stay outside the quotes.
func codexQuote(front string) string {
	lines := strings.Split(strings.ReplaceAll(front, "\r\n", "\n"), "\n")
	block := -1 // the indent of the key whose block scalar this is
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if block >= 0 && (strings.TrimSpace(line) == "" || indent > block) {
			continue
		}
		block = -1
		key, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(key) == "" {
			continue
		}
		scalar, before, after := codexScalar(value)
		switch {
		case scalar == "" || before == "":
		case scalar[0] == '|' || scalar[0] == '>':
			block = indent
		case codexNeedsQuotes(scalar):
			lines[i] = key + ":" + before + "'" + strings.ReplaceAll(scalar, "'", "''") + "'" + after
		}
	}
	return strings.Join(lines, "\n")
}

// codexScalar cuts what follows a colon into white space, scalar and comment.
func codexScalar(value string) (scalar, before, comment string) {
	scalar = strings.TrimLeftFunc(value, unicode.IsSpace)
	before = value[:len(value)-len(scalar)]
	space := true
	for i, c := range scalar {
		if c == '#' && space {
			kept := strings.TrimRightFunc(scalar[:i], unicode.IsSpace)
			return kept, before, scalar[len(kept):]
		}
		space = unicode.IsSpace(c)
	}
	return strings.TrimRightFunc(scalar, unicode.IsSpace), before, ""
}

func codexNeedsQuotes(scalar string) bool {
	switch scalar[0] {
	case '\'', '"':
		return false
	case '[', '{', '@', '`':
		if t := parseYAML(scalar, mends[libyaml]); t.err != nil || t.several {
			return true
		}
	}
	colon := false
	for _, c := range scalar {
		if colon && unicode.IsSpace(c) {
			return true
		}
		colon = c == ':'
	}
	return false
}

// Claude Code: top-level values with a YAML special character come back in
// double quotes after an error. That is what its captures show (values that
// start with @, a backtick, * or [, and `: `, are kept whole; an open quote
// stays an error); the exact set of characters is not published.
var (
	claudeKey     = lazyregexp.New(`^([a-zA-Z_-]+):\s+(.+)$`)
	claudeSpecial = lazyregexp.New("[{}\\[\\]*&#!|>%@`]|: ")
	claudeEscape  = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

func claudeQuote(front string) string {
	lines := strings.Split(oneNewline.Replace(front), "\n")
	for i, line := range lines {
		m := claudeKey.FindStringSubmatch(line)
		if m == nil || unquote(m[2]) != m[2] || !claudeSpecial.MatchString(m[2]) {
			continue
		}
		lines[i] = m[1] + `: "` + claudeEscape.Replace(m[2]) + `"`
	}
	return strings.Join(lines, "\n")
}
