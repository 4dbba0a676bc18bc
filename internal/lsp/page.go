package lsp

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// page is a document that a request is about, read as far as every kind of it goes.
type page struct {
	converter
	mapper
	doc   *skills.Document
	skill *skills.Skill // whose SKILL.md, or a file of whose folder, the document is; nil for none
	main  bool          // it is the SKILL.md
	front skills.FrontMatter
	body  *skills.Body
}

// page returns the document that a request is about; false when it is none of the server's business.
func (s *Server) page(ctx context.Context, u uri.URI) (*page, bool) {
	st := s.at(ctx)
	at, ok := st.find(u)
	if !ok {
		return nil, false
	}
	return s.pageAt(st, at)
}

// pageAt returns a document as a page. A file that is neither open nor part of the workspace is read.
func (s *Server) pageAt(st *state, at place) (*page, bool) {
	p, ok := s.unreadPage(st, at)
	if ok {
		p.read()
	}
	return p, ok
}

// unreadPage returns a document as a page of which only the text is known.
func (s *Server) unreadPage(st *state, at place) (*page, bool) {
	p := &page{converter: s.converter(st, at)}
	switch doc := at.live.Doc(at.file); {
	case at.doc != nil:
		p.doc = at.doc.skillDocument(at.file)
		p.mapper = mapper{at.doc.lines, s.can.encoding}
	case doc != nil:
		p.doc = doc
	default:
		abs := at.live.Abs(at.file)
		doc, err := at.live.Tree().Document(at.file, abs)
		if err != nil {
			return nil, false
		}
		p.doc = doc
	}
	if p.lines == nil {
		p.mapper = mapper{p.doc.Lines(), s.can.encoding}
	}
	return p, true
}

// read finds out what the parts of the text are.
func (p *page) read() {
	p.skill = p.live().SkillOf(p.p.file)
	if p.main = p.skill != nil && p.skill.Doc.Path == p.p.file; p.main {
		p.front, p.body = p.skill.Front, p.skill.Body()
		return
	}
	p.body = &skills.Body{}
	if path.Ext(p.p.file) == ".md" {
		p.front = skills.Parse(p.doc).Front
		body := skills.ScanBody(p.doc.Text, p.front.End(p.doc.Text))
		p.body = &body
	}
}

func (p *page) text() string { return p.doc.Text }

// fieldAt returns the field of the front matter that an offset lies in, or nil.
func (p *page) fieldAt(off int) *skills.Field {
	for i := range p.front.Fields {
		if f := &p.front.Fields[i]; f.Extent.Start <= off && (off < f.Extent.End || off == f.Extent.End && off == p.front.Block.End) {
			return f
		}
	}
	return nil
}

// inFront reports whether an offset lies between the fences.
func (p *page) inFront(off int) bool {
	return p.front.Exists() && p.front.Block.Start <= off && off <= p.front.Block.End
}

// references are what the text refers to.
func (p *page) references() []skills.Reference { return skills.References(p.text(), p.body) }

// referenceAt returns the reference that an offset lies in; the fragment and the text of a link count.
func (p *page) referenceAt(off int) (skills.Reference, bool) {
	for _, r := range p.references() {
		if touches(whole(r), text.At(off)) {
			return r, true
		}
		for _, l := range p.body.Links {
			if l.Dest.Covers(r.Span) && touches(l.Span, text.At(off)) {
				return r, true
			}
		}
	}
	return skills.Reference{}, false
}

// whole returns the place of a reference with its fragment.
func whole(r skills.Reference) text.Span {
	return text.Span{Start: r.Span.Start, End: max(r.Span.End, r.Anchor.End)}
}

// target returns the absolute path that a reference leads to, and whether something is there.
func (p *page) target(r skills.Reference) (abs string, there bool) {
	abs, _, there = p.resolve(r)
	return abs, there
}

// resolve returns the absolute path that a reference leads to, the folder that its path starts from, and whether
// something is there. Paths of links start at the file, others at the skill's folder, too; see the rules about
// links.
func (p *page) resolve(r skills.Reference) (abs, start string, there bool) {
	here := filepath.Dir(p.live().Abs(p.p.file))
	if r.Path == "" && r.Base == skills.HereBase {
		return p.live().Abs(p.p.file), here, true
	}
	if strings.HasPrefix(r.Path, "/") || strings.IndexByte(r.Path, 0) >= 0 {
		return "", here, false
	}
	starts := p.starts(r, here)
	for _, start := range starts {
		abs := filepath.Join(start, filepath.FromSlash(r.Path))
		if _, err := p.live().FS().Stat(abs); err == nil {
			return abs, start, true
		}
	}
	if len(starts) == 0 {
		return "", here, false
	}
	return filepath.Join(starts[0], filepath.FromSlash(r.Path)), starts[0], false
}

func (p *page) starts(r skills.Reference, here string) []string {
	if p.skill == nil {
		return []string{here}
	}
	home := filepath.Dir(p.skill.Doc.Abs)
	switch {
	case r.Base == skills.SkillBase:
		return []string{home}
	case r.Base == skills.PluginBase:
		if root := p.live().Tree().PluginRoot(home); root != "" {
			return []string{root}
		}
		return nil
	case r.Kind != skills.LinkReference:
		return []string{home, here}
	}
	return []string{here}
}

func (p *page) live() *workspace.Live { return p.p.live }

// other returns another file of the workspace as a page.
func (p *page) other(abs string) (*page, bool) { return p.pageAt(p.st, p.placeOf(abs)) }

// otherOf returns another file of the workspace as a page, if it is one of those that are wanted by their text.
func (p *page) otherOf(abs string, wanted func(unread *page) bool) (*page, bool) {
	other, ok := p.unreadPage(p.st, p.placeOf(abs))
	if !ok || !wanted(other) {
		return nil, false
	}
	other.read()
	return other, true
}

func (p *page) placeOf(abs string) place {
	u := canonical(p.st.uriOf(abs))
	at, ok := p.st.find(u)
	if !ok {
		at = place{uri: u, live: p.p.live, file: p.p.live.Shown(abs)}
	}
	return at
}

func (p *page) location(at text.Span) protocol.Location {
	u := p.uri(p.p.file)
	if p.p.doc != nil {
		u = p.p.doc.raw
	}
	return protocol.Location{URI: u, Range: p.rangeOf(at)}
}

// section returns the span of a section: from its heading to the next one of the same or a higher level.
func (p *page) section(i int) text.Span {
	h := p.body.Headings[i]
	end := len(p.text())
	for _, next := range p.body.Headings[i+1:] {
		if next.Level <= h.Level {
			end = next.Span.Start
			break
		}
	}
	return text.Span{Start: h.Span.Start, End: end}
}
