// Package gen writes skills to measure with. The same number gives the same skill.
package gen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Skill is a generated skill.
type Skill struct {
	Name  string            // the name of its folder
	Files map[string]string // what the folder holds, by path with slashes; SKILL.md is always there
}

// New returns skill number n with a SKILL.md of about size bytes. One skill in ten has a fault that skills
// really have.
func New(n, size int) Skill {
	w := &writer{Rand: rand.New(rand.NewPCG(uint64(n), 1))}
	name := fmt.Sprintf("%s-%s-%d", w.pick(verbs), w.pick(nouns), n)
	s := Skill{Name: name, Files: map[string]string{}}
	w.front(name, n)
	w.body(name, size)
	s.Files["SKILL.md"] = w.String()
	if n%3 == 0 { // two skills in three are a SKILL.md and nothing else, as among published ones
		s.Files["references/guide.md"] = "# Guide\n\n" + w.sentence() + "\n"
		s.Files["scripts/run.sh"] = "#!/bin/sh\nset -eu\nexec make \"$@\"\n"
	}
	return s
}

// Write writes count skills of about size bytes below the folder dir.
func Write(dir string, count, size int) error {
	for n := range count {
		s := New(n, size)
		for name, content := range s.Files {
			file := filepath.Join(dir, s.Name, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return fmt.Errorf("write skill %s: %w", s.Name, err)
			}
			if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
				return fmt.Errorf("write skill %s: %w", s.Name, err)
			}
		}
	}
	return nil
}

type writer struct {
	strings.Builder
	*rand.Rand
}

// front writes the front matter, for every tenth skill a faulty one.
func (w *writer) front(name string, n int) {
	description := w.sentence() + " Use it when " + strings.ToLower(w.sentence())
	extra := "license: MIT\nallowed-tools: Read Grep Bash(git log:*)\nmetadata:\n  author: shop\n  version: \"1.2\"\n"
	if n%10 == 9 {
		switch (n / 10) % 5 {
		case 0:
			description = "Use for: " + description
		case 1:
			name += "-old"
		case 2:
			extra = strings.Replace(extra, "allowed-tools", "allowed_tools", 1)
		case 3:
			description = strings.Replace(description, " Use", " #later Use", 1)
		case 4:
			description = ""
		}
	}
	fmt.Fprintf(w, "---\nname: %s\ndescription: %s\n%s---\n\n", name, description, extra)
}

// body writes a heading and blocks until the text has size bytes.
func (w *writer) body(name string, size int) {
	fmt.Fprintf(w, "# %s\n\n", strings.ReplaceAll(name, "-", " "))
	blocks := []func(){w.paragraph, w.paragraph, w.list, w.steps, w.code, w.table, w.links, w.quote}
	for i := 0; w.Len() < size; i++ {
		if i%5 == 0 {
			fmt.Fprintf(w, "## %s %s\n\n", title(w.pick(verbs)), w.pick(nouns))
		}
		blocks[w.IntN(len(blocks))]()
	}
}

func (w *writer) paragraph() {
	for range 2 + w.IntN(3) {
		w.WriteString(w.sentence())
		w.WriteString([]string{" ", "\n"}[w.IntN(2)])
	}
	w.WriteString("\n\n")
}

func (w *writer) list() {
	for range 3 + w.IntN(4) {
		fmt.Fprintf(w, "- **%s**: `%s_%s` %s\n", w.pick(nouns), w.pick(verbs), w.pick(nouns), w.sentence())
	}
	w.WriteString("\n")
}

func (w *writer) steps() {
	for i := range 3 + w.IntN(3) {
		fmt.Fprintf(w, "%d. %s\n", i+1, w.sentence())
	}
	w.WriteString("\n")
}

func (w *writer) code() {
	w.WriteString("```bash\n")
	for range 2 + w.IntN(4) {
		fmt.Fprintf(w, "%s --%s \"$%s\" | tee out/%s.log\n", w.pick(verbs), w.pick(nouns), strings.ToUpper(w.pick(nouns)), w.pick(nouns))
	}
	w.WriteString("```\n\n")
}

func (w *writer) table() {
	w.WriteString("| part | meaning |\n| --- | --- |\n")
	for range 3 + w.IntN(3) {
		fmt.Fprintf(w, "| `%s` | %s |\n", w.pick(nouns), w.sentence())
	}
	w.WriteString("\n")
}

// links refers to files that one skill in three has.
func (w *writer) links() {
	fmt.Fprintf(w, "See the [guide](references/guide.md), run `scripts/run.sh %s`, or read <https://example.com/%s> and [%s](https://example.com/%s#%s).\n\n",
		w.pick(verbs), w.pick(nouns), w.pick(nouns), w.pick(verbs), w.pick(nouns))
}

func (w *writer) quote() {
	fmt.Fprintf(w, "> **Note** %s\n> %s\n\n", w.sentence(), w.sentence())
}

// sentence returns a sentence that YAML reads as plain text.
func (w *writer) sentence() string {
	return fmt.Sprintf("%s the %s of every %s before the %s and %s what the %s wrote.",
		title(w.pick(verbs)), w.pick(nouns), w.pick(nouns), w.pick(nouns), w.pick(verbs), w.pick(nouns))
}

func (w *writer) pick(words []string) string { return words[w.IntN(len(words))] }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

var (
	verbs = strings.Fields("build check compare convert count deploy describe draw explain export fetch find format import label measure merge print read record render repair review search send sort split test translate verify watch write")
	nouns = strings.Fields("account address archive balance board branch build cart catalogue column commit customer database device document draft event export figure folder index invoice issue label letter list log map message metric migration model order page payment picture plan price project query record release report request résumé row rule schema server session sheet shop sketch table tag task template test ticket token user value version view")
)
