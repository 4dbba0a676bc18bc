package mcpprobe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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

// lookPath finds the program as the child's own PATH has it. Relative entries of PATH do not count, nor does the
// current folder, which Windows would search first: a checked-out folder must not be able to slip a program in.
func (l Launch) lookPath() (string, error) {
	if strings.ContainsAny(l.Command, `/`+string(filepath.Separator)) {
		path := l.Command
		if !filepath.IsAbs(path) {
			path = filepath.Join(l.Cwd, path)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("find %q: %w", l.Command, err)
		}
		return executable(path)
	}
	for _, dir := range filepath.SplitList(l.searchPath()) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := executable(filepath.Join(dir, l.Command)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no program %q in PATH", l.Command)
}

func (l Launch) searchPath() string {
	for name, value := range l.Env {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return os.Getenv("PATH")
}

// executable returns the file of that name that can be run, on Windows with one of the usual endings.
func executable(path string) (string, error) {
	if runtime.GOOS != "windows" {
		return path, runnable(path)
	}
	endings := []string{""}
	if filepath.Ext(path) == "" {
		endings = strings.Split(strings.ToLower(os.Getenv("PATHEXT")), ";")
	}
	for _, ending := range endings {
		if runnable(path+ending) == nil {
			return path + ending, nil
		}
	}
	return "", runnable(path)
}

func runnable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("find the program: %w", err)
	case info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not marked as executable", path)
	}
	return nil
}

var errInWorkspace = errors.New("the program lies in the workspace and PATH leads to it; name it by its path if that is meant")

// outside refuses a program that a bare name finds inside the workspace.
func (l Launch) outside(workspace, path string) error {
	if workspace == "" || strings.ContainsAny(l.Command, `/`+string(filepath.Separator)) {
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
