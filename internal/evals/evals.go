// Package evals reads trigger evals: lists of what a user says, and which skill should be chosen for it or should not.
// People write them in many shapes; this package knows those of the published ones and makes one of them.
package evals

import (
	"path"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Query is one thing a user says.
type Query struct {
	Text   string
	Span   text.Span // of the text, as written
	Skill  string    // the skill it is about; "" when the file does not say
	Named  text.Span // where that name stands; empty when nowhere
	Should bool      // whether the skill should be chosen
}

// Problem is a place of a file that does not say what it must.
type Problem struct {
	Span    text.Span
	Message string
}

// File is a trigger eval.
type File struct {
	Doc      *skills.Document
	Queries  []Query
	Problems []Problem
}

// IsName reports whether a file of a skill, by its path from the skill's folder, has the name of a trigger eval.
// Counted in 56 published ones.
func IsName(rel string) bool {
	name := strings.ToLower(path.Base(rel))
	if path.Ext(name) != ".json" || !strings.Contains("/"+path.Dir(rel)+"/", "eval") {
		return false
	}
	stem := strings.NewReplacer("_", "-", ".json", "").Replace(name)
	return strings.HasPrefix(stem, "trigger") || strings.HasSuffix(stem, "queries") || stem == "negative-eval" || stem == "positive-eval"
}

// The keys by which published files call one thing.
var (
	listKeys  = []string{"queries", "evals", "cases", "test_cases", "scenarios", "results"}
	textKeys  = []string{"query", "prompt", "input", "q", "text"}
	labelKeys = []string{"should_trigger", "expected", "expected_trigger", "should", "expect_activation", "trigger"}
	nameKeys  = []string{"skill_name", "skill", "expect_skill", "expected_skill"}
)

// Read reads a JSON document as a trigger eval.
func Read(doc *skills.Document) *File {
	f := &File{Doc: doc}
	root, faults := mcpconfig.ParseJSON(doc)
	if len(faults) > 0 {
		f.problem(faults[0].Span, "the file is not valid JSON: "+faults[0].Message)
		return f
	}
	list := root
	if root.Is(mcpconfig.Object) {
		list = first(root, listKeys)
	}
	if !list.Is(mcpconfig.Array) {
		at := text.Span{}
		if root != nil {
			at = text.Span{Start: root.Span.Start, End: root.Span.Start + 1}
		}
		f.problem(at, "the file holds no list of queries")
		return f
	}
	for _, item := range list.Items {
		f.read(item, first(root, nameKeys))
	}
	return f
}

func (f *File) problem(at text.Span, message string) {
	f.Problems = append(f.Problems, Problem{at, message})
}

// read reads one entry. whose is the name of the skill for the whole file, or nil.
func (f *File) read(item, whose *mcpconfig.Node) {
	said := first(item, textKeys)
	if !said.Is(mcpconfig.String) || strings.TrimSpace(said.Text) == "" {
		f.problem(item.Span, "the entry has no query")
		return
	}
	q := Query{Text: said.Text, Span: said.Span, Should: true}
	label := first(item, labelKeys)
	if own := first(item, nameKeys); own.Is(mcpconfig.String) {
		whose = own
	}
	if _, ok := truth(label); !ok && whose == nil && label.Is(mcpconfig.String) && label == item.Get("expected") {
		whose, label = label, nil // the skill's name
	}
	if whose.Is(mcpconfig.String) {
		q.Skill, q.Named = whose.Text, whose.Span
	}
	if label != nil {
		should, ok := truth(label)
		if !ok {
			f.problem(label.Span, "the label is neither true nor false")
			return
		}
		q.Should = should
	}
	f.Queries = append(f.Queries, q)
}

// truth reads a label, which may be missing.
func truth(n *mcpconfig.Node) (value, ok bool) {
	if n == nil {
		return false, false
	}
	switch strings.ToLower(n.Text) {
	case "true", "yes", "should_trigger", "trigger":
		return true, true
	case "false", "no", "should_not_trigger", "no_trigger":
		return false, true
	}
	return false, false
}

// first returns the value of the first of the keys that is there, or nil.
func first(n *mcpconfig.Node, keys []string) *mcpconfig.Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			return v
		}
	}
	return nil
}
