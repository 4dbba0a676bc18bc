package capture

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// sandbox is the folder that a client lives in while it is captured.
type sandbox struct {
	dir      string // holds all of it; without symbolic links
	home     string
	temp     string
	root     string // the copy of the project
	work     string // the folder in it that the client is started in
	original string // the project itself
	values   map[string]string
}

// Bounds of a copied project.
const (
	mostFiles = 50_000
	mostBytes = 512 << 20
)

// newSandbox copies the project that a folder lies in into a new folder below within.
func newSandbox(dir, within string) (*sandbox, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder to capture in: %w", err)
	}
	temp, err := os.MkdirTemp(within, "skilllint-capture-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the client: %w", err)
	}
	if real, err := filepath.EvalSymlinks(temp); err == nil {
		temp = real
	}
	original, git := projectOf(dir)
	b := &sandbox{
		dir: temp, home: filepath.Join(temp, "home"), temp: filepath.Join(temp, "tmp"),
		root: filepath.Join(temp, "work", filepath.Base(original)), original: original,
	}
	below, err := filepath.Rel(original, dir)
	b.work = filepath.Join(b.root, below)
	if err := errors.Join(err, b.fill(git)); err != nil {
		return nil, errors.Join(err, b.remove())
	}
	return b, nil
}

// projectOf returns the nearest folder upward that is a Git repository and true, else the folder itself.
func projectOf(dir string) (string, bool) {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, ".git")); err == nil {
			return up, true
		}
		if filepath.Dir(up) == up {
			return dir, false
		}
	}
}

func (b *sandbox) fill(git bool) error {
	for _, dir := range []string{b.home, b.temp, b.root} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make a folder for the client: %w", err)
		}
	}
	if err := b.copyProject(); err != nil {
		return fmt.Errorf("copy the project for the client: %w", err)
	}
	if !git {
		return nil
	}
	return emptyRepository(filepath.Join(b.root, ".git"))
}

// emptyRepository makes a Git repository without commits: clients look for one to find where a project begins, and none
// needs its history. https://git-scm.com/docs/gitrepository-layout
func emptyRepository(dir string) error {
	for _, sub := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return fmt.Errorf("make a repository for the client: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return fmt.Errorf("make a repository for the client: %w", err)
	}
	return nil
}

// copyProject copies files, and links as they are. What Git keeps and what package managers install is left out.
func (b *sandbox) copyProject() error {
	files, size := 0, int64(0)
	return filepath.WalkDir(b.original, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(b.original, name)
		if err != nil || rel == "." {
			return err
		}
		if base := e.Name(); base == ".git" || base == "node_modules" || name == b.dir {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files, size = files+1, size+info.Size()
		if files > mostFiles || info.Mode().IsRegular() && size > mostBytes {
			return fmt.Errorf("it holds more than %d files or %d MB; name the folder of a smaller one", mostFiles, mostBytes>>20)
		}
		return copyEntry(name, filepath.Join(b.root, rel), info)
	})
}

func copyEntry(from, to string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return os.Mkdir(to, 0o700)
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !mode.IsRegular():
		return nil // a socket or a pipe is nothing to a client
	default:
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, mode.Perm()|0o600)
	}
}

// remove takes away everything, also folders that the client made unwritable.
func (b *sandbox) remove() error {
	if os.RemoveAll(b.dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(b.dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(b.dir); err != nil {
		return fmt.Errorf("remove what the client wrote: %w", err)
	}
	return nil
}

// keyForNothing is the key that the client gives the model.
const keyForNothing = "sk-loopback-opens-nothing"

// setValues says what stands for the placeholders of a profile.
func (b *sandbox) setValues(o *Options, run *profile.Run, url string) {
	var servers []string
	for i, s := range o.Servers {
		if run.Server != "" {
			servers = append(servers, run.Fill(run.Server, map[string]string{"name": inQuotes(s.Name), "address": url + mcpPath(i)}))
		}
	}
	b.values = map[string]string{
		"url": url, "key": keyForNothing, "prompt": cmp.Or(o.Prompt, "say ok"), "home": filepath.ToSlash(b.home), "work": filepath.ToSlash(b.work),
		"servers": strings.Join(servers, run.Between),
	}
}

// write puts the client's settings into its home.
func (b *sandbox) write(run *profile.Run) error {
	for _, name := range slices.Sorted(maps.Keys(run.Files)) {
		file := filepath.Join(b.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return fmt.Errorf("write the client's settings: %w", err)
		}
		if err := os.WriteFile(file, []byte(run.Fill(run.Files[name], b.values)), 0o600); err != nil {
			return fmt.Errorf("write the client's settings: %w", err)
		}
	}
	return nil
}

// inQuotes is a name as it stands between the quotes of JSON, YAML and TOML.
func inQuotes(name string) string {
	quoted := string(mustJSON(name))
	return quoted[1 : len(quoted)-1]
}

func (b *sandbox) filled(run *profile.Run, arguments []string) []string {
	out := make([]string, len(arguments))
	for i, a := range arguments {
		out[i] = run.Fill(a, b.values)
	}
	return out
}

// inherited are the variables that a client gets from the environment of the program: none that could hold a credential,
// and none that leads to the user's own settings.
var inherited = []string{"PATH", "LANG", "LANGUAGE", "TZ", "COMSPEC", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "WINDIR", "PROGRAMFILES"}

// environment of the client. Its proxy is the model, which lets nothing through.
func (b *sandbox) environment(run *profile.Run) []string {
	env := map[string]string{
		"HOME": b.home, "USERPROFILE": b.home, "APPDATA": filepath.Join(b.home, "AppData", "Roaming"), "LOCALAPPDATA": filepath.Join(b.home, "AppData", "Local"),
		"XDG_CONFIG_HOME": filepath.Join(b.home, ".config"), "XDG_DATA_HOME": filepath.Join(b.home, ".local", "share"),
		"XDG_STATE_HOME": filepath.Join(b.home, ".local", "state"), "XDG_CACHE_HOME": filepath.Join(b.home, ".cache"),
		"TMPDIR": b.temp, "TMP": b.temp, "TEMP": b.temp, "PWD": b.work,
		"TERM": "dumb", "NO_COLOR": "1", "CI": "1", "DO_NOT_TRACK": "1",
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		env[name], env[strings.ToLower(name)] = b.values["url"], b.values["url"]
	}
	env["NO_PROXY"] = "127.0.0.1,localhost,::1"
	env["no_proxy"] = env["NO_PROXY"]
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env[name] = value
		}
	}
	for name, value := range run.Env {
		env[name] = run.Fill(value, b.values)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// mask puts what the user knows in the place of the sandbox's folders: the project itself, and for the home folder "~",
// or the variable that names a folder in it.
func (b *sandbox) mask(run *profile.Run) func(string) string {
	var pairs []string
	add := func(path, shown string) {
		pairs = append(pairs, path, shown)
		if slashed := filepath.ToSlash(path); slashed != path {
			pairs = append(pairs, slashed, filepath.ToSlash(shown))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(run.Env)) {
		if value := run.Fill(run.Env[name], b.values); strings.HasPrefix(filepath.FromSlash(value), b.home+string(filepath.Separator)) {
			add(filepath.FromSlash(value), "$"+name)
		}
	}
	add(b.root, b.original)
	add(b.home, "~")
	return strings.NewReplacer(pairs...).Replace
}
