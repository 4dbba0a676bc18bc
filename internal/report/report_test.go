package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is a skill that tries to drive the terminal or the CI system that shows it.
var hostile = "---\nname: evil\ndescription: \"工具\t😀 \x1b[31mMARK\x1b[0m ::error::x \u202Eolleh <b>@all</b>\"\n---\n\n" +
	"# Steps\n\nMARK at the start, then " + longLine + " MARK and so on, " + longLine + "\n"

var longLine = strings.Repeat("word ", 40)

const plain = "---\nname: plain\ndescription: Does a thing. Use when needed.\n---\n\nOne\nMULTI\ntwo\nthree MULTI\n"

// mark finds the word MARK and whole sections between two MULTI.
var mark = &lint.Rule{
	Name: "demo/mark", Severity: lint.Error, Scope: lint.BodyScope, Since: "0.1.0", Repair: lint.MixedRepair,
	Page:    lint.Page{What: "The word MARK stands in the text.", Why: "It is there for a test | and a `table`.", Bad: "MARK\n```sh\nx\n```\n", Good: "mark\n"},
	Options: []lint.Option{{Name: "max", Default: 3, Doc: "how many are too many"}},
	Run: func(p *lint.Pass) {
		for _, at := range regexp.MustCompile("MARK").FindAllStringIndex(p.Text(), -1) {
			span := text.Span{Start: at[0], End: at[1]}
			p.Report(lint.Finding{
				Span: span, Message: "MARK is 100% forbidden:\n::error::" + p.Text()[max(0, at[0]-5):at[1]], Help: "write it, say, in [small](letters)",
				Clients: []string{"pi", "codex"}, Related: []lint.Related{{File: p.Doc().Path, Span: text.Span{Start: 4, End: 8}, Message: "the name is here"}},
				Fixes: []lint.Fix{{Title: "write mark", Safe: true, Edits: []lint.Edit{lint.Replace(span, "mark")}}},
			})
		}
	},
}

var multi = &lint.Rule{
	Name: "demo/multi", Severity: lint.Warning, Scope: lint.BodyScope, Since: "0.1.0", Repair: lint.UnsafeRepair,
	Page: lint.Page{What: "Two MULTI enclose lines.", Why: "For a test."},
	Run: func(p *lint.Pass) {
		if at := regexp.MustCompile("(?s)MULTI.*MULTI").FindStringIndex(p.Text()); at != nil {
			p.Report(lint.Finding{
				Span: text.Span{Start: at[0], End: at[1]}, Message: "lines between MULTI",
				Fixes: []lint.Fix{{Title: "move the file", Renames: []lint.Rename{{From: p.Doc().Path, To: "x/SKILL.md"}}}},
			})
		}
	},
}

var whole = &lint.Rule{
	Name: "demo/whole", Severity: lint.Info, Scope: lint.WorkspaceScope, Since: "0.1.0",
	Page: lint.Page{What: "Something about the whole.", Why: "For a test."},
	Run:  func(p *lint.Pass) { p.Report(lint.Finding{File: ".", Message: "too many skills"}) },
}

func demoResult(t *testing.T) *workspace.Result {
	t.Helper()
	base := t.TempDir()
	texts := map[string]string{
		filepath.Join(base, "skills", "evil, it: is", "SKILL.md"): hostile,
		filepath.Join(base, "skills", "plain", "SKILL.md"):        plain,
		filepath.Join(base, "skills", "quiet", "SKILL.md"):        "---\nname: quiet\ndescription: Does nothing. Use when idle.\n---\n\nRest.\n",
		filepath.Join(base, ".mcp.json"):                          `{"mcpServers": {"demo": {"command": "demo"}, "other": {"command": "other"}}}`,
	}
	reg := lint.NewRegistry([]*lint.Rule{mark, multi, whole})
	resolver, err := lint.NewResolver(reg, lint.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	job := workspace.Job{
		Options: workspace.Options{
			FS: workspace.NewOverlay(skills.Disk{}, texts), Base: base, Paths: []string{base},
			Configs: workspace.NoConfig(base), Resolver: resolver,
		},
		Engine: lint.NewEngine(reg),
	}
	r, err := job.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 5 {
		t.Fatalf("%d findings, want 5: the demo is not what the golden files are about", len(r.Findings))
	}
	return r
}

func render(t *testing.T, format string, o report.Options) []byte {
	t.Helper()
	w, err := report.For(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	o.Version = "1.2.3"
	if err := w(&b, demoResult(t), o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from %s (-update rewrites it):\n%s", name, file, got)
	}
}

func TestFormats(t *testing.T) {
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) { golden(t, format, render(t, format, report.Options{Statistics: true})) })
	}
	t.Run("text-color", func(t *testing.T) {
		golden(t, "text-color", render(t, "text", report.Options{Color: true, Quiet: true}))
	})
}

