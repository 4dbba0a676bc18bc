package lint

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// word returns a rule that finds every occurrence of a word.
func word(name, w string, level Severity) *Rule {
	return &Rule{
		Name: name, Severity: level, Options: []Option{{Name: "max", Default: 3}},
		Run: func(p *Pass) {
			for off := 0; ; {
				i := strings.Index(p.Text()[off:], w)
				if i < 0 {
					return
				}
				at := text.Span{Start: off + i, End: off + i + len(w)}
				p.Report(Finding{Span: at, Message: w, Fixes: []Fix{{Title: "shout", Safe: true, Edits: []Edit{Replace(at, strings.ToUpper(w))}}}})
				off = at.End
			}
		},
	}
}

func registry() *Registry {
	return NewRegistry([]*Rule{
		word("body/alpha", "eins", Warning), word("body/beta", "zwei", Error), word("name/gamma", "drei", Hint),
		{Name: UnusedSuppression, Severity: Warning},
	})
}

func known(name string) error {
	if name != "codex" {
		return errors.New("no client is called " + name)
	}
	return nil
}

func TestConfigFaults(t *testing.T) {
	for src, want := range map[string]string{
		"rule: {}\n":                                `c:1:1: unknown key "rule"; did you mean "rules"?`,
		"rules:\n  body/alfa: off\n":                `c:2:3: no rule or group is called "body/alfa"; did you mean "body/alpha"?`,
		"rules:\n  body: fatal\n":                   `c:2:9: "fatal" is no severity; use error, warning, info, hint or off`,
		"rules:\n  body/beta: {max: x}\n":           `c:2:20: max must be a whole number, 0 or more`,
		"rules:\n  body: {max: 2}\n":                `c:2:10: unknown key "max"; known are level`,
		"clients: [codecs]\n":                       `c:1:11: no client is called codecs`,
		"clients: codex\n":                          `c:1:10: must be a list`,
		"exclude: ['[']\n":                          `c:1:11: "[" is not a valid glob`,
		"overrides:\n  - rules: {}\n":               `c:2:5: an override needs files, the globs it holds for`,
		"probe: maybe\n":                            `c:1:8: "maybe" is not one of off, trusted, all`,
		"a: [\n":                                    `is not valid YAML`,
		"- a\n":                                     `c:1:1: must be a mapping of keys to values`,
		"exclude: []\nexclude: []\n":                `c:2:1: the key "exclude" stands here twice`,
		"rules: {body/alpha: 7}\nbaselin: x\n":      "c:1:21: \"7\" is no severity; use error, warning, info, hint or off\nc:2:1: unknown key \"baselin\"; did you mean \"baseline\"?",
		"{\"clients\": [\"codex\"], \"nope\": 1}\n": `c:1:24: unknown key "nope"; known are baseline, clients, exclude, overrides, probe, rules`,
	} {
		_, err := ParseConfig("c", src, registry(), known)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	src := "clients: [codex]\nrules:\n  body/alpha: info\n  body: off\n  all: hint\noverrides:\n  - files: ['docs/**']\n    rules:\n      body/beta: {level: warning, max: 9}\n  - files: [README.md]\n    clients: []\n"
	cfg, err := ParseConfig("c", src, registry(), known)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags Flags
		file  string
		want  string
	}{
		{Flags{}, "x/SKILL.md", "alpha info c:3, beta off c:4, gamma hint c:5"},
		{Flags{}, "docs/a/SKILL.md", "alpha info c:3, beta warning c:9, gamma hint c:5"},
		{Flags{Select: []string{"body/beta"}}, "docs/SKILL.md", "alpha off --select, beta warning c:9, gamma off --select"},
		{Flags{Ignore: []string{"body"}}, "x", "alpha off --ignore, beta off --ignore, gamma hint c:5"},
		{Flags{Levels: []Setting{{Name: "body/beta", Level: Info, HasLvl: true, Source: "--severity"}}}, "x", "alpha info c:3, beta info --severity, gamma hint c:5"},
	} {
		reg := registry()
		r, err := NewResolver(reg, c.flags)
		if err != nil {
			t.Fatal(err)
		}
		set := r.Resolve(cfg, c.file)
		var got []string
		for _, rule := range reg.Rules()[:3] {
			s := set.Rules[rule]
			got = append(got, strings.Split(rule.Name, "/")[1]+" "+s.Level.String()+" "+s.Source)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%+v %s: %s, want %s", c.flags, c.file, strings.Join(got, ", "), c.want)
		}
		if r.Resolve(cfg, c.file) != set {
			t.Errorf("%s: resolved twice", c.file)
		}
	}
	if _, err := NewResolver(registry(), Flags{Ignore: []string{"bdy"}}); err == nil {
		t.Error("an unknown group is taken")
	}
}

