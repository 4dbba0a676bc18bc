package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var bodyArgument = &lint.Rule{
	Name: "body/accidental-argument", Severity: lint.Warning, Scope: lint.BodyScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A dollar sign with a number, in a price or a command, is read as an argument of the skill.",
		Why: "Claude Code puts the words of the arguments in the place of $0, $1 … wherever they stand, code included: called with two words, `awk '{print $1}'` prints something else and \"$1,000\" starts with a word. " +
			"Kimi Code takes the number away even without arguments. Numbers of two digits need as many arguments, so only a client that always replaces is told of them. " +
			"Numbers that are meant as arguments are not judged: alone in inline code, or small and bare beside `argument-hint`, `arguments` or $ARGUMENTS.",
		Bad:     bodyHead + "```sh\nls -l | awk '{print $5}'\n```\n",
		Good:    bodyHead + "```sh\nls -l | awk '{print \\$5}'\n```\n",
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		marks := bodyMarks(p)
		if len(marks) == 0 || teachesSkills(p.Skill) {
			return
		}
		readers, _ := split(judges(p), func(c *profile.Profile) bool { return takes(c, "$N") })
		var hit []mark
		for _, m := range accidental(p, marks) {
			if slices.ContainsFunc(readers, func(c *profile.Profile) bool { return m.number < 10 || c.Activation.Args.Missing == "empty" }) {
				hit = append(hit, m)
			}
		}
		if len(hit) > 0 {
			p.Report(accidentFinding(p, hit, readers))
		}
	},
}

// bodyHead starts the examples of the pages about bodies.
const bodyHead = "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\n"

// takes reports whether a client replaces a form of argument.
func takes(c *profile.Profile, form string) bool {
	return slices.Contains(c.Activation.Args.Placeholders, form)
}

func accidentFinding(p *lint.Pass, hit []mark, readers []*profile.Profile) lint.Finding {
	first := hit[0]
	f := lint.Finding{
		Span:    first.span,
		Message: fmt.Sprintf("%s is replaced by an argument%s", first.span.In(p.Text()), more(len(hit)-1)),
		Effect:  fmt.Sprintf("%s put the words the skill is called with in such places, in code too", lint.Labels(readers...)),
		Help:    `write \` + first.span.In(p.Text()) + ", or the amount without the sign",
	}
	if len(readers) == 1 {
		f.Effect = strings.Replace(f.Effect, " put the words", " puts the words", 1)
	}
	if slices.ContainsFunc(readers, func(c *profile.Profile) bool { return !c.Activation.Args.Escape }) {
		return f // where a backslash means nothing it would stand in the text
	}
	fix := lint.Fix{Title: "put a backslash before the dollar sign"}
	for _, m := range hit {
		fix.Edits = append(fix.Edits, lint.Insert(m.span.Start, `\`))
	}
	f.Fixes = []lint.Fix{fix}
	return f
}

// more tells of further places of the same kind.
func more(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", here and at 1 other place"
	}
	return fmt.Sprintf(", here and at %d other places", n)
}

// accidental returns the numbers with a dollar sign that are not meant as arguments.
func accidental(p *lint.Pass, marks []mark) []mark {
	deliberate := meansArguments(p, marks)
	var out []mark
	for _, m := range marks {
		if m.kind != numberMark || m.escaped || m.alone {
			continue
		}
		certain := amount(p.Text(), m) || inProgram(p, m)
		if certain || !deliberate && m.number > 3 {
			out = append(out, m)
		}
	}
	return out
}

// meansArguments reports whether the skill may be written to take arguments by number or name.
func meansArguments(p *lint.Pass, marks []mark) bool {
	return takesArguments(p, marks) || slices.ContainsFunc(marks, func(m mark) bool { return m.kind == numberMark && m.alone })
}

// takesArguments reports whether the skill says for certain that it takes arguments.
func takesArguments(p *lint.Pass, marks []mark) bool {
	return field(p, "argument-hint") != nil || field(p, "arguments") != nil ||
		slices.ContainsFunc(marks, func(m mark) bool { return m.kind == argumentsMark })
}

// amountTail is what follows the number of an amount of money: digits, a unit, or a share of time or work.
var amountTail = lazyregexp.New(`^([,.]\d|[kKMBT]\b|\+|-\$?\d|–\$?\d|/(\pL|\d)| ?(per|each|USD|million|billion)\b|万|亿|億)`)

// amount reports whether a number is one of money.
func amount(src string, m mark) bool {
	return m.number >= 10 || amountTail.MatchString(src[m.span.End:min(len(src), m.span.End+16)])
}

// Commands that have fields of their own, and what tells a block of shell or SQL whose parameters are its own.
var (
	fieldCommand = lazyregexp.New(`\b(awk|gawk|mawk|perl|sed|cut)\b[^|]*$`)
	ownParams    = lazyregexp.New(`(?m)\w\s*\(\)\s*\{|^\s*function \w|^#!|\$[#@*]|\bshift\b|\bgetopts\b|\blocal \w+=|\bset --`)
	sqlParam     = lazyregexp.New(`(?i)\b(where|values|set|and|limit|select|in)\b[^;]*[=(, ]\s*$`)
	sqlWord      = lazyregexp.New(`(?i)\b(select|insert|update|delete)\b`)
)

// inProgram reports whether a number is a field or parameter of a program in the text.
func inProgram(p *lint.Pass, m mark) bool {
	src := p.Text()
	lines := p.Doc().Lines()
	line := lines.Line(lines.OffsetLine(m.span.Start))
	before := src[line.Start:m.span.Start]
	if (m.fenced || m.coded) && (fieldCommand.MatchString(before) || sqlWord.MatchString(before) && sqlParam.MatchString(before)) {
		return true
	}
	f := fenceAt(p.Skill.Body(), m.span.Start)
	return f != nil && shellLanguage(f.Info.In(src)) && ownParams.MatchString(f.Content.In(src))
}

// shellLanguage reports whether the info string of a fence names a shell.
func shellLanguage(info string) bool {
	language, _, _ := strings.Cut(strings.ToLower(info), " ")
	return slices.Contains([]string{"sh", "bash", "zsh", "shell", "console", "ksh"}, language)
}

// teachesSkills reports whether a skill is about writing skills, commands or plugins: what it shows is meant
// for others.
func teachesSkills(s *skills.Skill) bool {
	return teachingName(s.Name()) || teachingName(s.Folder)
}
