package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// rows maps the rows of executed/outcomes.json to profiles.
var rows = map[string]string{
	"skills-ref": "agentskills", "mistral-vibe": "mistral-vibe", "nanobot": "nanobot", "bub": "bub",
	"agent-zero": "agent-zero", "kimi-cli": "kimi-cli", "deepagents": "deepagents",
	"agent-framework": "agent-framework", "fast-agent": "fast-agent", "crewAI": "crewai", "pi": "pi",
	"gemini-cli": "gemini-cli", "kimi-code": "kimi-code", "letta-code": "letta-code", "mux": "mux",
	"cline-sdk": "cline", "cline-vscode-ui": "cline-vscode", "vercel-skills": "skills-installer",
	"continue": "continue", "roo-code": "roo-code", "crush": "crush", "spring-ai-agent-utils": "spring-ai",
}

type executed struct {
	R    string
	Name *string
	Desc *string
	Line *string
	// Tools is a list, or one string for a client that does not split; null
	// and absent say that there are none, or that they were not recorded.
	Tools any
}

// differences are rows where the newer, observed client does otherwise.
var differences = map[string]string{
	"pi/bom":           "pi 1.6 strips the byte order mark",
	"pi/name_1e3":      "pi 1.6 names a skill without a name of text by its folder",
	"pi/name_octalish": "pi 1.6 names a skill without a name of text by its folder",
}

// TestExecuted compares loaded values with what the loaders returned when
// their own code ran.
func TestExecuted(t *testing.T) {
	dir := shared(t, "oracle", "executed")
	var outcomes map[string]map[string]executed
	readJSON(t, filepath.Join(dir, "outcomes.json"), &outcomes)
	for row, name := range rows {
		t.Run(name, func(t *testing.T) {
			p := find(t, name)
			agree, total := 0, 0
			for _, c := range sortedKeys(outcomes[row]) {
				if reason := differences[name+"/"+c]; reason != "" {
					t.Logf("%s: %s", c, reason)
					continue
				}
				total++
				got := playFixture(t, filepath.Join(dir, "fixtures", c), p)
				if diff := compareExecuted(p, outcomes[row][c], got); diff != "" {
					t.Logf("%s: %s (%s %s: %s)", c, diff, got.Stage, got.Check, got.Reason)
					continue
				}
				agree++
			}
			t.Logf("%s: %d of %d agree", name, agree, total)
			if 100*agree < 97*total {
				t.Errorf("only %d of %d agree", agree, total)
			}
		})
	}
}

func playFixture(t *testing.T, dir string, p *profile.Profile) *profile.Outcome {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	must(t, err)
	src, err := os.ReadFile(files[0])
	must(t, err)
	return p.PlayFile(profile.NewDoc(files[0], src))
}

func compareExecuted(p *profile.Profile, want executed, got *profile.Outcome) string {
	verdict := "load"
	switch got.Status {
	case profile.Dropped, profile.RootLost:
		verdict = "drop"
	case profile.ClientCrash:
		verdict = "CRASH"
	}
	if verdict != want.R {
		return "want " + want.R + ", got " + verdict
	}
	if verdict != "load" {
		return ""
	}
	if want.Name != nil && *want.Name != got.Loaded.Name {
		return "name: want " + strconv.Quote(*want.Name) + ", got " + strconv.Quote(got.Loaded.Name)
	}
	if want.Desc != nil && !sameDescription(*want.Desc, got.Loaded.Description) {
		return "description: want " + strconv.Quote(*want.Desc) + ", got " + strconv.Quote(got.Loaded.Description)
	}
	if want.Tools != nil && fmt.Sprint(want.Tools) != fmt.Sprint(tools(want.Tools, got)) {
		return fmt.Sprintf("tools: want %v, got %v", want.Tools, got.Loaded.Tools)
	}
	if want.Line != nil && !strings.HasPrefix(nanobotLine(got), *want.Line) { // long lines are kept as their start
		return "line: want " + strconv.Quote(*want.Line) + ", got " + strconv.Quote(nanobotLine(got))
	}
	return ""
}

// tools gives the loaded tools in the form of the recorded ones.
func tools(form any, o *profile.Outcome) any {
	if _, whole := form.(string); whole {
		return strings.Join(o.Loaded.Tools, " ")
	}
	return o.Loaded.Tools
}

func nanobotLine(o *profile.Outcome) string {
	return "- **" + o.Name + "** — " + o.Description + "  `" + filepath.Base(filepath.Dir(o.File)) + "/SKILL.md`"
}

// longText is how the outcomes keep a long description: its start and length.
var longText = regexp.MustCompile(`(?s)^(.*)…(?:\[(\d+)\])?$`)

func sameDescription(want, got string) bool {
	want, got = strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")
	if want == got {
		return true
	}
	m := longText.FindStringSubmatch(want)
	if m == nil || !strings.HasPrefix(got, m[1]) {
		return false
	}
	return m[2] == "" || m[2] == strconv.Itoa(len([]rune(got)))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return slices.Compact(keys)
}

// TestValidator compares whether skills-ref's validator complained with the
// warnings of its profile. Complaints about keys are left out: they are
// the same for every client of the specification.
func TestValidator(t *testing.T) {
	dir := shared(t, "oracle", "executed")
	var outcomes map[string]map[string]struct {
		R        string
		Validate []string
	}
	readJSON(t, filepath.Join(dir, "outcomes.json"), &outcomes)
	p := find(t, "agentskills")
	for c, want := range outcomes["skills-ref"] {
		if want.R != "load" {
			continue
		}
		complaints := slices.DeleteFunc(want.Validate, func(s string) bool { return strings.HasPrefix(s, "Unexpected fields") })
		got := playFixture(t, filepath.Join(dir, "fixtures", c), p)
		if (len(got.Warnings) > 0) != (len(complaints) > 0) {
			t.Errorf("%s: got %v, want %v", c, got.Warnings, complaints)
		}
	}
}
