package skills

import (
	"cmp"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// ReferenceKind tells how a text refers to a file.
type ReferenceKind uint8

const (
	LinkReference ReferenceKind = iota // a Markdown link or image
	CodeReference                      // a path in backticks, outside the text of a link
	RunReference                       // a script that a command line runs
)

// Base is the folder that the path of a reference starts from.
type Base uint8

const (
	HereBase   Base = iota // the text names none
	SkillBase              // a variable for the skill's own folder stands in front
	PluginBase             // a variable for the plugin's root stands in front
)

// Reference is a place in a text that names a file.
type Reference struct {
	Kind     ReferenceKind
	Base     Base
	Span     text.Span // the path as written, with the variable in front, without query and fragment
	Path     string    // decoded, without the variable; a reference with a fragment alone has none
	Fragment string    // decoded, without "#"
	Anchor   text.Span // the fragment as written, without "#"
	Run      *Run      // what a RunReference runs
}

// Run is one command of a shell that runs a script.
type Run struct {
	Program string // what stands in front of the script, such as "python", its version left off; "" when the script is run itself
	Dotted  bool   // the script is written with "./" in front
	Fence   bool   // the command stands in a fenced code block
	Shell   bool   // which says that it holds commands
	Flags   []Flag // the words after the script that start with "-", up to "--"
}

// Flag is an option given to a script.
type Flag struct {
	Text string // "--name" without a value
	Span text.Span
}

// folderVariables are the names, without what marks them as variables, that skills use for folders.
// Counted in published skills: https://github.com/openclaw/skills and 78 other repositories.
var folderVariables = map[string]Base{
	"baseDir": SkillBase, "base_dir": SkillBase, "base-dir": SkillBase, "BASE_DIR": SkillBase,
	"SKILL_DIR": SkillBase, "skill_dir": SkillBase, "skillDir": SkillBase, "skill-dir": SkillBase,
	"skill_directory": SkillBase, "skill-directory": SkillBase, "SKILL_ROOT": SkillBase, "skill-root": SkillBase, "skill_root": SkillBase,
	"SKILL_PATH": SkillBase, "skill_path": SkillBase, "skill-path": SkillBase,
	"CLAUDE_SKILL_DIR": SkillBase, "KIMI_SKILL_DIR": SkillBase, "AGENT_SKILL_DIR": SkillBase,
	"CLAUDE_PLUGIN_ROOT": PluginBase, "PLUGIN_ROOT": PluginBase, "plugin-root": PluginBase, "plugin_root": PluginBase, "pluginRoot": PluginBase,
}

// IsFolderVariable reports whether a name is one that skills use for the folder of the skill or of the plugin.
func IsFolderVariable(name string) bool {
	_, ok := folderVariables[name]
	return ok
}

// variableMarks are the ways a variable is written.
var variableMarks = [...]struct{ open, close string }{{"${", "}"}, {"{{", "}}"}, {"{", "}"}, {"<", ">"}, {"$", ""}}

// cutVariable takes a variable for a folder from the front of a path.
func cutVariable(s string) (base Base, rest string) {
	if s == "" || strings.IndexByte("${<", s[0]) < 0 {
		return HereBase, s
	}
	for _, m := range variableMarks {
		inner, ok := strings.CutPrefix(s, m.open)
		if !ok {
			continue
		}
		n := strings.IndexFunc(inner, func(r rune) bool {
			return r != '_' && r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if n < 0 {
			n = len(inner)
		}
		base, known := folderVariables[inner[:n]]
		rest, closed := strings.CutPrefix(inner[n:], m.close)
		if known && closed && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return base, strings.TrimLeft(rest, `/\`)
		}
	}
	return HereBase, s
}

// References returns what a text refers to, in the order of the text. b is the text's body.
// Which of them are paths at all, and whether there is such a file, is for others to judge.
func References(src string, b *Body) []Reference {
	out := make([]Reference, 0, len(b.Links)+len(b.Fences))
	for i := range b.Links {
		if r, ok := linkReference(src, &b.Links[i]); ok {
			out = append(out, r)
		}
	}
	for _, c := range b.CodeSpans {
		if !b.inLink(c.Span) {
			out = append(out, codeReferences(src, c)...)
		}
	}
	for _, f := range b.Fences {
		if shellFence(f.Info.In(src)) {
			out = append(out, fenceReferences(src, f)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Reference) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return out
}

// inLink reports whether a span lies in the text of a link.
func (b *Body) inLink(at text.Span) bool {
	i, _ := slices.BinarySearchFunc(b.Links, at.Start, func(l Link, off int) int { return cmp.Compare(l.Span.End, off+1) })
	return i < len(b.Links) && b.Links[i].Span.Covers(at)
}

func linkReference(src string, l *Link) (Reference, bool) {
	raw := l.Dest.In(src)
	if l.Kind == Autolink || raw == "" || HasScheme(raw) || strings.HasPrefix(raw, "//") {
		return Reference{}, false
	}
	r := Reference{Kind: LinkReference, Span: l.Dest}
	if i := fragmentStart(raw); i >= 0 {
		r.Anchor = text.Span{Start: l.Dest.Start + i + 1, End: l.Dest.End}
		r.Fragment = decodeDestination(raw[i+1:])
		r.Span.End, raw = l.Dest.Start+i, raw[:i]
	}
	if i := strings.IndexByte(raw, '?'); i >= 0 {
		r.Span.End, raw = l.Dest.Start+i, raw[:i]
	}
	r.Base, r.Path = cutVariable(decodeDestination(raw))
	return r, true
}

// fragmentStart returns the offset of the "#" in front of a fragment, not that of a character reference such
// as "&#46;", or -1.
func fragmentStart(dest string) int {
	for i := range len(dest) {
		if dest[i] == '#' && (i == 0 || dest[i-1] != '&') {
			return i
		}
	}
	return -1
}

// decodeDestination takes backslash escapes, character references and percent-encoding from a link destination.
// https://spec.commonmark.org/0.31.2/#link-destination
func decodeDestination(s string) string {
	if strings.IndexByte(s, '\\') >= 0 {
		s = unescape(s)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if strings.IndexByte(s, '%') >= 0 {
		if plain, err := url.PathUnescape(s); err == nil {
			return plain
		}
	}
	return s
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && escapeLength(s, i) == 2 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// HasScheme reports whether an address starts with a scheme, "mailto:" or the letter of a drive included.
func HasScheme(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c), i > 0 && (isDigit(c) || strings.IndexByte("+.-", c) >= 0):
		default:
			return c == ':' && i > 0
		}
	}
	return false
}

// codeReferences reads inline code as a path, or as a command when it holds blanks.
func codeReferences(src string, c CodeSpan) []Reference {
	raw := c.Content.In(src)
	if !strings.ContainsAny(raw, `/\`) || strings.ContainsAny(raw, "\r\n") {
		return nil
	}
	at := c.Content
	at.Start += len(raw) - len(strings.TrimLeft(raw, " "))
	at.End -= len(raw) - len(strings.TrimRight(raw, " "))
	raw = at.In(src)
	if strings.IndexByte(raw, ' ') >= 0 {
		var s shell
		return s.line(src, at)
	}
	if HasScheme(raw) {
		return nil
	}
	r := Reference{Kind: CodeReference, Span: at}
	if i := strings.IndexByte(raw, '#'); i > 0 {
		r.Anchor, r.Fragment = text.Span{Start: at.Start + i + 1, End: at.End}, raw[i+1:]
		r.Span.End, raw = at.Start+i, raw[:i]
	}
	r.Base, r.Path = cutVariable(raw)
	return []Reference{r}
}
