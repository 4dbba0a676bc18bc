package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Hover explains what stands at a place.
func (s *Server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	words, at := pg.hover(pg.offset(p.Position))
	if words == "" {
		return nil, ctx.Err()
	}
	kind := protocol.MarkupKindMarkdown
	if !s.can.markdown {
		kind = protocol.MarkupKindPlainText
	}
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: kind, Value: words}, Range: new(pg.rangeOf(at))}, nil
}

// hover returns what is to say, in Markdown, about the part of the text that an offset lies in.
func (p *page) hover(off int) (string, text.Span) {
	if words, at := p.hoverRule(off); words != "" {
		return words, at
	}
	if f := p.live().ConfigOf(p.p.file); f != nil {
		if words, at := p.hoverMCP(f, off); words != "" {
			return words, at
		}
	}
	if file, k, ok := p.keyedAt(off); ok {
		return p.hoverKeyed(file, k)
	}
	if m, ok := p.toolAt(off); ok {
		return p.hoverMention(m), m.Span
	}
	if p.main && p.inFront(off) {
		return p.hoverFront(off)
	}
	if r, ok := p.referenceAt(off); ok {
		return p.hoverReference(r), whole(r)
	}
	if skill, at := p.mentionAt(off); skill != nil {
		return skillWords(skill), at
	}
	return "", text.Span{}
}

// skillWords tells what a skill is.
func skillWords(s *skills.Skill) string {
	return fmt.Sprintf("**%s**\n\n%s\n\n`%s`", s.Name(), s.Description(), s.Doc.Path)
}

// hoverRule shows the page of a rule whose name stands in a comment or a configuration.
func (p *page) hoverRule(off int) (string, text.Span) {
	at := tokenAt(p.text(), off, isRuleByte)
	rule := p.reg.Rule(at.In(p.text()))
	line := p.lines.Line(p.lines.OffsetLine(off)).In(p.text())
	if rule == nil || !isConfigName(p.p.file) && !strings.Contains(line, "skilllint-") {
		return "", at
	}
	return report.Page(rule), at
}

func (p *page) hoverFront(off int) (string, text.Span) {
	f := p.fieldAt(off)
	switch {
	case f == nil:
		return "", text.Span{}
	case touches(f.Key, text.At(off)):
		return p.hoverKey(f.Name), f.Key
	case f.Name == "name" || f.Name == "description":
		return p.hoverPlays(f), f.Value
	case f.Name == "allowed-tools" || f.Name == "disallowed-tools":
		at := wordAt(p.text(), off)
		return p.hoverTool(at.In(p.text())), at
	}
	return "", text.Span{}
}

// hoverKey says what a key is for and what each judging client makes of it.
func (p *page) hoverKey(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**", name)
	if words := keyTexts[name]; words != "" && !p.knownToEditor(name) {
		fmt.Fprintf(&b, ": %s", words)
	}
	b.WriteString("\n\n")
	key := rules.Key{Name: name}
	for _, k := range rules.Keys() {
		if k.Name == name {
			key = k
		}
	}
	judges := p.judges()
	readers := readersOf(key, judges)
	if key.Spec {
		b.WriteString("Part of the Agent Skills text. ")
	}
	switch {
	case len(readers) == len(judges):
		b.WriteString("All chosen clients read it.\n")
	case len(readers) == 0:
		b.WriteString("None of the chosen clients reads it.\n")
	default:
		fmt.Fprintf(&b, "Read by %s; the other chosen clients ignore it.\n", labels(readers))
	}
	for _, c := range judges {
		if words := effects(c, name); len(words) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", c.Label, strings.Join(words, "; "))
		}
	}
	return b.String()
}

// hoverPlays shows what every judging client lists the skill as.
func (p *page) hoverPlays(f *skills.Field) string {
	var b strings.Builder
	b.WriteString(size(f.Text) + "\n")
	plays := p.live().Plays(p.skill, nil)
	if len(plays) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "\n| client | %s in its prompt |\n|---|---|\n", f.Name)
	for _, play := range plays {
		fmt.Fprintf(&b, "| %s | %s |\n", play.Profile.Label, cell(shownAs(play, f)))
	}
	return b.String()
}

// size says how long a text is.
func size(s string) string {
	return fmt.Sprintf("%s, about %s", report.Plural(len([]rune(s)), "character"), report.Plural(estimate(s), "token"))
}

// cutWords is how many of the last characters before a cut are shown.
const cutWords = 24

// shownAs says what a client makes of a name or a description.
func shownAs(play lint.Played, f *skills.Field) string {
	o := play.Outcome
	if !o.Listed {
		return "not listed: " + o.Reason
	}
	shown := o.Name
	if f.Name == "description" {
		shown = o.Description
	}
	switch kept := []rune(strings.TrimRight(shown, "….")); {
	case shown == "":
		return "nothing"
	case f.Name == "name":
		return "`" + shown + "`"
	case shown == f.Text:
		return "as written"
	case strings.HasPrefix(f.Text, string(kept)) && len(kept) < len([]rune(f.Text)):
		return fmt.Sprintf("cut behind “…%s”: %s", string(kept[max(0, len(kept)-cutWords):]), size(shown))
	}
	return short(shown) + ": " + size(shown)
}

// cell makes a text fit for one cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", "").Replace(s)
}

// estimate tells about how many tokens a text has: one for every four bytes, as Codex counts.
func estimate(s string) int { return (len(s) + 3) / 4 }

func (p *page) hoverTool(name string) string {
	var have, lack []*profile.Profile
	for _, c := range p.judges() {
		known := false
		for _, tool := range c.AllowedTools.Names {
			known = known || tool == name
		}
		switch {
		case len(c.AllowedTools.Names) == 0:
		case known:
			have = append(have, c)
		default:
			lack = append(lack, c)
		}
	}
	switch {
	case name == "" || len(have)+len(lack) == 0:
		return ""
	case len(have) == 0:
		return fmt.Sprintf("**%s**\n\nNo built-in tool of %s.", name, labels(lack))
	}
	return fmt.Sprintf("**%s**\n\nA built-in tool of %s.", name, labels(have))
}

// previewLines is how much of a file a hover shows.
const previewLines = 12

// hoverReference shows the first lines of what a reference leads to: of the section, when it has a fragment.
func (p *page) hoverReference(r skills.Reference) string {
	abs, there := p.target(r)
	if !there {
		return ""
	}
	file := p.live().Shown(abs)
	other, ok := p.other(abs)
	if !ok {
		return "`" + file + "`"
	}
	from := text.Span{Start: 0, End: len(other.text())}
	if i := rules.Anchored(other.text(), other.body, r.Fragment); r.Fragment != "" && i >= 0 {
		from = other.section(i)
	} else if other.front.Exists() {
		from.Start = other.front.End(other.text())
	}
	words := firstLines(strings.TrimLeft(from.In(other.text()), "\r\n"), previewLines)
	if filepath.Ext(abs) == ".md" {
		return fmt.Sprintf("`%s`\n\n---\n\n%s", file, words)
	}
	return fmt.Sprintf("`%s`\n\n~~~\n%s\n~~~", file, words)
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	if len(lines) > n {
		return strings.Join(lines[:n], "") + "\n…"
	}
	return s
}
