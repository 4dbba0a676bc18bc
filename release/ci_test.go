package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/version"
)

const (
	goodSkill = "---\nname: tea\ndescription: \"Brews tea: green or black. Use when somebody is thirsty.\"\n---\n\nBoil water.\n"
	badSkill  = "---\nname: ink\ndescription: Mixes ink: blue or black. Use for letters.\n---\n\nMix.\n"
)

// workplace is a folder with skills, and the release's programs first in the path.
func workplace(t *testing.T, r *Release, skills map[string]string) string {
	t.Helper()
	t.Setenv("PATH", unpack(t, r)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	dir := t.TempDir()
	for name, text := range skills {
		put(t, filepath.Join(dir, ".agents", "skills", name, "SKILL.md"), text)
	}
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// action is action.yml.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Steps []struct {
			Name, ID, Run, Uses, If string
			Env                     map[string]string
		}
	}
}

// runner plays the composite action as a runner of GitHub does: the steps with run, their settings filled in.
type runner struct {
	t      *testing.T
	action action
	dir    string
	inputs map[string]string
	env    []string // of every step
	files  map[string]string
	out    map[string]string // outputs of the step lint
}

func newRunner(t *testing.T, dir, base string, inputs map[string]string) *runner {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	w := &runner{t: t, dir: dir, inputs: map[string]string{"base-url": base, "version": "1.2.3", "token": "secret-token"}, files: map[string]string{}, out: map[string]string{}}
	readYAML(t, filepath.Join(root, "action.yml"), &w.action)
	for name, in := range w.action.Inputs {
		if _, set := w.inputs[name]; !set {
			w.inputs[name] = in.Default
		}
	}
	for name, value := range inputs {
		w.inputs[name] = value
	}
	temp := t.TempDir()
	for _, name := range []string{"GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		w.files[name] = filepath.Join(temp, name)
		put(t, w.files[name], "")
		w.env = append(w.env, name+"="+w.files[name])
	}
	w.env = append(w.env, "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp)
	return w
}

var expression = regexp.MustCompile(`\$\{\{ (inputs|steps\.lint\.outputs)\.([a-z0-9-]+) \}\}`)

// fill evaluates the expressions that action.yml uses.
func (w *runner) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		m := expression.FindStringSubmatch(e)
		if m[1] == "inputs" {
			return w.inputs[m[2]]
		}
		return w.out[m[2]]
	})
}

// run plays all steps, and returns what they print and the status of the one that fails, 0 when none does.
func (w *runner) run() (string, int) {
	w.t.Helper()
	var log strings.Builder
	for _, step := range w.action.Runs.Steps {
		if step.Run == "" {
			continue // another action
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", w.fill(step.Run))
		cmd.Dir, cmd.Env = w.dir, append(os.Environ(), w.env...)
		added, _ := os.ReadFile(w.files["GITHUB_PATH"])
		cmd.Env = append(cmd.Env, "PATH="+strings.TrimSpace(string(added))+string(filepath.ListSeparator)+os.Getenv("PATH"))
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+w.fill(value))
		}
		out, err := cmd.CombinedOutput()
		log.Write(out)
		if err != nil {
			return log.String(), cmd.ProcessState.ExitCode()
		}
		outputs, _ := os.ReadFile(w.files["GITHUB_OUTPUT"])
		for line := range strings.Lines(string(outputs)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			w.out[name] = value
		}
	}
	return log.String(), 0
}

func (w *runner) file(name string) string {
	data, err := os.ReadFile(w.files[name])
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// service is GitHub: the release's files, and comments on one pull request.
type service struct {
	mu       sync.Mutex
	comments []map[string]any
	asked    []string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	if r.Header.Get("Authorization") != "Bearer secret-token" {
		http.Error(w, "who are you", http.StatusForbidden)
		return
	}
	var in map[string]any
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &in)
	switch r.Method {
	case http.MethodPost:
		in["id"] = len(s.comments) + 1
		s.comments = append(s.comments, in)
	case http.MethodPatch:
		s.comments[0]["body"] = in["body"]
	}
	if r.Method == http.MethodGet {
		_ = json.NewEncoder(w).Encode(s.comments)
	} else {
		_ = json.NewEncoder(w).Encode(in)
	}
}

func needsNode(t *testing.T) {
	t.Helper()
	for _, program := range []string{"node", "bash", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not here", program)
		}
	}
}

