package replay

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Today is what calls are held against.
type Today struct {
	Servers []*Server // those whose tools are known, or that are configured
	Skills  []*skills.Skill
	FS      skills.FS
	Root    string // absolute path of the folder that stands for the one in which calls were recorded
	Home    string // the user's folder, for skills there; "" to leave them out
}

// Server is an MCP server.
type Server struct {
	Name   string
	Entry  *mcpconfig.Server // nil where no configuration names it
	Now    *catalog.Server   // nil when its tools are not known
	Before *catalog.Server   // what a lock file holds, where Now is newer; else nil
}

// TodayOf returns what a snapshot knows of tools and skills.
func TodayOf(s *workspace.Snapshot, root string) *Today {
	t := &Today{FS: skills.Disk{}, Root: root}
	for _, k := range s.Skills() {
		if k.Err == nil && !k.Fragment() {
			t.Skills = append(t.Skills, k)
		}
	}
	for _, offers := range s.Offers() {
		for i := range offers.Servers {
			if o := &offers.Servers[i]; o.Server != nil && t.Server(o.Name) == nil {
				t.Servers = append(t.Servers, &Server{Name: o.Name, Entry: o.Entry, Now: o.Server, Before: o.Locked})
			}
		}
	}
	for _, f := range s.Configs() {
		for _, e := range f.Servers {
			if !e.Disabled() && t.Server(e.Name) == nil {
				t.Servers = append(t.Servers, &Server{Name: e.Name, Entry: e})
			}
		}
	}
	return t
}

// Server returns the server of that name, or nil.
func (t *Today) Server(name string) *Server {
	i := slices.IndexFunc(t.Servers, func(s *Server) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return t.Servers[i]
}
