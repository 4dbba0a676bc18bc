package rules

import (
	"strings"
	"testing"
)

// TestPlaces holds that a rule judges inside code and comments only where its page says so.
func TestPlaces(t *testing.T) {
	const hazards = "[a](gone.md) ![i](i.png) $ARGUMENTS $SKILL_DIR/x /Users/anna/x @notes.md costs $1 !`ls` run `scripts/x.py` `references/gone.md`"
	places := map[string]struct{ text, said string }{
		"comment": {"<!-- " + hazards + " -->", "comment"},
		"fence":   {"~~~markdown\n" + hazards + "\n~~~", "fence code"},
		"span":    {"`` " + hazards + " ``", "code"},
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			found := lintTree(t, tree(t, strings.TrimSuffix(demoSkill, "Rename.\n")+place.text+"\n"), []string{"claude-code", "opencode"})
			if len(found) == 0 {
				t.Error("nothing is found: variables are replaced there, too")
			}
			for _, f := range found {
				page := strings.ToLower(f.Rule.Page.What + " " + f.Rule.Page.Why)
				says := false
				for _, word := range strings.Fields(place.said) {
					says = says || strings.Contains(page, word)
				}
				if !says {
					t.Errorf("%s judges there, which its page does not say: %s", f.Rule.Name, f.Message)
				}
			}
		})
	}
}
