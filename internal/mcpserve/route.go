package mcpserve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/report"
)

type routeParams struct {
	Queries []string `json:"queries"`
	Evals   string   `json:"evals"`
	Client  string   `json:"client"`
	Path    string   `json:"path"`
	Top     int      `json:"top"`
}

// How many skills of a ranking an answer has.
const (
	usualTop = 5
	mostTop  = 20
)

func (d *desk) route(ctx context.Context, p *routeParams) (string, error) {
	top, err := between("top", p.Top, usualTop, mostTop)
	if err != nil {
		return "", err
	}
	queries, err := d.queries(p)
	if err != nil {
		return "", err
	}
	path, err := d.path(p.Path)
	if err != nil {
		return "", err
	}
	client, err := d.client(p.Client, path)
	if err != nil {
		return "", err
	}
	sim, err := d.Listing(ctx, client, []string{path})
	if err != nil {
		return "", err
	}
	listed := route.Listed(sim, d.Base)
	if len(listed) == 0 {
		return fmt.Sprintf("%s lists no skill in %s; the tool clients says why.", client.Label, path), nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s %s are compared.\n\n", report.Plural(len(listed), "skill"), client.Label, client.Version)
	err = report.Route(&b, route.New(listed).Run(queries), "text", report.RouteOptions{Top: top})
	return bounded(b.String(), "give fewer queries or a lower top"), err
}

// queries returns what is ranked for.
func (d *desk) queries(p *routeParams) ([]route.Query, error) {
	var out []route.Query
	for _, text := range p.Queries {
		out = append(out, route.Query{Text: text})
	}
	if p.Evals != "" {
		file, err := d.path(p.Evals)
		if err != nil {
			return nil, err
		}
		e, err := d.Evals(file)
		if err != nil {
			return nil, err
		}
		out = append(out, e.Queries...)
	}
	if len(out) == 0 {
		return nil, errors.New("nothing to rank for: give queries, or evals, a file of them")
	}
	return out, nil
}
