package report_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// roster plays all clients on skills of several folders, one of them hostile.
func roster(t *testing.T) *workspace.Roster {
	t.Helper()
	base := t.TempDir()
	file := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	fsys := workspace.NewOverlay(skills.Disk{}, map[string]string{
		file("skills", "plain", "SKILL.md"):                                   plain,
		file("skills", "evil \x1b[2J|<b>", "SKILL.md"):                        hostile,
		file("skills", strings.Repeat("工具-with-a-long-name-", 4), "SKILL.md"): plain,
		file("group", ".agents", "skills", "odd", "SKILL.md"):                 "---\nname: odd\nlicense: [MIT]\ndescription: x: y\n---\n\nOdd.\n",
		file("group", ".agents", "skills", "loose.md"):                        plain,
		file("elsewhere", "SKILL.md"):                                         "\uFEFF" + plain,
		file("fragment", "SKILL.md"):                                          "<!-- a piece -->\n",
		file("group", ".claude", "skills", "SKILL.md"):                        plain,
		file("group", ".claude", "skills", "silent", "SKILL.md"):              strings.Replace(plain, "\n---\n\n", "\ndisable-model-invocation: true\n---\n\n", 1),
	})
	reg := lint.NewRegistry([]*lint.Rule{mark})
	resolver, err := lint.NewResolver(reg, lint.Flags{Clients: append(profile.Everyone(), "pi@0.73.1")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := workspace.Load(t.Context(), workspace.Options{FS: fsys, Base: base, Paths: []string{base}, Configs: workspace.NoConfig(base), Resolver: resolver})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Roster(t.Context(), lint.NewEngine(reg), 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func clients(t *testing.T, format string, o report.ClientsOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Clients(&b, roster(t), format, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func explained(t *testing.T, skill, format string) string {
	t.Helper()
	r := roster(t)
	s, err := r.Find(skill)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.ExplainClients(&b, r, s, format, report.ClientsOptions{Width: 100}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestClientsAgainstSchema(t *testing.T) {
	validate(t, "../../schemas/clients.schema.json", []byte(clients(t, "json", report.ClientsOptions{})))
	validate(t, "../../schemas/clients.schema.json", []byte(explained(t, "odd", "json")))
	if strings.Contains(clients(t, "json", report.ClientsOptions{}), "fragment/") {
		t.Error("a piece for a generator is taken for a skill")
	}
}

// Whatever the width: no line is wider but for a word that is, every client has its column, every skill its
// signs, and nothing drives the terminal.
func TestClientsFitTheTerminal(t *testing.T) {
	names := append(profile.Everyone(), "pi 0.73")
	for _, width := range []int{64, 80, 160} {
		out := clients(t, "text", report.ClientsOptions{Width: width, ASCII: true})
		signs := 0
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, "工") {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
			if strings.ContainsAny(line, "\x1b") {
				t.Errorf("width %d: an escape: %q", width, line)
			}
			if rest, ok := strings.CutPrefix(line, "  plain "); ok {
				signs += len(strings.Fields(rest))
			}
		}
		if signs != len(names) {
			t.Errorf("width %d: skill plain has %d signs, want one of each of %d clients", width, signs, len(names))
		}
		for _, name := range names {
			if strings.Count(out, " "+name) == 0 {
				t.Errorf("width %d: %s has no column", width, name)
			}
		}
	}
}

func TestClientsMarkdownIsInert(t *testing.T) {
	for _, out := range []string{clients(t, "markdown", report.ClientsOptions{}), explained(t, "evil", "markdown")} {
		for _, bad := range []string{"<b>", "\x1b", "@all"} {
			if strings.Contains(out, bad) {
				t.Errorf("%q stands in the Markdown", bad)
			}
		}
	}
}

func TestClientsColor(t *testing.T) {
	out := clients(t, "text", report.ClientsOptions{Width: 100, Color: true})
	for what, want := range map[string]string{
		"a listed skill": "\x1b[32m✓\x1b[0m", "a loss": "\x1b[1;31m✗\x1b[0m", "a folder not read": "\x1b[2m✗\x1b[0m", "a culprit": "\x1b[1;31m‼\x1b[0m",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not shown as %q", what, want)
		}
	}
}
