package mcpserve

import (
	"context"
	"strings"

	"github.com/skill-ls/skill-ls/internal/report"
)

type clientsParams struct {
	Paths   []string `json:"paths"`
	Clients []string `json:"clients"`
	Skill   string   `json:"skill"`
}

// tableWidth is that of the table, in columns.
const tableWidth = 120

func (d *desk) whichClients(ctx context.Context, p *clientsParams) (string, error) {
	paths, err := d.paths(p.Paths)
	if err != nil {
		return "", err
	}
	clients, err := d.known(p.Clients)
	if err != nil {
		return "", err
	}
	r, err := d.Roster(ctx, paths, clients)
	if err != nil {
		return "", err
	}
	if len(r.Skills) == 0 {
		return "No skill was found there. A skill is a folder with a SKILL.md.", nil
	}
	o := report.ClientsOptions{Width: tableWidth}
	var b strings.Builder
	if p.Skill == "" {
		err = report.Clients(&b, r, "text", o)
		return bounded(b.String(), "narrow paths or clients"), err
	}
	skill, err := r.Find(p.Skill)
	if err != nil {
		return "", err
	}
	err = report.ExplainClients(&b, r, skill, "text", o)
	return bounded(b.String(), "narrow clients"), err
}
