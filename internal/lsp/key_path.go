package lsp

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

// keyPath is where a cursor stands in JSON, YAML or TOML, which need not be complete.
type keyPath struct {
	path   []string         // the keys around the cursor, "*" for an item of a list
	key    bool             // a key stands or goes there, else a value
	at     text.Span        // the word at the cursor; in JSON and TOML with its quotes
	have   []string         // the other keys of the same object
	syntax mcpconfig.Syntax // JSON, YAML or TOML
	header bool             // in the header of a table of TOML
}

// quotes reports whether words are written in quotes there.
func (k keyPath) quotes(isKey bool) bool {
	return k.syntax == mcpconfig.JSON || k.syntax == mcpconfig.TOML && !isKey
}

// dotted joins the keys around the cursor.
func (k keyPath) dotted() string { return strings.Join(k.path, ".") }

// level is an object or a list of JSON that is open.
type level struct {
	object bool
	key    string   // the last one
	keys   []string // all so far
	value  bool     // the key has its colon: a value comes next
}

// jsonAt finds out where an offset stands in JSON. Comments are passed over.
func jsonAt(src string, off int) keyPath {
	s := &jsonScan{src: src, off: off}
	s.run()
	return s.found
}

type jsonScan struct {
	src    string
	off    int
	levels []level
	found  keyPath
	done   bool // found holds the place
	depth  int  // of found, while more keys of its object are looked for
}

func (s *jsonScan) run() {
	for i := 0; i < len(s.src) && !(s.done && len(s.levels) < s.depth); {
		if !s.done && (i > s.off || i == s.off && !beginsWord(s.src[i])) {
			s.place(text.At(s.off))
		}
		i = s.token(i)
	}
	if !s.done {
		s.place(text.At(s.off))
	}
	if s.found.key && s.depth == len(s.levels) && s.depth > 0 {
		s.found.have = s.top().keys
	}
	own := strings.Trim(s.found.at.In(s.src), `"`)
	s.found.have = slices.DeleteFunc(slices.Clone(s.found.have), func(k string) bool { return k == own })
}

func (s *jsonScan) top() *level {
	if len(s.levels) == 0 {
		return &level{value: true}
	}
	return &s.levels[len(s.levels)-1]
}

// place notes where the cursor stands, on a word or between words.
func (s *jsonScan) place(at text.Span) {
	s.done, s.depth = true, len(s.levels)
	s.found = keyPath{syntax: mcpconfig.JSON, at: at, key: s.top().object && !s.top().value}
	for i, l := range s.levels {
		switch {
		case !l.object:
			s.found.path = append(s.found.path, "*")
		case i < len(s.levels)-1 || l.value:
			s.found.path = append(s.found.path, l.key)
		}
	}
}

// token reads what stands at an offset and returns where the next thing stands.
func (s *jsonScan) token(i int) int {
	switch c := s.src[i]; {
	case c == '{' || c == '[':
		s.levels = append(s.levels, level{object: c == '{'})
	case c == '}' || c == ']':
		if s.done && len(s.levels) == s.depth && s.found.key {
			s.found.have = s.top().keys
		}
		s.levels = s.levels[:max(0, len(s.levels)-1)]
	case c == ':':
		s.top().value = true
	case c == ',':
		s.top().value = false
	case strings.HasPrefix(s.src[i:], "//"):
		return end(s.src, i, "\n", 0)
	case strings.HasPrefix(s.src[i:], "/*"):
		return end(s.src, i, "*/", 2)
	case beginsWord(c):
		return s.word(i)
	}
	return i + 1
}

func beginsWord(c byte) bool { return c == '"' || c == '.' || isNameByte(c) }

func end(src string, i int, mark string, more int) int {
	if n := strings.Index(src[i:], mark); n >= 0 {
		return i + n + more
	}
	return len(src)
}

// word reads a text in quotes, or what stands there without.
func (s *jsonScan) word(i int) int {
	at := text.Span{Start: i, End: i}
	if s.src[i] == '"' {
		if at.End = closingQuote(s.src, i) + 1; at.End == 0 {
			at.End = lineEnd(s.src, i)
		}
	} else {
		at = tokenAt(s.src, i, func(c byte) bool { return isNameByte(c) || c == '.' || c == '/' })
	}
	if !s.done && at.Start <= s.off && s.off <= at.End {
		s.place(at)
	}
	if l := s.top(); l.object && !l.value {
		l.key = strings.Trim(at.In(s.src), `"`)
		l.keys = append(l.keys, l.key)
	}
	return max(at.End, i+1)
}

func lineEnd(src string, i int) int {
	if n := strings.IndexAny(src[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(src)
}

// yamlAt finds out where an offset stands in YAML in the block style, by how lines are indented. Values in brackets
// belong to the key in front of them.
func yamlAt(src string, lines *text.LineIndex, off int) keyPath {
	n := lines.OffsetLine(off)
	line := lines.Line(n)
	before := src[line.Start:off]
	k := keyPath{syntax: mcpconfig.YAML, key: true, at: tokenAt(src, off, func(c byte) bool { return isRuleByte(c) || c == '.' || c == '@' })}
	marks, column := yamlMarks(before)
	if len(marks) > 0 && marks[len(marks)-1].name != "*" {
		k.key = false // behind "key:" stands its value
		column = len(before)
	}
	if k.key {
		k.have = yamlSiblings(src, lines, n, column)
	}
	limit, item := column, false
	for {
		for _, m := range slices.Backward(marks) {
			if m.column < limit || item && m.name != "*" && m.column == limit {
				k.path = append(k.path, m.name)
				limit, item = m.column, m.name == "*"
			}
		}
		if n--; n < 0 || limit == 0 && !item {
			break
		}
		marks, _ = yamlMarks(lines.Line(n).In(src))
	}
	slices.Reverse(k.path)
	return k
}

// yamlSiblings returns the keys that stand at a column in the same object as a line.
func yamlSiblings(src string, lines *text.LineIndex, n, column int) []string {
	var out []string
	// take adds the key of a line and reports whether the object may go on behind it, for lines above from the last to
	// the first.
	take := func(i int, up bool) bool {
		marks, _ := yamlMarks(lines.Line(i).In(src))
		if len(marks) == 0 || marks[0].column > column {
			return true
		}
		last := marks[len(marks)-1]
		if (up || marks[0].column == column) && last.column == column && last.name != "*" {
			out = append(out, last.name)
		}
		return marks[0].column == column && marks[0].name != "*"
	}
	if marks, _ := yamlMarks(lines.Line(n).In(src)); len(marks) == 0 || marks[0].column == column {
		for i := n - 1; i >= 0 && take(i, true); i-- {
		}
	}
	for i := n + 1; i < lines.Lines() && take(i, false); i++ {
	}
	return out
}

// yamlMark is a key of a line of YAML, or the dash of an item, with its column.
type yamlMark struct {
	column int
	name   string
}

// yamlMarks returns the dashes and the key of a line, and the column behind the dashes.
func yamlMarks(line string) ([]yamlMark, int) {
	var out []yamlMark
	i := 0
	for {
		i += len(line[i:]) - len(strings.TrimLeft(line[i:], " "))
		if line[i:] != "-" && !strings.HasPrefix(line[i:], "- ") {
			break
		}
		out = append(out, yamlMark{i, "*"})
		i++
	}
	rest := line[i:]
	if strings.HasPrefix(rest, "#") {
		return nil, i
	}
	if key, _, ok := strings.Cut(rest, ":"); ok && key != "" {
		out = append(out, yamlMark{i, strings.Trim(strings.TrimSpace(key), `"'`)})
	}
	return out, i
}
