package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestMCPConfigLines holds every line of the list of what goes wrong in configurations against the rules.
func TestMCPConfigLines(t *testing.T) { holdLines(t, "config.txtar", "mcp-config/") }

// TestMCPToolLines does the same for tools and their schemas.
func TestMCPToolLines(t *testing.T) { holdLines(t, "tools.txtar", "mcp-tool/") }

// holdLines lints the cases of an archive: what is found, and where, and that nothing else is. The group of rules that an
// archive is about is left out in its marks.
func holdLines(t *testing.T, archive, group string) {
	raw, err := os.ReadFile(filepath.Join("testdata", "mcp", archive))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range txtar.Parse(raw).Files {
		if !strings.HasPrefix(string(line.Data), "> ") && !strings.HasPrefix(string(line.Data), "# ") {
			shownElsewhere(t, string(line.Data))
			continue
		}
		for i, c := range strings.Split(string(line.Data), "\n----\n") {
			t.Run(fmt.Sprintf("%s/%d", line.Name, i+1), func(t *testing.T) { holdLine(t, assemble(t, c), group) })
		}
	}
}

func holdLine(t *testing.T, src, group string) {
	var clients, asked []string
	if names, rest, ok := strings.Cut(src, "\n"); ok && strings.HasPrefix(names, "# for ") {
		for _, name := range strings.Fields(strings.TrimPrefix(names, "# for ")) {
			if strings.Contains(name, "/") {
				asked = append(asked, name)
			} else {
				clients = append(clients, name)
			}
		}
		src = rest
	}
	files, named, want := marked(t, src)
	dir := tree(t, files)
	paths, got := []string{dir}, []string(nil)
	if named != "" {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(named)))
	}
	for _, f := range lintPaths(t, dir, paths, clients, asked...) {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.File)))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s: %s %s: %s", f.File, strings.TrimPrefix(f.Rule.Name, group), f.Severity, f.Span.In(string(text))))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("found %q\nwant  %q", got, want)
	}
}

// writtenOut writes the lines that stand for tools as the answer of a server.
func writtenOut(src string) string {
	var tools []string
	for line := range strings.Lines(src) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		described, schema := `"description": "Looks up a word in the manual."`, `"inputSchema": {"type": "object", "properties": {}}`
		switch kind {
		case "tool":
			tools = append(tools, rest)
			continue
		case "schema":
			schema = markedKey("inputSchema", rest)
		case "parameter":
			schema = `"inputSchema": {"type": "object", "properties": {` + markedKey("a", rest) + `}}`
		case "says":
			described = markedKey("description", rest)
		default:
			return src
		}
		tools = append(tools, fmt.Sprintf(`{"name": "look_up_%d", %s, "annotations": {"readOnlyHint": true}, %s}`, len(tools)+1, described, schema))
	}
	return `{"tools": [` + strings.Join(tools, ",\n") + "]}\n"
}

// markedKey writes a key with its value. A mark around all of the value is put on the key, where findings lie.
func markedKey(key, value string) string {
	if inside, ok := strings.CutPrefix(value, "«"); ok && strings.HasSuffix(inside, "»") {
		rules, value, _ := strings.Cut(strings.TrimSuffix(inside, "»"), ":")
		return fmt.Sprintf("«%s:%q»: %s", rules, key, value)
	}
	return fmt.Sprintf("%q: %s", key, value)
}

// shownElsewhere holds that the tests are there which show what no text can show: a file and a name on each line.
func shownElsewhere(t *testing.T, tests string) {
	t.Helper()
	for line := range strings.Lines(tests) {
		file, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		src, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "func "+name+"(t *testing.T)") {
			t.Errorf("%s has no test %s", file, name)
		}
	}
}

// marked takes the marks out of the files of a case. It returns the files as an archive, the one with "(named)" behind it,
// and what is to be found in them, sorted, as "FILE: RULE SEVERITY: TEXT".
func marked(t *testing.T, src string) (archive, named string, want []string) {
	t.Helper()
	var out strings.Builder
	for _, part := range strings.Split("\n"+src, "\n> ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		name, isNamed := strings.CutSuffix(name, " (named)")
		file, _, _ := strings.Cut(name, " (")
		if isNamed {
			named = name
		}
		if strings.HasSuffix(file, ".tools.json") {
			text = writtenOut(text)
		}
		plain, marks := unmarked(t, text)
		fmt.Fprintf(&out, "-- %s --\n%s\n", name, strings.TrimSuffix(plain, "\n"))
		for _, m := range marks {
			want = append(want, file+": "+m)
		}
	}
	slices.Sort(want)
	return out.String(), named, want
}

// unmarked takes the marks out of a text and returns both.
func unmarked(t *testing.T, src string) (plain string, marks []string) {
	t.Helper()
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(src, "«")
		out.WriteString(before)
		if !found {
			return out.String(), marks
		}
		inside, after, closed := strings.Cut(rest, "»")
		rules, text, said := strings.Cut(inside, ":")
		if !closed || !said {
			t.Fatalf("no mark: %q", rest)
		}
		for _, rule := range strings.Split(rules, " + ") {
			marks = append(marks, rule+": "+text)
		}
		out.WriteString(text)
		src = after
	}
}
