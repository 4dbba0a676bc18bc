package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// moves works out the edits that keep texts right while files and folders move and skills change their names.
type moves struct {
	*builder
	page    *page
	paths   [][2]string                   // absolute paths: from, to
	renamed map[*skills.Skill]string      // new names
	done    map[string]map[text.Span]bool // what is edited already, by file
}

func newMoves(p *page) *moves {
	return &moves{builder: p.builder(), page: p, renamed: map[*skills.Skill]string{}, done: map[string]map[text.Span]bool{}}
}

func (m *moves) move(from, to string) { m.paths = append(m.paths, [2]string{from, to}) }

func (m *moves) renameMentions(skill *skills.Skill, to string) { m.renamed[skill] = to }

// moved returns where a path is once everything has moved.
func (m *moves) moved(abs string) string {
	for _, p := range m.paths {
		if within(p[0], abs) {
			return p[1] + strings.TrimPrefix(abs, p[0])
		}
	}
	return abs
}

// run looks through every text of the workspace.
func (m *moves) run(ctx context.Context) error {
	return m.page.everyPage(ctx, everything, func(other *page) {
		for _, r := range other.references() {
			m.relink(other, r)
		}
		for skill, to := range m.renamed {
			if other.main && other.skill == skill {
				if f := other.front.Field("name"); f != nil && f.Text != to {
					m.edit(other, nameSpan(other.text(), f), to)
				}
			}
			for _, at := range mentions(other.text(), skill.Name()) {
				m.edit(other, at, to)
			}
		}
	})
}

func (m *moves) edit(p *page, at text.Span, with string) {
	file := p.p.file
	if m.done[file] == nil {
		m.done[file] = map[text.Span]bool{}
	}
	if !m.done[file][at] {
		m.done[file][at] = true
		m.replace(p.location(at).URI, p.rangeOf(at), with)
	}
}

// relink rewrites a reference whose file or target moves, unless it leads there as it is.
func (m *moves) relink(p *page, r skills.Reference) {
	abs, start, there := p.resolve(r)
	if !there || r.Path == "" {
		return
	}
	to, from := m.moved(abs), m.moved(start)
	if own := p.live().Abs(p.p.file); start == filepath.Dir(own) && (r.Kind == skills.LinkReference || start != p.home()) {
		from = filepath.Dir(m.moved(own)) // the file alone may move, too
	}
	if to == abs && from == start {
		return
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return
	}
	rel = filepath.ToSlash(rel)
	if rel == strings.TrimPrefix(r.Path, "./") {
		return
	}
	m.edit(p, r.Span, written(r, r.Span.In(p.text()), rel))
}

// home returns the folder of the skill that the page belongs to, "" for none.
func (p *page) home() string {
	if p.skill == nil {
		return ""
	}
	return filepath.Dir(p.skill.Doc.Abs)
}

// written returns a path in the way that a reference is written: behind its variable, with "./" in front, and
// encoded where a link needs it.
func written(r skills.Reference, before, rel string) string {
	lead := ""
	if r.Base != skills.HereBase {
		lead = before[:strings.IndexAny(before+"/", `/\`)] + "/"
	} else if strings.HasPrefix(before, "./") && !strings.HasPrefix(rel, "../") {
		lead = "./"
	}
	if r.Kind == skills.LinkReference {
		rel = strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E").Replace(rel)
	}
	return lead + rel
}

func (m *moves) result() (*protocol.WorkspaceEdit, error) {
	edit, ok := m.build()
	if !ok {
		return nil, jsonrpc2.Errorf(requestFailed, "there is nothing to change, or the editor cannot")
	}
	return edit, nil
}
