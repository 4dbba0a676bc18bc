package route

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Evals is a file of queries, and perhaps of the skills they are for.
type Evals struct {
	Skills  []Skill
	Queries []Query
}

// The keys that files in use have for the same things.
var (
	listKeys     = []string{"queries", "evals", "cases", "test_cases", "scenarios", "stimuli", "results"}
	textKeys     = []string{"query", "prompt", "input", "q", "instruction"}
	labelKeys    = []string{"should_trigger", "expected_trigger", "expect_activation", "should", "expected"}
	skillKeys    = []string{"skill", "skill_name", "expect_skill", "expected_skill"}
	positiveKeys = []string{"should_trigger_prompts"}
	negativeKeys = []string{"should_not_trigger_prompts"}
)

// ReadEvals reads queries from JSON, YAML or CSV, by the ending of the file's name. It knows the forms of skill-creator, waza,
// Vally, dotnet/skills, Skill-Lab and what else is common: a list of cases, alone or under a key, each with a
// text, perhaps a label, perhaps the name of a skill. Cases without a skill get fallback, or that of the file.
// Cases without a label should trigger. A label it does not understand is an error that names the case.
func ReadEvals(name string, data []byte, fallback string) (*Evals, error) {
	root, err := decode(name, data)
	if err == nil {
		e := &Evals{}
		if err = e.read(root, fallback); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("read queries of %s: %w", name, err)
}

func decode(name string, data []byte) (any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var root any
	switch strings.ToLower(path.Ext(name)) {
	case ".csv":
		return decodeCSV(data)
	case ".yaml", ".yml":
		return root, yaml.Unmarshal(data, &root)
	}
	return root, json.Unmarshal(data, &root)
}

// decodeCSV makes each row a case whose keys are in the first row.
func decodeCSV(data []byte) (any, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []any
	for i, row := range rows {
		if i == 0 {
			continue
		}
		c := map[string]any{}
		for j, value := range row {
			c[strings.TrimSpace(rows[0][j])] = value
		}
		out = append(out, c)
	}
	return out, nil
}

func (e *Evals) read(root any, fallback string) error {
	m, ok := root.(map[string]any)
	if !ok {
		return e.readList(root, fallback, true)
	}
	if err := e.readSkills(m["skills"]); err != nil {
		return err
	}
	fallback = textOf(m, skillKeys, fallback)
	found := e.Skills != nil
	for _, group := range []struct {
		keys    []string
		trigger bool
	}{{positiveKeys, true}, {negativeKeys, false}, {listKeys, true}} {
		list, ok := first(m, group.keys)
		if !ok {
			continue
		}
		found = true
		if err := e.readList(list, fallback, group.trigger); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no list of queries; it is called one of %s", strings.Join(listKeys, ", "))
	}
	return nil
}

func (e *Evals) readSkills(v any) error {
	list, _ := v.([]any)
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			return fmt.Errorf("skill %d is not an object", i+1)
		}
		s := Skill{ID: textOf(m, []string{"id"}, ""), Name: textOf(m, []string{"name"}, ""), Description: textOf(m, []string{"description"}, "")}
		if s.ID == "" {
			s.ID = s.Name
		}
		e.Skills = append(e.Skills, s)
	}
	return nil
}

func (e *Evals) readList(v any, fallback string, trigger bool) error {
	list, ok := v.([]any)
	if !ok {
		return errors.New("the queries are not a list")
	}
	for i, item := range list {
		q, err := readCase(item, Query{Skill: fallback, Trigger: trigger})
		if err != nil {
			return fmt.Errorf("case %d: %w", i+1, err)
		}
		q.Place = fmt.Sprintf("case %d", i+1)
		e.Queries = append(e.Queries, q)
	}
	return nil
}

// readCase reads one case; q holds what it says nothing about.
func readCase(item any, q Query) (Query, error) {
	if text, ok := item.(string); ok {
		q.Text = text
		return q, nil
	}
	m, ok := item.(map[string]any)
	if !ok {
		return q, errors.New("neither a text nor an object")
	}
	if q.Text = textOf(m, textKeys, ""); q.Text == "" {
		return q, fmt.Errorf("no text; its key is one of %s", strings.Join(textKeys, ", "))
	}
	q.Skill = textOf(m, skillKeys, q.Skill)
	if graders, ok := m["graders"]; ok {
		q.Skill = required(graders, q.Skill)
	}
	value, ok := first(m, labelKeys)
	if !ok {
		return q, nil
	}
	if b, ok := label(value); ok {
		q.Trigger = b
		return q, nil
	}
	// A name in the label's place is the skill that is expected.
	if name, ok := value.(string); ok && m["expected"] == value && skillName(name) {
		q.Skill, q.Trigger = name, true
		return q, nil
	}
	return q, fmt.Errorf("label %q is neither true nor false", fmt.Sprint(value))
}

// label reads one that says whether a skill should be picked.
func label(v any) (yes, ok bool) {
	if b, ok := v.(bool); ok {
		return b, true
	}
	s, _ := v.(string)
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "1", "should_trigger", "trigger":
		return true, true
	case "false", "no", "0", "should_not_trigger", "no_trigger":
		return false, true
	}
	return false, false
}

func skillName(s string) bool { return s != "" && !strings.ContainsAny(s, " \t\n") }

// required returns the skill that a grader of Vally wants to be invoked.
func required(graders any, fallback string) string {
	list, _ := graders.([]any)
	for _, g := range list {
		m, _ := g.(map[string]any)
		if m["type"] != "skill-invocation" {
			continue
		}
		config, _ := m["config"].(map[string]any)
		switch v := config["required"].(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				return fmt.Sprint(v[0])
			}
		}
	}
	return fallback
}

// first returns the value of the first of the keys that is there.
func first(m map[string]any, keys []string) (any, bool) {
	i := slices.IndexFunc(keys, func(k string) bool { return m[k] != nil })
	if i < 0 {
		return nil, false
	}
	return m[keys[i]], true
}

func textOf(m map[string]any, keys []string, fallback string) string {
	for _, k := range keys {
		if s, ok := m[k].(string); ok && s != "" {
			return s
		}
	}
	return fallback
}
