package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
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

// clientsResult has the form of `skilllint clients --format json`. Files are URIs.
type clientsResult struct {
	Version int            `json:"version"`
	Clients []clientResult `json:"clients"`
}

type clientResult struct {
	Name     string        `json:"name"`
	Version  string        `json:"version"`
	Evidence string        `json:"evidence"`
	Skills   []skillResult `json:"skills"`
}

type skillResult struct {
	File        string       `json:"file"`
	Listed      bool         `json:"listed"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Location    string       `json:"location"`
	Loaded      loadedResult `json:"loaded"`
	Status      string       `json:"status"`
	Reason      string       `json:"reason,omitempty"`
	Rule        string       `json:"rule,omitempty"`
}

type loadedResult struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (s *Server) clients(ctx context.Context, p *clientsParams) (*clientsResult, error) {
	st := s.at(ctx)
	for _, name := range p.Clients {
		if err := ask.KnownClient(name); err != nil {
			return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
		}
	}
	out := &clientsResult{Version: 1, Clients: []clientResult{}}
	if p.TextDocument != nil {
		at, ok := st.find(p.TextDocument.URI)
		if !ok || at.live.SkillOf(at.file) == nil {
			return nil, fmt.Errorf("%w: %s is no skill, nor part of one", jsonrpc2.ErrInvalidParams, p.TextDocument.URI)
		}
		s.addPlayed(st, out, at.live.SkillOf(at.file), at, p.Clients)
	} else {
		for _, f := range st.folders {
			for i := 0; f.live != nil && i < len(f.live.Skills()) && ctx.Err() == nil; i++ {
				s.addPlayed(st, out, f.live.Skills()[i], place{live: f.live}, p.Clients)
			}
		}
	}
	slices.SortFunc(out.Clients, func(a, b clientResult) int { return compare(a.Name, b.Name) })
	return out, ctx.Err()
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// addPlayed adds what the clients make of one skill.
func (s *Server) addPlayed(st *state, out *clientsResult, skill *skills.Skill, at place, names []string) {
	findings, _ := at.live.Findings(skill.Doc.Path) // a rule that fails is told with the diagnostics
	for _, p := range at.live.Plays(skill, names) {
		i := slices.IndexFunc(out.Clients, func(c clientResult) bool { return c.Name == p.Profile.Name })
		if i < 0 {
			i = len(out.Clients)
			out.Clients = append(out.Clients, clientResult{Name: p.Profile.Name, Version: p.Profile.Version, Evidence: p.Profile.Evidence.Level})
		}
		out.Clients[i].Skills = append(out.Clients[i].Skills, s.skillResult(st, skill, p, findings))
	}
}

func (s *Server) skillResult(st *state, skill *skills.Skill, p lint.Played, findings []lint.Finding) skillResult {
	o := p.Outcome
	r := skillResult{
		File: string(st.uriOf(skill.Doc.Abs)), Listed: o.Listed, Name: o.Name, Description: o.Description, Location: filepath.ToSlash(o.Location),
		Loaded: loadedResult{o.Loaded.Name, o.Loaded.Description}, Status: string(o.Status), Reason: o.Reason,
	}
	for _, f := range findings {
		if o.Status != profile.Listed && slices.Contains(f.Clients, p.Profile.Name) {
			r.Rule = f.Rule.Name
			break
		}
	}
	return r
}
