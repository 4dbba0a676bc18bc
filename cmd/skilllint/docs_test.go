package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/example"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/report"
)

// repository is the folder that pages and their commands are relative to.
var repository = must(filepath.Abs(filepath.Join("..", "..")))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestDocs holds the pages in docs, README.md and the picture in it against what the program says; -update writes them.
// Pages below docs/rules and docs/clients are made as a whole. In the others the blocks of the language "console" are run, and
// what stands between comments of the form <!-- made: NAME --> and <!-- end --> is made.
func TestDocs(t *testing.T) {
	racetest.Skip(t)
	standardMachine(t)
	want := rulePages(t)
	want["docs/clients/README.md"] = clientPage()
	for _, folder := range []string{"docs/rules", "docs/clients"} {
		nothingElse(t, folder, want)
	}
	for _, page := range append(writtenPages(t), "README.md") {
		want[page] = rewritten(t, page)
	}
	want["docs/images/terminal.svg"] = terminalPicture(t)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		file := filepath.Join(repository, filepath.FromSlash(name))
		if *update {
			write(t, file, want[name])
		}
		if have, err := os.ReadFile(file); err != nil || string(have) != want[name] {
			t.Errorf("%s is not what the program says; make docs writes it (%v)", name, err)
		}
	}
}

// standardMachine gives the program an environment that is the same everywhere: an empty home, and those programs that the
// rules' examples start.
func standardMachine(t *testing.T) {
	t.Helper()
	home, bin := t.TempDir(), t.TempDir()
	for _, name := range []string{"npx", "node", "docker", "uvx", "python3", "docs-mcp"} {
		for _, suffix := range []string{"", ".exe"} {
			if err := os.WriteFile(filepath.Join(bin, name+suffix), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("PATH", bin)
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("DEMO_SET", "1")
	for _, name := range []string{"CI", "NO_COLOR", "COLUMNS"} {
		t.Setenv(name, "") // so that it is put back
		os.Unsetenv(name)
	}
}

// prints runs the program in a folder and returns what it prints, faults of the command line included.
func prints(t *testing.T, dir string, args ...string) string {
	t.Helper()
	t.Chdir(dir)
	var out bytes.Buffer
	run(args, strings.NewReader(""), &out, &out)
	return strings.NewReplacer(dir, "/project", os.Getenv("PATH"), "/usr/bin").Replace(out.String())
}

// nothingElse reports files of a folder that no page belongs to; -update removes them.
func nothingElse(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	root := filepath.Join(repository, filepath.FromSlash(folder))
	_ = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil // where there is no folder yet, all of it is missing
		}
		name := filepath.ToSlash(must(filepath.Rel(repository, file)))
		switch _, known := want[name]; {
		case known:
		case *update:
			return os.Remove(file)
		default:
			t.Errorf("%s belongs to no rule or client; make docs removes it", name)
		}
		return nil
	})
}

// rulePages returns a page for each rule, with its examples run, and the table of them all.
func rulePages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range rules.All() {
		page, rest, found := cutLast(report.Page(r), "\n## Fix\n")
		if !found {
			t.Fatalf("the page of %s has no part about its fix", r.Name)
		}
		out[r.Docs()] = page + executed(t, r) + "\n## Fix\n" + rest
	}
	out["docs/rules/README.md"] = ruleIndex(rules.All())
	return out
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// executed shows what the program prints about the examples of a rule's page.
func executed(t *testing.T, r *lint.Rule) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n## Run\n\n")
	if r.Page.Bad == "" {
		b.WriteString("No text can show the fault. ")
	} else {
		command, out := runExample(t, r, r.Page.Bad)
		if !strings.Contains(out, "["+r.Name+"]") {
			t.Errorf("%s: skilllint %s prints %q about the bad example", r.Name, command, out)
		}
		place := "in a folder with these files"
		if !example.IsArchive(r.Page.Bad) {
			place = "with this text as " + example.Alone
		}
		fmt.Fprintf(&b, "About the bad example, %s:\n\n%s\n", place, fenced("$ skilllint "+command+"\n"+out))
	}
	command, out := runExample(t, r, r.Page.Good)
	if !strings.HasPrefix(out, "no findings") {
		t.Errorf("%s: skilllint %s prints %q about the good example", r.Name, command, out)
	}
	fmt.Fprintf(&b, "About the good example `skilllint %s` prints: %s.\n", command, strings.TrimSpace(out))
	return b.String()
}

// fenced returns a block of code whose fence is longer than any in it.
func fenced(code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + "text\n" + code + fence + "\n"
}

// runExample runs one rule over one of its examples, and returns the command without the program and what it prints.
func runExample(t *testing.T, r *lint.Rule, text string) (command, out string) {
	t.Helper()
	dir := t.TempDir()
	if err := example.Write(dir, text); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	args := []string{"lint", "--select", r.Name}
	if r.Name == lint.ClientDropped || r.Name == lint.ClientChanged {
		args = args[:1] // they are about what the other rules leave
	}
	if len(r.Page.Clients) > 0 {
		args = append(args, "--client", strings.Join(r.Page.Clients, ","))
	}
	for _, file := range must(filepath.Glob(filepath.Join(dir, "*.tools.json"))) {
		name := filepath.Base(file)
		args = append(args, "--tools", strings.TrimSuffix(name, ".tools.json")+"="+name)
	}
	args = append(args, ".")
	return strings.Join(args, " "), prints(t, dir, args...)
}

