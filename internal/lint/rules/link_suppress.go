package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// What follows tells references from what only looks like one. Each list was made from the false alarms
// among several hundred references read by hand in published skills; link_suppress_test.go holds examples.

// resourceFolders are the folders of a skill in which a path in backticks is a file of the skill: 84 to 89 %
// of such paths exist. In other folders (docs/, src/, tests/ …) it is the user's project: at most 35 % do.
var resourceFolders = []string{
	"references", "reference", "scripts", "assets", "templates", "resources", "rules", "examples", "workflows", "prompts",
}

// placeholderTargets are link targets that stand for an address to be filled in.
var placeholderTargets = []string{"url", "link", "path", "href", "src", "file", "filename", "path.md", "file.md", "link.md", "url.md"}

// placeholderWords are parts of a path that stand for a date or a number to be filled in.
var placeholderWords = []string{"...", "…", "YYYY", "MM-DD", "XXX", "NNN", "xxx", "path/to/"}

// The line around a path in backticks tells when the file need not be in the skill: exampleWords say that it is an
// example, madeWords that it is made at run time, elsewhereWords that it belongs to something else.
var (
	exampleWords = wordPattern(`e\.g\.`, `examples?`, `for instance`, `would be`, `such as`, `like`, `imagine`, `suppose`, `hypothetical`).with("例如", "比如", "例えば", "예를")
	madeWords    = wordPattern(
		`sav(e[sd]?|ing)`, `writ(e[sn]?|ing|ten)`, `creat(e[sd]?|ing)`, `generat(e[sd]?|ing)`, `outputs?`, `stor(e[sd]?|ing)`, `export(s|ed)?`,
		`cop(y|ies|ied)`, `mov(e[sd]?|ing)`, `add(s|ed|ing)?`, `optional(ly)?`, `if (it )?(exists|present|available|needed)`, `when present`,
		`put`, `plac(e[sd]?|ing)`, `log to`, `append(s|ed)?`, `emit(s|ted)?`, `produc(e[sd]?|ing)`, `renam(e[sd]?|ing)`, `delet(e[sd]?|ing)`, `remov(e[sd]?|ing)`,
		`missing`, `does(n't| not) exist`, `no longer`, `not (yet )?(shipped|included|bundled)`, `planned`, `todo`, `future`,
	).with("保存", "生成", "写入", "创建", "輸出", "输出", "产出", "作成", "出力", "追加", "可选", "任意", "생성", "저장")
	// readWords in front of a path say that the file is to be read, whatever examples the line speaks of.
	readWords      = lazyregexp.New("(?i)(^|\\W)(open|read|see|load|consult|view|follow|refer to|详见|参见|阅读|参照|見る)[ :*]*`$")
	elsewhereWords = wordPattern(
		"`[^`]+` skill", "`[^`]+`'s", `skills?'s?`, `dependency skill`, `(this|the) plugin`, `plugins?/`, `root`,
		`(your|the|target|user'?s?) (project|repo|repository|codebase|workspace)`, `repo-level`, `upstream`, `sibling`, `shared`,
	)
)

// teachingSubjects are what the skills teach to write: one is part of every name that teachingNames matches.
var teachingSubjects = []string{"skill", "plugin", "agent", "command", "template"}

// teachingNames are parts of the names of skills that teach how to write skills: their paths are examples.
var teachingNames = wordPattern(
	`(skills?|plugins?|agents?|commands?)-(creat|writ|build|author|develop|generat|templat|forg|design|edit|mak|manag|review|optimi|improv|audit|install|smith|factory|standard|guide|best)\w*`,
	`(creat|writ|build|author|develop|generat|forg|design|mak|add|new|scaffold|improv|test|optimi)\w*-(an?-)?(\w+-)?(skills?|plugins?)`, `skill-?creator`, `template(-skill)?`,
)

// words is a list of words and phrases to look for in a line.
type words struct {
	pattern *lazyregexp.Regexp
	parts   []string // of scripts without blanks between words
}

func wordPattern(alternatives ...string) words {
	return words{pattern: lazyregexp.New(`(?i)(^|[^\pL\pN_-])(` + strings.Join(alternatives, "|") + `)($|[^\pL\pN_-])`)}
}

func (w words) with(parts ...string) words {
	w.parts = parts
	return w
}

func (w words) in(s string) bool {
	return w.pattern.MatchString(s) || slices.ContainsFunc(w.parts, func(p string) bool { return strings.Contains(s, p) })
}

// plainPath reports whether a path can be looked up: it is relative and holds nothing to be filled in.
func plainPath(p string) bool {
	if p[0] == '/' || p[0] == '~' || p[0] == '@' || p[0] == '#' || skills.HasScheme(p) || strings.ContainsAny(p, "<>{}[]*$|\"'`=,;\n\r\x00") {
		return false
	}
	return !slices.ContainsFunc(placeholderWords, func(w string) bool { return strings.Contains(p, w) })
}

