package lookpath

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode here")
	}
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"bin/run": 0o755, "bin/plain": 0o644, "other/run": 0o755} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	bin, other := filepath.Join(dir, "bin"), filepath.Join(dir, "other")
	list := bin + string(filepath.ListSeparator) + other
	for _, c := range []struct{ command, path, want string }{
		{"run", list, filepath.Join(bin, "run")},
		{"run", other + string(filepath.ListSeparator) + bin, filepath.Join(other, "run")},
		{"plain", list, `no program "plain" in PATH`},
		{"run", "bin:.", `no program "run" in PATH`}, // relative folders do not count
		{"run", "", `no program "run" in PATH`},
		{"./bin/run", "", filepath.Join(bin, "run")},
		{"bin/plain", list, "is not marked as executable"},
		{filepath.Join(dir, "bin"), "", "is a folder"},
		{filepath.Join(dir, "none"), list, "find the program"},
	} {
		got, err := Find(c.command, dir, c.path)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s in %s: %v, want %s", c.command, c.path, err, c.want)
			}
		} else if got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.command, c.path, got, c.want)
		}
	}
}
