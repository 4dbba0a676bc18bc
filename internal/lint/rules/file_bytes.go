package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

const demoSkill = "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n"

var fileBOM = &lint.Rule{
	Name: "file/bom", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread, Unhurt: lint.Info,
	Page: lint.Page{
		What: "The file starts with a byte order mark.",
		Why: "The mark stands before the `---`, so agents that look for it at the first byte see no front matter. Gemini CLI drops the skill without a word; " +
			"some blame missing fields. Editors on Windows write it.",
		Bad:  skills.BOM + demoSkill,
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Doc().Encoding != skills.UTF8 || !p.Doc().HasBOM() {
			return
		}
		mark := p.Doc().Marks()
		p.Report(lint.Finding{
			Span:    mark,
			Message: "the file starts with a byte order mark (U+FEFF)",
			Effect:  "agents that look for --- at the first byte do not list the skill",
			Help:    "save it as UTF-8 without BOM",
			Fixes:   []lint.Fix{{Title: "remove the byte order mark", Safe: true, Edits: []lint.Edit{lint.Delete(mark)}}},
		})
	},
}

var fileEmpty = &lint.Rule{
	Name: "file/empty", Severity: lint.Error, Scope: lint.FrontScope, Since: since,
	Explains: unread,
	Page: lint.Page{
		What: "The file is empty.",
		Why:  "Most agents drop an empty SKILL.md without a word; Spring AI loses all skills over it.",
		Bad:  "\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err == nil && isBlank(p.Text()) {
			p.Report(lint.Finding{
				Message: "the file is empty",
				Effect:  "no agent lists the skill",
				Help:    "write front matter with name and description, then the instructions, or delete the file",
			})
		}
	},
}

var fileEncoding = &lint.Rule{
	Name: "file/encoding", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The file is not UTF-8.",
		Why: "Agents read SKILL.md as UTF-8. Bytes of another encoding crash some loaders, make others drop the skill, and turn into U+FFFD in the rest; " +
			"UTF-16 is unreadable to all.",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		doc := p.Doc()
		if doc.Encoding == skills.UTF8 {
			return
		}
		f := lint.Finding{
			Span:    text.At(0),
			Message: fmt.Sprintf("the file is %s, not UTF-8", doc.Encoding),
			Effect:  "no agent can read it",
			Help:    "save it as UTF-8",
			Fixes: []lint.Fix{{
				Title: "write the file as UTF-8", Safe: doc.Encoding != skills.Windows1252,
				Edits: []lint.Edit{lint.Replace(text.Span{Start: 0, End: len(doc.Text)}, strings.TrimPrefix(doc.Text, skills.BOM))},
			}},
		}
		if doc.Encoding == skills.Windows1252 {
			f.Span = firstForeign(doc)
			f.Message = fmt.Sprintf("%q is not UTF-8 but looks like Windows-1252", f.Span.In(doc.Text))
			f.Effect = "some agents drop the skill or crash, others show a replacement character"
		}
		p.Report(f)
	},
}

// firstForeign returns the span of the first character that is not UTF-8 in the file.
func firstForeign(doc *skills.Document) text.Span {
	raw := doc.Raw
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && n == 1 {
			_, size := utf8.DecodeRuneInString(doc.Text[i:])
			return text.Span{Start: i, End: i + size} // so far both texts are the same
		}
		i += n
	}
	return text.At(0)
}

var fileNUL = &lint.Rule{
	Name: "file/nul", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The file holds a NUL character.",
		Why:  "A NUL marks a binary file. YAML parsers refuse it, so a NUL in the front matter loses the skill; elsewhere text behind it may be cut.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRe\x00name.\n",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		at := strings.IndexByte(p.Text(), 0)
		if at < 0 || isBlank(p.Text()) {
			return
		}
		var edits []lint.Edit
		for i := at; i < len(p.Text()); i++ {
			if p.Text()[i] == 0 {
				edits = append(edits, lint.Delete(text.Span{Start: i, End: i + 1}))
			}
		}
		p.Report(lint.Finding{
			Span:    text.Span{Start: at, End: at + 1},
			Message: fmt.Sprintf("the file holds %d NUL character(s)", len(edits)),
			Effect:  "agents refuse the front matter, or cut the text there",
			Help:    "delete them",
			Fixes:   []lint.Fix{{Title: "delete the NUL characters", Safe: true, Edits: edits}},
		})
	},
}

var fileLineEnds = &lint.Rule{
	Name: "file/line-ends", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "Lines end in a lone carriage return.",
		Why:  "Classic Mac line ends are no line ends to most agents: the whole file is one line, no fence is seen, and the skill is dropped. CRLF is fine everywhere.",
		Bad:  "---\rname: demo\rdescription: Renames photos. Use when photos have camera names.\r---\r\r# Steps\r",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		edits, inFront := loneReturns(p)
		if len(edits) == 0 || !inFront {
			return
		}
		p.Report(lint.Finding{
			Span:    edits[0].Span,
			Message: "lines end in a lone carriage return",
			Effect:  "most agents see one long line, no frontmatter, and do not list the skill",
			Help:    "use \\n or \\r\\n",
			Fixes:   []lint.Fix{{Title: "use \\n", Safe: true, Edits: edits}},
		})
	},
}

// loneReturns returns the edits that turn lone carriage returns into line feeds, and whether one of them
// stands where the front matter is.
func loneReturns(p *lint.Pass) (edits []lint.Edit, inFront bool) {
	src := p.Text()
	front := p.Skill.Front.End(src)
	for i := strings.IndexByte(src, '\r'); i >= 0 && i < len(src); i++ {
		if src[i] != '\r' || i+1 < len(src) && src[i+1] == '\n' {
			continue
		}
		edits = append(edits, lint.Replace(text.Span{Start: i, End: i + 1}, "\n"))
		inFront = inFront || i <= front
	}
	return edits, inFront
}

var fileTooLarge = &lint.Rule{
	Name: "file/too-large", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Explains: []string{"read/size"},
	Page: lint.Page{
		What: "The file is larger than 1 MB.",
		Why:  "Mux reads no more than 1 MB and Deep Agents no more than 10; everywhere the whole body enters the context when the skill is used.",
		Good: demoSkill,
	},
	Options: []lint.Option{{Name: "kilobytes", Default: 1024, Doc: "the largest size, in units of 1024 bytes"}},
	Run: func(p *lint.Pass) {
		if kb := len(p.Doc().Raw) >> 10; kb >= p.Option("kilobytes") {
			p.Report(lint.Finding{
				Message: fmt.Sprintf("the file has %d KB", kb),
				Effect:  "no model can take it in, and some agents do not read it",
				Help:    "move parts into files that the body links to",
			})
		}
	},
}

var fileUnreadable = &lint.Rule{
	Name: "file/unreadable", Severity: lint.Error, Scope: lint.SkillScope, Since: since,
	Explains: []string{"read/*", "walk/*"},
	Page: lint.Page{
		What: "The file cannot be read: it may not be opened, is a broken link, or is no regular file.",
		Why:  "No agent lists the skill.",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil {
			p.Report(lint.Finding{Message: fmt.Sprintf("the file cannot be read (%s)", reason(p.Skill.Err)), Effect: "no agent lists the skill"})
		}
	},
}
