package python

import (
	"strconv"
	"strings"
	"unicode"
)

// group reads a group whose parenthesis is past.
func (t *translator) group() (s span, repeatable bool, err error) {
	if !t.take('?') {
		t.begun = true
		return t.capture("(")
	}
	if t.end() {
		return s, false, errRefused
	}
	c := t.s[t.at]
	t.at++
	if !strings.ContainsRune("imsxau", c) { // which may be flags for all
		t.begun = true
	}
	switch c {
	case ':':
		return t.inside("(?:")
	case '>':
		return t.inside("(?>")
	case '=', '!':
		_, _, err = t.inside("(?" + string(c))
		return span{}, true, err
	case '<':
		return t.behindOnly()
	case 'P':
		return t.named()
	case '(':
		return t.conditional()
	}
	t.at--
	return t.flags()
}

// inside reads up to the parenthesis that closes a group.
func (t *translator) inside(open string) (span, bool, error) {
	t.out.WriteString(open)
	verbose := t.verbose
	s, err := t.choice()
	t.verbose = verbose
	if err == nil && !t.take(')') {
		err = errRefused
	}
	t.out.WriteByte(')')
	return s, true, err
}

func (t *translator) capture(open string) (span, bool, error) {
	t.groups++
	n := t.groups
	t.closed = append(t.closed, false)
	s, repeatable, err := t.inside(open)
	t.closed[n-1] = true
	return s, repeatable, err
}

// behindOnly reads a look-behind, which has to have one length.
func (t *translator) behindOnly() (span, bool, error) {
	if !t.is('=') && !t.is('!') {
		return span{}, false, errRefused
	}
	c := t.s[t.at]
	t.at++
	t.behind++
	s, _, err := t.inside("(?<" + string(c))
	t.behind--
	if err == nil && s.least != s.most {
		err = errRefused
	}
	return span{}, true, err
}

// name reads a name up to a character.
func (t *translator) name(end rune) (string, bool) {
	start := t.at
	for !t.end() && !t.is(end) {
		t.at++
	}
	s := string(t.s[start:t.at])
	if !t.take(end) || s == "" {
		return s, false
	}
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return s, false
		}
	}
	return s, true
}

// named reads (?P<name>…) and (?P=name).
func (t *translator) named() (span, bool, error) {
	switch {
	case t.take('<'):
		name, ok := t.name('>')
		if _, twice := t.names[name]; !ok || twice {
			return span{}, false, errRefused
		}
		t.names[name] = t.groups + 1
		return t.capture("(")
	case t.take('='):
		name, ok := t.name(')')
		n, known := t.names[name]
		if !ok || !known || !t.closed[n-1] {
			return span{}, false, errRefused
		}
		return t.backreference(n)
	}
	return span{}, false, errRefused
}

// backreference writes one. How long it is Python knows, from the group; here it is taken to be of any length.
func (t *translator) backreference(n int) (span, bool, error) {
	if t.behind > 0 {
		t.unknown = true
	}
	t.out.WriteString("(?:\\" + strconv.Itoa(n) + ")")
	return span{0, 0}, true, nil
}

// conditional reads (?(group)yes|no).
func (t *translator) conditional() (span, bool, error) {
	start := t.at
	for !t.end() && !t.is(')') {
		t.at++
	}
	name := string(t.s[start:t.at])
	if !t.take(')') {
		return span{}, false, errRefused
	}
	n, known := t.names[name]
	if i, err := strconv.Atoi(name); err == nil {
		n, known = i, i > 0
		t.wanted = max(t.wanted, i)
	}
	if !known {
		return span{}, false, errRefused
	}
	t.unknown = true
	before := t.out.String()
	s, _, err := t.inside("(?(" + strconv.Itoa(n) + ")")
	if err == nil && strings.Count(t.out.String()[len(before):], "|") > 1 {
		err = errPattern // more than two branches, or some inside of others
	}
	return s, true, err
}

// flags reads (?flags), which stands first only, and (?flags-flags:…).
func (t *translator) flags() (span, bool, error) {
	on, off := "", ""
	minus := false
	for ; !t.end() && !t.is(')') && !t.is(':'); t.at++ {
		switch c := t.s[t.at]; {
		case c == '-' && !minus:
			minus = true
		case minus && strings.ContainsRune("imsx", c):
			off += string(c)
		case !minus && strings.ContainsRune("imsxau", c):
			on += string(c)
		default:
			return span{}, false, errRefused
		}
	}
	if t.end() || minus && off == "" || strings.ContainsAny(on, off) && off != "" || strings.Contains(on, "a") && strings.Contains(on, "u") || on+off == "" {
		return span{}, false, errRefused
	}
	t.unknown = t.unknown || strings.Contains(on, "a")
	global := t.is(')')
	if global && (minus || t.begun) {
		return span{}, false, errRefused
	}
	t.begun = t.begun || !global
	known := strings.NewReplacer("a", "", "u", "").Replace(on)
	t.at++
	if global {
		t.verbose = t.verbose || strings.Contains(on, "x")
		if known = strings.ReplaceAll(known, "x", ""); known != "" {
			t.out.WriteString("(?" + known + ")")
		}
		return span{}, false, nil
	}
	if strings.Contains(on+off, "x") {
		t.unknown = true
	}
	if off != "" {
		known += "-" + off
	}
	if known == "" {
		return t.inside("(?:")
	}
	return t.inside("(?" + known + ":")
}
