package profile

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// AllowedTools is how a client reads the tools a skill asks for.
type AllowedTools struct {
	Keys   []string `yaml:"keys"`   // the first that is there
	Text   string   `yaml:"text"`   // a string: words (also when empty), commas, words-commas, calls: words-commas outside parentheses, whole or none
	List   string   `yaml:"list"`   // a list: keep (also when empty) or none
	Effect string   `yaml:"effect"` // grant, show or none
	Names  []string `yaml:"names"`  // the client's own tools, those of older versions included; empty when unknown
}

// split returns the tools of a skill's front matter.
func (a AllowedTools) split(m dialect.Map, d *Doc) []string {
	for _, key := range a.Keys {
		v := m.Get(key)
		switch v.Kind {
		case dialect.Missing, dialect.Null:
			continue
		case dialect.List:
			return a.items(v)
		case dialect.Mapping:
			return nil
		}
		return d.words(a, v.Text)
	}
	return nil
}

// words splits a text once for all clients that split it alike.
func (d *Doc) words(a AllowedTools, text string) []string {
	for i := range d.tools {
		if t := &d.tools[i]; t.how == a.Text && t.text == text {
			return t.words
		}
	}
	words := a.words(text)
	d.tools = append(d.tools, cachedWords{a.Text, text, words})
	return words
}

func (a AllowedTools) items(v dialect.Value) []string {
	if a.List == "none" {
		return nil
	}
	out := make([]string, len(v.Items))
	for i, item := range v.Items {
		out[i] = item.Text
	}
	return out
}

func (a AllowedTools) words(s string) []string {
	switch a.Text {
	case "none":
		return nil
	case "whole":
		return []string{s}
	case "commas":
		return nonEmpty(strings.Split(s, ","))
	case "calls":
		return skills.SplitTools(s)
	case "words-commas":
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || isSpace(r) })
	}
	return strings.Fields(s)
}

func nonEmpty(words []string) []string {
	var out []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}
