package lint

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Suppression is one comment that turns rules off for a part of a file:
//
//	<!-- skilllint-disable-next-line RULE -- reason -->   in the body
//	# skilllint-disable-line RULE -- reason               in front matter, an MCP configuration and scripts
//	// skilllint-disable-line RULE -- reason              in an MCP configuration that may have comments, and in scripts
//
// RULE is a rule, a group or several of them with commas; without any, every rule is meant.
type Suppression struct {
	Span   text.Span // the whole comment
	Names  []string
	Reason string
	First  int // lines it holds for, from 0, both included
	Last   int
	Unsure bool // names no rule or directive that exists
	used   bool
}

const directivePrefix = "skilllint-"

const lastLine = int(^uint(0) >> 1)

// Suppressions returns the suppressing comments of a skill's file in the order of the text.
func Suppressions(s *skills.Skill, reg *Registry) []*Suppression {
	if !strings.Contains(s.Doc.Text, directivePrefix[1:]) { // a text has far fewer places with a "k" to look at than with an "s"
		return nil
	}
	return directives(s.Doc, comments(s), reg)
}

// configSuppressions returns the suppressing comments of an MCP configuration.
func configSuppressions(f *mcpconfig.File, reg *Registry) []*Suppression {
	if !strings.Contains(f.Doc.Text, directivePrefix) {
		return nil
	}
	return directives(f.Doc, f.Comments, reg)
}

// directives reads the comments of a document that suppress.
func directives(doc *skills.Document, comments []text.Span, reg *Registry) []*Suppression {
	var out []*Suppression
	var open []*Suppression // block suppressions that no enable has ended yet
	for _, c := range comments {
		sup, end := parseDirective(doc, c, reg)
		if end {
			line := doc.Lines().OffsetLine(c.Start)
			for _, o := range open {
				if len(sup.Names) == 0 || slices.Equal(o.Names, sup.Names) {
					o.Last = min(o.Last, line)
				}
			}
			continue
		}
		if sup == nil {
			continue
		}
		if sup.Last == lastLine && sup.First > 0 {
			open = append(open, sup)
		}
		out = append(out, sup)
	}
	return out
}

// comments returns the real comments of a skill's file that hold a directive: HTML comments of the body
// outside code, and YAML comments of the front matter outside values.
func comments(s *skills.Skill) []text.Span {
	var out []text.Span
	src := s.Doc.Text
	if s.Front.Format == skills.YAML {
		values := scalars(s)
		for off := s.Front.Block.Start; ; {
			i := strings.Index(src[off:s.Front.Block.End], "# "+directivePrefix)
			if i < 0 {
				break
			}
			at := text.Span{Start: off + i, End: s.Doc.Lines().Line(s.Doc.Lines().OffsetLine(off + i)).End}
			inValue := slices.ContainsFunc(values, func(v text.Span) bool { return v.Contains(at.Start) })
			if before := src[max(at.Start-1, 0)]; !inValue && (before == ' ' || before == '\t' || before == '\n' || before == '\r') {
				out = append(out, at)
			}
			off = at.End
		}
	}
	for _, c := range s.Body().Comments {
		if strings.Contains(c.In(src), directivePrefix) {
			out = append(out, c)
		}
	}
	return out
}

// scalars returns the spans of the scalar values in a skill's front matter.
func scalars(s *skills.Skill) []text.Span {
	var out []text.Span
	for i := range s.Front.Fields {
		f := &s.Front.Fields[i]
		if f.Kind() == yaml.ScalarNode || f.Kind() == 0 {
			out = append(out, f.Value)
			continue
		}
		s.Front.Nodes(s.Doc.Text, f, func(_, value *yaml.Node, at text.Span) {
			if value.Kind == yaml.ScalarNode {
				out = append(out, at)
			}
		})
	}
	return out
}

// commentMarks are what makes a comment of a text in HTML, YAML, TOML and JSON.
var commentMarks = lazyregexp.New(`^(?:<!--|#|//|/\*)\s*|\s*(?:-->|\*/)$`)

