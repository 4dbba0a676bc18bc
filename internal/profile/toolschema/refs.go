package toolschema

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// definitions are the keywords that hold schemas for others to refer to.
var definitions = []string{"$defs", "definitions"}

// definition returns the keyword and the name of the definition of the root that a reference leads to, or into.
func definition(ref string) (keyword, name string, ok bool) {
	for _, keyword := range definitions {
		if rest, found := strings.CutPrefix(ref, "#/"+keyword+"/"); found {
			name, _, _ = strings.Cut(rest, "/")
			return keyword, strings.NewReplacer("~1", "/", "~0", "~").Replace(name), true
		}
	}
	return "", "", false
}

// resolved returns the definition that a schema refers to, else the schema itself. References in that are left alone.
func resolved(root, v *value) *value {
	if keyword, name, ok := definition(v.get("$ref").str()); ok {
		if target := root.get(keyword).get(name); target != nil {
			return target
		}
	}
	return v
}

// prune removes the definitions of the root that nothing refers to, but they themselves.
func (w *rewriter) prune(v *value) {
	used := map[[2]string]bool{}
	var follow func(*value)
	follow = func(at *value) {
		if keyword, name, ok := definition(at.get("$ref").str()); ok && !used[[2]string{keyword, name}] {
			used[[2]string{keyword, name}] = true
			follow(v.get(keyword).get(name))
		}
		for _, m := range at.membersOf() {
			if at != v || m.key != definitions[0] && m.key != definitions[1] {
				follow(m.value)
			}
		}
		for _, item := range at.itemsOf() {
			follow(item)
		}
	}
	follow(v)
	for _, keyword := range definitions {
		kept := object()
		for _, m := range v.get(keyword).membersOf() {
			if used[[2]string{keyword, m.key}] {
				kept.members = append(kept.members, m)
				continue
			}
			w.tell(keyword, catalog.Join(rootPointer, keyword, m.key), "definition without a reference removed", false)
		}
		switch {
		case v.get(keyword) == nil:
		case len(kept.members) == 0:
			v.take(keyword)
		default:
			v.set(keyword, kept)
		}
	}
}
