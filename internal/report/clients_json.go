package report

import (
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// schemas/clients.schema.json describes this form.
type jsonClients struct {
	Version int          `json:"version"`
	Clients []jsonClient `json:"clients"`
}

type jsonClient struct {
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Evidence string       `json:"evidence"`
	Skills   []jsonPlayed `json:"skills"`
}

type jsonPlayed struct {
	File        string      `json:"file"`
	Listed      bool        `json:"listed"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Location    string      `json:"location"`
	Loaded      *jsonLoaded `json:"loaded,omitempty"`
	Status      string      `json:"status"`
	Reason      string      `json:"reason,omitempty"`
	Rule        string      `json:"rule,omitempty"`
	Stages      []jsonStage `json:"stages,omitempty"`
}

type jsonLoaded struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Tools       []string          `json:"tools,omitempty"`
	Fields      map[string]string `json:"fields,omitempty"`
}

type jsonStage struct {
	Stage string `json:"stage"`
	Text  string `json:"text"`
	Lost  bool   `json:"lost,omitempty"`
}

// clientsToJSON converts a roster, or of one skill its row with the stages behind it.
func clientsToJSON(r *workspace.Roster, only *skills.Skill, o ClientsOptions) jsonClients {
	out := jsonClients{Version: 1, Clients: make([]jsonClient, 0, len(r.Clients))}
	for _, p := range r.Clients {
		c := jsonClient{Name: p.Name, Version: p.Version, Evidence: p.Evidence.Level, Skills: []jsonPlayed{}}
		if only != nil {
			x := playedToJSON(r.Cell(p, only), only, o)
			for _, step := range r.Trace(p, only) {
				x.Stages = append(x.Stages, jsonStage{string(step.Stage), step.Text, step.Lost})
			}
			c.Skills = append(c.Skills, x)
			out.Clients = append(out.Clients, c)
			continue
		}
		for _, s := range r.Skills {
			if cell := r.Cell(p, s); cell.Outcome != nil {
				c.Skills = append(c.Skills, playedToJSON(cell, s, o))
			}
		}
		out.Clients = append(out.Clients, c)
	}
	return out
}

func playedToJSON(c workspace.Cell, s *skills.Skill, o ClientsOptions) jsonPlayed {
	file := s.Doc.Path
	if o.Name != nil {
		file = o.Name(s.Doc.Abs)
	}
	out := jsonPlayed{
		File: file, Listed: c.Listed, Name: c.Name, Description: c.Description, Location: c.Location,
		Loaded: loadedToJSON(&c.Loaded), Status: string(c.Status), Reason: c.Reason,
	}
	if c.Rule != nil {
		out.Rule = c.Rule.Name
	}
	return out
}

// loadedToJSON is nil for a client whose loader came to nothing.
func loadedToJSON(l *profile.Loaded) *jsonLoaded {
	if l.Name == "" && l.Description == "" && l.Tools == nil && l.Fields == nil {
		return nil
	}
	return &jsonLoaded{l.Name, l.Description, l.Tools, l.Fields}
}