// parseDirective reads one comment. end is true for one that ends a block.
func parseDirective(doc *skills.Document, at text.Span, reg *Registry) (s *Suppression, end bool) {
	body := commentMarks.ReplaceAllString(at.In(doc.Text), "")
	if !strings.HasPrefix(body, directivePrefix) {
		return nil, false
	}
	head, reason, _ := strings.Cut(body, "--")
	words := strings.FieldsFunc(head, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' || r == '\r' })
	s = &Suppression{Span: at, Names: words[1:], Reason: strings.TrimSpace(reason)}
	first := doc.Lines().OffsetLine(at.Start)
	last := doc.Lines().OffsetLine(max(at.End-1, at.Start))
	switch strings.TrimPrefix(words[0], directivePrefix) {
	case "disable-line":
		s.First, s.Last = first, last
	case "disable-next-line":
		s.First, s.Last = last+1, last+1
	case "disable-file":
		s.First, s.Last = 0, lastLine
	case "disable":
		s.First, s.Last = max(first, 1), lastLine
	case "enable":
		return s, true
	default:
		s.Unsure = true
		s.First, s.Last = 1, 0
	}
	for _, name := range s.Names {
		if _, err := reg.Match(name); err != nil {
			s.Unsure = true
		}
	}
	return s, false
}

func (s *Suppression) covers(rule *Rule, line int) bool {
	if line < s.First || line > s.Last {
		return false
	}
	return len(s.Names) == 0 || slices.ContainsFunc(s.Names, func(n string) bool {
		return n == "all" || rule.In(n)
	})
}

// suppress drops the findings on a file that its comments suppress, and adds one for each comment that suppresses
// nothing.
func (e *Engine) suppress(doc *skills.Document, sups []*Suppression, set *Settings, findings []Finding) []Finding {
	if len(sups) == 0 {
		return findings
	}
	kept := findings[:0]
	for _, f := range findings {
		if f.File != doc.Path || !cover(sups, doc, f) {
			kept = append(kept, f)
		}
	}
	if e.unused == nil || set.Rules[e.unused].Level == Off {
		return kept
	}
	for _, sup := range sups {
		if f, ok := e.unusedFinding(doc, set, sup); ok {
			kept = append(kept, f)
		}
	}
	return kept
}

// suppressBeside drops the findings on files beside a skill's own one that a comment there suppresses.
func (e *Engine) suppressBeside(s *skills.Skill, v View, findings []Finding) []Finding {
	comments := map[string][]*Suppression{}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		if f.File == s.Doc.Path {
			return false
		}
		doc := v.Tree().Kept(filepath.Join(filepath.Dir(s.Doc.Abs), filepath.FromSlash(strings.TrimPrefix(f.File, s.Dir+"/"))))
		if doc == nil {
			return false
		}
		sups, read := comments[f.File]
		if !read {
			if path.Ext(f.File) == ".md" {
				sups = Suppressions(skills.Parse(doc), e.reg)
			} else {
				sups = directives(doc, lineComments(doc.Text), e.reg)
			}
			comments[f.File] = sups
		}
		return cover(sups, doc, f)
	})
}

// lineComments returns the comments of a script that hold a directive: what stands behind "#" or "//" at the start of a line
// or behind a blank, to the end of the line.
func lineComments(src string) []text.Span {
	var out []text.Span
	for off := 0; ; {
		i := strings.Index(src[off:], directivePrefix)
		if i < 0 {
			return out
		}
		at := off + i
		off = at + len(directivePrefix)
		before := strings.TrimRight(src[:at], " \t")
		start := len(strings.TrimRight(before, "#/"))
		mark := before[start:]
		if !strings.HasPrefix(mark, "#") && !strings.HasPrefix(mark, "//") || start > 0 && strings.IndexByte(" \t\r\n", src[start-1]) < 0 {
			continue
		}
		end := len(src)
		if n := strings.IndexAny(src[at:], "\r\n"); n >= 0 {
			end = at + n
		}
		out = append(out, text.Span{Start: start, End: end})
	}
}

// unusedFinding says that a comment suppresses nothing. One for a rule that looks at the whole workspace is
// believed: what it suppresses is not known here.
func (e *Engine) unusedFinding(doc *skills.Document, set *Settings, sup *Suppression) (Finding, bool) {
	if sup.used || !sup.Unsure && e.mayBeWorkspace(sup) {
		return Finding{}, false
	}
	f := Finding{
		Rule: e.unused, Severity: set.Rules[e.unused].Level, File: doc.Path, Span: sup.Span,
		Message: "this comment suppresses nothing: no rule finds anything there",
		Help:    "remove the comment",
		Fixes:   []Fix{{Title: "remove the comment", Safe: true, Edits: []Edit{{doc.Path, text.Edit{Span: sup.Span}}}}},
	}
	if sup.Unsure {
		f.Message, f.Help, f.Fixes = "this comment suppresses nothing: it names no rule that exists", e.unknownName(sup), nil
	}
	return f, true
}

func (e *Engine) unknownName(sup *Suppression) string {
	for _, name := range sup.Names {
		if _, err := e.reg.Match(name); err != nil {
			return err.Error()
		}
	}
	return "write skilllint-disable-line, -disable-next-line, -disable, -enable or -disable-file"
}

func (e *Engine) mayBeWorkspace(sup *Suppression) bool {
	return slices.ContainsFunc(e.reg.rules, func(r *Rule) bool {
		return r.Scope == WorkspaceScope && slices.ContainsFunc(sup.Names, r.In)
	})
}

func cover(sups []*Suppression, doc *skills.Document, f Finding) bool {
	line := doc.Lines().OffsetLine(min(f.Span.Start, len(doc.Text)))
	hit := false
	for _, s := range sups {
		if !s.Unsure && s.covers(f.Rule, line) {
			s.used, hit = true, true
		}
	}
	return hit
}

// suppressed reports whether a comment in the file, of a skill or of an MCP configuration, covers a finding of a
// workspace rule. At most one of the two is not nil.
func suppressed(s *skills.Skill, c *mcpconfig.File, reg *Registry, f Finding) bool {
	switch {
	case s != nil:
		return cover(Suppressions(s, reg), s.Doc, f)
	case c != nil:
		return cover(configSuppressions(c, reg), c.Doc, f)
	}
	return false
}
