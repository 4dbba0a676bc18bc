package lsp

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// recipe is what an editor takes from its page: how it starts the server, and what it tells it.
type recipe struct {
	command  []string          // the program and its arguments
	env      map[string]string // beside the variables of the editor
	options  any               // for initialization
	settings any
	// languages are the ids of languages under which files are opened, by name; those that are not in it are not.
	languages map[string]string
}

// languagesOf are the languages of files that editors know by themselves, by the ending of the name.
var languagesOf = map[string]string{".md": "markdown", ".json": "json"}

// opened returns the files that an editor opens for the languages of a recipe.
func opened(languages ...string) map[string]string {
	out := map[string]string{}
	for _, file := range []string{"SKILL.md", ".mcp.json"} {
		if id := languagesOf[path.Ext(file)]; slices.Contains(languages, id) {
			out[file] = id
		}
	}
	return out
}

// readers take the recipe from the blocks of a page, as the editor reads them. What an editor calls a program or a language
// is from its documentation. Neovim and VS Code have plugins, which are tested in the editor itself.
var readers = map[string]func(t *testing.T, page string) recipe{
	"emacs.md":     readEmacs,
	"helix.md":     readHelix,
	"jetbrains.md": readJetBrains,
	"kate.md":      readKate,
	"sublime.md":   readSublime,
	"zed.md":       readZed,
}

func readHelix(t *testing.T, page string) recipe {
	var c struct {
		Servers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string `toml:"environment"`
			Config  any
		} `toml:"language-server"`
		Languages []struct {
			Name    string
			Servers []string `toml:"language-servers"`
		} `toml:"language"`
	}
	block(t, page, "toml", toml.Unmarshal, &c)
	server, r := c.Servers["skill-ls"], recipe{languages: map[string]string{}}
	for _, l := range c.Languages {
		if slices.Contains(l.Servers, "skill-ls") {
			maps.Copy(r.languages, opened(l.Name))
		}
	}
	r.command, r.env, r.options, r.settings = append([]string{server.Command}, server.Args...), server.Env, server.Config, server.Config
	return r
}

func readKate(t *testing.T, page string) recipe {
	var c struct {
		Servers map[string]struct {
			Command  []string
			Options  any    `json:"initializationOptions"`
			Mode     string `json:"highlightingModeRegex"`
			Settings any
		}
	}
	block(t, page, "json", json.Unmarshal, &c)
	r := recipe{languages: map[string]string{}}
	for language, server := range c.Servers {
		r.command, r.options, r.settings = server.Command, server.Options, server.Settings
		for mode, id := range map[string]string{"Markdown": "markdown", "JSON": "json"} {
			if regexp.MustCompile(server.Mode).MatchString(mode) && id == language {
				maps.Copy(r.languages, opened(id))
			}
		}
	}
	return r
}

func readSublime(t *testing.T, page string) recipe {
	var c struct {
		Clients map[string]struct {
			Enabled  bool
			Command  []string
			Env      map[string]string
			Selector string
			Options  any `json:"initializationOptions"`
			Settings any
		}
	}
	block(t, page, "json", json.Unmarshal, &c)
	client := c.Clients["skill-ls"]
	if !client.Enabled {
		t.Errorf("%s: the client is not enabled", page)
	}
	r := recipe{client.Command, client.Env, client.Options, client.Settings, map[string]string{}}
	for scope, id := range map[string]string{"text.html.markdown": "markdown", "source.json": "json"} {
		for one := range strings.SplitSeq(client.Selector, "|") {
			if one = strings.TrimSpace(one); scope == one || strings.HasPrefix(scope, one+".") {
				maps.Copy(r.languages, opened(id))
			}
		}
	}
	return r
}

func readZed(t *testing.T, page string) recipe {
	var c struct {
		LSP map[string]struct {
			Binary struct {
				Path      string
				Arguments []string
				Env       map[string]string
			}
			Options  any `json:"initialization_options"`
			Settings any
		}
		Languages map[string]struct {
			Servers []string `json:"language_servers"`
		}
	}
	block(t, page, "json", json.Unmarshal, &c)
	r := recipe{languages: map[string]string{}}
	for name, server := range c.LSP {
		if !filepath.IsAbs(server.Binary.Path) {
			t.Errorf("%s: %q is no absolute path", page, server.Binary.Path)
		}
		r.command = append([]string{path.Base(server.Binary.Path)}, server.Binary.Arguments...)
		r.env, r.options, r.settings = server.Binary.Env, server.Options, server.Settings
		for language, l := range c.Languages {
			if slices.Contains(l.Servers, name) {
				maps.Copy(r.languages, opened(strings.ToLower(language)))
			}
		}
	}
	return r
}

