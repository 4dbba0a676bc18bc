package replay

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Masks hide what differs from call to call and means nothing, such as the time. nil hides nothing.
type Masks struct {
	texts    []textMask
	times    bool     // numbers under the names of times
	numbers  bool     // all numbers
	pointers []string // with * for any key or index, and ** for any number of them
}

// textMask replaces parts of texts.
type textMask struct {
	pattern interface {
		ReplaceAllString(text, with string) string
	}
	with string
}

// knownMasks are the masks with a name.
var knownMasks = map[string][]textMask{
	"time": {
		{lazyregexp.New(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?`), "<time>"},
		{lazyregexp.New(`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,4}(?:,? \d{4})? \d{2}:\d{2}(?::\d{2})?(?: (?:GMT|UTC)?(?:[+-]\d{4})?(?: \([^)]*\))?)?`), "<time>"},
		{lazyregexp.New(`\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?: ?[AP]M)?\b`), "<time>"},
		{lazyregexp.New(`\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|milliseconds?|seconds?|secs?|minutes?|mins?)\b|\b\d+(?:\.\d+)?s\b`), "<duration>"},
	},
	"id": {
		{lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<id>"},
		{lazyregexp.New(`\b[0-9A-HJKMNP-TV-Z]{26}\b`), "<id>"},
		{lazyregexp.New(`\b(?:0x)?[0-9a-f]{16,}\b`), "<id>"},
	},
	// The name of the file stays.
	"path": {
		{lazyregexp.New(`(^|[\s"'` + "`" + `(\[=,:])(?:/[^\s/"'` + "`" + `:,;()\[\]]+)+/([^\s/"'` + "`" + `:,;()\[\]]*)`), "$1<path>/$2"},
		{lazyregexp.New(`\b[A-Za-z]:\\(?:[^\\\s"'` + "`" + `:,;]+\\)*([^\\\s"'` + "`" + `:,;]*)`), "<path>/$1"},
	},
	"port":   {{lazyregexp.New(`\b(localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b`), "$1:<port>"}},
	"number": {{lazyregexp.New(`-?\b\d+(?:\.\d+)?\b`), "<number>"}},
}

// maskOrder is that in which masks are put on: a time is no number any more.
var maskOrder = []string{"time", "id", "path", "port", "number"}

// DefaultMasks are the masks that are used when nobody says otherwise.
var DefaultMasks = []string{"time", "id", "path", "port"}

// NewMasks returns masks by their names, masks for what regular expressions match, and masks for the values that
// RFC 6901 pointers name, in which * stands for any key or index and ** for any number of them.
func NewMasks(names, patterns, pointers []string) (*Masks, error) {
	m := &Masks{pointers: pointers}
	for _, name := range names {
		if knownMasks[name] == nil {
			return nil, fmt.Errorf("no mask is called %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(knownMasks)), ", "))
		}
	}
	for _, name := range maskOrder {
		if slices.Contains(names, name) {
			m.texts = append(m.texts, knownMasks[name]...)
			m.times, m.numbers = m.times || name == "time", m.numbers || name == "number"
		}
	}
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("the mask %q is no regular expression: %w", p, err)
		}
		m.texts = append([]textMask{{re, "<masked>"}}, m.texts...)
	}
	for _, p := range pointers {
		if !strings.HasPrefix(p, "/") {
			return nil, fmt.Errorf("the pointer %q has to start with a slash, as /content/0/text", p)
		}
	}
	return m, nil
}

// text puts the masks on a text.
func (m *Masks) text(s string) string {
	if m == nil {
		return s
	}
	for _, t := range m.texts {
		s = t.pattern.ReplaceAllString(s, t.with)
	}
	return s
}

// apply returns a value behind the masks.
func (m *Masks) apply(n *catalog.Node) *catalog.Node {
	if m == nil {
		return n
	}
	var b strings.Builder
	m.write(&b, n, "", "")
	masked, _ := catalog.Parse(b.String()) // as good as n
	return masked
}

// timeName is the name of a number that is a time or a duration.
var timeName = lazyregexp.New(`(?i)time|date|duration|elapsed|latency|uptime|expires|_at$|_ms$|[a-z]At$|[a-z]Ms$`)

func (m *Masks) write(b *strings.Builder, n *catalog.Node, pointer, key string) {
	switch {
	case m.points(pointer):
		b.WriteString(`"<masked>"`)
	case n.Kind == catalog.Object:
		b.WriteByte('{')
		for i, member := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(text.Quote(member.Key) + ":")
			m.write(b, member.Value, catalog.Join(pointer, member.Key), member.Key)
		}
		b.WriteByte('}')
	case n.Kind == catalog.Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			m.write(b, item, catalog.Join(pointer, fmt.Sprint(i)), key)
		}
		b.WriteByte(']')
	case n.Kind == catalog.String:
		b.WriteString(text.Quote(m.text(n.Text())))
	case n.Kind == catalog.Number && m.times && timeName.MatchString(key):
		b.WriteString(`"<time>"`)
	case n.Kind == catalog.Number && m.numbers:
		b.WriteString(`"<number>"`)
	default:
		b.WriteString(n.Raw())
	}
}

func (m *Masks) points(pointer string) bool {
	return pointer != "" && slices.ContainsFunc(m.pointers, func(p string) bool { return matches(strings.Split(p[1:], "/"), strings.Split(pointer[1:], "/")) })
}

// matches reports whether a pattern of keys stands for keys.
func matches(pattern, keys []string) bool {
	switch {
	case len(pattern) == 0:
		return len(keys) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], keys) || len(keys) > 0 && matches(pattern, keys[1:])
	case len(keys) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], keys[0])
	return (err == nil && ok || pattern[0] == keys[0]) && matches(pattern[1:], keys[1:])
}