type one struct{ s *skills.Skill }

func (v one) Skills() []*skills.Skill { return []*skills.Skill{v.s} }
func (v one) Tree() *skills.Tree      { return skills.NewTree(skills.Disk{}, "/") }

func (v one) Configs() []*mcpconfig.File     { return nil }
func (v one) HasEnv(string) bool             { return false }
func (v one) HasProgram(string, string) bool { return true }

func (v one) Played(*skills.Skill) []Played { return nil }
func (v one) Listings() []Listing           { return nil }
func (v one) Offers() []*Offers             { return nil }

func find(t *testing.T, src string) []string {
	t.Helper()
	reg := registry()
	r, err := NewResolver(reg, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	s := skills.Parse(skills.NewDocument("a/SKILL.md", "/a/SKILL.md", src))
	var out []string
	for _, f := range NewEngine(reg).Skill(s, one{s}, r.Resolve(&Config{}, "a/SKILL.md")) {
		line := s.Doc.Lines().OffsetLine(f.Span.Start) + 1
		out = append(out, strings.Split(f.Rule.Name, "/")[1]+"@"+string(rune('0'+line)))
	}
	return out
}

func TestSuppression(t *testing.T) {
	const head = "---\nname: a\n---\n" // the body starts on line 4
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"none":                  {head + "eins zwei\n", []string{"alpha@4", "beta@4"}},
		"next line, one rule":   {head + "<!-- skilllint-disable-next-line body/alpha -- why -->\neins zwei\neins\n", []string{"beta@5", "alpha@6"}},
		"next line, a group":    {head + "<!-- skilllint-disable-next-line body -->\neins zwei\n", nil},
		"next line, all":        {head + "<!-- skilllint-disable-next-line -->\neins zwei\n", nil},
		"line":                  {head + "eins <!-- skilllint-disable-line body/alpha, body/beta --> zwei\n", nil},
		"block":                 {head + "<!-- skilllint-disable body/alpha -->\neins\n<!-- skilllint-enable body/alpha -->\neins\n", []string{"alpha@7"}},
		"block to the end":      {head + "eins\n<!-- skilllint-disable -->\neins\nzwei\n", []string{"alpha@4"}},
		"file":                  {head + "eins\n<!-- skilllint-disable-file body/alpha -->\nzwei\n", []string{"beta@6"}},
		"front matter":          {"---\nname: eins # skilllint-disable-line body -- why\n---\nzwei\n", []string{"beta@4"}},
		"in a value it is none": {"---\nname: \"eins # skilllint-disable-line body\"\nb: |\n  # skilllint-disable-file body\n---\nzwei\n", []string{"alpha@2", "beta@6"}},
		"in code it is none":    {head + "`<!-- skilllint-disable-line body -->` eins\n\n```\n<!-- skilllint-disable-next-line body -->\nzwei\n```\n", []string{"alpha@4", "beta@8"}},
		"unused":                {head + "<!-- skilllint-disable-next-line body/beta -->\neins\n", []string{"unused-suppression@4", "alpha@5"}},
		"unknown rule":          {head + "<!-- skilllint-disable-next-line body/bta -->\nzwei\n", []string{"unused-suppression@4", "beta@5"}},
		"unknown directive":     {head + "<!-- skilllint-disable-lines body/beta -->\nzwei\n", []string{"unused-suppression@4", "beta@5"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := find(t, c.src); !slices.Equal(got, c.want) {
				t.Errorf("%q: %q, want %q", c.src, got, c.want)
			}
		})
	}
}

