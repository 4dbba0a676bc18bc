package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var frontMissing = &lint.Rule{
	Name: "frontmatter/missing", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The file has no front matter, or keys without the `---` line above them.",
		Why:  "An agent learns a skill's name and description from the front matter, which must open with `---` on the first line. Without it most agents drop the skill.",
		Bad:  "# Rename photos\n\nRead the dates.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Rename photos\n\nRead the dates.\n",
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil || isBlank(p.Text()) {
			return
		}
		front := &p.Skill.Front
		switch {
		case !front.Exists():
			f := lint.Finding{
				Span:    firstLine(p),
				Message: "the file has no front matter",
				Effect:  "without a name and a description most agents do not list the skill",
				Help:    "start the file with a line ---, then name: and description:, then another line ---",
				Fixes:   writeFront(p),
			}
			if p.Skill.Fragment() {
				f.Severity = lint.Info
			}
			p.Report(f)
		case front.Format == skills.YAML && front.Open.Kind == skills.NoFence:
			p.Report(lint.Finding{
				Span:    firstLine(p),
				Message: "the front matter has no opening fence: keys count only between two lines ---",
				Effect:  "most agents do not list the skill",
				Help:    "put a line --- above the keys",
				Fixes:   []lint.Fix{{Title: "add the fences", Safe: true, Edits: addFences(p)}},
			})
		}
	},
}

func isBlank(s string) bool { return strings.Trim(s, " \t\r\n\x00"+skills.BOM) == "" }

func addFences(p *lint.Pass) []lint.Edit {
	nl := eol(p.Text())
	edits := []lint.Edit{lint.Insert(p.Skill.Front.Open.Span.Start, "---"+nl)}
	if !p.Skill.Front.Closed() {
		edits = append(edits, closingFence(p))
	}
	return edits
}

// writeFront proposes front matter from what there is: the folder's name and the first paragraph.
func writeFront(p *lint.Pass) []lint.Fix {
	description := firstParagraph(p.Skill)
	if description == "" || len(description) > maxDescription || !validName(p.Skill.Folder) {
		return nil
	}
	nl := eol(p.Text())
	front := "---" + nl + "name: " + p.Skill.Folder + nl + "description: " + plainOrQuoted(description) + nl + "---" + nl + nl
	return []lint.Fix{{Title: "add front matter from the first paragraph", Edits: []lint.Edit{lint.Insert(firstLine(p).Start, front)}}}
}

// firstParagraph returns the first lines of prose of the body as one line, or "".
func firstParagraph(s *skills.Skill) string {
	src := s.Doc.Text
	lines := s.Doc.Lines()
	headings := s.Body().Headings
	var out []string
	for n := lines.OffsetLine(s.Front.End(src)); n < lines.Lines(); n++ {
		line := lines.Line(n)
		words := strings.TrimSpace(strings.TrimPrefix(line.In(src), skills.BOM))
		if words == "" || inHeading(headings, line) || strings.ContainsAny(words[:1], "<>|`-*=") {
			if out != nil {
				break
			}
			continue
		}
		out = append(out, words)
	}
	return strings.Join(out, " ")
}

func inHeading(headings []skills.Heading, line text.Span) bool {
	for _, h := range headings {
		if h.Span.Overlaps(line) {
			return true
		}
	}
	return false
}
