package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

var descriptionPlaceholder = &lint.Rule{
	Name: "description/placeholder", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "The description is the text of a template that nobody filled in.",
		Why: "Templates of skills bring a description that tells what to write. A model that reads it learns nothing. Only whole phrases count: " +
			"of 45 published descriptions with \"TODO\" in them all were about to-do lists.",
		Bad:  "---\nname: demo\ndescription: \"[TODO: what the skill does and when to use it]\"\n---\n\n# Steps\n\nRename.\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		if f := stringField(p, "description"); f != nil && unfilled(f.Text) {
			p.Report(lint.Finding{
				Span:    descriptionStart(p, f),
				Message: "the description is the text of a template",
				Help:    "say what the skill does and when to use it",
			})
		}
	},
}

func unfilled(text string) bool {
	return placeholderStart.MatchString(text) || strings.Contains(text, "翻訳が必要です")
}

// placeholderStart is how the templates of Anthropic's and others' skill creators start.
var placeholderStart = lazyregexp.New(`(?i)^\W{0,2}((todo|tbd|fixme|wip)\W*$|todo\b([:\]]| (describe|write|fill|complete|update)\b)|replace with |(add|enter|insert|put|write) (your |a |the )?(skill )?description( here\b|\W*$| (of|for) (what|(the|your|this|a) skill\b))|(your |skill |a )(skill )?description( here|$)|` +
	`(a )?(brief|short|clear) description of |description of (what|the skill|your)|lorem ipsum|\{\{\s*\w*description|\{description\}|[\[<](skill )?description)`)

var descriptionPrompt = &lint.Rule{
	Name: "description/prompt", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "The description is a prompt that gives the model a role.",
		Why: "A description stands in a list of skills, beside others: \"You are a senior tester\" says there neither what the skill does nor when to use it. 43 of 13,569 published descriptions start that way, " +
			"pasted from collections of prompts.",
		Bad:  "---\nname: demo\ndescription: You are a photographer who renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		f := stringField(p, "description")
		if f == nil || !rolePrompt.MatchString(f.Text) {
			return
		}
		p.Report(lint.Finding{
			Span:    descriptionStart(p, f),
			Message: "the description gives the model a role, as a prompt does",
			Help:    "say what the skill does and when to use it; the role belongs in the body",
		})
	},
}

var rolePrompt = lazyregexp.New(`(?i)^\W{0,2}(you are (a|an|the|now)\b|you're (a|an|the)\b|act as (a|an|the)\b|i am (a|an)\b|i want you to\b|your (role|task|job) is\b)`)

var descriptionRepeatsName = &lint.Rule{
	Name: "description/repeats-name", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "The description says no more than the name.",
		Why:  "The model sees both; the second time it learns nothing. 73 % of the tools of 10,831 MCP servers only restate their name (arXiv 2602.18914), of published skills few do.",
		Bad:  "---\nname: demo\ndescription: The demo skill.\n---\n\n# Steps\n\nRename.\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		f := stringField(p, "description")
		if f == nil || len(f.Text) > 2*len(p.Skill.Name())+40 || !sameWords(f.Text, p.Skill.Name()) {
			return
		}
		p.Report(lint.Finding{
			Span:    descriptionStart(p, f),
			Message: "the description says no more than the name",
			Help:    "say what the skill does and when to use it",
		})
	},
}

// sameWords reports whether all words of a description that mean anything stand in the name.
func sameWords(description, name string) bool {
	known := wordsOf(name)
	n := 0
	for _, w := range wordsOf(description) {
		if emptyWords[w] {
			continue
		}
		n++
		if !slices.Contains(known, w) {
			return false
		}
	}
	return n > 0
}

var descriptionEmptyWords = &lint.Rule{
	Name: "description/empty-words", Severity: lint.Hint, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The description starts with words that say nothing, such as \"This skill helps you to\".",
		Why:  "Where the list of skills is long, clients cut descriptions; the first words count most. That it is a skill the model knows.",
		Bad:  "---\nname: demo\ndescription: This skill helps you to rename photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		f := stringField(p, "description")
		if f == nil {
			return
		}
		first := descriptionStart(p, f)
		at := emptyStart.FindStringIndex(first.In(p.Text()))
		if at == nil {
			return
		}
		span := text.Span{Start: first.Start, End: first.Start + at[1]}
		rest := p.Text()[span.End:first.End]
		p.Report(lint.Finding{
			Span:    text.Span{Start: span.Start, End: span.Start + len(strings.TrimRight(span.In(p.Text()), " "))},
			Message: "the description starts with words that say nothing",
			Help:    "start with what the skill does",
			Fixes:   dropStart(span, rest),
		})
	},
}

// emptyStart is a beginning that says nothing.
var emptyStart = lazyregexp.New(`(?i)^(this|the|a) (\w+ )?skill (is used to|is designed to|is for|is a skill (that|to|for)|allows you to|lets you|enables you to|helps (you )?(to )?|provides|can be used to|will help you( to)?|that helps (you )?(to )?)\s*`)

// dropStart offers to delete a beginning, with the next letter made a capital one.
func dropStart(span text.Span, rest string) []lint.Fix {
	if rest == "" || rest[0] < 'a' || rest[0] > 'z' {
		return nil
	}
	span.End++
	return []lint.Fix{{Title: "start with what the skill does", Edits: []lint.Edit{lint.Replace(span, strings.ToUpper(rest[:1]))}}}
}
