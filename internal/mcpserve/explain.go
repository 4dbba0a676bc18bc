package mcpserve

import (
	"context"
	"strings"

	"github.com/skill-ls/skill-ls/internal/report"
)

type explainParams struct {
	Rule string `json:"rule"`
}

func (d *desk) explain(_ context.Context, p *explainParams) (string, error) {
	var b strings.Builder
	if p.Rule == "" {
		err := report.Rules(&b, d.Registry.Rules(), "text")
		return bounded(b.String(), "`skilllint rules` prints all"), err
	}
	rule, err := d.Rule(p.Rule)
	if err != nil {
		return "", err
	}
	err = report.Rule(&b, rule, "markdown")
	return bounded(b.String(), "`skilllint explain` prints all"), err
}
