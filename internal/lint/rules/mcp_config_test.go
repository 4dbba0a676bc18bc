package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// found lints files and returns the findings about configurations as "rule:line level".
func found(t *testing.T, archive string, clients ...string) []string {
	t.Helper()
	dir := tree(t, archive)
	var out []string
	for _, f := range lintTree(t, dir, clients) {
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.File)))
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Count(string(src[:f.Span.Start]), "\n") + 1
		out = append(out, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(f.Rule.Name, "mcp-config/"), line, f.Severity))
	}
	return out
}

func TestMCPConfigFinds(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		clients []string
		want    []string
	}{
		"no key at all":            {"-- .cursor/mcp.json --\n{\"tools\": [{\"command\": \"x\"}]}\n", nil, []string{"root-key:1 error"}},
		"a list of servers":        {"-- .vscode/mcp.json --\n{\"servers\": [{\"command\": \"x\"}]}\n", nil, []string{"shape:1 error"}},
		"a server that is a text":  {"-- .mcp.json --\n" + mcpServersJSON(`"docs": "docs-mcp"`), nil, []string{"shape:3 error"}},
		"codex, key of others":     {"-- .codex/config.toml --\n[mcpServers.docs]\ncommand = \"docs-mcp\"\n", nil, []string{"root-key:1 error"}},
		"codex, mixed":             {"-- .codex/config.toml --\n[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\nargs = [\"x\"]\n", nil, []string{"other-transport-key:3 error"}},
		"codex, literal token":     {"-- .codex/config.toml --\n[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\nbearer_token = \"a8f3K2m9Qx7Lp4Zt\"\n", nil, []string{"literal-credential:3 error"}},
		"codex takes no variables": {"-- .codex/config.toml --\n[mcp_servers.docs]\ncommand = \"docs-mcp\"\nenv = {A = \"${DEMO_SET}\"}\n", nil, []string{"foreign-variable:3 warning"}},
		"opencode, a text":         {"-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"local\", \"command\": \"npx -y docs-mcp@1.2.3\"}}}\n", nil, []string{"shape:1 error"}},
		"opencode, one item":       {"-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"local\", \"command\": [\"npx -y docs-mcp@1.2.3\"]}}}\n", nil, []string{"command-line:1 error"}},
		"opencode, other variable": {"-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"local\", \"command\": [\"docs-mcp\"], \"environment\": {\"A\": \"${DEMO_SET}\"}}}}\n", nil, []string{"foreign-variable:1 warning"}},
		"vscode, type of others":   {"-- .vscode/mcp.json --\n{\"servers\": {\"docs\": {\"type\": \"streamable-http\", \"url\": \"https://docs.example/mcp\"}}}\n", nil, []string{"type:1 warning"}},
		"desktop, remote":          {"-- claude_desktop_config.json --\n" + mcpServersJSON(`"docs": {"url": "https://docs.example/mcp"}`), nil, []string{"type:3 warning"}},
		"disabled, unheeded":       {mcpExample(goodStdio + `, "disabled": true`), nil, []string{"unknown-key:3 warning"}},
		"a slip":                   {mcpExample(`"comand": "docs-mcp"`), nil, []string{"unknown-key:3 warning"}},
		"link for url":             {mcpExample(`"type": "http", "link": "https://docs.example/mcp"`), nil, []string{"unknown-key:3 warning"}},
		"as if cline had it":       {mcpExample(`"type": "streamable-http", "url": "https://docs.example/mcp"`), []string{"cline"}, []string{"type:3 warning"}},
		"cut off":                  {"-- .mcp.json --\n{\"mcpServers\": {\"docs\": {" + goodRemote + "}, \"more\": {\n", nil, []string{"syntax:2 error"}},
		"password of a server":     {mcpExample(`"command": "docs-mcp", "args": ["postgresql://reader:Tr0ub4dor@db.docs.example:5432/docs"]`), nil, []string{"literal-credential:3 warning"}},
		"key behind an option":     {mcpExample(`"command": "docs-mcp", "args": ["--api-key", "4f7d1c92ab60e8353d1e"]`), nil, []string{"literal-credential:3 warning"}},
		"key in JSON in args":      {mcpExample(`"command": "docs-mcp", "args": ["{\"DOCS_API_KEY\": \"4f7d1c92ab60e8353d1e\"}"]`), nil, []string{"literal-credential:3 warning"}},
		"token of a known form":    {mcpExample(`"command": "docs-mcp", "args": ["ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"]`), nil, []string{"literal-credential:3 warning"}},
		"windows path":             {mcpExample(`"command": "node", "args": ["D:\\work\\docs\\server.js"]`), nil, []string{"machine-path:3 warning"}},
		"docker, one word":         {mcpExample(`"command": "docker", "args": ["run", "--rm", "-it", "docs/mcp:1.2.3"]`), nil, []string{"docker-stdin:3 warning"}},
		"gemini, underscore":       {"-- .gemini/settings.json --\n" + mcpServersJSON(`"docs_v2": {"httpUrl": "https://docs.example/mcp"}`), nil, []string{"name:3 info"}},
		"own folder, mcp.json":     {"-- mcp.json --\n" + mcpServersJSON(`"docs": {`+goodRemote+`}`), nil, []string{"wrong-place:2 info"}},
		"claude settings":          {"-- .claude/settings.json --\n" + mcpServersJSON(`"docs": {`+goodRemote+`}`), nil, []string{"wrong-place:2 warning"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, c.archive, c.clients...); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestMCPConfigQuiet holds what looks like a fault and is none; hints are opinions and do not count.
func TestMCPConfigQuiet(t *testing.T) {
	for name, archive := range map[string]string{
		"a plugin without wrapper":   "-- .claude-plugin/plugin.json --\n{\"name\": \"x\"}\n-- .mcp.json --\n{\"docs\": {" + goodRemote + "}}\n",
		"translations":               "-- i18n/de/mcp.json --\n{\"title\": \"MCP\", \"servers\": {\"empty\": \"keine\"}}\n",
		"labels and comments":        mcpExample(goodRemote + `, "description": "The manual", "_docs": "https://docs.example", "$comment": "x"`),
		"not set up":                 mcpExample(`"type": "http", "url": ""`),
		"program files":              mcpExample(`"command": "C:\\Program Files\\nodejs\\node.exe", "args": ["server.js"]`),
		"an app's own folder":        "-- claude_desktop_config.json --\n" + mcpServersJSON(`"docs": {"command": "/Users/alex/Library/Application Support/docs/docs-mcp"}`),
		"ignored by git":             "-- .git/HEAD --\n-- .gitignore --\n.mcp.json\n" + mcpExample(`"command": "/home/alex/bin/docs-mcp", "env": {"DOCS_TOKEN": "a8f3K2m9Qx7Lp4Zt"}`),
		"plugin variables":           "-- .claude-plugin/plugin.json --\n{\"name\": \"x\"}\n" + mcpExample(`"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"]`),
		"a default":                  mcpExample(goodStdio + `, "env": {"DOCS_TOKEN": "${DEMO_UNSET:-}"}`),
		"a shell's own variables":    mcpExample(`"command": "bash", "args": ["-lc", "exec docs-mcp --root $DEMO_UNSET"]`),
		"a local database":           mcpExample(`"command": "docs-mcp", "args": ["postgresql://postgres:postgres@localhost:5432/docs"]`),
		"a hash":                     mcpExample(`"command": "docker", "args": ["run", "-i", "--rm", "docs/mcp@sha256:9f2c4e6a8b0d1f3a5c7e9b1d3f5a7c9e0b2d4f6a9f2c4e6a8b0d1f3a5c7e9b1d"]`),
		"a commit":                   mcpExample(`"command": "uvx", "args": ["--from", "git+https://git.example/docs@9f2c4e6a8b0d1f3a5c7e9b1d3f5a7c9e0b2d4f6a", "docs-mcp"]`),
		"a path for a key":           mcpExample(goodStdio + `, "env": {"GOOGLE_APPLICATION_CREDENTIALS": "/etc/keys/docs.json", "PRIVATE_KEY": "keys/docs.pem"}`),
		"a number of tokens":         mcpExample(goodStdio + `, "env": {"MAX_TOKEN": "4096", "TOKEN_LIMIT": "100000", "PUBLIC_KEY": "a8f3K2m9Qx7Lp4ZtaB"}`),
		"container paths":            mcpExample(`"command": "docker", "args": ["run", "-i", "--rm", "-v", "docs:/home/node/docs", "docs/mcp:1.2.3"]`),
		"names in the path of a URL": mcpExample(`"type": "http", "url": "https://docs.example/home/alex/mcp"`),
		"gallery of VS Code":         "-- .vscode/mcp.json --\n{\"servers\": {\"io.github.docs/docs-mcp\": {\"type\": \"stdio\", \"command\": \"docs-mcp\", \"gallery\": \"https://api.mcp.example\", \"version\": \"1.2.3\"}}, \"inputs\": []}\n",
		"http that falls back":       "-- .vscode/mcp.json --\n{\"servers\": {\"docs\": {\"type\": \"http\", \"url\": \"https://docs.example/sse\"}}}\n",
		"opencode that falls back":   "-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"remote\", \"url\": \"https://docs.example/sse\"}}}\n",
		"cursor guesses":             "-- .cursor/mcp.json --\n" + mcpServersJSON(`"docs": {"url": "https://docs.example/mcp"}`),
		"opencode":                   "-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"remote\", \"url\": \"https://docs.example/mcp\", \"oauth\": {}, \"headers\": {\"A\": \"Bearer {env:DEMO_SET}\"}}, \"off\": {\"enabled\": false}}}\n",
		"codex":                      "-- .codex/config.toml --\n[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\nbearer_token_env_var = \"DOCS_TOKEN\"\nenabled_tools = [\"search\"]\n[mcp_servers.docs.tools.search]\napproval_mode = \"approve\"\n",
		"zed, of an extension":       "-- .zed/settings.json --\n{\"context_servers\": {\"docs\": {\"source\": \"extension\", \"settings\": {}}}}\n",
		"a service on the network":   mcpExample(`"type": "http", "url": "http://jenkins:8080/mcp"`),
		"docker compose":             mcpExample(`"command": "docker", "args": ["compose", "run", "--rm", "docs"]`),
		"no terminal, long options":  mcpExample(`"command": "docker", "args": ["run", "--interactive", "--rm", "-e", "A=1", "docs/mcp:1.2.3"]`),
	} {
		t.Run(name, func(t *testing.T) {
			got := slices.DeleteFunc(found(t, archive), func(s string) bool { return strings.HasSuffix(s, " hint") })
			if len(got) > 0 {
				t.Errorf("found %q", got)
			}
		})
	}
}

// TestMCPConfigSuppressed holds that comments suppress, where the file may have any.
func TestMCPConfigSuppressed(t *testing.T) {
	for archive, want := range map[string][]string{
		"-- .vscode/mcp.json --\n{\"servers\": {\n  // skilllint-disable-next-line mcp-config/type -- ours\n  \"docs\": {\"type\": \"x\", \"url\": \"https://docs.example/mcp\"}\n}}\n": nil,
		"-- .codex/config.toml --\n[mcp_servers.docs]\ncommand = \"npx -y docs-mcp@1.2.3\" # skilllint-disable-line mcp-config/command-line -- ours\n":                                  nil,
		"-- .codex/config.toml --\n[mcp_servers.docs]\ncommand = \"docs-mcp\" # skilllint-disable-line mcp-config/url\n":                                                                {"workspace/unused-suppression:2 warning"},
	} {
		if got := found(t, archive); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", archive, got, want)
		}
	}
}

// TestSecretsAreNotRepeated looks for a secret in everything that a finding says or proposes.
func TestSecretsAreNotRepeated(t *testing.T) {
	const secret = "4f7d1c92ab60e8353d1e"
	for _, entry := range []string{
		`"type": "http", "url": "http://docs.example.com/mcp?api_key=` + secret + `"`,
		`"type": "http", "url": "docs.example.com/mcp?api_key=` + secret + `"`,
		`"type": "http", "url": "ftp://docs.example.com/mcp?api_key=` + secret + `"`,
		`"url": " https://reader:` + secret + `@docs.example.com/sse"`,
		`"command": "npx docs-mcp --api-key=` + secret + `"`,
		`"command": "npx docs-mcp --api-key=` + secret + `", "args": []`,
		`"command": "docs-mcp", "args": ["--token=` + secret + `"], "env": {"DOCS_TOKEN": "` + secret + ` "}`,
		`"command": "docs-mcp", "environment": {"DOCS_TOKEN": "` + secret + `"}`,
		`"command": "docs-mcp", "env": {"DOCS_TOKEN": "${DOCS_TOKEN:-` + secret + `}"}`,
		`"command": "docker", "args": ["run", "-e", "DOCS_TOKEN=` + secret + `", "docs/mcp"]`,
		`"command": "uvx", "args": ["git+https://x:` + secret + `@git.example/docs"]`,
	} {
		findings := lintTree(t, tree(t, mcpExample(entry)), []string{"cursor"})
		if len(findings) == 0 {
			t.Errorf("%s: nothing is found", entry)
		}
		for _, f := range findings {
			said := f.Message + f.Help
			for _, fix := range f.Fixes {
				said += fix.Title
				for _, e := range fix.Edits {
					said += e.New
				}
			}
			if strings.Contains(said, secret) {
				t.Errorf("%s repeats the secret: %q", f.Rule.Name, said)
			}
		}
	}
}

func TestCommandLineFix(t *testing.T) {
	for entry, want := range map[string]string{
		`"command": "npx -y docs-mcp@1.2.3"`:                           `"command": "npx", "args": ["-y", "docs-mcp@1.2.3"]`,
		`"command": " npx  -y docs-mcp@1.2.3 "`:                        `"command": "npx", "args": ["-y", "docs-mcp@1.2.3"]`,
		`"command": "npx -y docs-mcp@1.2.3", "args": ["--all"]`:        `"command": "npx", "args": ["-y", "docs-mcp@1.2.3", "--all"]`,
		`"command": "npx -y docs-mcp@1.2.3", "args": []`:               `"command": "npx", "args": ["-y", "docs-mcp@1.2.3"]`,
		`"command": "npx -y docs-mcp@1.2.3", "env": {"LEVEL": "high"}`: `"command": "npx", "args": ["-y", "docs-mcp@1.2.3"], "env": {"LEVEL": "high"}`,
	} {
		engine, set := allRules(t)
		if got := fixedConfig(t, engine, set, ".mcp.json", "{\"mcpServers\": {\"docs\": {"+entry+"}}}"); got != "{\"mcpServers\": {\"docs\": {"+want+"}}}" {
			t.Errorf("%s becomes %s", entry, got)
		}
	}
}

// TestPathFixes holds what is offered for paths that no shell and no client completes.
func TestPathFixes(t *testing.T) {
	for archive, want := range map[string]string{
		"-- .vscode/mcp.json --\n{\"servers\": {\"docs\": {\"type\": \"stdio\", \"command\": \"./run\"}}}\n":           "${workspaceFolder}/",
		"-- .cursor/mcp.json --\n" + mcpServersJSON(`"docs": {"command": "node", "args": ["dist/server.js"]}`):         "${workspaceFolder}/",
		"-- .cursor/mcp.json --\n" + mcpServersJSON(`"docs": {"command": "node", "args": ["../server.js"]}`):           "",
		"-- .cursor/mcp.json --\n" + mcpServersJSON(`"docs": {"command": "docs-mcp", "env": {"ROOT": "~/docs"}}`):      "${userHome}/",
		"-- .gemini/settings.json --\n" + mcpServersJSON(`"docs": {"command": "docs-mcp", "args": ["--root=~/docs"]}`): "${HOME}/",
		"-- opencode.json --\n{\"mcp\": {\"docs\": {\"type\": \"local\", \"command\": [\"docs-mcp\", \"~/docs\"]}}}\n": "{env:HOME}/",
		"-- claude_desktop_config.json --\n" + mcpServersJSON(`"docs": {"command": "~/bin/docs-mcp"}`):                 "",
		mcpExample(`"command": "node", "args": ["./server.js"]`):                                                       "", // Copilot CLI reads the file, too
	} {
		found := lintTree(t, tree(t, archive), nil)
		got := ""
		for _, f := range found {
			for _, fix := range f.Fixes {
				got += fix.Edits[0].New
			}
		}
		if len(found) != 1 || got != want {
			t.Errorf("%s: %q is offered, want %q; found %q", archive, got, want, names(found))
		}
	}
}

// TestLinkOut is what mcp-config/writable is about, which no example can show.
func TestLinkOut(t *testing.T) {
	dir := tree(t, "-- project/.git/HEAD --\n-- outside.json --\n"+mcpServersJSON(`"docs": {`+goodRemote+`}`))
	if err := os.Symlink(filepath.Join("..", "outside.json"), filepath.Join(dir, "project", ".mcp.json")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	got := lintTree(t, filepath.Join(dir, "project"), nil)
	if len(got) != 1 || got[0].Rule.Name != "mcp-config/writable" {
		t.Errorf("found %q, want the link alone", names(got))
	}
}

// TestWritable looks at the mode of the file, which no example can show either.
func TestWritable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such mode here")
	}
	dir := tree(t, mcpExample(goodRemote))
	for mode, want := range map[os.FileMode][]string{0o644: nil, 0o664: nil, 0o666: {"mcp-config/writable hint"}} {
		if err := os.Chmod(filepath.Join(dir, ".mcp.json"), mode); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range lintTree(t, dir, nil) {
			got = append(got, f.Rule.Name+" "+f.Severity.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("mode %v: found %q, want %q", mode, got, want)
		}
	}
}

// lintConfig lints one text as a configuration at a path; nil when it is none.
func lintConfig(t testing.TB, engine *lint.Engine, set *lint.Settings, path, src string) (*mcpconfig.File, []lint.Finding) {
	t.Helper()
	f := mcpconfig.Parse(skills.NewDocument(path, filepath.FromSlash("/w/"+path), src), mcpconfig.Place{})
	if f == nil {
		return nil, nil
	}
	v := view{tree: skills.NewTree(skills.Disk{}, filepath.FromSlash("/w"))}
	return f, engine.Config(f, v, set)
}

// fixedConfig applies the safe fixes until none is left. It fails when they come to no end, and when a span lies
// outside the text.
func fixedConfig(t testing.TB, engine *lint.Engine, set *lint.Settings, path, src string) string {
	t.Helper()
	for range fixRounds {
		f, findings := lintConfig(t, engine, set, path, src)
		if f == nil {
			return src
		}
		for _, x := range findings {
			if x.Span.Start > x.Span.End || x.Span.End > len(f.Doc.Text) {
				t.Fatalf("%q: %s at %v", src, x.Rule.Name, x.Span)
			}
		}
		plan := lint.PlanFixes(findings, false, func(string) bool { return f.Doc.Encoding != skills.UTF8 })
		if len(plan.Edits) == 0 {
			return src
		}
		fixed, err := text.Apply(f.Doc.Text, plan.Edits[f.Doc.Path])
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		src = fixed
	}
	t.Fatalf("%q: fixes are still found after %d rounds", src, fixRounds)
	return ""
}

// FuzzConfigs lints any text as the files of several clients.
func FuzzConfigs(f *testing.F) {
	paths := []string{".mcp.json", ".vscode/mcp.json", ".codex/config.toml", "goose/config.yaml", "opencode.json", "mcp.json", ".mcp"}
	for _, rule := range mcpConfigRules() {
		_, bad, _ := strings.Cut(rule.Page.Bad, "--\n")
		f.Add(uint8(0), bad)
	}
	f.Add(uint8(2), "[mcp_servers.a]\ncommand = \"npx -y x\"\nargs = [1, \"&&\"]\nurl = \"x\"\n")
	f.Add(uint8(3), "extensions:\n  a: {cmd: ~/x, args: [a, 1], envs: {PATH: y}}\n")
	f.Add(uint8(4), `{"mcp": {"a": {"command": ["npx -y x"]}, "b": {"command": "npx 'x'"}}}`)
	f.Add(uint8(6), `[{"name": "a", "mcp_config": {"type": "stdio_mcp", "command": "npx x"}}]`)
	engine, set := allRules(f)
	f.Fuzz(func(t *testing.T, kind uint8, src string) {
		fixedConfig(t, engine, set, paths[int(kind)%len(paths)], src)
	})
}
