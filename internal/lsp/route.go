package lsp

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/evals"
	"github.com/skill-ls/skill-ls/internal/report"
)

// methodRoute asks which skill queries would pick.
const methodRoute = "skill/route"

// routeParams are the parameters of skill/route: schemas/route-params.schema.json. Without queries and evals they are
// those of the trigger evals of the document's skill, or of the document itself.
type routeParams struct {
	subject
	Client  string    `json:"client"`
	Queries []string  `json:"queries"`
	Evals   []uri.URI `json:"evals"`
	Top     int       `json:"top"` // how many skills of each ranking are shown; 10 when 0
}

const defaultTop = 10

// route ranks the skills, as a client lists them, for queries.
func (s *Server) route(ctx context.Context, p *routeParams) (*reply, error) {
	st, x, err := s.scene(ctx, p.subject)
	if err != nil {
		return nil, err
	}
	queries, err := st.queries(x, p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	in, err := st.input(x, p.Client)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	sim, err := s.playShown(ctx, x, in, "", false)
	if err != nil {
		return nil, err
	}
	result := route.New(route.Listed(sim, x.root)).Run(queries)
	o := report.RouteOptions{Top: p.Top}
	if o.Top <= 0 {
		o.Top = defaultTop
	}
	return reported(routeSummary(result), func(w io.Writer, format string) error { return report.Route(w, result, format, o) })
}

// routeSummary says in a sentence where the queries go.
func routeSummary(r *route.Report) string {
	if r.Positives > 0 {
		return fmt.Sprintf("%s should trigger a skill: %.0f %% rank it first, %.0f %% among three", report.Plural(r.Positives, "query"), 100*r.Top1, 100*r.Top3)
	}
	var out []string
	for _, a := range r.Answers {
		first := "no skill"
		if len(a.Ranking) > 0 && a.Ranking[0].Score > 0 {
			first = a.Ranking[0].Skill.Name
		}
		out = append(out, fmt.Sprintf("%q goes to %s", a.Text, first))
	}
	return strings.Join(out, "; ")
}

// queries returns what is ranked for.
func (st *state) queries(x scene, p *routeParams) ([]route.Query, error) {
	var out []route.Query
	for _, q := range p.Queries {
		out = append(out, route.Query{Text: q})
	}
	var files []string
	for _, u := range p.Evals {
		files = append(files, pathOf(canonical(u)))
	}
	if len(p.Queries)+len(p.Evals) == 0 {
		files = x.evals()
	}
	for _, file := range files {
		data, err := st.fs.ReadFile(file)
		if err != nil {
			return nil, err
		}
		fallback := ""
		if skill := x.live.SkillOf(x.live.Shown(file)); skill != nil {
			fallback = skill.Folder
		}
		e, err := route.ReadEvals(x.live.Shown(file), data, fallback)
		if err != nil {
			return nil, err
		}
		out = append(out, e.Queries...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("nothing to rank for: give queries or evals, or name a skill that has trigger evals")
	}
	return out, nil
}

// evals returns the absolute paths of the trigger evals that a document is, or that its skill has.
func (x scene) evals() []string {
	if x.skill == nil {
		return nil
	}
	dir := filepath.Dir(x.skill.Doc.Abs)
	var out []string
	for _, f := range x.skill.Files {
		abs := filepath.Join(dir, filepath.FromSlash(f.Path))
		switch {
		case x.file != x.skill.Doc.Path && abs == x.live.Abs(x.file):
			return []string{abs}
		case evals.IsName(f.Path):
			out = append(out, abs)
		}
	}
	return out
}
