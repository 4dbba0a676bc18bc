package mcpconfig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

func read(t testing.TB, path, src string) *File {
	t.Helper()
	f := Parse(skills.NewDocument(path, filepath.FromSlash("/w/"+path), src), Place{})
	if f != nil {
		checkSpans(t, f)
	}
	return f
}

// checkSpans wants every span inside the text and the text of each string where it says.
func checkSpans(t testing.TB, f *File) {
	t.Helper()
	src := f.Doc.Text
	inside := func(s text.Span) {
		if s.Start < 0 || s.Start > s.End || s.End > len(src) {
			t.Fatalf("%q: span %v lies outside", src, s)
		}
	}
	for _, x := range f.Faults {
		inside(x.Span)
		if err := text.Check(len(src), x.Edits); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range slices.Concat(f.Comments, f.TrailingCommas) {
		inside(s)
	}
	for _, s := range f.TrailingCommas {
		if s.In(src) != "," {
			t.Fatalf("%q: the trailing comma at %v is %q", src, s, s.In(src))
		}
	}
	if f.Root != nil {
		f.Root.each(func(n *Node) {
			inside(n.Span)
			inside(n.Part(0, len(n.Text)))
			for _, m := range n.Members {
				inside(m.Key)
				inside(m.Extent())
			}
		})
	}
	for _, s := range f.Servers {
		inside(s.Span())
		for _, x := range s.Texts() {
			inside(x.Span)
		}
	}
}

// describe writes a server as one line.
func describe(s *Server) string {
	parts := []string{s.Name, s.Transport().String()}
	add := func(n *Node) {
		if n != nil {
			parts = append(parts, n.Text)
		}
	}
	add(s.Command)
	for _, a := range s.Args {
		add(a)
	}
	for _, m := range slices.Concat(s.Env, s.Headers) {
		parts = append(parts, m.Name+"="+m.Value.Text)
	}
	add(s.URL)
	add(s.Cwd)
	if s.Disabled() {
		parts = append(parts, "disabled")
	}
	return strings.Join(parts, " ")
}

func TestOneModelForAllFiles(t *testing.T) {
	const stdio, remote = "a stdio npx -y x@1 K=v", "b http Authorization=t https://x.example/mcp"
	pair := `{"a": {"command": "npx", "args": ["-y", "x@1"], "env": {"K": "v"}}, "b": {"type": "http", "url": "https://x.example/mcp", "headers": {"Authorization": "t"}}}`
	cases := map[string]struct {
		src  string
		want []string
	}{
		".mcp.json":                       {`{"mcpServers": ` + pair + `}`, []string{stdio, remote}},
		"p/.mcp.json":                     {pair, []string{stdio, remote}},
		".vscode/mcp.json":                {"{// c\n\"servers\": " + pair + ",}", []string{stdio, remote}},
		".vscode/settings.json":           {`{"mcp.servers": ` + pair + `}`, []string{stdio, remote}},
		"x.code-workspace":                {`{"settings": {"mcp": {"servers": ` + pair + `}}}`, []string{stdio, remote}},
		".devcontainer/devcontainer.json": {`{"customizations": {"vscode": {"mcp": {"servers": ` + pair + `}}}}`, []string{stdio, remote}},
		".cursor/mcp.json":                {`{"mcpServers": ` + pair + `}`, []string{stdio, remote}},
		".zed/settings.json": {
			`{"context_servers": {"a": {"command": {"path": "npx", "args": ["-y", "x@1"], "env": {"K": "v"}}, "settings": {}}}}`,
			[]string{stdio},
		},
		".codex/config.toml": {
			"model = \"x\"\n[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-y\", 'x@1']\n[mcp_servers.a.env]\nK = \"v\"\n\n[mcp_servers.b]\nurl = \"https://x.example/mcp\"\nhttp_headers = { Authorization = \"t\" }\n[mcp_servers.\"c d\"]\ncommand = \"x\"\nenabled = false\n",
			[]string{stdio, remote, "c d stdio x disabled"},
		},
		".gemini/settings.json": {`{"ui": 1, "mcpServers": {"b": {"httpUrl": "https://x.example/mcp", "headers": {"Authorization": "t"}}}}`, []string{remote}},
		"opencode.json": {
			`{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "x@1"], "environment": {"K": "v"}, "enabled": false}}}`,
			[]string{stdio + " disabled"},
		},
		"h/goose/config.yaml": {
			"GOOSE_MODEL: x\nextensions:\n  a:\n    type: stdio\n    cmd: npx\n    args: [-y, \"x@1\"]\n    envs:\n      K: v\n  b:\n    type: streamable_http\n    uri: 'https://x.example/mcp'\n    headers: {Authorization: t}\n",
			[]string{stdio, remote},
		},
		"cline_mcp_settings.json": {`{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "npx", "args": ["-y", "x@1"], "env": {"K": "v"}}}}}`, []string{stdio}},
		"w/.mcp": {
			`{"version": 2, "mcps": {"agent": {"session": [{"name": "a", "mcp_config": {"type": "stdio_mcp", "command": "npx", "args": ["-y", "x@1"], "env": {"K": "v"}}}]}}}`,
			[]string{stdio},
		},
		"h/.claude.json":        {`{"mcpServers": {"b": {"type": "sse", "url": "u"}}, "projects": {"/p": {"mcpServers": {"b": {"command": "x"}}}}}`, []string{"b sse u", "b stdio x"}},
		".claude/settings.json": {`{"mcpServers": {"a": {"command": "x"}}}`, []string{"a stdio x"}},
	}
	for path, c := range cases {
		t.Run(path, func(t *testing.T) {
			f := read(t, path, c.src)
			if f == nil {
				t.Fatal("is no configuration")
			}
			var got []string
			for _, s := range f.Servers {
				got = append(got, describe(s))
			}
			if !slices.Equal(got, c.want) || len(f.Faults) > 0 {
				t.Errorf("got %q, faults %v\nwant %q", got, f.Faults, c.want)
			}
			for _, s := range f.Servers {
				if !strings.Contains(s.Key.In(c.src), s.Name) {
					t.Errorf("the name of %s stands at %q", s.Name, s.Key.In(c.src))
				}
				for _, x := range s.Texts() {
					if at := x.Part(0, len(x.Text)); !x.Verbatim() || at.In(c.src) != x.Text {
						t.Errorf("%q stands at %q", x.Text, at.In(c.src))
					}
				}
			}
		})
	}
}

func TestNotMCP(t *testing.T) {
	for path, src := range map[string]string{
		"i18n/locales/de/mcp.json":   `{"title": "MCP-Server", "errors": {"invalid": "x"}, "servers": {"count": "n"}}`,
		"data/mcp.json":              `{"mcpServers": {"title": "x"}}`,
		"package.json":               `{"mcpServers": {"a": {"command": "x"}}}`,
		".vscode/settings.json":      `{"editor.tabSize": 2, // c` + "\n}",
		".codex/config.toml":         "model = \"x\"\n",
		"opencode.json":              `{"model": "x"}`,
		".claude-plugin/plugin.json": `{"name": "x"}`,
		".claude/settings.json":      `{"model": "x"}`,
	} {
		if read(t, path, src) != nil {
			t.Errorf("%s counts as a configuration of MCP", path)
		}
	}
	for path, src := range map[string]string{
		"x/mcp.json":                 `{"a": {"command": "x"}}`,
		"y/mcp.json":                 `{"mcpServers": {}}`,
		".claude-plugin/plugin.json": `{"name": "x", "mcpServers": "./servers.json"}`,
		".claude/settings.json":      `{"enableAllProjectMcpServers": true}`,
	} {
		if read(t, path, src) == nil {
			t.Errorf("%s does not count as a configuration of MCP", path)
		}
	}
}

func TestRecovery(t *testing.T) {
	cases := map[string]struct {
		path, src string
		servers   []string
		fault     string // the text at its place; none when empty
	}{
		"missing comma":      {".mcp.json", "{\"mcpServers\": {\n\"a\": {\"command\": \"x\"}\n\"b\": {\"command\": \"y\" \"args\": []}}}", []string{"a", "b"}, `"`},
		"missing bracket":    {".mcp.json", `{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}`, []string{"a", "b"}, ""},
		"cut in a text":      {".mcp.json", `{"mcpServers": {"a": {"command": "x"}, "b": {"comm`, []string{"a", "b"}, ""},
		"text behind":        {".mcp.json", `{"mcpServers": {"a": {"command": "x"}}} }`, []string{"a"}, "}"},
		"unquoted key":       {".mcp.json", `{"mcpServers": {"a": {"command": "x"}, b: {"command": "y"}}}`, []string{"a"}, "b"},
		"toml line":          {".codex/config.toml", "[mcp_servers.a]\ncommand = x\nargs = []\n[mcp_servers.b]\ncommand = \"y\"\n", []string{"a", "b"}, "x"},
		"yaml below":         {"goose/config.yaml", "extensions:\n  a: {cmd: x}\n  b: {cmd: y\nz: [\n", []string{"a"}, "z: ["},
		"byte order mark":    {".mcp.json", "\uFEFF" + `{"mcpServers": {"a": {"command": "x"}}}`, []string{"a"}, ""},
		"comment and commas": {".mcp.json", "{ /* c */ \"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"//\",],}}} // d", []string{"a"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := read(t, c.path, c.src)
			if f == nil {
				t.Fatal("is no configuration")
			}
			var got []string
			for _, s := range f.Servers {
				got = append(got, s.Name)
			}
			if !slices.Equal(got, c.servers) {
				t.Errorf("servers %q, want %q", got, c.servers)
			}
			if c.fault != "" && (len(f.Faults) != 1 || f.Faults[0].Span.In(c.src) != c.fault) {
				t.Errorf("faults %+v, want one at %q", f.Faults, c.fault)
			}
		})
	}
	f := read(t, ".mcp.json", cases["comment and commas"].src)
	if len(f.Comments) != 2 || len(f.TrailingCommas) != 2 || len(f.Faults) != 0 {
		t.Errorf("comments %v, commas %v, faults %v", f.Comments, f.TrailingCommas, f.Faults)
	}
}

