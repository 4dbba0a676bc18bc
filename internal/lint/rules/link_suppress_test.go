package rules

import "testing"

// TestMentionSuppressors holds what the text around `references/x.md` makes of it. The lines are made after
// ones in published skills.
func TestMentionSuppressors(t *testing.T) {
	const missing = "link/missing-path references/x.md"
	cases := map[string]struct {
		body  string
		found bool
	}{
		"plain":                    {"Details are in `references/x.md`.", true},
		"table":                    {"| Phase | File |\n| --- | --- |\n| one | `references/x.md` |", true},
		"read for examples":        {"If detailed examples are required, open `references/x.md`.", true},
		"variable":                 {"Read `{baseDir}/references/x.md`.", true},
		"no reading":               {"Some examples: `references/x.md` for billing.", false},
		"such as":                  {"Split long texts into files such as `references/x.md`.", false},
		"e.g.":                     {"One file a topic (e.g. `references/x.md`).", false},
		"under an example":         {"## Example: a large skill\n\n- Storage: `references/x.md`", false},
		"under the next heading":   {"## Example\n\nNone.\n\n## Use\n\n- Storage: `references/x.md`", true},
		"made at run time":         {"Save this content to `references/x.md`.", false},
		"made, and read elsewhere": {"Write the notes to `references/x.md`.\n\nThen read `references/x.md`.", false},
		"made, in Chinese":         {"将结果保存到 `references/x.md`", false},
		"if it exists":             {"Read `references/x.md` if it exists.", false},
		"another skill":            {"See the `billing` skill (`references/x.md`).", false},
		"another skill's":          {"It lives in `billing`'s\n`references/x.md`. This text is wrapped.", false},
		"name of another skill":    {"- other `references/x.md` has the protocol", false},
		"the plugin":               {"`references/x.md` in this plugin holds the rules.", false},
		"wrapped root":             {"To change it edit this file, then `references/x.md` from\nthe toolkit root carries it on.", false},
		"folder of the plugin":     {"Look into `references/` in this plugin.\n\n| a | `references/x.md` |", false},
		"folder, blank":            {"Look into `references/x y.md`.", false},
		"no extension":             {"Look into `references/x`.", false},
		"other folder":             {"Look into `docs/x.md` and `src/x.ts` and `tests/x.py`.", false},
		"placeholder":              {"Look into `references/<topic>.md` and `references/*.md` and `references/YYYY.md`.", false},
		"text of a link":           {"See [`references/x.md`](../../README.md).", false},
		"absolute":                 {"Look into `/references/x.md` and `~/references/x.md`.", false},
		"scripts of the project":   {"Look into `scripts/x.py`.", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var want []string
			if c.found {
				want = []string{missing}
			}
			if name == "variable" {
				want = []string{"link/missing-path {baseDir}/references/x.md"}
			}
			if name == "text of a link" {
				want = []string{"link/outside ../../README.md"}
			}
			expect(t, skillWith(c.body, "README.md", "# R", "skills/other/SKILL.md", "---\nname: other\ndescription: Talks.\n---\n\n# T\n"), want...)
		})
	}
}

// TestTeachingNames holds which skills teach how to write skills.
func TestTeachingNames(t *testing.T) {
	for name, want := range map[string]bool{
		"skill-creator": true, "skill-writer": true, "writing-skills": true, "creating-skills": true, "create-agent-skill": true,
		"agent-development": true, "plugin-structure": false, "template-skill": true, "command-development": true, "skill-installer": true,
		"demo": false, "pdf": false, "skillful-testing": false, "agent-browser": false, "brand-guidelines": false, "email-template": false,
	} {
		if got := teachingName(name); got != want {
			t.Errorf("%s teaches: %v, want %v", name, got, want)
		}
	}
}

func TestOpensAnother(t *testing.T) {
	for content, want := range map[string]bool{
		"# T\n```sh\nls\n": true, "  ```json\n{}\n": true, "````md\nx\n": true,
		"x ```sh\n": false, "ls\n": false, "~~~sh\n": false, "``sh\n": false, "": false,
	} {
		if got := opensAnother(content, "```"); got != want {
			t.Errorf("%q opens another fence: %v, want %v", content, got, want)
		}
	}
	if opensAnother("```sh\nls\n```\n", "````") {
		t.Error("a shorter fence inside a longer one is taken for another")
	}
}
