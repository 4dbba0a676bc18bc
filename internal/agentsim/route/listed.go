package route

import (
	"path"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Listed returns the skills that a client lists, as it lists them. The ID of a skill is its name, and the path of its
// file from base when another one has that name.
func Listed(s *agentsim.Simulation, base string) []Skill {
	var out []Skill
	names := map[string]bool{}
	for _, k := range s.Skills {
		if !k.Listed {
			continue
		}
		id := k.Name
		if names[id] { // some clients list several of one name
			id = workspace.Shown(base, filepath.FromSlash(k.File))
		}
		names[id] = true
		out = append(out, Skill{
			ID: id, Name: k.Name, Description: k.Description,
			Known: []string{k.Loaded.Name, k.Loaded.Fields["alias"], path.Base(path.Dir(k.File))},
		})
	}
	return out
}
