package mcpserve

import (
	"context"
	"errors"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
)

type simulateParams struct {
	Client    string `json:"client"`
	Path      string `json:"path"`
	Activate  string `json:"activate"`
	Arguments string `json:"arguments"`
}

func (d *desk) simulate(ctx context.Context, p *simulateParams) (string, error) {
	if p.Arguments != "" && p.Activate == "" {
		return "", errors.New("arguments need activate, the skill that they are for")
	}
	path, err := d.path(p.Path)
	if err != nil {
		return "", err
	}
	client, err := d.client(p.Client, path)
	if err != nil {
		return "", err
	}
	in := &agentsim.Input{Profile: client, FS: d.FS, Paths: []string{path}, Skill: p.Activate, Args: p.Arguments}
	if err := in.CountWith(agentsim.AutoTokens); err != nil {
		return "", err
	}
	offers, err := d.Offers(ctx, in.Paths, []string{client.Name}, nil)
	if err != nil {
		return "", err
	}
	if in.Servers, err = lint.OfferedTo(client.Name, offers); err != nil {
		return "", err
	}
	sim, err := agentsim.Simulate(ctx, in)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = report.Simulate(&b, sim, "text", report.SimulateOptions{Base: d.Base})
	return bounded(b.String(), "`skilllint simulate` prints all of it"), err
}

// client returns the client that a call names, the server's when there is just one, else the one that is usual for the
// path.
func (d *desk) client(name, path string) (*profile.Profile, error) {
	var names []string
	switch {
	case name != "":
		names = []string{name}
	case len(d.clients) == 1:
		names = d.clients
	}
	return agentsim.Client(names, path)
}
