package skills

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// openBracket notes a "[" or "![", or skips a "!".
func (in *inliner) openBracket() {
	image := in.t[in.at] == '!'
	if image {
		in.at++
		if in.at == len(in.t) || in.t[in.at] != '[' {
			return
		}
	}
	in.brackets = append(in.brackets, bracket{in.at, image})
	in.at++
}

// closeBracket takes the link or image that ends with the "]" at in.at, if its opener makes one. A
// link makes the "[" before it inactive, as links do not contain links:
// https://spec.commonmark.org/0.31.2/#look-for-link-or-image
func (in *inliner) closeBracket() {
	closer := in.at
	in.at++
	n := len(in.brackets) - 1
	if n < 0 {
		return
	}
	open := in.brackets[n]
	in.brackets = in.brackets[:n]
	active := open.image || n >= in.inactive
	in.inactive = min(in.inactive, n)
	if active && in.addLink(open, closer) && !open.image {
		in.inactive = n
	}
}

// addLink takes the link with the text between open and closer and goes to its end, if it is one.
func (in *inliner) addLink(open bracket, closer int) bool {
	link := Link{Image: open.image}
	dest, end, ok := scanInlineLink(in.t, closer+1)
	if ok {
		link.Dest = in.destination(in.of.line, dest)
	} else {
		var def int
		if def, end, ok = in.reference(open, closer); !ok {
			return false
		}
		d := &in.body.Definitions[def]
		link.Kind, link.Dest, link.Label = ReferenceLink, d.Dest, d.Label
	}
	start := open.at
	if open.image {
		start--
	}
	link.Span, link.Text = in.span(start, end), in.between(open.at+1, closer)
	in.body.Links = append(in.body.Links, link)
	in.at = end
	return true
}

// reference finds the definition of a reference link with the text between open and closer, and the
// end of the link: https://spec.commonmark.org/0.31.2/#reference-link
func (in *inliner) reference(open bracket, closer int) (def, end int, ok bool) {
	if len(in.labels) == 0 {
		return 0, 0, false
	}
	end = closer + 1
	if full := scanLabel(in.t, end); full > 0 {
		def, ok = in.labels[normalizeLabel(in.t[end+1:full-1])]
		return def, full, ok
	}
	if scanLabel(in.t, open.at) != end {
		return 0, 0, false
	}
	def, ok = in.labels[normalizeLabel(in.t[open.at+1:closer])]
	if strings.HasPrefix(in.t[end:], "[]") {
		end += len("[]")
	}
	return def, end, ok
}

// scanInlineLink reads what makes brackets that end before at an inline link: a destination and
// perhaps a title in parentheses. https://spec.commonmark.org/0.31.2/#inline-link
func scanInlineLink(t string, at int) (dest text.Span, end int, ok bool) {
	if at == len(t) || t[at] != '(' {
		return dest, 0, false
	}
	dest, end = scanDestination(t, skipSpace(t, at+1))
	if end < 0 {
		return dest, 0, false
	}
	at = skipSpace(t, end)
	if at > end && at < len(t) && t[at] != ')' {
		if end = scanTitle(t, at); end < 0 {
			return dest, 0, false
		}
		at = skipSpace(t, end)
	}
	if at == len(t) || t[at] != ')' {
		return dest, 0, false
	}
	return dest, at + 1, true
}

// scanDestination returns a link destination, without its angle brackets, and the end with them. The
// end is negative if there is none; without angle brackets the destination may be empty.
// https://spec.commonmark.org/0.31.2/#link-destination
func scanDestination(t string, at int) (dest text.Span, end int) {
	if at < len(t) && t[at] == '<' {
		if end = scanDelimited(t, at+1, '>', "<\n"); end < 0 {
			return dest, -1
		}
		return text.Span{Start: at + 1, End: end - 1}, end
	}
	end = scanBareDestination(t, at)
	return text.Span{Start: at, End: end}, end
}

// maxParentheses is how deep parentheses in a destination nest. CommonMark asks for three at least;
// without a limit "[a](b" repeated takes quadratic time.
const maxParentheses = 32

// scanBareDestination returns the end of a destination without angle brackets, -1 if its parentheses
// are not balanced.
func scanBareDestination(t string, at int) int {
	depth := 0
loop:
	for at < len(t) {
		switch c := t[at]; {
		case c == '\\':
			at += escapeLength(t, at) - 1
		case c == '(':
			depth++
			if depth > maxParentheses {
				return -1
			}
		case c == ')':
			if depth == 0 {
				break loop
			}
			depth--
		case c <= ' ' || c == 0x7f:
			break loop
		}
		at++
	}
	if depth > 0 {
		return -1
	}
	return at
}

// scanTitle returns the end of the link title that starts at at, -1 if there is none:
// https://spec.commonmark.org/0.31.2/#link-title
func scanTitle(t string, at int) int {
	switch t[at] {
	case '"', '\'':
		return scanDelimited(t, at+1, t[at], "")
	case '(':
		return scanDelimited(t, at+1, ')', "(")
	}
	return -1
}

// scanDelimited returns the end of a text that goes up to the first closer that is not escaped, -1 if
// there is none or one of the characters in not stands before it.
func scanDelimited(t string, at int, closer byte, not string) int {
	for at < len(t) {
		switch c := t[at]; {
		case c == closer:
			return at + 1
		case c == '\\':
			at += escapeLength(t, at)
			continue
		case strings.IndexByte(not, c) >= 0:
			return -1
		}
		at++
	}
	return -1
}