// mirror serves the packed release.
func mirror(t *testing.T, r *Release) string {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix("/v1.2.3/", http.FileServer(http.Dir(r.Out))))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAction(t *testing.T) {
	r := packed(t)
	needsNode(t)
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".agents/skills/ink/SKILL.md"), badSkill)
	put(t, filepath.Join(dir, ".agents/skills/tea/SKILL.md"), goodSkill)
	w := newRunner(t, dir, mirror(t, r), map[string]string{"args": "--client=copilot-cli,codex\n"})
	log, status := w.run()
	if status != 1 || w.out["status"] != "1" {
		t.Errorf("status %d, output %q\n%s", status, w.out["status"], log)
	}
	if !strings.Contains(log, "::add-matcher::") || !strings.Contains(log, ".agents/skills/ink/SKILL.md:3:23: error[yaml/unquoted-colon]") {
		t.Errorf("no finding in\n%s", log)
	}
	data, err := os.ReadFile(w.out["sarif"])
	if err != nil || !bytes.Contains(data, []byte(`"yaml/unquoted-colon"`)) || !json.Valid(data) {
		t.Errorf("SARIF: %v\n%s", err, data)
	}
	if summary := w.file("GITHUB_STEP_SUMMARY"); !strings.Contains(summary, "|") || !strings.Contains(summary, "tea") {
		t.Errorf("summary:\n%s", summary)
	}
	w = newRunner(t, dir, mirror(t, r), map[string]string{"fail-on": "never", "paths": ".agents/skills/tea\n.agents/skills/ink"})
	if log, status := w.run(); status != 0 || w.out["status"] != "0" {
		t.Errorf("fail-on never: status %d\n%s", status, log)
	}
	w = newRunner(t, dir, mirror(t, r), map[string]string{"args": "--nonsense"})
	if log, status := w.run(); status != 2 || !strings.Contains(log, "unknown flag") {
		t.Errorf("wrong flag: status %d\n%s", status, log)
	}
}

// What is not the release that was meant is not run.
func TestActionChecksTheRelease(t *testing.T) {
	r := packed(t)
	needsNode(t)
	for name, inputs := range map[string]map[string]string{
		"it is not the release that was meant": {"sha256": strings.Repeat("0", 64)},
		"is there such a release?":             {"version": "9.9.9"},
	} {
		w := newRunner(t, t.TempDir(), mirror(t, r), inputs)
		if log, status := w.run(); status != 3 || !strings.Contains(log, "::error title=skilllint::") || !strings.Contains(log, name) {
			t.Errorf("status %d\n%s", status, log)
		}
	}
}

// The table of clients is one comment, however often the job runs.
func TestActionComment(t *testing.T) {
	r := packed(t)
	needsNode(t)
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".agents/skills/tea/SKILL.md"), goodSkill)
	github := &service{comments: []map[string]any{}}
	api := httptest.NewServer(github)
	defer api.Close()
	event := filepath.Join(t.TempDir(), "event.json")
	put(t, event, `{"pull_request":{"number":7}}`)
	for range 2 {
		w := newRunner(t, dir, mirror(t, r), map[string]string{"comment": "true"})
		w.env = append(w.env, "GITHUB_API_URL="+api.URL, "GITHUB_REPOSITORY=o/r", "GITHUB_EVENT_PATH="+event)
		if log, status := w.run(); status != 0 {
			t.Fatalf("status %d\n%s", status, log)
		}
	}
	want := []string{"GET /repos/o/r/issues/7/comments", "POST /repos/o/r/issues/7/comments", "GET /repos/o/r/issues/7/comments", "PATCH /repos/o/r/issues/comments/1"}
	if !slices.Equal(github.asked, want) || len(github.comments) != 1 || !strings.Contains(fmt.Sprint(github.comments[0]["body"]), "tea") {
		t.Errorf("asked %q\n%v", github.asked, github.comments)
	}
	put(t, event, `{}`)
	w := newRunner(t, dir, mirror(t, r), map[string]string{"comment": "true"})
	w.env = append(w.env, "GITHUB_EVENT_PATH="+event)
	if log, status := w.run(); status != 0 || !strings.Contains(log, "this is no pull request") {
		t.Errorf("status %d\n%s", status, log)
	}
}

// The action installs the release that it is part of.
func TestActionIsPinned(t *testing.T) {
	var a action
	readYAML(t, filepath.Join("..", "action.yml"), &a)
	if got, want := a.Inputs["version"].Default, strings.TrimSuffix(version.Development, "-dev"); got != want {
		t.Errorf("action.yml installs %s, this is %s", got, want)
	}
}

