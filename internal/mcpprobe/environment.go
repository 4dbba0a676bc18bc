package mcpprobe

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lookpath"
)

// inherited are the variables a server gets from the environment of the program: what processes need to find
// programs, folders and the language, and nothing that could hold a credential.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP",
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES",
	"PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR",
}

// loaders are variables by which a definition would run other code than the command it shows.
var loaders = []string{"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"}

// environment returns the variables of the child and the names of those of the definition that were left out.
func environment(own map[string]string) (env, refused []string) {
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		upper := strings.ToUpper(name)
		if slices.Contains(inherited, upper) || strings.HasPrefix(upper, "LC_") {
			env = append(env, entry)
		}
	}
	for name, value := range own {
		if slices.Contains(loaders, strings.ToUpper(name)) {
			refused = append(refused, name)
			continue
		}
		env = append(env, name+"="+value) // of repeated names the last counts
	}
	slices.Sort(refused)
	return env, refused
}

// binary returns the absolute path of the program the command starts, "" when it is not found.
func (l Launch) binary() string {
	path, err := l.lookPath()
	if err != nil {
		return ""
	}
	return path
}

// lookPath finds the program as the child's own PATH has it.
func (l Launch) lookPath() (string, error) {
	return lookpath.Find(l.Command, l.Cwd, l.searchPath())
}

func (l Launch) searchPath() string {
	for name, value := range l.Env {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return os.Getenv("PATH")
}

var errInWorkspace = errors.New("the program lies in the workspace and PATH leads to it; name it by its path if that is meant")

// outside refuses a program that a bare name finds inside the workspace.
func (l Launch) outside(workspace, path string) error {
	if workspace == "" || lookpath.IsPath(l.Command) {
		return nil
	}
	if rel, err := filepath.Rel(canonical(workspace), canonical(path)); err == nil && filepath.IsLocal(rel) {
		return errInWorkspace
	}
	return nil
}

// canonical resolves symbolic links as far as it can.
func canonical(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