func TestComments(t *testing.T) {
	for path, c := range map[string]struct{ src, want string }{
		".vscode/mcp.json":   {"// a\n{\"servers\": {} /* b */, \"x\": \"// c\"} // d", "// a|/* b */|// d"},
		".codex/config.toml": {"# a\n[mcp_servers.a]\ncommand = \"# b\"#c\nargs = ['''\n# d\n'''] # e\n", "# a|#c|# e"},
		"goose/config.yaml":  {"# a\nextensions:\n  a: {cmd: x#b, args: ['# c']} # d\n", "# a|# d"},
	} {
		var got []string
		for _, at := range read(t, path, c.src).Comments {
			got = append(got, at.In(c.src))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s has the comments %q, want %s", path, got, c.want)
		}
	}
}

func TestVariables(t *testing.T) {
	for src, want := range map[string]Variable{
		"a ${KEY}":              {Form: Braces, Name: "KEY"},
		"${KEY:-x y}":           {Form: Default, Name: "KEY", Default: true},
		"$KEY/x":                {Form: Dollar, Name: "KEY"},
		"%KEY%":                 {Form: Percent, Name: "KEY"},
		"${env:KEY}":            {Form: EnvForm, Name: "KEY"},
		"${input:key}":          {Form: InputForm, Name: "key"},
		"{env:KEY}":             {Form: BareEnv, Name: "KEY"},
		"{file:./x}":            {Form: BareFile, Name: "./x"},
		"${workspaceFolder}/x":  {Form: WorkspaceForm, Name: "workspaceFolder"},
		"${workspaceFolder:a}":  {Form: WorkspaceForm, Name: "a"},
		"${/}":                  {Form: DefaultPaths, Name: "/"},
		"${CLAUDE_PLUGIN_ROOT}": {Form: PluginForm, Name: "CLAUDE_PLUGIN_ROOT"},
	} {
		got := Variables(src)
		if len(got) != 1 {
			t.Errorf("%q has %v", src, got)
			continue
		}
		want.Start, want.End = got[0].Start, got[0].End
		if got[0] != want || !strings.ContainsAny(src[want.Start:want.End], "$%{") {
			t.Errorf("%q is %+v, want %+v", src, got[0], want)
		}
	}
	for _, src := range []string{"100% of 5%", "$5", "a{b}", "$(date)", "${a b}"} {
		if got := Variables(src); len(got) != 0 {
			t.Errorf("%q has %v", src, got)
		}
	}
}

