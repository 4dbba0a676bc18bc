package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var yamlHashComment = &lint.Rule{
	Name: "yaml/hash-comment", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"changed/*/cut", "changed/*/rewritten"},
	Page: lint.Page{
		What: "A name or description without quotes is cut at a blank followed by `#`.",
		Why: "YAML takes ` #` for the start of a comment, so the rest of the line never reaches the model. The skill loads, " +
			"with half a description. Hash signs in channel names and issue numbers are the usual cause.",
		Bad:  "---\nname: demo\ndescription: Posts a note to the #releases channel. Use when a release goes out.\n---\n\n# Steps\n\nPost.\n",
		Good: "---\nname: demo\ndescription: \"Posts a note to the #releases channel. Use when a release goes out.\"\n---\n\n# Steps\n\nPost.\n",
	},
	Run: func(p *lint.Pass) {
		for _, name := range []string{"description", "name", "when_to_use", "compatibility", "argument-hint"} {
			f := field(p, name)
			if f == nil || !f.Plain() || f.Value.Empty() {
				continue
			}
			if at, ok := cutComment(p, f); ok {
				reportComment(p, f, at)
			}
		}
	},
}

// cutComment returns the comment behind a plain value, when it looks like a part of the text: a comment with
// a blank behind its hash sign is one on purpose, unless the text before it stops in mid sentence.
func cutComment(p *lint.Pass, f *skills.Field) (text.Span, bool) {
	rest := p.Text()[f.Value.End:]
	if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	hash := strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(hash, "#") || strings.HasPrefix(hash, "# skilllint-") {
		return text.Span{}, false
	}
	end := f.Value.End + len(rest)
	at := text.Span{Start: end - len(hash), End: end}
	onPurpose := (len(hash) == 1 || hash[1] == ' ' || hash[1] == '#') && (f.Name == "name" || strings.ContainsAny(f.Text[len(f.Text)-1:], ".!?)"))
	return at, !onPurpose
}

func reportComment(p *lint.Pass, f *skills.Field, at text.Span) {
	whole := text.Span{Start: f.Value.Start, End: at.End}
	p.Report(lint.Finding{
		Span: at,
		Message: fmt.Sprintf("the text after ' #' is a YAML comment and is lost: %s ends with %q",
			f.Name, tail(f.Text)),
		Help: "put the whole value in quotes",
		Fixes: []lint.Fix{{
			Title: "put the whole value in quotes, the lost part included",
			Edits: []lint.Edit{lint.Replace(whole, quote(strings.Join(strings.Fields(whole.In(p.Text())), " ")))},
		}},
	})
}

// tail returns the last words of s.
func tail(s string) string {
	const most = 30
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return "…" + string(r[len(r)-most:])
}
