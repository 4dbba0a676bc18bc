package python

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// pattern is a regular expression of Python's module re.
type pattern struct {
	valid   bool // re.compile takes it
	unknown bool // or whether it does is not known
	re      *regexp2.Regexp
	text    string
}

// errPattern says that nobody here can tell whether Python takes a pattern.
var errPattern = errors.New("the pattern has parts that are not known")

// patternTime bounds a search: a pattern may go through a text in very many ways.
const patternTime = 200 * time.Millisecond

// search is re.search.
func (p *pattern) search(s string) (bool, error) {
	if p.re == nil {
		return false, fmt.Errorf("%w: the pattern %s", ErrUnknown, p.text)
	}
	found, err := p.re.MatchString(s)
	if err != nil {
		return false, fmt.Errorf("%w: the pattern %s takes too long", ErrUnknown, p.text)
	}
	return found, nil
}

var patterns sync.Map // of *pattern, by text

// compile is re.compile of Python 3.11 and later. https://docs.python.org/3/library/re.html
func compile(s string) *pattern {
	if p, known := patterns.Load(s); known {
		return p.(*pattern)
	}
	p := &pattern{text: s}
	t := &translator{s: []rune(s), names: map[string]int{}}
	err := t.whole()
	p.valid, p.unknown = err == nil, errors.Is(err, errPattern)
	if err == nil && !t.unknown {
		if re, err := regexp2.Compile(t.out.String(), regexp2.None); err == nil {
			re.MatchTimeout = patternTime
			p.re = re
		}
	}
	patterns.Store(s, p)
	return p
}

// errRefused is re.error.
var errRefused = errors.New("the pattern is refused")

// translator reads a pattern as Python does, and writes it for the engine of .NET, which is the closest.
type translator struct {
	s     []rune
	at    int
	out   strings.Builder
	depth int

	groups int            // that are opened
	wanted int            // the last group that there has to be
	closed []bool         // by number, from 1
	names  map[string]int // of groups

	begun   bool // there is more than global flags
	verbose bool
	unknown bool // the engine has not all of it
	behind  int  // how many look-behinds are open
}

// span is how long what an expression matches can be.
type span struct{ least, most int }

const endless = 1 << 30

func (t *translator) end() bool { return t.at >= len(t.s) }

func (t *translator) is(c rune) bool { return !t.end() && t.s[t.at] == c }

func (t *translator) take(c rune) bool {
	if !t.is(c) {
		return false
	}
	t.at++
	return true
}

func (t *translator) whole() error {
	if _, err := t.choice(); err != nil {
		return err
	}
	if !t.end() || t.wanted > t.groups { // an unbalanced parenthesis, a group that there is not
		return errRefused
	}
	return nil
}

// choice reads branches up to a parenthesis or the end.
func (t *translator) choice() (span, error) {
	if t.depth++; t.depth > 200 {
		return span{}, errPattern
	}
	defer func() { t.depth-- }()
	all := span{endless, 0}
	for {
		s, err := t.sequence()
		if err != nil {
			return all, err
		}
		all.least, all.most = min(all.least, s.least), max(all.most, s.most)
		if !t.take('|') {
			return all, nil
		}
		t.begun = true
		t.out.WriteByte('|')
	}
}

func (t *translator) sequence() (span, error) {
	var all span
	for {
		if err := t.skip(); err != nil || t.end() || t.is('|') || t.is(')') {
			return all, err
		}
		s, repeatable, err := t.item()
		if err == nil {
			s, err = t.quantifiers(s, repeatable)
		}
		if err != nil {
			return all, err
		}
		all.least, all.most = min(all.least+s.least, endless), min(all.most+s.most, endless)
	}
}

// skip goes past comments, and what (?x) lets be passed over.
func (t *translator) skip() error {
	for !t.end() {
		rest := string(t.s[t.at:min(t.at+3, len(t.s))])
		switch {
		case rest == "(?#":
			for !t.end() && !t.is(')') {
				t.at++
			}
			if !t.take(')') {
				return errRefused
			}
		case t.verbose && strings.ContainsAny(rest[:1], " \t\n\r\f\v"):
			t.at++
		case t.verbose && t.is('#'):
			for !t.end() && !t.is('\n') {
				t.at++
			}
		default:
			return nil
		}
	}
	return nil
}

// item reads one character, class, group or position. A position cannot be repeated.
func (t *translator) item() (s span, repeatable bool, err error) {
	c := t.s[t.at]
	t.at++
	t.begun = t.begun || c != '('
	switch c {
	case '*', '+', '?': // nothing to repeat
		return span{}, false, errRefused
	case '{':
		t.at--
		if _, _, n := t.counts(); n > 0 {
			return span{}, false, errRefused
		}
		t.at++
		t.out.WriteString(`\{`)
		return span{1, 1}, true, nil
	case '.':
		t.out.WriteByte('.')
		return span{1, 1}, true, nil
	case '^', '$':
		t.out.WriteRune(c)
		return span{}, false, nil
	case '[':
		return span{1, 1}, true, t.class()
	case '(':
		return t.group()
	case '\\':
		return t.escape()
	}
	t.literal(c)
	return span{1, 1}, true, nil
}

// literal writes a character that stands for itself.
func (t *translator) literal(c rune) {
	if strings.ContainsRune(`\.+*?()|[]{}^$#`, c) {
		t.out.WriteByte('\\')
	}
	t.out.WriteRune(c)
}

// counts reads {n}, {n,}, {,m} or {n,m} ahead; n is its length, 0 where there is none.
func (t *translator) counts() (least, most, n int) {
	i := t.at + 1
	number := func(without int) int {
		start := i
		for i < len(t.s) && t.s[i] >= '0' && t.s[i] <= '9' {
			i++
		}
		if i == start {
			return without
		}
		v, err := strconv.Atoi(string(t.s[start:i]))
		if err != nil {
			return endless
		}
		return v
	}
	start := i
	least = number(0)
	most = least
	if i < len(t.s) && t.s[i] == ',' {
		i++
		most = number(endless)
	} else if i == start {
		return 0, 0, 0
	}
	if i >= len(t.s) || t.s[i] != '}' {
		return 0, 0, 0
	}
	return least, most, i + 1 - t.at
}

// quantifiers reads what says how often an item is repeated.
func (t *translator) quantifiers(s span, repeatable bool) (span, error) {
	if err := t.skip(); err != nil {
		return s, err
	}
	least, most := 0, endless
	switch {
	case t.take('*'):
	case t.take('+'):
		least = 1
	case t.take('?'):
		most = 1
	case t.is('{'):
		var n int
		if least, most, n = t.counts(); n == 0 {
			return s, nil
		}
		if most < least || least >= endless {
			return s, errRefused
		}
		t.at += n
	default:
		return s, nil
	}
	if !repeatable {
		return s, errRefused
	}
	t.out.WriteString("{" + strconv.Itoa(least) + ",")
	if most < endless {
		t.out.WriteString(strconv.Itoa(most))
	}
	t.out.WriteByte('}')
	switch {
	case t.take('?'):
		t.out.WriteByte('?')
	case t.take('+'): // possessive
		t.unknown = true
	}
	if err := t.skip(); err != nil {
		return s, err
	}
	for _, c := range "*+?" { // multiple repeat
		if t.is(c) {
			return s, errRefused
		}
	}
	if _, _, n := t.counts(); t.is('{') && n > 0 {
		return s, errRefused
	}
	return span{times(s.least, least), times(s.most, most)}, nil
}

func times(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if a >= endless || b >= endless || a > endless/b {
		return endless
	}
	return a * b
}