// Whatever a skill holds, what a terminal or a log gets has no control character, none that turns the
// direction of text, and as many lines as the report itself makes.
func TestHostileTextIsHarmless(t *testing.T) {
	for _, format := range report.Formats() {
		out := string(render(t, format, report.Options{}))
		if i := strings.IndexAny(out, "\x1b\r\u202E\u009B\x00\x07"); i >= 0 {
			t.Errorf("%s lets %q through", format, out[i:min(i+12, len(out))])
		}
	}
	for line := range strings.Lines(string(render(t, "github", report.Options{}))) {
		if !regexp.MustCompile(`^::(error|warning|notice) `).MatchString(line) {
			t.Errorf("not one of the report's own commands: %q", line)
		}
	}
}

// Every underline of the text report stands below the text it is about.
func TestUnderline(t *testing.T) {
	lines := strings.Split(string(render(t, "text", report.Options{})), "\n")
	seen := 0
	for i, line := range lines {
		_, under, ok := strings.Cut(line, "| ")
		if !ok || strings.Trim(under, " ^") != "" || !strings.Contains(under, "^") || i == 0 {
			continue
		}
		_, source, _ := strings.Cut(lines[i-1], "| ")
		from := strings.IndexByte(under, '^')
		got := cut(source, from, len(under))
		if got != "MARK" && got != "MULTI" && got != "three MULTI" {
			t.Errorf("underlined is %q in\n%s\n%s", got, lines[i-1], line)
		}
		seen++
	}
	if seen != 5 {
		t.Errorf("%d underlines, want 5", seen)
	}
}

// cut returns the part of a line between two columns of a terminal.
func cut(line string, from, to int) string {
	var b strings.Builder
	column := 0
	for _, r := range line {
		if column >= from && column < to {
			b.WriteRune(r)
		}
		column++
		if strings.ContainsRune("工具😀", r) {
			column++
		}
	}
	return b.String()
}

func TestGitHubCommandsReadBack(t *testing.T) {
	unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	command := regexp.MustCompile(`^::(\w+) ([^:]*)::(.*)$`)
	r := demoResult(t)
	i := 0
	for line := range strings.Lines(string(render(t, "github", report.Options{}))) {
		m := command.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Fatalf("not a command: %q", line)
		}
		props := map[string]string{}
		for p := range strings.SplitSeq(m[2], ",") {
			name, value, _ := strings.Cut(p, "=")
			props[name] = unescape.Replace(value)
		}
		f := r.Findings[i]
		if f.File != "." && props["file"] != f.File || props["title"] != f.Rule.Name {
			t.Errorf("command %d is about %v, want %s in %s", i, props, f.Rule.Name, f.File)
		}
		if f.Help != "" && !strings.HasSuffix(unescape.Replace(m[3]), "\n"+f.Help) {
			t.Errorf("message %q does not end with the help", unescape.Replace(m[3]))
		}
		if f.Rule == multi && props["col"] != "" {
			t.Error("columns over several lines, which GitHub refuses")
		}
		i++
	}
	if i != len(r.Findings) {
		t.Errorf("%d commands for %d findings", i, len(r.Findings))
	}
}

