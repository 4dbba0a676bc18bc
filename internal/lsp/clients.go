package lsp

import (
	"context"
	"fmt"
	"io"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// methodClients asks what each client makes of a skill, or of all skills.
const methodClients = "skill/clients"

// clientsParams are the parameters of skill/clients. Without a document all skills are meant.
type clientsParams struct {
	progressTokens
	TextDocument *struct {
		URI uri.URI `json:"uri"`
	} `json:"textDocument"`
	Clients []string `json:"clients"` // as --client; those that judge each skill when empty
}

// clients tells what clients make of skills. The answer has the form of `skilllint clients --format json`; files are
// URIs.
func (s *Server) clients(ctx context.Context, p *clientsParams) (*reply, error) {
	st := s.at(ctx)
	for _, name := range p.Clients {
		if err := ask.KnownClient(name); err != nil {
			return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
		}
	}
	var parts []workspace.Part
	if p.TextDocument != nil {
		at, ok := st.find(p.TextDocument.URI)
		if !ok || at.live.SkillOf(at.file) == nil {
			return nil, fmt.Errorf("%w: %s is no skill, nor part of one", jsonrpc2.ErrInvalidParams, p.TextDocument.URI)
		}
		parts = append(parts, workspace.Part{Live: at.live, Skills: []*skills.Skill{at.live.SkillOf(at.file)}})
	} else {
		for _, f := range st.folders {
			if f.live != nil {
				parts = append(parts, workspace.Part{Live: f.live, Skills: f.live.Skills()})
			}
		}
	}
	r, err := workspace.RosterOf(ctx, parts, p.Clients)
	if err != nil {
		return nil, err
	}
	o := report.ClientsOptions{Name: func(abs string) string { return string(st.uriOf(abs)) }}
	return reported(clientsSummary(r), func(w io.Writer, format string) error { return report.Clients(w, r, format, o) })
}

// clientsSummary says in sentences which clients list a skill and why others do not, or how many of several are listed.
func clientsSummary(r *workspace.Roster) string {
	var listed, reasons []string
	cells := 0
	for _, s := range r.Skills {
		for _, p := range r.Clients {
			switch cell := r.Cell(p, s); {
			case cell.Outcome == nil:
				continue
			case cell.Listed:
				listed = append(listed, p.ID())
			default:
				reasons = append(reasons, cell.Reason)
			}
			cells++
		}
	}
	switch {
	case len(r.Skills) != 1:
		return fmt.Sprintf("%s, %s: listed in %d of %d cases", report.Plural(len(r.Skills), "skill"), report.Plural(len(r.Clients), "client"), len(listed), cells)
	case len(listed) == 0:
		return strings.Join(append([]string{"Listed by no client"}, reasons...), ". ")
	}
	return strings.Join(append([]string{"Listed by " + strings.Join(listed, ", ")}, reasons...), ". ")
}
