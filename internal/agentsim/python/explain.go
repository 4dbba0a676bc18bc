package python

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// String is str() of a ValidationError: the message, the schema that is broken, and the part of the value that breaks it.
func (i *Invalid) String() string { return i.failure.explain("schema", "instance") }

// explain is String with the words for the schema and for the value.
func (f *failure) explain(schema, instance string) string {
	keyword := "None" // of a schema that is False
	if f.keyword != "" {
		keyword = dialect.PythonQuote(f.keyword)
	}
	return fmt.Sprintf("%s\n\nFailed validating %s in %s:\n    %s\n\nOn %s:\n    %s", f.message,
		keyword, indexed(schema, f.at[:max(len(f.at)-1, 0)]), pretty(f.schema), indexed(instance, f.path), pretty(f.value))
}

// Keyword is the keyword of the schema that the value does not fit; "" for a schema that is False.
func (i *Invalid) Keyword() string { return i.failure.keyword }

// indexed writes a path as Python indexes a value.
func indexed(name string, path []step) string {
	for _, s := range path {
		if s.index >= 0 {
			name += fmt.Sprintf("[%d]", s.index)
		} else {
			name += "[" + dialect.PythonQuote(s.key) + "]"
		}
	}
	return name
}

// prettyWidth is how wide jsonschema lets a value be before it goes on in another line.
const prettyWidth = 72

// pretty is pprint.pformat(value, width=72, sort_dicts=False), its lines indented by four.
// https://docs.python.org/3/library/pprint.html
func pretty(n *catalog.Node) string {
	var p printer
	p.value(n, 0, 0, 0)
	return strings.ReplaceAll(p.String(), "\n", "\n    ")
}

// printer lays out a value: what does not fit between the indent and what has to stand behind it, the allowance, goes
// over several lines.
type printer struct{ strings.Builder }

func (p *printer) value(n *catalog.Node, indent, allowance, level int) {
	rep := Repr(n)
	switch fits := utf8.RuneCountInString(rep) <= prettyWidth-indent-allowance; {
	case !fits && n.Is(catalog.Object):
		p.object(n, indent, allowance+1, level+1)
	case !fits && n.Is(catalog.Array):
		p.array(n, indent+1, allowance+1, level+1)
	case !fits && n.Is(catalog.String) && n.Text() != "":
		p.text(n.Text(), indent, allowance, level+1)
	default:
		p.WriteString(rep)
	}
}

func (p *printer) object(n *catalog.Node, indent, allowance, level int) {
	p.WriteByte('{')
	members := entries(n)
	for i, m := range members {
		rep := dialect.PythonQuote(m.Key)
		p.WriteString(rep + ": ")
		p.value(m.Value, indent+1+utf8.RuneCountInString(rep)+len(": "), behind(i, len(members), allowance), level)
		p.next(i, len(members), indent+1)
	}
	p.WriteByte('}')
}

func (p *printer) array(n *catalog.Node, indent, allowance, level int) {
	p.WriteByte('[')
	for i, item := range n.Items {
		p.value(item, indent, behind(i, len(n.Items), allowance), level)
		p.next(i, len(n.Items), indent)
	}
	p.WriteByte(']')
}

// behind is the allowance of one of n parts: all but the last have a comma behind them.
func behind(i, n, allowance int) int {
	if i < n-1 {
		return 1
	}
	return allowance
}

func (p *printer) next(i, n, indent int) {
	if i < n-1 {
		p.WriteString(",\n" + strings.Repeat(" ", indent))
	}
}

// text writes a long string as pieces below each other, which Python reads as one.
func (p *printer) text(s string, indent, allowance, level int) {
	if level == 1 {
		indent, allowance = indent+1, allowance+1
	}
	pieces := pieces(s, prettyWidth-indent, allowance)
	if len(pieces) == 1 {
		p.WriteString(pieces[0])
		return
	}
	whole := strings.Join(pieces, "\n"+strings.Repeat(" ", indent))
	if level == 1 {
		whole = "(" + whole + ")"
	}
	p.WriteString(whole)
}

// words are runs of characters with the blanks behind them.
var words = regexp.MustCompile(`[^\s\p{Z}\x{85}\x1c-\x1f]*[\s\p{Z}\x{85}\x1c-\x1f]*`)

// pieces splits a text at its line breaks, and lines that are too wide between words.
func pieces(s string, width, allowance int) []string {
	var out []string
	lines := splitLines(s)
	for i, line := range lines {
		last := i == len(lines)-1
		room := width
		if last {
			room -= allowance
		}
		if rep := dialect.PythonQuote(line); utf8.RuneCountInString(rep) <= room {
			out = append(out, rep)
			continue
		}
		parts, current := words.FindAllString(line, -1), ""
		room = width
		for j, part := range parts {
			if last && j == len(parts)-1 {
				room -= allowance
			}
			if utf8.RuneCountInString(dialect.PythonQuote(current+part)) > room {
				if current != "" {
					out = append(out, dialect.PythonQuote(current))
				}
				current = part
			} else {
				current += part
			}
		}
		if current != "" {
			out = append(out, dialect.PythonQuote(current))
		}
	}
	return out
}

// lineBreaks are what str.splitlines splits at.
var lineBreaks = regexp.MustCompile(`[^\n\r\x0b\x0c\x1c\x1d\x1e\x{85}\x{2028}\x{2029}]*(?:\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x{85}\x{2028}\x{2029}]|$)`)

func splitLines(s string) []string {
	var out []string
	for _, line := range lineBreaks.FindAllString(s, -1) {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