func TestGitLabReadBack(t *testing.T) {
	var issues []struct {
		Description string
		Check       string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin, End int }
		}
	}
	if err := json.Unmarshal(render(t, "gitlab", report.Options{}), &issues); err != nil {
		t.Fatal(err)
	}
	prints := map[string]bool{}
	for i, f := range demoResult(t).Findings {
		got := issues[i]
		if got.Check != f.Rule.Name || got.Location.Path != f.File || got.Location.Lines.Begin < 1 ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, got.Severity) {
			t.Errorf("%+v is not about %s in %s", got, f.Rule.Name, f.File)
		}
		if prints[got.Fingerprint] {
			t.Errorf("fingerprint %s twice; GitLab shows one of them only", got.Fingerprint)
		}
		prints[got.Fingerprint] = true
	}
}

func TestJUnitReadBack(t *testing.T) {
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Failure *struct {
					Type string `xml:"type,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(render(t, "junit", report.Options{}), &suites); err != nil {
		t.Fatal(err)
	}
	tests, failures := 0, 0
	for _, s := range suites.Suites {
		for _, c := range s.Cases {
			tests++
			if c.Failure != nil {
				failures++
			}
		}
	}
	// Four findings fail, the one of level info does not, and the skill and the configuration without any pass.
	if tests != 7 || failures != 4 || suites.Tests != tests || suites.Failures != failures {
		t.Errorf("%d tests, %d failures, said to be %d and %d; want 7 and 4", tests, failures, suites.Tests, suites.Failures)
	}
}

func validate(t *testing.T, schemaFile string, data []byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", schemaFile, err)
	}
}

func TestAgainstSchemas(t *testing.T) {
	validate(t, "testdata/sarif-2.1.0-rtm.5.json", render(t, "sarif", report.Options{}))
	validate(t, "../../schemas/report.schema.json", render(t, "json", report.Options{Statistics: true}))
}

// The bytes at a JSON report's offsets are the same as the characters at its lines and columns.
func TestJSONPlaces(t *testing.T) {
	var out struct {
		Findings []struct {
			File  string
			Range struct {
				Start, End struct{ Line, Column, Offset int }
			}
		}
	}
	if err := json.Unmarshal(render(t, "json", report.Options{}), &out); err != nil {
		t.Fatal(err)
	}
	r := demoResult(t)
	for _, f := range out.Findings {
		doc := r.Doc(f.File)
		if doc == nil {
			continue
		}
		start := f.Range.Start
		line := []rune(strings.Split(doc.Raw, "\n")[start.Line-1])
		byColumn, byOffset := string(line[start.Column-1:][:4]), doc.Raw[start.Offset:][:4]
		if byColumn != byOffset || byOffset != "MARK" && byOffset != "MULT" {
			t.Errorf("%s: column says %q, offset %q", f.File, byColumn, byOffset)
		}
	}
}

func TestPages(t *testing.T) {
	for _, format := range []string{"text", "json", "markdown"} {
		var list, page bytes.Buffer
		if err := report.Rules(&list, []*lint.Rule{mark, multi, whole}, format); err != nil {
			t.Fatal(err)
		}
		if err := report.Rule(&page, mark, format); err != nil {
			t.Fatal(err)
		}
		golden(t, "rules-"+format, list.Bytes())
		golden(t, "rule-"+format, page.Bytes())
	}
}

func TestUnknownFormat(t *testing.T) {
	for format, want := range map[string]string{"jsno": `did you mean "json"`, "xyzzy": "there are github, gitlab"} {
		if _, err := report.For(format); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("For(%q): %v, want %q", format, err, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteErrorsAreTold(t *testing.T) {
	r := demoResult(t)
	for _, format := range report.Formats() {
		w, err := report.For(format)
		if err != nil {
			t.Fatal(err)
		}
		if err := w(fullDisk{}, r, report.Options{}); err == nil {
			t.Errorf("%s: no error from a writer that fails", format)
		}
	}
}
