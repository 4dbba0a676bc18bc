package rules

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var mcpNoProgram = &lint.Rule{
	Name: "mcp-config/no-program", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "The command of a server is no program on this machine, or a file of the project that nobody may run.",
		Why: "The client fails to start the server (ENOENT, EACCES). A name is looked for where PATH leads, that of the entry if it sets one; nothing is started. " +
			"It is a hint, for it holds on this machine only: others have other programs, and a client that a desktop starts has another PATH than a shell with nvm or asdf. " +
			"It is silent where the variable CI is set, as on machines that lint and run no servers, and for what runs in a container. " +
			"A file of the project that is not marked as executable is so for everybody: a warning.",
		Bad:  mcpExample(`"command": "absent-docs-mcp"`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if s.Disabled() || isLine(s) || !s.Command.Is(mcpconfig.String) || !plainCommand(s.Command.Text) || p.Config.Format.Container {
			return
		}
		command := s.Command.Text
		f := lint.Finding{Span: s.Command.Span}
		switch {
		case !strings.ContainsAny(command, `/\`):
			path, known := ownPath(s)
			if !known || p.View.HasProgram(command, path) || p.View.HasEnv("CI") {
				return
			}
			f.Message = fmt.Sprintf("no program %s is on the PATH here: clients on this machine cannot start the server", command)
			f.Help = "install it, or name it by its full path"
		case filepath.IsAbs(command):
			if p.View.HasProgram(command, "") || p.View.HasEnv("CI") {
				return
			}
			f.Message = fmt.Sprintf("there is no program %s here: clients on this machine cannot start the server", command)
		case p.Config.Scope() == mcpconfig.Project && notExecutable(p, s):
			f.Severity = lint.Warning
			f.Message = fmt.Sprintf("the file %s is not marked as executable: no client can start it", command)
			f.Help = "chmod +x " + command
		default:
			return
		}
		p.Report(inServer(s, f))
	}),
}

// plainCommand reports whether a command is what it says: without variables, blanks at its ends or a shell's ~, of which
// other rules speak. A path on another machine is not looked at, for that would ask it.
func plainCommand(command string) bool {
	return command != "" && strings.TrimSpace(command) == command && len(mcpconfig.Variables(command)) == 0 &&
		!strings.HasPrefix(command, "~") && !onNetwork(command)
}

func onNetwork(path string) bool {
	return strings.HasPrefix(path, `\\`) || strings.HasPrefix(path, "//")
}

// ownPath returns the PATH that the entry sets, "" for none, and whether it is known what it leads to.
func ownPath(s *mcpconfig.Server) (path string, known bool) {
	for _, m := range s.Env {
		if !strings.EqualFold(m.Name, "PATH") {
			continue
		}
		if !m.Value.Is(mcpconfig.String) || len(mcpconfig.Variables(m.Value.Text)) > 0 || slices.ContainsFunc(filepath.SplitList(m.Value.Text), onNetwork) {
			return "", false
		}
		path = m.Value.Text
	}
	return path, true
}

// notExecutable reports whether a relative command is a file of the project without the right to run it.
func notExecutable(p *lint.Pass, s *mcpconfig.Server) bool {
	if runtime.GOOS == "windows" || s.Cwd != nil { // files have no such mode there
		return false
	}
	mode, err := p.View.Tree().Mode(filepath.Join(p.Config.Project(), filepath.FromSlash(s.Command.Text)))
	return err == nil && mode.IsRegular() && mode&0o111 == 0
}
