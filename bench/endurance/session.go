package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/bench/gen"
)

// session is somebody who writes skills.
type session struct {
	*client
	root  string
	names []string // of the skills
	pause time.Duration
	end   time.Time
	cycle int
	keys  int
}

// The texts of the workspace: long ones, as real skills are.
const skillSize = 8 << 10

func newSession(bin, root string, skills int, pause, duration time.Duration) (*session, error) {
	below := filepath.Join(root, ".claude", "skills")
	if err := gen.Write(below, skills, skillSize); err != nil {
		return nil, err
	}
	servers := `{"mcpServers": {"docs": {"command": "docs-server", "args": ["--port", "1"]}}}`
	if err := os.WriteFile(filepath.Join(root, ".mcp.json"), []byte(servers), 0o644); err != nil {
		return nil, fmt.Errorf("write a configuration: %w", err)
	}
	c, err := start(bin)
	if err != nil {
		return nil, err
	}
	s := &session{client: c, root: root, pause: pause, end: time.Now().Add(duration)}
	for n := range skills {
		s.names = append(s.names, gen.New(n, skillSize).Name)
	}
	_, err = s.request("initialize", object{
		"processId": os.Getpid(), "rootUri": uri(root), "workspaceFolders": []object{{"uri": uri(root), "name": "bench"}},
		"capabilities": object{"textDocument": object{"publishDiagnostics": object{}}, "workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": true}}},
	})
	return s, errors.Join(err, s.notify("initialized", object{}))
}

func uri(path string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/") }

// run edits one skill after the other until the time is over.
func (s *session) run() error {
	for time.Now().Before(s.end) {
		steps := []func(*document) error{(*document).open, (*document).typeSentence, (*document).look, (*document).save, (*document).takeBack, (*document).save, (*document).shut}
		if s.cycle%5 == 4 {
			steps = append(steps, (*document).neighbour, (*document).configure)
		}
		d := s.document(s.names[s.cycle%len(s.names)])
		for _, step := range steps {
			if err := step(d); err != nil {
				return fmt.Errorf("cycle %d: %w", s.cycle, err)
			}
		}
		s.cycle++
	}
	return nil
}

// document is a SKILL.md in the editor.
type document struct {
	*session
	file    string
	text    string
	typed   string
	version int
}

func (s *session) document(name string) *document {
	return &document{session: s, file: filepath.Join(s.root, ".claude", "skills", name, "SKILL.md")}
}

func (d *document) id() object { return object{"uri": uri(d.file)} }

// last is the place behind the last character: all lines are ASCII but one, which is not the last.
func (d *document) last() object {
	lines := strings.Split(d.text+d.typed, "\n")
	return object{"line": len(lines) - 1, "character": len(lines[len(lines)-1])}
}

func (d *document) open() error {
	data, err := os.ReadFile(d.file)
	if err != nil {
		return err
	}
	d.text, d.version = string(data), 1
	return d.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri(d.file), "languageId": "markdown", "version": 1, "text": d.text}})
}

// typeSentence types at the end of the text, with a link, a command and a tool, and asks what editors ask meanwhile.
func (d *document) typeSentence() error {
	sentence := fmt.Sprintf("Read [the guide](references/guide.md), run `scripts/run.sh %d` and call mcp__docs__find.\n", d.cycle)
	for i, key := range sentence {
		at := d.last()
		d.version++
		err := d.notify("textDocument/didChange", object{
			"textDocument":   object{"uri": uri(d.file), "version": d.version},
			"contentChanges": []object{{"range": object{"start": at, "end": at}, "text": string(key)}},
		})
		d.typed += string(key)
		d.keys++
		if err == nil && i%7 == 0 {
			_, err = d.request("textDocument/completion", object{"textDocument": d.id(), "position": d.last()})
		}
		if err != nil {
			return err
		}
		time.Sleep(d.pause)
	}
	return nil
}

// look asks for all that an editor shows of a document, and what the panels show.
func (d *document) look() error {
	whole := object{"start": object{"line": 0, "character": 0}, "end": d.last()}
	var err error
	for _, q := range []struct {
		method string
		params object
	}{
		{"textDocument/hover", object{"position": object{"line": 1, "character": 1}}},
		{"textDocument/documentSymbol", nil},
		{"textDocument/codeLens", nil},
		{"textDocument/documentLink", nil},
		{"textDocument/foldingRange", nil},
		{"textDocument/inlayHint", object{"range": whole}},
		{"textDocument/semanticTokens/full", nil},
		{"textDocument/codeAction", object{"range": whole, "context": object{"diagnostics": []object{}}}},
		{"skill/clients", nil},
		{"skill/simulate", object{"client": "claude-code"}},
	} {
		params := object{"textDocument": d.id()}
		for k, v := range q.params {
			params[k] = v
		}
		_, e := d.request(q.method, params)
		err = errors.Join(err, e)
		time.Sleep(d.pause)
	}
	_, e := d.request("workspace/symbol", object{"query": "build"})
	return errors.Join(err, e)
}

// takeBack deletes what was typed.
func (d *document) takeBack() error {
	whole := d.last()
	d.typed = ""
	d.version++
	return d.notify("textDocument/didChange", object{
		"textDocument":   object{"uri": uri(d.file), "version": d.version},
		"contentChanges": []object{{"range": object{"start": d.last(), "end": whole}, "text": ""}},
	})
}

const (
	created = 1
	changed = 2
	deleted = 3
)

func (s *session) saw(file string, kind int) error {
	return s.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": uri(file), "type": kind}}})
}

func (d *document) save() error {
	if err := os.WriteFile(d.file, []byte(d.text+d.typed), 0o644); err != nil {
		return err
	}
	return errors.Join(d.notify("textDocument/didSave", object{"textDocument": d.id()}), d.saw(d.file, changed))
}

func (d *document) shut() error {
	return d.notify("textDocument/didClose", object{"textDocument": d.id()})
}

// neighbour adds a skill and deletes it again.
func (d *document) neighbour() error {
	dir := filepath.Join(d.root, ".claude", "skills", "passing-by")
	file := filepath.Join(dir, "SKILL.md")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(d.text), 0o644); err != nil {
		return err
	}
	if err := d.saw(file, created); err != nil {
		return err
	}
	if _, err := d.request("skill/clients", object{"textDocument": d.id()}); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), d.saw(file, deleted))
}

// configure turns a group of rules off and on again.
func (d *document) configure() error {
	file := filepath.Join(d.root, ".skilllint.yaml")
	var err error
	for _, config := range []string{"rules: {link: off}\n", "rules: {}\n"} {
		err = errors.Join(err, os.WriteFile(file, []byte(config), 0o644), d.saw(file, changed))
		_, e := d.request("textDocument/documentSymbol", object{"textDocument": d.id()})
		err = errors.Join(err, e)
	}
	return err
}