// TestOverrides holds which of two servers of one name a client takes.
func TestOverrides(t *testing.T) {
	own := read(t, "h/.claude.json", `{"mcpServers": {"a": {"command": "user"}}, "projects": {"/w/p": {"mcpServers": {"a": {"command": "local"}}}, "/w/q": {"mcpServers": {"a": {"command": "local"}}}}}`)
	user, local, elsewhere := own.Servers[0], own.Servers[1], own.Servers[2]
	project := read(t, "p/.mcp.json", `{"mcpServers": {"a": {"command": "project"}}}`).Servers[0]
	managed := read(t, "etc/managed-mcp.json", `{"mcpServers": {"a": {"command": "managed"}}}`).Servers[0]
	order := []*Server{managed, local, project, user}
	for i, winner := range order {
		for j, loser := range order {
			if got := winner.Overrides(loser); got != (i < j) {
				t.Errorf("%s over %s: %v", winner.Command.Text, loser.Command.Text, got)
			}
		}
	}
	if elsewhere.Overrides(project) || !elsewhere.Overrides(user) || elsewhere.Meets(local) {
		t.Error("an entry for one project counts in no other")
	}
	if local.Project() != filepath.FromSlash("/w/p") || project.Project() != filepath.FromSlash("/w/p") || user.Project() != "" {
		t.Errorf("projects %q, %q, %q", local.Project(), project.Project(), user.Project())
	}
}

