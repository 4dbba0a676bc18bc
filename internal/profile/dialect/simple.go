package dialect

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// simpleTree builds the tree of a block that takes no parser to read: keys with
// a word, a text in quotes without escapes, or one level of such keys or list
// items below them. Most front matter is so, and a parser would take most of
// the time of playing a client. It returns nil for any other block.
func simpleTree(front string) *yaml.Node {
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Column: 1}
	var inner *yaml.Node // the value whose lines are being read
	number := 0
	for line := range strings.Lines(front) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if below, ok := strings.CutPrefix(line, "  "); ok {
			if inner == nil || !simpleEntry(inner, below, number, 3) {
				return nil
			}
			continue
		}
		if inner != nil && inner.Kind == 0 {
			return nil // a key without a value
		}
		key, rest, ok := strings.Cut(line, ":")
		if !ok || !simpleKey(key) {
			return nil
		}
		value := &yaml.Node{Line: number, Column: len(key) + 3}
		inner = nil
		if rest == "" {
			inner = value
		} else if !simpleScalar(value, rest) {
			return nil
		}
		root.Content = append(root.Content, keyNode(key, number, 1), value)
	}
	if len(root.Content) == 0 || inner != nil && inner.Kind == 0 {
		return nil
	}
	return root
}

// simpleEntry adds a line to a nested mapping or list, whose kind the first
// line decides.
func simpleEntry(inner *yaml.Node, line string, number, column int) bool {
	kind, tag := yaml.MappingNode, "!!map"
	key, rest, ok := strings.Cut(line, ":")
	item, isItem := strings.CutPrefix(line, "-")
	if isItem {
		kind, tag, rest, ok, key = yaml.SequenceNode, "!!seq", item, true, ""
	}
	if inner.Kind == 0 {
		inner.Kind, inner.Tag, inner.Line, inner.Column = kind, tag, number, column
	}
	if !ok || inner.Kind != kind || !isItem && !simpleKey(key) {
		return false
	}
	value := &yaml.Node{Line: number, Column: column + len(line) - len(rest) + 1}
	if !simpleScalar(value, rest) {
		return false
	}
	if !isItem {
		inner.Content = append(inner.Content, keyNode(key, number, column))
	}
	inner.Content = append(inner.Content, value)
	return true
}

func keyNode(key string, line, column int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: line, Column: column}
}

// simpleScalar reads a value behind its key and one blank.
func simpleScalar(n *yaml.Node, rest string) bool {
	s, ok := strings.CutPrefix(rest, " ")
	if !ok || s == "" || !printable(s) {
		return false
	}
	n.Kind, n.Value = yaml.ScalarNode, s
	if quote := s[0]; quote == '"' || quote == '\'' {
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
		if quote == '\'' {
			n.Style = yaml.SingleQuotedStyle
		}
		if len(s) < len(`"x"`) || s[len(s)-1] != quote {
			return false
		}
		n.Value = s[1 : len(s)-1]
		return !strings.ContainsAny(n.Value, s[:1]+`\`)
	}
	n.Tag = "!!str"
	return simplePlain(s)
}

// simplePlain accepts words that start with a letter and hold nothing that
// could end them or begin something else.
func simplePlain(s string) bool {
	last := s[len(s)-1]
	return letter(s[0]) && !reserved(strings.ToLower(s)) && last != ' ' && last != ':' &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(s, "---")
}

func simpleKey(s string) bool {
	return s != "" && letter(s[0]) && !reserved(s) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-_") == ""
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// reserved reports whether some YAML reads the word as another type than text.
func reserved(s string) bool {
	switch s {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf", "infinity":
		return true
	}
	return false
}
