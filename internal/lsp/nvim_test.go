package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// wantFromPlugin is what a user of the plugin for Neovim must see.
const wantFromPlugin = `skill-ls: the server does not run: open a SKILL.md, or see :checkhealth skill_ls
simulate: markdown closed, activation ## Activation of draft
simulate codex: 1 window more
clients: draft, coloured true
completed claude-code
route: sort my photos
probe without consent: started false
probe: started true
diagnostic tools/unknown-tool
replay: removed-tool
lens: simulate
servers: 1
health: the program
health: the server
`

func TestNeovimPlugin(t *testing.T) {
	racetest.Skip(t)
	server := program(t) // built before the home folder, where Go keeps what it has compiled, is another
	dir, mark := withServer(t)
	call := `{"skilllint": "call", "version": 1, "name": "mcp__docs__burn", "server": "docs", "tool": "burn", "arguments": {}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "calls of today.jsonl"), []byte(call), 0o644); err != nil {
		t.Fatal(err)
	}
	plugin(t, dir, wantFromPlugin, "SKILL_LS="+server, "MARK="+mark)
}

// wantFromOldServer is what the plugin says of a server that knows skill/replay alone.
const wantFromOldServer = `skill-ls: the server does not run: open a SKILL.md, or see :checkhealth skill_ls
SkillSimulate: skill-ls: the server does not know skill/simulate: it is older than this plugin; install the newest skill-ls
SkillClients: skill-ls: the server does not know skill/clients: it is older than this plugin; install the newest skill-ls
SkillRoute photos: skill-ls: the server does not know skill/route: it is older than this plugin; install the newest skill-ls
SkillProbe: skill-ls: the server does not know skill/probe: it is older than this plugin; install the newest skill-ls
replay of calls%20of%20today.jsonl
`

func TestNeovimPluginWithOldServer(t *testing.T) {
	racetest.Skip(t)
	plugin(t, newFolder(t, map[string]string{draftFile: draftSkill}), wantFromOldServer,
		"SKILL_LS="+os.Args[0], "SKILL_LS_ARGUMENT="+asOldServer, "ONLY_MESSAGES=1")
}

// plugin runs the script that uses the plugin and compares what it prints.
func plugin(t *testing.T, dir, want string, env ...string) {
	t.Helper()
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Skip("Neovim is not installed: apt-get install neovim")
	}
	folder, err := filepath.Abs(filepath.Join("..", "..", "editors", "nvim"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("nvim", "--headless", "-i", "NONE", "-n", "-u", clientScript(t, "nvim-init.lua"), "-c", "luafile "+clientScript(t, "nvim-plugin.lua"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append(env, "PLUGIN="+folder, "FOLDER="+dir, "HOME="+t.TempDir())...)
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s\n%s", err, out, want, log.String())
	}
}

// asOldServer is the argument with which the test program is a language server that knows skill/replay and nothing else
// of this server's own. Its answer is the file it was asked about.
const asOldServer = "old-server"

func oldServer(in io.Reader, out io.Writer) {
	for r := textproto.NewReader(bufio.NewReader(in)); ; {
		header, err := r.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(r.R, body); err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Recordings []string }
		}
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			continue
		}
		answer := `"error": {"code": -32601, "message": "method not found"}`
		switch m.Method {
		case "initialize":
			answer = `"result": {"capabilities": {}}`
		case "shutdown":
			answer = `"result": null`
		case "skill/replay":
			answer = fmt.Sprintf(`"result": {"markdown": %q}`, "# Replay\n\n"+path.Base(m.Params.Recordings[0]))
		}
		fmt.Fprint(out, frame(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, %s}`, m.ID, answer)))
	}
}
