package rules

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// bodyFindings lints a text as the body of a skill for Claude Code and returns how often a rule finds something.
func bodyFindings(t *testing.T, front, body, rule string) int {
	t.Helper()
	text := "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n" + front + "---\n\n# Steps\n\n" + body + "\n"
	return len(of(lintTree(t, tree(t, text), []string{"claude-code"}), rule))
}

func TestAccidentalArguments(t *testing.T) {
	for body, want := range map[string]int{
		"It costs $1,000.":                          1,
		"It costs $5 per month.":                    1,
		"Raise $2M.":                                1,
		"It costs $9.":                              1,
		"It costs $15,000.":                         0, // as many arguments nobody gives
		"It costs \\$1,000.":                        0,
		"It costs USD 1,000.":                       0,
		"Fix issue $1 now.":                         0, // may be meant
		"The group `$7` is left.":                   0,
		"```sh\nawk '{print $2}' x\n```":            1,
		"```sh\nawk '{print \\$2}' x\n```":          0,
		"```sh\nf() {\n  echo \"$1\"\n}\n```":       1,
		"```sh\ngh pr view $1\n```":                 0,
		"```sql\nSELECT a FROM b WHERE c = $1\n```": 1,
		"Echo ${1} and $HOME and $(date).":          0,
		"It is 5$ or A$ or $ alone.":                0,
		"A number too long: $99999999999999999999.": 0,
	} {
		if got := bodyFindings(t, "", body, "body/accidental-argument"); got != want {
			t.Errorf("%q has %d findings, want %d", body, got, want)
		}
	}
	if got := bodyFindings(t, "argument-hint: \"[amount]\"\n", "It costs $9.", "body/accidental-argument"); got != 0 {
		t.Error("a bare number is judged although the skill takes arguments")
	}
}

func TestUnsetVariables(t *testing.T) {
	for body, want := range map[string]int{
		"Run `python3 $SKILL_DIR/x.py`.":                                         1,
		"Run `python3 ${SKILL_DIR}/x.py`.":                                       1,
		"Run `python3 $CLAUDE_SKILL_DIR/x.py`.":                                  1, // without braces nobody replaces it
		"Run `python3 ${CLAUDE_SKILL_DIR}/x.py`.":                                0,
		"Run `python3 ${KIMI_SKILL_DIR}/x.py`.":                                  0, // another client's: body/client-variable
		"```sh\nSKILL_DIR=$(pwd)\npython3 $SKILL_DIR/x.py\n```":                  0,
		"```sh\nread -r SKILL_DIR\npython3 $SKILL_DIR/x.py\n```":                 0,
		"```sh\nfor SKILL_DIR in a b; do ls $SKILL_DIR; done\n```":               0,
		"Resolve `SKILL_DIR` first. Run `python3 $SKILL_DIR/x.py`.":              0,
		"Replace `${SKILL_DIR}` with the folder.\n\n```sh\nls ${SKILL_DIR}\n```": 0,
		"```sh\nls ${SKILL_DIR:-.}\n```":                                         0,
		"Run `ls $HOME/$MY_DIR`.":                                                0,
	} {
		if got := bodyFindings(t, "", body, "body/unset-variable"); got != want {
			t.Errorf("%q has %d findings, want %d", body, got, want)
		}
	}
}

func TestCommandsOnLoad(t *testing.T) {
	for body, want := range map[string]int{
		"State: !`git status`":             0, // meant, and Claude Code runs it
		"```\nState: !`git status`\n```":   1,
		"Write `` !`git status` `` so.":    1,
		"Not so!`git status`":              0,
		"Stop! `git status` is next.":      0,
		"```!\ngit status\n```":            0,
		"```\nState: \\!`git status`\n```": 0,
	} {
		if got := bodyFindings(t, "", body, "body/command-on-load"); got != want {
			t.Errorf("%q has %d findings, want %d", body, got, want)
		}
	}
}

// FuzzMarks holds that marks lie in the text, in order and apart.
func FuzzMarks(f *testing.F) {
	f.Add("$1 ${A} !`x` ```!\ny\n``` \\$2 $ARGUMENTS $ARGUMENTS[1] `$3`")
	f.Add("```sh\n$1\n!`a")
	f.Fuzz(func(t *testing.T, src string) {
		body := skills.ScanBody(src, 0)
		end := 0
		for _, m := range findMarks(src, 0, &body) {
			if m.span.Start < end || m.span.End <= m.span.Start || m.span.End > len(src) {
				t.Fatalf("%q: mark at %v behind %d", src, m.span, end)
			}
			end = m.span.End
			if first := m.span.In(src)[0]; !strings.ContainsRune("$!", rune(first)) {
				t.Fatalf("%q: mark %q", src, m.span.In(src))
			}
		}
	})
}

// FuzzRefer runs the rules about what a skill names over any text, judged by the first tier: spans and edits lie in
// the text.
func FuzzRefer(f *testing.F) {
	for _, rule := range referRules() {
		if !strings.HasPrefix(rule.Page.Bad, "-- ") && len(rule.Page.Bad) < 4096 {
			f.Add(rule.Page.Bad)
		}
	}
	f.Add("---\nname: a\ndescription: |\n  this skill helps you to x\nallowed-tools:\n  - 'bash'\n  - Read(\n---\n`` !`a` `` $1 \\$2 $9 @a/b.md")
	reg := lint.NewRegistry(referRules())
	r, err := lint.NewResolver(reg, lint.Flags{Clients: []string{"claude-code", "codex"}, Select: []string{"all"}})
	if err != nil {
		f.Fatal(err)
	}
	engine, set := lint.NewEngine(reg), r.Resolve(&lint.Config{}, ".")
	v := judgedView{view: view{tree: skills.NewTree(skills.Disk{}, "/")}}
	for _, p := range profile.FirstTier() {
		v.played = append(v.played, lint.Played{Profile: p, Outcome: &profile.Outcome{Status: profile.Listed, Listed: true}})
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := skills.Parse(skills.NewDocument("skills/demo/SKILL.md", "/w/skills/demo/SKILL.md", src))
		for _, x := range engine.Skill(s, v, set) {
			if x.Span.Start > x.Span.End || x.Span.End > len(s.Doc.Text) {
				t.Fatalf("%q: %s at %v", src, x.Rule.Name, x.Span)
			}
			for _, fix := range x.Fixes {
				for _, e := range fix.Edits {
					if e.Start > e.End || e.End > len(s.Doc.Text) {
						t.Fatalf("%q: %s edits %v", src, x.Rule.Name, e.Span)
					}
				}
			}
		}
	})
}
