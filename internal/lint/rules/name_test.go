package rules

import (
	"fmt"
	"testing"
)

// TestBetterNames wants a name that can be written instead, or none where only a part of the name would be left.
func TestBetterNames(t *testing.T) {
	const none = "use lower-case letters, digits and hyphens"
	for name, want := range map[string]string{
		"Photo Tool": "write name: photo-tool and rename the folder",
		"Café_Größe": none,
		"Café Menü":  "write name: cafe-menu and rename the folder",
		"写真":         none,
		"phot\u043e": none, // the letter of another script that looks like o
		"C++ & more": "write name: c-more and rename the folder",
	} {
		text := fmt.Sprintf("-- skills/Odd Folder/SKILL.md --\n---\nname: %s\ndescription: Renames photos. Use when asked.\n---\n\n# Steps\n\nDo it.\n", name)
		got := of(lintTree(t, tree(t, text), nil), "name/syntax")
		if len(got) != 1 || got[0].Help != want {
			t.Errorf("%s: %+v, want the advice %q", name, got, want)
		}
	}
}
