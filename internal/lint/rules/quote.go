package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// quote writes s as a YAML scalar in quotes, in the style that needs the fewest escapes.
func quote(s string) string {
	switch {
	case !strings.ContainsAny(s, "\"\\") && !hasControl(s):
		return `"` + s + `"`
	case !strings.Contains(s, "'") && !hasControl(s):
		return "'" + s + "'"
	}
	return text.Quote(s)
}

func hasControl(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x20 }) >= 0
}

// plainOrQuoted writes s without quotes where that reads as the same text.
func plainOrQuoted(s string) string {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") || hasControl(s) || !isText(s) {
		return quote(s)
	}
	return s
}

// isText reports whether an unquoted s is read as text by YAML 1.1 and 1.2 alike.
func isText(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~":
		return false
	}
	return !strings.ContainsAny(s[:1], "0123456789+.")
}

// quoteFix offers to put a broken value in quotes. It is safe when there is no doubt what the value is: it
// stands on one line, or on lines that only go on, and nothing in it could be a comment.
func quoteFix(p *lint.Pass, f *skills.Field) []lint.Fix {
	raw := f.Value.In(p.Text())
	if f.Text == "" {
		return nil
	}
	safe := !strings.Contains(raw, " #")
	for line := range strings.Lines(raw) {
		if strings.HasPrefix(strings.TrimSpace(line), "- ") {
			safe = false
		}
	}
	return []lint.Fix{{
		Title: "put the value of " + f.Name + " in quotes", Safe: safe,
		Edits: []lint.Edit{lint.Replace(f.Value, quote(f.Text))},
	}}
}