// noLinkTarget reports whether the target of a link is a placeholder: a single word in lower case, or
// in a script without case, that has neither a folder nor an extension.
func noLinkTarget(p string) bool {
	if slices.Contains(placeholderTargets, strings.ToLower(p)) {
		return true
	}
	return !strings.ContainsAny(p, "./\\") && strings.ToUpper(p) != p || strings.IndexByte(p, '.') < 0 && !isASCII(p)
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > 0x7E }) < 0 }

// hiddenTarget reports whether a path starts with a folder such as .github, which is the user's project.
func hiddenTarget(p string) bool {
	first, _, deeper := strings.Cut(strings.TrimPrefix(p, "./"), "/")
	return deeper && len(first) > 2 && first[0] == '.'
}

// inResourceFolder reports whether a path names a file, with an extension, in one of the resource folders.
func inResourceFolder(p string) bool {
	p = strings.TrimPrefix(p, "./")
	first, rest, ok := strings.Cut(p, "/")
	ext := path.Ext(rest)
	return ok && slices.Contains(resourceFolders, first) && len(ext) > 1 && len(ext) <= len(".markdown") && strings.IndexByte(p, ' ') < 0
}

// mustRun reports whether a command line names a script of the skill for certain: an interpreter, "./" or a
// variable for the skill's folder stands in front of scripts/.
func mustRun(r *skills.Reference) bool {
	certain := r.Run.Program != "" || r.Run.Dotted || r.Base != skills.HereBase
	p := strings.TrimPrefix(r.Path, "./")
	return certain && path.Ext(p) != "" && (strings.HasPrefix(p, "scripts/") || r.Base != skills.HereBase && inResourceFolder(p))
}

// teaches reports whether the skill is about writing skills or a template of one.
func (j *judge) teaches() bool {
	return teachingName(j.skill.Name()) || teachingName(j.skill.Folder) || slices.Contains(strings.Split(j.skill.Dir, "/"), "template")
}

func teachingName(name string) bool {
	subject := func(s string) bool { return strings.Contains(name, s) }
	return slices.ContainsFunc(teachingSubjects, subject) && teachingNames.in(name)
}

// suppressedMention reports whether the text around a path in backticks, the heading above it, or what is said of
// its folder elsewhere, means that the file need not be in the skill.
func (j *judge) suppressedMention(r *skills.Reference) bool {
	line := around(j.doc, r.Span)
	folder, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "./"), "/")
	example := exampleWords.in(line) && !readWords.MatchString(j.lineBefore(r.Span)) || exampleWords.in(j.heading(r.Span))
	return example || elsewhereWords.in(line) ||
		folder == "scripts" && !j.bringsScripts() || j.folderElsewhere(folder) || j.followsSkill(r.Span) || j.liesDeeper(r)
}

// lineBefore returns the line of a place up to it.
func (j *judge) lineBefore(at text.Span) string {
	return j.doc.Text[strings.LastIndexByte(j.doc.Text[:at.Start], '\n')+1 : at.Start]
}

// bringsScripts reports whether the skill has a folder of scripts, or runs scripts of its own. Where it has none,
// scripts/ is most often a folder of the user's project.
func (j *judge) bringsScripts() bool {
	return j.skill.Holds("scripts") || slices.ContainsFunc(j.order, func(a *absence) bool {
		return a.rule == ruleScriptMissing && a.refs[0].Base == skills.SkillBase
	})
}

// folderElsewhere reports whether the text says of a folder in backticks that it is not the skill's.
func (j *judge) folderElsewhere(folder string) bool {
	if j.foreign == nil {
		j.foreign = map[string]bool{}
		for _, c := range j.body.CodeSpans {
			name, ok := strings.CutSuffix(c.Content.In(j.doc.Text), "/")
			if ok && slices.Contains(resourceFolders, name) && elsewhereWords.in(around(j.doc, c.Span)) {
				j.foreign[name] = true
			}
		}
	}
	return j.foreign[folder]
}

// followsSkill reports whether the name of another skill stands right before a code span.
func (j *judge) followsSkill(at text.Span) bool {
	before := strings.TrimRight(j.doc.Text[:at.Start], " `*_\"'")
	word := before[strings.LastIndexAny(before, " \t\n`*(")+1:]
	return word != "" && slices.ContainsFunc(j.pass.View.Skills(), func(s *skills.Skill) bool {
		return s.Folder == word && s != j.skill
	})
}

