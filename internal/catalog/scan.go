package catalog

import (
	"encoding/json"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// scanner builds the nodes of a text that is known to be valid JSON, so it looks only at what it needs to find the
// ends of values. encoding/json has bounded the depth at 10,000.
type scanner struct {
	src string
	at  int
}

func (s *scanner) value() *Node {
	s.space()
	n := &Node{src: s.src, Span: text.At(s.at)}
	switch s.src[s.at] {
	case '{':
		n.Kind = Object
		s.object(n)
	case '[':
		n.Kind = Array
		s.array(n)
	case '"':
		n.Kind = String
		s.string()
	default:
		n.Kind = s.literal()
	}
	n.Span.End = s.at
	return n
}

func (s *scanner) object(n *Node) {
	for s.at++; !s.closes('}'); {
		key := text.At(s.at)
		s.string()
		key.End = s.at
		s.space()
		s.at++ // the colon
		n.Members = append(n.Members, Member{unquote(key.In(s.src)), key, s.value()})
	}
}

func (s *scanner) array(n *Node) {
	for s.at++; !s.closes(']'); {
		n.Items = append(n.Items, s.value())
	}
}

// closes skips white space and a comma, and the closing bracket if that comes next.
func (s *scanner) closes(bracket byte) bool {
	s.space()
	if s.src[s.at] == ',' {
		s.at++
		s.space()
	}
	if s.src[s.at] != bracket {
		return false
	}
	s.at++
	return true
}

func (s *scanner) space() {
	for strings.IndexByte(" \t\r\n", s.src[s.at]) >= 0 {
		s.at++
	}
}

// string passes over a string: to the next quote that no backslash escapes. An even number of backslashes before it
// escapes only each other.
func (s *scanner) string() {
	for s.at++; ; s.at++ {
		s.at += strings.IndexByte(s.src[s.at:], '"')
		from := s.at
		for s.src[from-1] == '\\' {
			from--
		}
		if (s.at-from)%2 == 0 {
			s.at++
			return
		}
	}
}

// literal passes over a number, true, false or null.
func (s *scanner) literal() Kind {
	first := s.src[s.at]
	for s.at < len(s.src) && strings.IndexByte(" \t\r\n,]}", s.src[s.at]) < 0 {
		s.at++
	}
	switch first {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	}
	return Number
}

// unquote returns the value of a JSON string that is known to be valid. Lone surrogates and bytes that are not
// UTF-8 become U+FFFD.
func unquote(quoted string) string {
	inner := quoted[1 : len(quoted)-1]
	if plain(inner) {
		return inner
	}
	var value string
	_ = json.Unmarshal([]byte(quoted), &value) // valid, so it cannot fail
	return value
}

// plain reports whether a string stands for itself: ASCII without escapes.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] == '\\' || s[i] >= 0x80 {
			return false
		}
	}
	return true
}
