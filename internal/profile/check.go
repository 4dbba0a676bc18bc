package profile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// rules are the conditions a Check may name. Each returns why it fails, or "".
var rules = map[string]func(*Check, *play) string{
	"required":    (*Check).required,
	"kind":        (*Check).kind,
	"items":       (*Check).items,
	"max":         (*Check).max,
	"pattern":     (*Check).pattern,
	"deny":        (*Check).deny,
	"folder":      (*Check).folder,
	"folder-fold": (*Check).folderFold,
	"one-of":      (*Check).oneOf,
	"body":        (*Check).body,
}

func (s *play) check() bool {
	for i := range s.p.Checks {
		c := &s.p.Checks[i]
		why := rules[c.Rule](c, s)
		if why == "" {
			continue
		}
		if c.Action == "warn" {
			s.out.Warnings = append(s.out.Warnings, why)
			continue
		}
		return s.fail(c.Action, StageCheck, c.ID(), c.On, why)
	}
	return true
}

// ID names a check in outcomes: what it is on and its rule, such as
// "name-folder".
func (c *Check) ID() string { return c.On + "-" + strings.TrimSuffix(c.Rule, "-fold") }

// value is what a check looks at: a loaded field, else the front matter.
func (c *Check) value(s *play) (string, bool) {
	for _, f := range s.p.fields {
		if f.name == c.On {
			v := s.field(c.On)
			return v.text, v.present()
		}
	}
	v := lookup(s.fields, c.On)
	return v.Text, v.Kind != dialect.Missing && v.Kind != dialect.Null
}

func (c *Check) required(s *play) string {
	if _, ok := c.value(s); ok {
		return ""
	}
	if s.fields.Get(c.On).Kind != dialect.Missing {
		return c.On + " is empty"
	}
	return c.On + " is missing"
}

func (c *Check) kind(s *play) string {
	v := lookup(s.fields, c.On)
	if v.Kind == dialect.Missing || slices.Contains(c.Kinds, v.Kind.String()) {
		return ""
	}
	if v.Kind == dialect.Null && v.Raw == "" && slices.Contains(c.Kinds, "empty") {
		return ""
	}
	if v.Raw != "" && slices.Contains(c.Values, strings.ToLower(v.Raw)) {
		return ""
	}
	return fmt.Sprintf("%s is a %s, not a %s", c.On, kindWord(v.Kind), strings.Join(c.Kinds, " or "))
}

func (c *Check) items(s *play) string {
	v := s.fields.Get(c.On)
	for _, f := range v.Map {
		if !slices.Contains(c.Kinds, f.Value.Kind.String()) {
			return fmt.Sprintf("%s.%s is a %s, not a %s", c.On, f.Key, kindWord(f.Value.Kind), strings.Join(c.Kinds, " or "))
		}
	}
	for _, item := range v.Items {
		if !slices.Contains(c.Kinds, item.Kind.String()) {
			return fmt.Sprintf("%s holds a %s, not a %s", c.On, kindWord(item.Kind), strings.Join(c.Kinds, " or "))
		}
	}
	return ""
}

func (c *Check) max(s *play) string {
	text, _ := c.value(s)
	if n := length(text, c.Unit); n > c.Max {
		return fmt.Sprintf("%s has %d %s, the limit is %d", c.On, n, unitWord(c.Unit), c.Max)
	}
	return ""
}

func unitWord(unit string) string {
	switch unit {
	case "bytes":
		return "bytes"
	case "utf16":
		return "UTF-16 units"
	}
	return "characters"
}

func (c *Check) pattern(s *play) string {
	if text, ok := c.value(s); ok && !c.re.MatchString(text) {
		return fmt.Sprintf("%s %q does not match %s", c.On, text, c.Match)
	}
	return ""
}

func (c *Check) deny(s *play) string {
	if c.Kinds != nil && !slices.Contains(c.Kinds, lookup(s.fields, c.On).Kind.String()) {
		return ""
	}
	text, _ := c.value(s)
	if found := c.re.FindString(text); found != "" {
		return fmt.Sprintf("%s may not contain %q", c.On, found)
	}
	return ""
}

