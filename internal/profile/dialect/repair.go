package dialect

import (
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// Clients that mend the text after a YAML error and parse it once more.

// OpenCode (config/markdown.ts) writes top-level values with a colon as block
// scalars, and Kilo in double quotes, which lines that follow break. Keys with
// a hyphen do not match their pattern.
var (
	colonKey     = lazyregexp.New(`^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$`)
	doubleQuoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

func colonBlocks(front string) string {
	return colonValues(front, func(value string) string { return "|-\n  " + value })
}

func colonQuotes(front string) string {
	return colonValues(front, func(value string) string { return `"` + doubleQuoted.Replace(value) + `"` })
}

func colonValues(front string, write func(value string) string) string {
	lines := strings.Split(strings.ReplaceAll(front, "\r\n", "\n"), "\n")
	for i, line := range lines {
		m := colonKey.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		v := strings.TrimSpace(m[2])
		if strings.Contains(v, ":") && !strings.HasPrefix(v, `"`) && !strings.HasPrefix(v, "'") {
			lines[i] = m[1] + ": " + write(v)
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

// Claude Code: lines with a key and a value that holds a YAML special character
// come back in double quotes after an error, unless the value is in quotes or
// is a list; and tabs that indent count as two blanks each. From the code in
// its bundle; a line that ends with CR stays, as do the others a dot of
// JavaScript does not reach the end of.
var (
	claudeKey     = lazyregexp.New(`^([a-zA-Z_-]+):[\s\v\p{Z}\x{feff}]+([^\s\v\p{Z}\x{feff}][^\n\r\x{2028}\x{2029}]*)$`)
	claudeSpecial = lazyregexp.New("[{}\\[\\]*&#!|>%@`]|: ")
)

func claudeQuote(front string) string {
	lines := strings.Split(front, "\n")
	for i, line := range lines {
		if m := claudeKey.FindStringSubmatch(line); m != nil && !inQuotes(m[2]) && claudeSpecial.MatchString(m[2]) && !isFlowList(m[2]) {
			line = m[1] + `: "` + doubleQuoted.Replace(m[2]) + `"`
		}
		body := strings.TrimLeft(line, "\t")
		lines[i] = strings.Repeat("  ", len(line)-len(body)) + body
	}
	return strings.Join(lines, "\n")
}

// inQuotes reports whether a value starts and ends with the same quote.
func inQuotes(value string) bool {
	return (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
}

func isFlowList(value string) bool {
	if value[0] != '[' || value[len(value)-1] != ']' {
		return false
	}
	t := NewSource(value).parse(bunYAML)
	return t.err == nil && !t.several && t.root != nil && t.root.Kind == yaml.SequenceNode
}