func TestPlanFixes(t *testing.T) {
	edit := func(start, end int, s string) Edit {
		return Edit{"f", text.Edit{Span: text.Span{Start: start, End: end}, New: s}}
	}
	fix := func(safe bool, edits ...Edit) Finding {
		return Finding{File: "f", Fixes: []Fix{{Safe: safe, Edits: edits}}}
	}
	utf8 := func(string) bool { return false }
	plan := PlanFixes([]Finding{
		fix(true, edit(0, 2, "a")), fix(true, edit(1, 3, "b")), fix(false, edit(9, 9, "c")), fix(true, edit(5, 5, "d"), edit(2, 2, "e")),
		fix(true, edit(6, 7, "f")),
		{Fixes: []Fix{{Safe: true, Renames: []Rename{{"f", "g"}}}}},
	}, false, utf8)
	if got := len(plan.Applied); got != 2 || len(plan.Edits["f"]) != 2 || plan.Renames != nil {
		t.Errorf("applied %d with %v and %v: want the first and the last of the safe edits, and no rename yet", got, plan.Edits, plan.Renames)
	}
	plan = PlanFixes([]Finding{fix(false, edit(9, 9, "c")), {Fixes: []Fix{{Renames: []Rename{{"f", "g"}}}}}}, true, utf8)
	if len(plan.Edits["f"]) != 1 || plan.Renames != nil {
		t.Errorf("unsafe: %+v", plan)
	}
	moves := []Finding{{Fixes: []Fix{{Renames: []Rename{{"f", "g"}}}}}, {Fixes: []Fix{{Renames: []Rename{{"h", "g"}}}}}}
	if plan = PlanFixes(moves, true, utf8); len(plan.Renames) != 1 {
		t.Errorf("two files move to one place: %v", plan.Renames)
	}
	utf16 := func(string) bool { return true }
	plan = PlanFixes([]Finding{fix(true, edit(1, 2, "x")), fix(true, edit(0, 9, "whole"))}, false, utf16)
	if len(plan.Edits["f"]) != 1 || plan.Edits["f"][0].New != "whole" {
		t.Errorf("in a file that is not UTF-8: %v", plan.Edits)
	}
}

func TestBaseline(t *testing.T) {
	rule := &Rule{Name: "a/b"}
	doc := func(src string) func(string) *skills.Document {
		return func(string) *skills.Document { return skills.NewDocument("f", "/f", src) }
	}
	same := func(s string) string { return s }
	at := func(src, w string) Finding {
		i := strings.Index(src, w)
		return Finding{Rule: rule, File: "f", Span: text.Span{Start: i, End: i + len(w)}}
	}
	old := "one\ntwo\n"
	data, err := WriteBaseline([]Finding{at(old, "two")}, doc(old), same)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadBaseline(data)
	if err != nil {
		t.Fatal(err)
	}
	moved := "zero\none\n  two\nthree two\n"
	left := b.Filter([]Finding{at(moved, "two"), at(moved, "three two"), at(moved, "two")}, doc(moved), same)
	if len(left) != 2 || left[0].Span != at(moved, "three two").Span {
		t.Errorf("left %v: want the changed line and the second of the same kind", left)
	}
	if _, err := ReadBaseline([]byte(`{"version": 9}`)); err == nil {
		t.Error("an unknown version is taken")
	}
}

func TestNearest(t *testing.T) {
	words := []string{"description", "name", "allowed-tools"}
	for in, want := range map[string]string{"desciption": "description", "Description": "description", "allowed_tools": "allowed-tools", "nmae": "name", "x": "", "tools": ""} {
		if got := Nearest(in, words); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