func (c *Check) folder(s *play) string {
	if text, ok := c.value(s); ok && text != s.d.Folder() {
		return fmt.Sprintf("%s %q is not the folder's name %q", c.On, text, s.d.Folder())
	}
	return ""
}

func (c *Check) folderFold(s *play) string {
	if text, ok := c.value(s); ok && !strings.EqualFold(text, s.d.Folder()) {
		return fmt.Sprintf("%s %q is not the folder's name %q", c.On, text, s.d.Folder())
	}
	return ""
}

func (c *Check) oneOf(s *play) string {
	if text, ok := c.value(s); ok && !slices.Contains(c.Values, text) {
		return fmt.Sprintf("%s %q is none of %s", c.On, text, strings.Join(c.Values, ", "))
	}
	return ""
}

func (c *Check) body(s *play) string {
	if strings.TrimSpace(s.body) == "" {
		return "the body is empty"
	}
	return ""
}

// visibility hides the skill when one of the profile's conditions holds.
func (s *play) visibility() bool {
	for i := range s.p.Hide {
		c := &s.p.Hide[i]
		if key, ok := c.holds(s); ok {
			return s.stop(Hidden, StageVisibility, key, key, "does not show the skill to the model: "+c.words(key))
		}
	}
	return true
}

func (c *Condition) words(key string) string {
	switch {
	case c.Field != "":
		return c.Field + " is empty"
	case c.Sidecar != "":
		return c.Sidecar + " sets " + key
	}
	return key + " is set"
}

// holds reports whether the condition holds, and by which key.
func (c *Condition) holds(s *play) (string, bool) {
	if c.Field != "" {
		return c.Field, !s.field(c.Field).present()
	}
	if c.Sidecar != "" {
		return c.Keys[0], c.matchText(s.d.sidecar(c.Sidecar, c.Keys[0]))
	}
	for _, key := range c.Keys {
		if v := s.fields.Get(key); c.match(v) {
			return key, true
		}
	}
	return "", false
}

func (c *Condition) match(v dialect.Value) bool {
	if v.Kind == dialect.Missing || v.Kind == dialect.Null {
		return false
	}
	if c.Kinds != nil && !slices.Contains(c.Kinds, v.Kind.String()) {
		return false
	}
	if c.Except != nil {
		return slices.ContainsFunc(texts(v), func(s string) bool { return !slices.Contains(c.Except, s) })
	}
	if c.Is == nil && (v.Kind == dialect.List || v.Kind == dialect.Mapping) {
		return len(v.Items)+len(v.Map) > 0
	}
	return c.matchText(v.Text)
}

// texts are the parts of a string, or of the strings in a list, between commas.
func texts(v dialect.Value) []string {
	var out []string
	switch v.Kind {
	case dialect.List:
		for _, item := range v.Items {
			out = append(out, texts(item)...)
		}
	case dialect.String:
		for part := range strings.SplitSeq(v.Text, ",") {
			out = append(out, trimJS(part))
		}
	}
	return out
}

func (c *Condition) matchText(text string) bool {
	if c.Is == nil {
		return text != ""
	}
	if !c.Exact {
		text = strings.ToLower(trimJS(text))
	}
	return slices.Contains(c.Is, text)
}

// sidecar returns the plain scalar at a dotted path of a YAML file in the skill's
// folder, or "" when there is none: clients ignore a sidecar they cannot read.
func (d *Doc) sidecar(file, dotted string) string {
	if d.Beside == nil {
		return ""
	}
	src, err := d.Beside(file)
	if err != nil {
		return ""
	}
	var node yaml.Node
	if yaml.Unmarshal(src, &node) != nil || len(node.Content) == 0 {
		return ""
	}
	n := node.Content[0]
	for key := range strings.SplitSeq(dotted, ".") {
		if n = child(n, key); n == nil {
			return ""
		}
	}
	if n.Style != 0 {
		return "" // a text in quotes is none of the other types
	}
	return n.Value
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
