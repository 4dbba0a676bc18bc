package skills

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// diagnose says why the value of a field is no YAML: what is wrong with each entry of a list or mapping below the key, else
// with the value as a whole. Entries are gone into as deep as given: each level is parsed anew.
func diagnose(src string, f Field, err error, depth int) []SyntaxError {
	if at := tabIndent(f.Extent.In(src)); at >= 0 {
		e := SyntaxError{Message: loadError(err).Message}
		return []SyntaxError{e.as(TabIndent, f.Extent.Start+at, 1)}
	}
	if depth == 0 {
		return []SyntaxError{diagnoseValue(src, f, err)}
	}
	entries, odd := entriesBelow(src, f)
	if !odd.Empty() {
		return []SyntaxError{{Cause: UnevenIndent, Span: odd, Message: loadError(err).Message}}
	}
	var out []SyntaxError
	for i := range entries {
		for _, e := range diagnoseEntry(src, &entries[i], depth-1) {
			if e.Entry == nil {
				e.Entry = &entries[i]
			}
			out = append(out, e)
		}
	}
	if out == nil {
		out = append(out, diagnoseValue(src, f, err))
	}
	return out
}

// maxEntryDepth is deeper than the hooks of any skill are nested.
const maxEntryDepth = 8

// diagnoseEntry is diagnose for one of several entries, which may be right.
func diagnoseEntry(src string, entry *Field, depth int) []SyntaxError {
	whole := entry.Extent.In(src)
	if !strings.ContainsAny(strings.TrimRight(whole, "\r\n"), "\r\n") {
		whole = strings.TrimLeft(whole, " ") // most are one line, which is read fast at the margin
	}
	_, err := parseYAML(whole)
	if at, slipped := slippedEntry(src, *entry); slipped && err != nil {
		return []SyntaxError{{Cause: UnevenIndent, Span: at, Message: loadError(err).Message}}
	}
	switch {
	case src[entry.Colon] == ':' && entry.Value.Start == entry.Colon+1 && !entry.Value.Empty():
		return []SyntaxError{{Cause: MissingSpace, Span: text.Span{Start: entry.Colon, End: entry.Colon + 1}, Message: "no space behind the colon"}}
	case err != nil:
		return diagnose(src, *entry, err, depth)
	}
	return nil
}

// diagnoseValue takes the cause from the text itself; the parser's own position is used only where the text does not tell.
func diagnoseValue(src string, f Field, err error) SyntaxError {
	e := SyntaxError{Span: f.Value, Message: loadError(err).Message}
	v := f.Value.In(src)
	if v == "" {
		return e
	}
	switch v[0] {
	case '"', '\'':
		return e.quoted(src, f.Value)
	case '[', '{':
		return e.bracketed(src, f.Value)
	case '*', '&', '!', '%', '@', '`', '|', '>', ',', ']', '}':
		return e.as(LeadingIndicator, f.Value.Start, 1)
	case '-', '?':
		if len(v) > 1 && (v[1] == ' ' || v[1] == '\t') {
			return e.as(LeadingIndicator, f.Value.Start, 1)
		}
	}
	if at := colonInside(v); at >= 0 {
		return e.as(UnquotedColon, f.Value.Start+at, 1)
	}
	return e
}

func (e SyntaxError) as(cause Cause, at, n int) SyntaxError {
	e.Cause, e.Span = cause, text.Span{Start: at, End: at + n}
	return e
}

func (e SyntaxError) quoted(src string, value text.Span) SyntaxError {
	quote := src[value.Start]
	end := closeQuote(src[:value.End], value.Start, quote)
	if end == value.End && (src[end-1] != quote || end == value.Start+1 || quote == '"' && oddBackslashes(src[value.Start:end-1])) {
		return e.as(UnclosedValue, value.Start, 1)
	}
	if rest := afterValue(src[end:value.End]); rest >= 0 {
		return e.as(TextAfterValue, end+rest, value.End-end-rest)
	}
	if quote == '"' {
		if at := badEscape(src[value.Start:end]); at >= 0 {
			return e.as(InvalidEscape, value.Start+at, 2)
		}
	}
	return e
}

func (e SyntaxError) bracketed(src string, value text.Span) SyntaxError {
	end := closeBracket(src[:value.End], value.Start)
	if rest := afterValue(src[end:value.End]); rest >= 0 {
		return e.as(TextAfterValue, end+rest, value.End-end-rest)
	}
	if c := src[value.End-1]; end == value.End && c != ']' && c != '}' {
		return e.as(UnclosedValue, value.Start, 1)
	}
	return e
}

// afterValue returns where text follows a closed value, or -1 when only white space and comments do.
func afterValue(rest string) int {
	trimmed := strings.TrimLeft(rest, " \t\r\n")
	at := len(rest) - len(trimmed)
	if trimmed == "" || trimmed[0] == '#' && at > 0 {
		return -1
	}
	return at
}

func oddBackslashes(s string) bool {
	return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}

// badEscape returns the offset of the first escape that YAML does not know, or -1.
// https://yaml.org/spec/1.2.2/#57-escaped-characters
func badEscape(quoted string) int {
	for i := 0; i+1 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		if !validEscape(quoted[i+1:]) {
			return i
		}
		i++
	}
	return -1
}

func validEscape(s string) bool {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if digits == 0 {
		return strings.IndexByte("0abt\tnvfre \"/\\N_LP\r\n", s[0]) >= 0
	}
	if len(s) <= digits {
		return false
	}
	return strings.Trim(s[1:1+digits], "0123456789abcdefABCDEF") == ""
}

// colonInside returns the offset of the first colon of a plain value that YAML takes for a key's, or -1.
func colonInside(v string) int {
	for i := range len(v) {
		if v[i] == ':' && (i+1 == len(v) || strings.IndexByte(" \t\r\n", v[i+1]) >= 0) {
			return i
		}
	}
	return -1
}

// tabIndent returns the offset of the first tab in the white space in front of a line, or -1.
func tabIndent(s string) int {
	for off := 0; off < len(s); off = nextLine(s, off) {
		line := s[off:lineEnd(s, off)]
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if at := strings.IndexByte(lead, '\t'); at >= 0 && len(lead) < len(line) {
			return off + at
		}
	}
	return -1
}

// controlCharacter returns the offset of the first character that YAML text may not hold, or -1.
// https://yaml.org/spec/1.2.2/#51-character-set
func controlCharacter(s string) int {
	return strings.IndexFunc(s, IsControl)
}

// IsControl reports whether YAML text may not hold a character: https://yaml.org/spec/1.2.2/#51-character-set
func IsControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 && r != 0x85 || r == 0xFFFE || r == 0xFFFF
}
