package profile

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Owns reports whether a folder is one that belongs to this client alone, or
// lies in one, such as ".claude/skills" for Claude Code.
func (p *Profile) Owns(dir string) bool {
	dir = path.Clean(dir)
	return slices.ContainsFunc(p.Brand, func(b string) bool { return within(dir, b) })
}

// Reads reports whether a folder is one of a project the client reads skills
// from, or lies in one.
func (p *Profile) Reads(dir string) bool { return p.reads(path.Clean(dir)) }

func (p *Profile) reads(clean string) bool {
	return slices.ContainsFunc(p.Discovery.Roots, func(r Root) bool {
		return r.Base != "home" && r.Base != "abs" && within(clean, r.Path)
	})
}

// Takes reports whether the client takes a file of that name for a skill, in
// a place where it looks.
func (p *Profile) Takes(file string) bool {
	name := path.Base(file)
	if strings.EqualFold(name, "SKILL.md") {
		return name == "SKILL.md" || p.Discovery.Fold || p.Discovery.FlatBelow
	}
	return p.Discovery.Flat
}

// within reports whether the parts of folder stand together in dir. A folder
// that is not hidden, such as "skills", must not lie in a hidden one: those
// belong to clients.
func within(dir, folder string) bool {
	before, found := above(dir, folder)
	if !found || strings.HasPrefix(folder, ".") {
		return found
	}
	return !strings.HasPrefix(path.Base(before), ".") || path.Base(before) == "."
}

// above returns what stands in a path before the first place where it goes through folder, one or several names.
func above(dir, folder string) (before string, found bool) {
	for from := 0; ; {
		at := strings.Index(dir[from:], folder)
		if at < 0 {
			return "", false
		}
		start := from + at
		end := start + len(folder)
		if (start == 0 || dir[start-1] == '/') && (end == len(dir) || dir[end] == '/') {
			return dir[:max(start-1, 0)], true
		}
		from = start + 1
	}
}

// Everyone names the clients that the word "all" stands for: every one but the
// validators, which refuse each key outside the Agent Skills text and so a
// third of good skills. They judge only where they are named.
func Everyone() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return mustFind([]string{name})[0].Kind == "validator" })
}

// Default returns the clients that skills in a folder are judged by when
// nothing names others: those of the first tier that read the folder, and the
// client it belongs to. For a folder none of them reads it is the whole first
// tier and AgentScope, which takes any folder.
func Default(dir string) []*Profile {
	dir = path.Clean(dir)
	var out []*Profile
	for _, p := range firstProfiles() {
		if p.reads(dir) {
			out = append(out, p)
		}
	}
	if owner := Owner(dir); owner != nil && !slices.Contains(out, owner) {
		out = append(out, owner)
	}
	if len(out) == 0 {
		return append(FirstTier(), mustFind([]string{fallbackClient})...)
	}
	return out
}

// Owner returns the client a folder belongs to, or nil.
func Owner(dir string) *Profile {
	for brand, name := range brands() {
		if within(dir, brand) {
			return mustFind([]string{name})[0]
		}
	}
	return nil
}

// brands maps each brand folder to its client. It takes the line "brand: […]"
// from the client files instead of parsing them all, which would cost more
// than a linter's start may take; a test holds both readings together.
var brands = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, name := range Names() {
		src, err := clientFiles.ReadFile(path.Join("clients", name+".yaml"))
		if err != nil {
			panic(err) // the file was just listed
		}
		_, rest, _ := strings.Cut(string(src), "\nbrand: [")
		list, _, _ := strings.Cut(rest, "]")
		for dir := range strings.SplitSeq(list, ",") {
			if dir = strings.TrimSpace(dir); dir != "" {
				out[dir] = name
			}
		}
	}
	return out
})
