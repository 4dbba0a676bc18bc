package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
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

// mentionSuppressors are what the line of a path in backticks says when the file need not exist: an example,
// a file that is made at run time, a file of something else.
var mentionSuppressors = wordPattern(
	`e\.g\.`, `examples?`, `for instance`, `would be`, `such as`, `like`, `imagine`, `suppose`,
	`sav(e[sd]?|ing)`, `writ(e[sn]?|ing|ten)`, `creat(e[sd]?|ing)`, `generat(e[sd]?|ing)`, `outputs?`, `stor(e[sd]?|ing)`, `export(s|ed)?`,
	`cop(y|ies|ied)`, `mov(e[sd]?|ing)`, `add(s|ed|ing)?`, `optional(ly)?`, `if (it )?(exists|present|available|needed)`, `when present`,
	`put`, `plac(e[sd]?|ing)`, `log to`, `append(s|ed)?`, `emit(s|ted)?`, `produc(e[sd]?|ing)`, `renam(e[sd]?|ing)`, `delet(e[sd]?|ing)`, `remov(e[sd]?|ing)`,
	`missing`, `does(n't| not) exist`, `no longer`, `not (yet )?(shipped|included|bundled)`, `planned`, `todo`, `future`,
	"`[^`]+` skill", `skills?'s?`, `dependency skill`, `(this|the) plugin`, `plugins?/`, `plugin root`, `repo(sitory)? root`, `project root`, `(your|the|target|user'?s?) (project|repo|repository|codebase|workspace)`,
	`repo-level`, `upstream`, `sibling`, `shared`,
).with("例如", "比如", "保存", "生成", "写入", "创建", "輸出", "输出", "作成", "出力", "追加", "可选", "任意")

// runSuppressors are the same for a command that runs a script.
var runSuppressors = wordPattern(`e\.g\.`, `for example`, `would be`, `if (it )?exists`, `your (own )?project`).with("例如")

// teachingNames are parts of the names of skills that teach how to write skills: their paths are examples.
var teachingNames = wordPattern(
	`(skills?|plugins?|agents?|commands?)-(creat|writ|build|author|develop|generat|templat|forg|design|edit|mak|manag|review|optimi|improv|audit|install|smith|factory|standard|guide|best)\w*`,
	`(creat|writ|build|author|develop|generat|forg|design|mak|add|new|scaffold|improv|test|optimi)\w*-(an?-)?(\w+-)?(skills?|plugins?)`, `skill-?creator`, `template(-skill)?`,
)

// words is a list of words and phrases to look for in a line.
type words struct {
	pattern *regexp.Regexp
	parts   []string // of scripts without blanks between words
}

func wordPattern(alternatives ...string) words {
	return words{pattern: regexp.MustCompile(`(?i)(^|[^\pL\pN_-])(` + strings.Join(alternatives, "|") + `)($|[^\pL\pN_-])`)}
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
	return strings.IndexAny(p, "./\\") < 0 && strings.ToUpper(p) != p || strings.IndexByte(p, '.') < 0 && !isASCII(p)
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
	return teachingNames.in(j.skill.Name()) || teachingNames.in(j.skill.Folder) || slices.Contains(strings.Split(j.skill.Dir, "/"), "template")
}

// suppressed reports whether the line of a reference holds one of the words.
func (j *judge) suppressed(r *skills.Reference, w words) bool {
	lines := j.doc.Lines()
	return w.in(lines.Line(lines.OffsetLine(r.Span.Start)).In(j.doc.Text))
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