// suppressedRun reports whether the line of a command, or the one that introduces the block it stands in, says
// that the script need not be in the skill.
func (j *judge) suppressedRun(r *skills.Reference) bool {
	lines := j.doc.Lines()
	line := lines.Line(lines.OffsetLine(r.Span.Start)).In(j.doc.Text)
	if !r.Run.Fence { // in a sentence, which may speak of a script of somebody else
		return !j.skill.Holds("scripts") || madeWords.in(around(j.doc, r.Span)) || j.suppressedMention(r)
	}
	intro := j.introduction(r.Span)
	return exampleWords.in(line) || elsewhereWords.in(intro) || j.liesDeeper(r)
}

// liesDeeper reports whether the text tells elsewhere that a path written from the folder at hand lies below one that is
// not the skill's: repo/scripts/pack.sh.
func (j *judge) liesDeeper(r *skills.Reference) bool {
	if r.Base != skills.HereBase {
		return false
	}
	longer, src := "/"+strings.TrimPrefix(r.Path, "./"), j.doc.Text
	for at := 0; ; at += len(longer) {
		i := strings.Index(src[at:], longer)
		if i < 0 {
			return false
		}
		at += i
		folder := src[strings.LastIndexFunc(src[:at], func(c rune) bool { return c != '-' && c != '_' && !isWord(c) })+1 : at]
		if folder != "" && folder != j.skill.Folder {
			return true
		}
	}
}

// heading returns the text of the heading that a place stands under, or "".
func (j *judge) heading(at text.Span) string {
	title := ""
	for _, h := range j.body.Headings {
		if h.Span.Start < at.Start {
			title = h.Text.In(j.doc.Text)
		}
	}
	return title
}

// introduction returns the paragraph above the fenced code block that a place stands in, or "".
func (j *judge) introduction(at text.Span) string {
	for _, f := range j.body.Fences {
		if f.Span.Covers(at) {
			before := strings.TrimRight(j.doc.Text[:f.Span.Start], " \t\r\n>")
			return around(j.doc, text.At(max(len(before)-1, 0)))
		}
	}
	return ""
}

// around returns the text that a place belongs to: its line, with the lines before and after it up to the ends of
// the sentence when the paragraph is wrapped.
func around(doc *skills.Document, at text.Span) string {
	lines := doc.Lines()
	first := lines.OffsetLine(at.Start)
	last := first
	line := func(n int) string { return strings.TrimSpace(lines.Line(n).In(doc.Text)) }
	for first > 0 && !startsBlock(line(first)) && line(first-1) != "" && !endsSentence(line(first-1)) {
		first--
	}
	for !endsSentence(line(last)) && line(last+1) != "" && !startsBlock(line(last+1)) {
		last++
	}
	return doc.Text[lines.Line(first).Start:lines.Line(last).End]
}

// startsBlock reports whether a line starts a list item, a heading, a row of a table or a fence.
func startsBlock(line string) bool {
	return line != "" && strings.IndexByte("-*+#|>0123456789", line[0]) >= 0 || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func endsSentence(line string) bool {
	return strings.HasSuffix(line, ".") || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "。") || strings.HasSuffix(line, "|")
}

// minFillIns is how many parts to be filled in make a text a template.
const minFillIns = 10

// fillIn is a part such as [Component name] that is no link.
var fillIn = lazyregexp.New(`\[[A-Z][^\]\[\n]{2,60}\](?:[^(\[:]|$)`)

// isTemplate reports whether the text is one to be filled in, so that names of files in it are as well.
func (j *judge) isTemplate() bool {
	if j.fillIns == 0 {
		j.fillIns = 1 + len(fillIn.FindAllString(j.doc.Text, minFillIns))
	}
	return j.fillIns > minFillIns
}

// doubtful returns the offset from which it is not certain what is code and what is text: that of the first
// fence that is never closed, or that holds the opening of another one of its own kind, whose closing ends it
// too early.
func doubtful(src string, b *skills.Body) int {
	for _, f := range b.Fences {
		if !f.Closed || opensAnother(f.Content.In(src), f.Open.In(src)) {
			return f.Span.Start
		}
	}
	return len(src)
}

// opensAnother reports whether a line of code starts a fence with an info string that the fence around it
// would take for its own.
func opensAnother(content, open string) bool {
	for off := 0; ; {
		i := strings.Index(content[off:], open)
		if i < 0 {
			return false
		}
		i += off
		start := strings.LastIndexByte(content[:i], '\n') + 1
		rest := strings.TrimLeft(content[i:], open[:1])
		if strings.Trim(content[start:i], " \t>") == "" && rest != "" && rest[0] > ' ' && rest[0] != '`' {
			return true
		}
		off = i + len(content[i:]) - len(rest)
	}
}
