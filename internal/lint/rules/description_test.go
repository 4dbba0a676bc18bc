package rules

import (
	"fmt"
	"testing"
)

// descriptionFindings returns how often a rule finds something in a description.
func descriptionFindings(t *testing.T, description, body, rule string) int {
	t.Helper()
	text := fmt.Sprintf("---\nname: photo-tool\ndescription: %s\n---\n\n# Steps\n\n%s\n", description, body)
	return len(of(lintTree(t, tree(t, "-- photo-tool/SKILL.md --\n"+text), nil), rule))
}

func TestNoCue(t *testing.T) {
	for description, want := range map[string]int{
		"Helps with code quality.":                            1,
		"A friendly greeter skill":                            1,
		"Tools for various data tasks.":                       1,
		"Helps with code quality when a review is asked for.": 0,
		"Use for code quality.":                               0,
		"Renders Mermaid diagrams to SVG with the CLI.":       0, // short and not general
		"Hilft bei Code.":                                     0, // another language
		"Ayuda con la calidad del codigo.":                    0,
		"コードの品質を助ける。":                                         0,
		"The photo tool.":                                     0, // description/repeats-name
	} {
		if got := descriptionFindings(t, description, "Do it.", "description/no-cue"); got != want {
			t.Errorf("%q has %d findings, want %d", description, got, want)
		}
	}
}

// TestCues holds one cue of each language: a section on when to use the skill is no fault beside it.
func TestCues(t *testing.T) {
	const section = "## When to use this skill\n\nOften."
	for _, description := range []string{
		"Renames photos. Use when photos have camera names.", "Benennt Fotos um, wenn sie Namen der Kamera tragen.", "Renomme les photos lorsque leur nom est celui de la caméra.",
		"Cambia nombres cuando son de la cámara.", "Renomeia fotos quando têm nomes da câmera.", "Fotoğrafları yeniden adlandırır; istendiği zaman.", "Переименовывает фото, когда имена от камеры.",
		"Rules for photos. Read before planning an album.", "Renames photos (a fallback for “sort my holiday”).",
		"写真の名前を変える時に。", "用于重命名照片。", "사진 이름을 바꿀 때 쓴다.",
	} {
		if got := descriptionFindings(t, description, section, "description/cue-in-body"); got != 0 {
			t.Errorf("%q counts as without a cue", description)
		}
	}
	if got := descriptionFindings(t, "Renames photos by the dates in their EXIF data.", section, "description/cue-in-body"); got != 1 {
		t.Errorf("%d findings without a cue, want 1", got)
	}
}

func TestTemplatesAndPrompts(t *testing.T) {
	for _, c := range []struct {
		description, rule string
		want              int
	}{
		{"\"[TODO: what it does]\"", "description/placeholder", 1},
		{"Replace with description of the skill and when to use it.", "description/placeholder", 1},
		{"TODO", "description/placeholder", 1},
		{"tbd.", "description/placeholder", 1},
		{"Lists TODO comments of a project. Use when they are asked for.", "description/placeholder", 0},
		{"TODO lists for teams. Use when one is asked for.", "description/placeholder", 0},
		{"Add a description of what the skill does.", "description/placeholder", 1},
		{"Enter your skill description here", "description/placeholder", 1},
		{"Add descriptions for new products to the shop. Use when some lack one.", "description/placeholder", 0},
		{"Write a description for each photo. Use when they have none.", "description/placeholder", 0},
		{"Describes photos. Use when a description of a photo is asked for.", "description/placeholder", 0},
		{"You are an expert photographer.", "description/prompt", 1},
		{"Tells what you are asked for.", "description/prompt", 0},
		{"A photo tool.", "description/repeats-name", 1},
		{"A photo tool for RAW files.", "description/repeats-name", 0},
	} {
		if got := descriptionFindings(t, c.description, "Do it.", c.rule); got != c.want {
			t.Errorf("%s: %q has %d findings, want %d", c.rule, c.description, got, c.want)
		}
	}
}

func TestToolLists(t *testing.T) {
	for tools, want := range map[string]int{
		"Read bash":                   1,
		"Read Bash(git:*) bash Shell": 0, // a name unlike all: the list may be another client's
		"read exec sessions_list":     0,
		"bash":                        0,
		"Read mcp__a__b bash":         1,
		"Read Multiedit":              1,
		"Read MultiEdit Task":         0,
	} {
		text := fmt.Sprintf("---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nallowed-tools: %s\n---\n\n# Steps\n\nRename.\n", tools)
		if got := len(of(lintTree(t, tree(t, text), []string{"claude-code"}), "tools/unknown")); got != want {
			t.Errorf("%q has %d findings, want %d", tools, got, want)
		}
	}
}

// TestHasCue holds the search by words against the expression.
func TestHasCue(t *testing.T) {
	for _, text := range []string{
		"", "Renames photos.", "Use when photos have camera names.", "USE THIS SKILL WHEN asked", "Whenever you rename", "whenceforth", "A user of things", "used for it", "using it to rename",
		"for Any photo", "form any", "Verwendung", "verwendet", "Nutze es, wenn", "utiliser", "kullan", "Когда нужно", "写真を使用する", "写真を整理する", "needs", "kneads", "asked", "task", "basks",
		"run it", "run it with care", "call these skills proactively after", "essays", "say", "says", "triggered", "retrigger", "After a run", "after the run", "if you", "gif you",
	} {
		if got, want := hasCue(text), cue.MatchString(text); got != want {
			t.Errorf("%q: hasCue is %t, the expression says %t", text, got, want)
		}
	}
}

// TestAdviceOnTypes wants advice that can be followed: quotes make no text of a mapping over several lines.
func TestAdviceOnTypes(t *testing.T) {
	for value, want := range map[string]string{
		"\n  python: \">=3.8\"": "write it as one line of text",
		"[python, git]":         "put the whole value in quotes",
		"3.8":                   "put the whole value in quotes",
	} {
		text := fmt.Sprintf("---\nname: photo-tool\ndescription: Renames photos. Use when asked.\ncompatibility: %s\n---\n\n# Steps\n\nDo it.\n", value)
		got := of(lintTree(t, tree(t, "-- photo-tool/SKILL.md --\n"+text), nil), "field/type")
		if len(got) != 1 || got[0].Help != want {
			t.Errorf("%q: %+v, want the advice %q", value, got, want)
		}
	}
}