// Every finding becomes an annotation in its place.
func TestProblemMatcher(t *testing.T) {
	r := packed(t)
	dir := workplace(t, r, map[string]string{"ink": badSkill, "pen": "---\nname: quill\ndescription: Writes.\n---\n\nWrite.\n"})
	data, err := os.ReadFile(filepath.Join("..", "action", "matcher.json"))
	if err != nil {
		t.Fatal(err)
	}
	var matchers struct {
		ProblemMatcher []struct {
			Pattern []struct {
				Regexp                      string
				File, Line, Column, Message int
			}
		}
	}
	if err := json.Unmarshal(data, &matchers); err != nil {
		t.Fatal(err)
	}
	text := output(t, dir, "skilllint", "lint", "--fail-on=never", "--client=all", "--severity=name/folder=info", ".")
	seen := 0
	for line := range strings.Lines(text) {
		for _, m := range matchers.ProblemMatcher {
			p := m.Pattern[0]
			found := regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimRight(line, "\n"))
			if found == nil {
				continue
			}
			seen++
			if !strings.HasSuffix(found[p.File], "SKILL.md") || found[p.Line] == "" || found[p.Column] == "" || found[p.Message] == "" {
				t.Errorf("%q becomes %q", line, found)
			}
		}
	}
	var report struct{ Findings []struct{ Severity string } }
	if err := json.Unmarshal([]byte(output(t, dir, "skilllint", "lint", "--fail-on=never", "--client=all", "--severity=name/folder=info", "--format=json", ".")), &report); err != nil {
		t.Fatal(err)
	}
	if seen != len(report.Findings) || seen < 2 {
		t.Errorf("%d annotations for %d findings in\n%s", seen, len(report.Findings), text)
	}
}

// The hooks get the names of changed files, and check nothing else.
func TestPreCommit(t *testing.T) {
	r := packed(t)
	dir := workplace(t, r, map[string]string{"ink": badSkill, "tea": goodSkill, "ash": strings.ReplaceAll(badSkill, "ink", "ash")})
	var hooks []struct{ ID, Entry, Language, Files string }
	readYAML(t, filepath.Join("..", ".pre-commit-hooks.yaml"), &hooks)
	changed := []string{".agents/skills/ink/SKILL.md", ".agents/skills/ink/notes.md", "README.md", ".mcp.json", "config/mcp.json.bak"}
	put(t, filepath.Join(dir, ".mcp.json"), `{"mcpServers": {}}`)
	for _, h := range hooks {
		var names []string
		for _, file := range changed {
			if regexp.MustCompile(h.Files).MatchString(file) {
				names = append(names, file)
			}
		}
		words := append(strings.Fields(h.Entry), names...)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		fix := strings.Contains(h.Entry, "--fix")
		if want := map[bool]int{false: 1, true: 0}[fix]; cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want || strings.Contains(string(out), "ash") {
			t.Errorf("%s on %q: %v, want %d\n%s", h.ID, names, cmd.ProcessState, want, out)
		}
		if h.ID == "skilllint" && (len(names) != 2 || !strings.Contains(string(out), "ink/SKILL.md:3:23: error")) {
			t.Errorf("%s gets %q\n%s", h.ID, names, out)
		}
	}
	if len(hooks) != 2 {
		t.Errorf("%d hooks", len(hooks))
	}
}

// The recipes' own commands run, and write reports in the forms that they name.
func TestRecipes(t *testing.T) {
	r := packed(t)
	command := regexp.MustCompile(`(?m)^\s*(?:- |sh ')?(skilllint (?:lint|clients) [^'\n<]*)`)
	for recipe, least := range map[string]int{"github": 1, "gitlab": 2, "jenkins": 2, "buildkite": 2, "pre-commit": 1} {
		data, err := os.ReadFile(filepath.Join("..", "docs", "ci", recipe+".md"))
		if err != nil {
			t.Fatal(err)
		}
		dir := workplace(t, r, map[string]string{"ink": badSkill})
		output(t, dir, "git", "init", "--quiet")
		output(t, dir, "git", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "--quiet", "--allow-empty", "--message", "x")
		found := command.FindAllStringSubmatch(string(data), -1)
		if len(found) < least {
			t.Errorf("%s: %d commands", recipe, len(found))
		}
		for _, m := range found {
			want := 1
			if strings.Contains(m[1], "--fail-on never") {
				want = 0
			}
			words := strings.Fields(m[1])
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
				t.Errorf("%s: %s: %v\n%s", recipe, m[1], err, out)
			}
		}
		reports(t, recipe, dir)
	}
}

// reports checks what the commands of a recipe wrote.
func reports(t *testing.T, recipe, dir string) {
	t.Helper()
	for name, data := range files(t, dir) {
		switch filepath.Ext(name) {
		case ".json", ".sarif":
			if !json.Valid(data) || !bytes.Contains(data, []byte("ink/SKILL.md")) {
				t.Errorf("%s: %s: %s", recipe, name, data)
			}
		case ".xml":
			var suites struct {
				XMLName xml.Name `xml:"testsuites"`
			}
			if err := xml.Unmarshal(data, &suites); err != nil || !bytes.Contains(data, []byte("ink/SKILL.md")) {
				t.Errorf("%s: %s: %v", recipe, name, err)
			}
		}
	}
}