// TestHome looks at a path that a client reads in projects and in the user's own folder.
func TestHome(t *testing.T) {
	home := t.TempDir()
	s := &Search{Home: home}
	for _, dir := range []string{home, filepath.Join(home, "p")} {
		file := filepath.Join(dir, ".cursor", "mcp.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"mcpServers": {"a": {"command": "x"}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if !s.Name(skills.Disk{}, file) {
			t.Fatalf("%s is no configuration", file)
		}
	}
	files := s.Files(skills.Disk{}, home)
	if len(files) != 2 || files[0].Scope() != User || files[0].Shared() || files[1].Scope() != Project || !files[1].Shared() {
		t.Errorf("got %+v", files)
	}
	if !files[1].Servers[0].Overrides(files[0].Servers[0]) {
		t.Error("the project's entry wins over the user's")
	}
}

// TestTables wants the tables to agree with each other.
func TestTables(t *testing.T) {
	for _, f := range Formats {
		for _, name := range f.Clients {
			if ClientByName(name) == nil {
				t.Errorf("%s is read by %s, of which nothing is known", f.Path, name)
			}
		}
		if strings.Contains(f.Path, "*") {
			continue
		}
		if got := Match("/w/" + f.Path); got == nil || got.Path != f.Path {
			t.Errorf("%s matches %+v", f.Path, got)
		}
	}
	for _, c := range Clients {
		for _, typ := range c.Types {
			if _, ok := transports[typ]; !ok {
				t.Errorf("%s: nothing is known of the type %s", c.Name, typ)
			}
		}
		if c.KeyFor(Command) == "" {
			t.Errorf("%s has no key for the command", c.Name)
		}
	}
}

func FuzzJSON(f *testing.F) {
	fuzz(f, ".mcp.json", `{"mcpServers": {"a": {"command": "x", "args": ["1",], /* c */ }}} // d`, "{\"a\": {\"url\": \"\\u00e9 ${X}\"}\n\"b\": [}", "\uFEFF{")
}

func FuzzTOML(f *testing.F) {
	fuzz(f, ".codex/config.toml", "[mcp_servers.a]\ncommand = \"x\"\nargs = ['a', \"\"\"\nb\"\"\"]\nenv = {A = \"1\", b.c = 2}\n", "[[mcp_servers]]\n[mcp_servers.a]\nx = [[1], {a=1}]\n", "a.b = 1\n[a]\nb.c = 2\n[a.b")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "goose/config.yaml", "extensions:\n  a: &x\n    cmd: 'it''s'\n    args: [\"a\\n\", >-\n b]\n  b: *x\n", "extensions: {a: {cmd: x}, ? [b] : c}\n", "a: |\n  x\n\u2028y: é\n")
}

// fuzz reads any text: it does not panic and every span lies inside.
func fuzz(f *testing.F, path string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { read(t, path, src) })
}
