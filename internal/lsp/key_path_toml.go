package lsp

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

// tomlAt finds out where an offset stands in TOML, line by line: the header above says which table it is, brackets that
// are open which list or inline table.
func tomlAt(src string, lines *text.LineIndex, off int) keyPath {
	s := tomlScan{src: src, off: off, at: lines.OffsetLine(off)}
	for i := 0; i < lines.Lines() && !s.done; i++ {
		s.line(lines.Line(i), i)
	}
	if own := strings.Trim(s.found.at.In(src), `"'`); s.found.key && slices.Equal(s.found.path, s.table) {
		s.found.have = slices.DeleteFunc(s.keys, func(k string) bool { return k == own })
	}
	return s.found
}

type tomlScan struct {
	src     string
	off, at int // the place, and its line

	table []string // the header above
	keys  []string // in the table
	open  int      // where the value begins that goes on in the next line; 0 for none
	key   []string // of that value
	past  bool     // found holds the place
	done  bool     // the table that it lies in is over
	found keyPath
}

func (s *tomlScan) line(at text.Span, i int) {
	words := strings.TrimSpace(at.In(s.src))
	if s.open > 0 {
		if i == s.at {
			s.value(s.open)
		}
		if len(brackets(s.src[s.open:at.End])) == 0 {
			s.open = 0
		}
		return
	}
	equals := tomlEquals(at.In(s.src))
	switch {
	case strings.HasPrefix(words, "["):
		s.header(at, i)
	case equals >= 0:
		s.pair(at, at.Start+equals, i)
	case i == s.at:
		s.place(keyPath{key: true, path: slices.Clone(s.table), at: s.word(at.Start)})
		s.dotted(at.Start)
	}
}

// header takes the line of a table.
func (s *tomlScan) header(at text.Span, i int) {
	if s.past {
		s.done = true
		return
	}
	start := at.Start + strings.IndexByte(at.In(s.src), '[')
	for start < at.End && s.src[start] == '[' {
		start++
	}
	end := at.End
	if n := strings.IndexByte(s.src[start:at.End], ']'); n >= 0 {
		end = start + n
	}
	list := start-2 >= at.Start && s.src[start-2] == '['
	if i == s.at && start <= s.off && s.off <= end {
		word := s.word(start)
		s.place(keyPath{key: true, header: true, path: tomlKeys(strings.TrimRight(s.src[start:word.Start], " .")), at: word})
	} else if i == s.at {
		s.place(keyPath{at: text.At(s.off)})
	}
	s.table, s.keys = tomlKeys(s.src[start:end]), nil
	if list {
		s.table = append(s.table, "*")
	}
}

// pair takes a line with a key and the beginning, at least, of its value.
func (s *tomlScan) pair(at text.Span, equals, i int) {
	keys := tomlKeys(s.src[at.Start:equals])
	if len(keys) > 0 {
		s.keys = append(s.keys, keys[0])
	}
	s.key = append(slices.Clone(s.table), keys...)
	if i == s.at && s.off <= equals {
		s.place(keyPath{key: true, path: slices.Clone(s.table), at: s.word(at.Start)})
		s.dotted(at.Start)
	} else if i == s.at {
		s.value(equals + 1)
	}
	if len(brackets(s.src[equals+1:at.End])) > 0 {
		s.open = equals + 1
	}
}

// value notes that the place lies in the value that begins at an offset.
func (s *tomlScan) value(start int) {
	k := keyPath{path: slices.Clone(s.key), at: s.word(start)}
	for _, b := range brackets(s.src[start:k.at.Start]) {
		if k.key = s.src[start+b.at] == '{'; !k.key {
			k.path = append(k.path, "*")
			continue
		}
		if entry := s.src[start+b.last : k.at.Start]; tomlEquals(entry) >= 0 {
			k.path = append(k.path, tomlKeys(entry[:tomlEquals(entry)])...)
			k.key = false
		}
	}
	s.place(k)
}

// dotted adds the keys that stand before the place on its line, with dots between them.
func (s *tomlScan) dotted(start int) {
	s.found.path = append(s.found.path, tomlKeys(strings.TrimRight(s.src[start:max(start, s.found.at.Start)], " ."))...)
}

func (s *tomlScan) place(k keyPath) {
	k.syntax = mcpconfig.TOML
	s.found, s.past = k, true
}

// word returns the word that the place lies on, with its quotes; start is where the line or value begins.
func (s *tomlScan) word(start int) text.Span {
	for i := start; i < s.off; i++ {
		if s.src[i] != '"' && s.src[i] != '\'' {
			continue
		}
		end := closingQuote(s.src, i) + 1
		if end == 0 {
			end = lineEnd(s.src, i)
		}
		if s.off <= end {
			return text.Span{Start: i, End: end}
		}
		i = end - 1
	}
	if c := byteAt(s.src, s.off); c == '"' || c == '\'' {
		if end := closingQuote(s.src, s.off); end > 0 {
			return text.Span{Start: s.off, End: end + 1}
		}
	}
	return tokenAt(s.src, s.off, isNameByte)
}

// tomlEquals returns where a line has the sign behind its key, or -1.
func tomlEquals(line string) int {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			end := closingQuote(line, i)
			if end < 0 {
				return -1
			}
			i = end
		case '#':
			return -1
		case '=':
			return i
		}
	}
	return -1
}

// tomlKeys splits a dotted key.
func tomlKeys(s string) []string {
	var out []string
	for rest := strings.TrimSpace(s); rest != ""; {
		end := strings.IndexByte(rest, '.')
		if rest[0] == '"' || rest[0] == '\'' {
			if n := closingQuote(rest, 0); n > 0 {
				end = n + 1
			}
		}
		if end < 0 || end > len(rest) {
			end = len(rest)
		}
		out = append(out, strings.Trim(strings.TrimSpace(rest[:end]), `"'`))
		rest = strings.TrimLeft(rest[end:], ". ")
	}
	return out
}
