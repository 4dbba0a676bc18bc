package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
)

// simulatePage is the page of the Simulate panel in editors/vscode, built there. Its policy lets nothing run but its
// own script, and reaches nothing.
//
//go:embed page/simulate.html
var simulatePage string

// ClientPage is what a page shows of one client.
type ClientPage struct {
	*agentsim.Simulation
	Activations []*agentsim.Activation // those whose texts the page has room for
}

// PageOptions says what a page holds, and shows first.
type PageOptions struct {
	Base  string            // files are shown relative to this folder; absolute
	Skill string            // file of the skill that is shown first; empty for any
	Texts map[string]string // of skills, by file
}

// pageData has the form that editors/vscode/page/source_embedded.ts reads.
type pageData struct {
	Setup       pageSetup                            `json:"setup"`
	Simulations map[string]pageSimulation            `json:"simulations"`
	Activations map[string]map[string]jsonActivation `json:"activations"` // by client and file
	Texts       map[string]string                    `json:"texts"`
}

type pageSimulation struct {
	jsonSimulation
	Markdown string `json:"markdown"`
}

type pageSetup struct {
	Skills  []pageSkill  `json:"skills"`
	Clients []pageClient `json:"clients"`
	Skill   string       `json:"skill,omitempty"`
	Client  string       `json:"client,omitempty"`
	Tab     string       `json:"tab,omitempty"`
}

type pageSkill struct {
	File  string `json:"file"`
	Name  string `json:"name"`
	Place string `json:"place"`
}

type pageClient struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Evidence string `json:"evidence"`
}

// SimulatePage writes a page that shows what clients put before their models, the first one first. It stands alone:
// scripts, styles and data are in it. Its errors are those of w.
func SimulatePage(w io.Writer, pages []ClientPage, o PageOptions) error {
	data, err := json.Marshal(newPageData(pages, o)) // which writes "<" as \u003c, so that nothing in it ends the element
	if err != nil {
		return fmt.Errorf("write the data of the page: %w", err)
	}
	before, after, _ := strings.Cut(simulatePage, "<!--data-->")
	_, err = fmt.Fprintf(w, "%s<script type=\"application/json\" id=\"data\">%s</script>%s", before, data, after)
	return err
}

func newPageData(pages []ClientPage, o PageOptions) pageData {
	out := pageData{
		Simulations: map[string]pageSimulation{}, Activations: map[string]map[string]jsonActivation{}, Texts: map[string]string{},
		Setup: pageSetup{Skills: []pageSkill{}, Clients: []pageClient{}, Skill: shownFile(o.Base, o.Skill)},
	}
	keep := secrets.OfPrompts()
	for file, text := range o.Texts {
		out.Texts[shownFile(o.Base, file)] = keep.Text(text)
	}
	listed := map[string]bool{}
	for _, p := range pages {
		name := p.Profile.Name
		p.Simulation = p.Simulation.Redacted(keep)
		s := simulationToJSON(p.Simulation, SimulateOptions{Base: o.Base})
		out.Setup.Clients = append(out.Setup.Clients, pageClient{name, s.ClientVersion, s.Evidence})
		s.Activation = nil // it stands among the others
		out.Simulations[name] = pageSimulation{s, simulationMarkdown(p.Simulation)}
		out.Activations[name] = map[string]jsonActivation{}
		for _, a := range p.Activations {
			out.Activations[name][shownFile(o.Base, a.File)] = activationToJSON(a.Redacted(keep), SimulateOptions{Base: o.Base})
		}
		for _, k := range s.Skills {
			if !listed[k.File] {
				listed[k.File] = true
				out.Setup.Skills = append(out.Setup.Skills, pageSkill{k.File, nameOf(k), path.Dir(filepath.ToSlash(k.File))})
			}
		}
	}
	return out
}

// nameOf is what people call a skill: by its own name, else by its folder.
func nameOf(k jsonSimSkill) string {
	switch {
	case k.Loaded.Name != "":
		return k.Loaded.Name
	case k.Name != "":
		return k.Name
	}
	return path.Base(path.Dir(k.File))
}
