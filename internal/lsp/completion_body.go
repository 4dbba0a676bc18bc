package lsp

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// bodyItems completes links, paths in backticks and names of skills. before is the line up to the cursor.
func (p *page) bodyItems(before string, off int) []protocol.CompletionItem {
	if p.skill == nil {
		return nil
	}
	if p.speaks() {
		if items, inCall := p.parameterItems(off); inCall {
			return items
		}
		if word := wordAt(p.text(), off); strings.HasPrefix(word.In(p.text()), "mcp_") {
			return p.mcpToolItems(p.judges(), word)
		}
	}
	open := strings.LastIndex(before, "](")
	tick := strings.LastIndexByte(before, '`')
	switch {
	case open >= 0 && !strings.ContainsAny(before[open+2:], ") "):
		return p.pathItems(before[open+2:], off, true)
	case strings.Count(before, "`")%2 == 1 && !strings.ContainsAny(before[tick+1:], " "):
		typed := before[tick+1:]
		if strings.IndexByte(typed, '/') < 0 {
			return slices.Concat(p.skillItems(off), p.pathItems(typed, off, false), p.mcpToolItems(p.judges(), wordAt(p.text(), off)))
		}
		return p.pathItems(typed, off, false)
	}
	if at, ok := variableAt(p.text(), off); ok && p.main {
		return append(p.variableItems(at), p.skillItems(off)...)
	}
	if word := wordAt(p.text(), off); word.Start > 0 && strings.IndexByte("/$", p.text()[word.Start-1]) >= 0 && startsWord(p.text(), word.Start-1) {
		return p.skillItems(off)
	}
	return nil
}

// variableAt returns the variable that an offset lies in or behind, from its dollar sign on.
func variableAt(src string, off int) (text.Span, bool) {
	at := wordAt(src, off)
	if byteAt(src, at.Start-1) == '{' {
		at.Start--
		if byteAt(src, at.End) == '}' {
			at.End++
		}
	}
	at.Start--
	return at, byteAt(src, at.Start) == '$'
}

// variableItems offers the variables that judging clients fill in.
func (p *page) variableItems(at text.Span) []protocol.CompletionItem {
	known := p.variables()
	var out []protocol.CompletionItem
	for _, form := range slices.Sorted(maps.Keys(known)) {
		names := []string{strings.NewReplacer("[N]", "[0]", "$N", "$0").Replace(form)}
		if form == "$name" {
			names = p.argumentNames()
		}
		for _, name := range names {
			out = append(out, p.item(name, "filled in by "+labels(known[form]), protocol.CompletionItemKindVariable, at))
		}
	}
	return out
}

// argumentNames are the variables of the arguments that the skill names.
func (p *page) argumentNames() []string {
	var out []string
	if f := p.front.Field("arguments"); f != nil {
		for _, name := range strings.Fields(f.Text) {
			out = append(out, "$"+name)
		}
	}
	return out
}

// startsWord reports whether a character stands at the start of a word.
func startsWord(src string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\r\n(\"'`", src[i-1]) >= 0
}

// skillItems offers the names of the other skills.
func (p *page) skillItems(off int) []protocol.CompletionItem {
	at := wordAt(p.text(), off)
	var out []protocol.CompletionItem
	for _, s := range p.live().Skills() {
		if s != p.skill && s.Layout != skills.Flat {
			out = append(out, p.item(s.Name(), short(s.Description()), protocol.CompletionItemKindModule, at))
		}
	}
	return out
}

// pathItems offers the files of the skill, and after a "#" the headings of the file that was typed.
func (p *page) pathItems(typed string, off int, link bool) []protocol.CompletionItem {
	if file, _, ok := strings.Cut(typed, "#"); ok {
		return p.anchorItems(file, off, len(typed)-len(file)-1)
	}
	at := text.Span{Start: off - len(typed), End: off}
	for at.End < len(p.text()) && strings.IndexByte(" )`\r\n#", p.text()[at.End]) < 0 {
		at.End++
	}
	var out []protocol.CompletionItem
	for _, f := range p.skill.Files {
		if skills.IsSkillFile(f.Path) && p.main {
			continue
		}
		rel := f.Path
		if link {
			rel = p.relative(path.Join(p.skill.Dir, f.Path))
		}
		if link && strings.ContainsAny(rel, " ()") {
			rel = "<" + rel + ">"
		}
		out = append(out, p.item(rel, p.firstHeading(f.Path), protocol.CompletionItemKindFile, at))
	}
	return out
}

// relative returns the path from the page's folder to a file, both as shown.
func (p *page) relative(file string) string {
	rel, err := filepath.Rel(path.Dir(p.p.file), file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// firstHeading returns the first heading of a Markdown file of the skill.
func (p *page) firstHeading(rel string) string {
	if path.Ext(rel) != ".md" {
		return ""
	}
	other, ok := p.other(filepath.Join(filepath.Dir(p.skill.Doc.Abs), filepath.FromSlash(rel)))
	if !ok || len(other.body.Headings) == 0 {
		return ""
	}
	return other.body.Headings[0].Text.In(other.text())
}

// anchorItems offers the headings of a file; typed is how much of the fragment stands there.
func (p *page) anchorItems(file string, off, typed int) []protocol.CompletionItem {
	target := p
	if file != "" {
		abs, there := p.target(skills.Reference{Path: file})
		if !there {
			return nil
		}
		var ok bool
		if target, ok = p.other(abs); !ok {
			return nil
		}
	}
	at := text.Span{Start: off - typed, End: off}
	for at.End < len(p.text()) && strings.IndexByte(" )`\r\n", p.text()[at.End]) < 0 {
		at.End++
	}
	var out []protocol.CompletionItem
	seen := map[string]int{}
	for _, h := range target.body.Headings {
		title := h.Text.In(target.text())
		s := rules.Slug(title)
		n := seen[s]
		seen[s]++
		if n > 0 {
			s += "-" + strconv.Itoa(n)
		}
		out = append(out, p.item(s, title, protocol.CompletionItemKindReference, at))
	}
	return out
}
