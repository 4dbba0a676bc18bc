package report

import "github.com/skill-ls/skill-ls/internal/lint"

// Colours of a terminal. https://www.ecma-international.org/publications-and-standards/standards/ecma-48/
const (
	bold   = "1"
	faint  = "2"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	blue   = "1;34"
	cyan   = "36"
)

var severityColor = map[lint.Severity]string{lint.Error: red, lint.Warning: yellow, lint.Info: blue, lint.Hint: cyan}

// painter colours text, or does not.
type painter struct{ on bool }

func (p *painter) paint(color, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}