func readJetBrains(t *testing.T, page string) recipe {
	var c struct {
		ID, Name string
		Command  struct{ Default string } `json:"programArgs"`
		Mappings []struct {
			FileType struct {
				Name     string
				Patterns []string
			}
			Language string `json:"languageId"`
		} `json:"fileTypeMappings"`
	}
	block(t, page, "json", json.Unmarshal, &c)
	if c.ID == "" || c.Name == "" {
		t.Errorf("%s: the template has no name", page)
	}
	r := recipe{command: strings.Fields(c.Command.Default), languages: map[string]string{}}
	for _, m := range c.Mappings {
		for file := range opened("markdown", "json") {
			if slices.ContainsFunc(m.FileType.Patterns, func(pattern string) bool { ok, err := path.Match(pattern, file); return ok && err == nil }) {
				r.languages[file] = m.Language
			}
		}
	}
	return r
}

func readEmacs(t *testing.T, page string) recipe {
	source := recipes(t, page)["elisp"][0]
	mode := regexp.MustCompile(`\(add-to-list 'auto-mode-alist '\("(.*?)" \. (.*?)-mode\)\)`).FindStringSubmatch(source)
	server := regexp.MustCompile(`'eglot-server-programs '\((\S+)-mode "(.*)"\)\)`).FindStringSubmatch(source)
	if mode == nil || server == nil || mode[2] != server[1] {
		t.Fatalf("%s: no mode and no server in\n%s", page, source)
	}
	r := recipe{command: strings.Split(server[2], `" "`), languages: map[string]string{}}
	if names := regexp.MustCompile(strings.ReplaceAll(strings.ReplaceAll(mode[1], `\\`, `\`), `\'`, `$`)); names.MatchString("/p/SKILL.md") {
		r.languages["SKILL.md"] = mode[2] // eglot names a language by the mode
	}
	return r
}

// block reads the first block of a language on a page.
func block(t *testing.T, page, language string, read func([]byte, any) error, into any) {
	t.Helper()
	blocks := recipes(t, page)[language]
	if len(blocks) == 0 {
		t.Fatalf("%s has no settings", page)
	}
	if err := read([]byte(blocks[0]), into); err != nil {
		t.Fatalf("%s: %v in\n%s", page, err, blocks[0])
	}
}

// TestRecipes does what each editor does with the settings that its page gives, whether the editor is there or not: it starts
// that command, with those arguments, variables and options, opens the files that are meant under the id that they have in
// the editor, and wants to be told what is wrong with them. That the editor does so, only the editor can show.
func TestRecipes(t *testing.T) {
	racetest.Skip(t)
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "editors", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pages {
		page := filepath.Base(file)
		if slices.Contains([]string{"README.md", "vscode.md"}, page) {
			continue
		}
		t.Run(page, func(t *testing.T) {
			read := readers[page]
			if read == nil {
				t.Fatal("nobody reads this page")
			}
			read(t, page).follow(t)
		})
	}
}

// wantFromFiles is what is wrong with each file, by its name.
var wantFromFiles = map[string]string{"SKILL.md": "yaml/unquoted-colon", ".mcp.json": "mcp-config/command-line"}

func (r recipe) follow(t *testing.T) {
	t.Helper()
	if r.languages["SKILL.md"] == "" {
		t.Fatal("a SKILL.md is not opened")
	}
	files := map[string]string{"SKILL.md": "skills/alpha/SKILL.md", ".mcp.json": ".mcp.json"}
	dir := newFolder(t, map[string]string{files["SKILL.md"]: colonSkill, files[".mcp.json"]: `{"mcpServers": {"a": {"command": "sh -c x"}}}`})
	for name, value := range r.env {
		t.Setenv(name, value)
	}
	t.Setenv("PATH", filepath.Dir(program(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	options, err := json.Marshal(r.options)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := json.Marshal(r.settings)
	if err != nil {
		t.Fatal(err)
	}
	p := startCommand(t, r.command[0], r.command[1:]...)
	e := p.connect(t, dir, editorOptions{setup: func(params *protocol.InitializeParams) {
		params.InitializationOptions = protocol.LSPAny(options)
	}})
	e.settings = string(settings)
	for name, language := range r.languages {
		u := e.uri(files[name])
		e.openAs(u, protocol.LanguageKind(language), e.read(files[name]))
		if got := rulesOf(e.waitFor(u, 1)); got != wantFromFiles[name] {
			t.Errorf("%s, opened as %s, has %q", name, language, got)
		}
	}
	if err := e.Shutdown(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if err := e.Exit(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if status := p.status(t); status != 0 {
		t.Errorf("the server ends with %d", status)
	}
}
