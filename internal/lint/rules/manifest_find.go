package rules

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// home is a folder at or above skills that may hold manifests, commands and agents.
type home struct {
	abs, shown string
	names      []string // what it holds
}

func (h *home) holds(name string) bool {
	_, ok := slices.BinarySearch(h.names, name)
	return ok
}

func (h *home) below(rel string) (abs, shown string) {
	return filepath.Join(h.abs, filepath.FromSlash(rel)), path.Join(h.shown, rel)
}

type homesKey struct{}

// homes returns the folders above the skills, up to the folder that is linted, and those of the plugins that a
// marketplace there lists; sorted.
func homes(p *lint.Pass) []home { return lint.Shared(p, homesKey{}, findHomes) }

func findHomes(p *lint.Pass) []home {
	tree := p.View.Tree()
	seen := map[string]bool{}
	var out []home
	add := func(abs, shown string) {
		seen[abs] = true
		out = append(out, home{abs, shown, tree.Names(abs)})
	}
	for _, s := range p.View.Skills() {
		if s.Doc.Abs == "" {
			continue
		}
		dir, shown := filepath.Dir(s.Doc.Abs), s.Dir
		for {
			above := filepath.Dir(dir)
			if seen[above] || dir == tree.Top() || !inside(tree.Top(), dir) {
				break
			}
			dir = above
			shown = path.Join(shown, "..")
			add(dir, shown)
		}
	}
	for i := range out {
		for _, plugin := range marketplacePlugins(tree, &out[i]) {
			if !seen[plugin] && inside(tree.Top(), plugin) {
				add(plugin, path.Join(out[i].shown, slashRel(out[i].abs, plugin)))
			}
		}
	}
	slices.SortFunc(out, func(a, b home) int { return strings.Compare(a.shown, b.shown) })
	return out
}

// inside reports whether a folder is another one or lies below it.
func inside(top, dir string) bool {
	rel := slashRel(top, dir)
	return rel != ".." && !strings.HasPrefix(rel, "../") && !path.IsAbs(rel)
}

func marketplacePlugins(tree *skills.Tree, h *home) []string {
	if !h.holds(".claude-plugin") {
		return nil
	}
	f := manifest.Read(tree, h.abs, h.shown, ".claude-plugin/marketplace.json")
	if f == nil {
		return nil
	}
	var out []string
	for _, plugin := range f.Plugins() {
		if plugin.Home != "" {
			out = append(out, plugin.Home)
		}
	}
	return out
}

// manifests returns the manifests in the folders above the skills.
func manifests(p *lint.Pass) []*manifest.File {
	var out []*manifest.File
	for _, h := range homes(p) {
		for _, place := range []string{".claude-plugin/marketplace.json", ".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json"} {
			first, _, _ := strings.Cut(place, "/")
			if !h.holds(first) {
				continue
			}
			if f := manifest.Read(p.View.Tree(), h.abs, h.shown, place); f != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// neighbour is a Markdown file that a client lists beside skills: a command or an agent.
type neighbour struct {
	*skills.Skill
	name string // of the file, without its extension
	home string // shown path of the folder that holds .claude, or of the plugin
}

// maxNeighbours bounds how many commands or agents of one folder are read, maxNeighbourDepth how deep folders of them
// may lie in one another: a symbolic link may lead to a folder above.
const (
	maxNeighbours     = 500
	maxNeighbourDepth = 4
)

// neighbours returns the files below "commands" or "agents", of projects and of plugins.
func neighbours(p *lint.Pass, folder string) []neighbour {
	var out []neighbour
	for _, h := range homes(p) {
		for _, at := range []struct {
			rel string
			ok  bool
		}{{".claude/" + folder, h.holds(".claude")}, {folder, h.holds(".claude-plugin") && h.holds(folder)}} {
			if at.ok {
				abs, shown := h.below(at.rel)
				out = appendNeighbours(out, p.View.Tree(), abs, shown, h.shown, 0)
			}
		}
	}
	return out
}

func appendNeighbours(out []neighbour, tree *skills.Tree, abs, shown, home string, depth int) []neighbour {
	for i, name := range tree.Names(abs) {
		at := filepath.Join(abs, name)
		stem, ok := strings.CutSuffix(name, ".md")
		switch {
		case i == maxNeighbours:
			return out
		case !ok && path.Ext(name) == "" && depth < maxNeighbourDepth: // a folder of them: its name is part of theirs
			out = appendNeighbours(out, tree, at, path.Join(shown, name), home, depth+1)
		case ok && strings.ToUpper(stem) != stem: // README, CLAUDE and the like are for people
			if doc, err := tree.Document(path.Join(shown, name), at); err == nil {
				out = append(out, neighbour{skills.Parse(doc), stem, home})
			}
		}
	}
	return out
}