// ruleIndex lists the rules by their groups.
func ruleIndex(all []*lint.Rule) string {
	groups := map[string][]*lint.Rule{}
	for _, r := range all {
		groups[r.Group()] = append(groups[r.Group()], r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Rules\n\n%d rules in %d groups, as `skilllint rules` lists them. Each page shows the fault, the same put right, and what the\nprogram prints about both; `skilllint explain RULE` prints it, too.\n\n", len(all), len(groups))
	b.WriteString("An error cannot be read as meant or breaks a MUST of the specification; a warning is lost or changed by a client in use; an info\nis about portability; a hint is an opinion, and off unless `--select` or a configuration asks for it.\n\n" +
		"What a page says of published skills was counted in the collections, or is said by the papers, that it names. This counts how often each rule\nfires in a collection of yours:\n\n```sh\nskilllint lint --select all --statistics --quiet --fail-on never FOLDER\n```\n")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		var table bytes.Buffer
		_ = report.Rules(&table, groups[name], "markdown")
		b.WriteString(table.String())
	}
	b.WriteString("\n## security\n\nThese also answer to the name of the group `security`, with the weaknesses that SARIF names:\n\n| Rule | CWE | OWASP |\n|---|---|---|\n")
	for _, r := range all {
		if r.Risk != nil {
			fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", r.Name, strings.TrimPrefix(r.Docs(), "docs/rules/"), weaknesses(r.Risk.CWE), strings.Join(r.Risk.OWASP, ", "))
		}
	}
	return b.String()
}

func weaknesses(cwe []int) string {
	var out []string
	for _, n := range cwe {
		out = append(out, fmt.Sprintf("[%d](https://cwe.mitre.org/data/definitions/%d.html)", n, n))
	}
	return strings.Join(out, ", ")
}

// writtenPages returns the pages of docs that people write, relative to the repository.
func writtenPages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(repository, "docs"), func(file string, e fs.DirEntry, err error) error {
		name := filepath.ToSlash(must(filepath.Rel(repository, file)))
		if name == "docs/rules" || name == "docs/clients" {
			return filepath.SkipDir
		}
		if err == nil && strings.HasSuffix(name, ".md") {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	madePart     = regexp.MustCompile(`(?ms)^<!-- made: ([a-z-]+) -->\n.*?^<!-- end -->$`)
)

// rewritten returns a page with its commands run and its made parts made.
func rewritten(t *testing.T, page string) string {
	t.Helper()
	text := string(must(os.ReadFile(filepath.Join(repository, filepath.FromSlash(page)))))
	text = consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		var b strings.Builder
		dir := copyOfExamples(t)
		for line := range strings.Lines(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "```")) {
			if command, ok := strings.CutPrefix(line, "$ skilllint "); ok {
				b.WriteString(line + prints(t, dir, words(t, command)...))
			} else if strings.HasPrefix(line, "$ ") {
				t.Errorf("%s: only skilllint is run in a block of the language console: %s", page, line)
			}
		}
		return "```console\n" + strings.TrimRight(b.String(), "\n") + "\n```"
	})
	return madePart.ReplaceAllStringFunc(text, func(part string) string {
		name := madePart.FindStringSubmatch(part)[1]
		made := parts[name]
		if made == nil {
			t.Errorf("%s: no part is called %q", page, name)
			return part
		}
		return "<!-- made: " + name + " -->\n" + made() + "<!-- end -->"
	})
}

// copyOfExamples returns a copy of what the pages' commands are about, at the places that it has in the repository.
func copyOfExamples(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, name := range []string{"testdata/demo", "docs/examples"} {
		if err := os.CopyFS(filepath.Join(dir, filepath.FromSlash(name)), os.DirFS(filepath.Join(repository, filepath.FromSlash(name)))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// words splits a command line as a shell does, as far as pages need it: blanks, and double quotes around a word.
func words(t *testing.T, line string) []string {
	t.Helper()
	var out []string
	for i, part := range strings.Split(strings.TrimSpace(line), `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// The example of a configuration in docs is one.
func TestDocsConfiguration(t *testing.T) {
	page := string(must(os.ReadFile(filepath.Join(repository, "docs", "configuration.md"))))
	_, block, _ := strings.Cut(page, "```yaml\n")
	block, _, found := strings.Cut(block, "```")
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".skilllint.yaml"), block)
	write(t, filepath.Join(dir, "vendor", "x", "SKILL.md"), "")
	out := prints(t, dir, "config", "vendor/x")
	if !found || !strings.Contains(out, "clients   claude-code, codex") || !strings.Contains(out, "[max:900]") {
		t.Errorf("docs/configuration.md: skilllint config prints %s", out)
	}
}
