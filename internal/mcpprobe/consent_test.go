package mcpprobe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestAnyChangeNeedsConsentAnew(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "tool")
	write := func(text string) {
		if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	base := Launch{
		Name: "a", Config: filepath.Join(dir, "x.json"), Command: program, Args: []string{"x", "y"}, Cwd: dir,
		Env: map[string]string{"K": "v"}, Headers: map[string]string{"H": "v"}, URL: "http://h/",
	}
	key := base.Key()
	if base.Key() != key || !strings.HasPrefix(key, "sha256:") {
		t.Errorf("keys %s and %s", key, base.Key())
	}
	for name, change := range map[string]func(*Launch){
		"name":        func(l *Launch) { l.Name = "b" },
		"config":      func(l *Launch) { l.Config = filepath.Join(dir, "y.json") },
		"transport":   func(l *Launch) { l.Transport = SSE },
		"command":     func(l *Launch) { l.Command += "x" },
		"args":        func(l *Launch) { l.Args = []string{"x y"} },
		"folder":      func(l *Launch) { l.Cwd = "/" },
		"env name":    func(l *Launch) { l.Env = map[string]string{"L": "v"} },
		"env value":   func(l *Launch) { l.Env = map[string]string{"K": "w"} },
		"header":      func(l *Launch) { l.Headers = map[string]string{"H": "w"} },
		"URL":         func(l *Launch) { l.URL = "http://h/x" },
		"the program": func(*Launch) { write("another") },
	} {
		l := base
		change(&l)
		if l.Key() == key {
			t.Errorf("%s: the key stays the same", name)
		}
	}
}

func TestConsentsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "consent.json")
	one, two := Launch{Name: "one", Command: "x"}, Launch{Name: "two", Command: "x"}
	c := load(t, path)
	for _, l := range []Launch{one, two, one} {
		if err := c.Grant(l, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	c = load(t, path)
	if !c.Has(one) || !c.Has(two) || len(c.file.Consents) != 2 {
		t.Errorf("kept %+v", c.file)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	checkSchema(t, "consent.schema.json", path)
	if err := c.Revoke(one); err != nil {
		t.Fatal(err)
	}
	if c = load(t, path); c.Has(one) || !c.Has(two) {
		t.Errorf("after revoking: %+v", c.file)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

// TestConsentFileIsTheUsersOwn wants no folder that could come with a checkout.
func TestConsentFileIsTheUsersOwn(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	path, err := ConsentFile()
	if err != nil || !strings.HasPrefix(path, home) {
		t.Errorf("%s, %v", path, err)
	}
}

func load(t *testing.T, path string) *Consents {
	t.Helper()
	c, err := LoadConsents(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConsentsThatCannotBeTrusted(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		data string
		mode os.FileMode
		says string
	}{
		"broken":   {"{", 0o600, "unexpected end"},
		"version":  {`{"version":9}`, 0o600, "version 9 is not known"},
		"writable": {`{"version":1}`, 0o622, "others may write it"},
	} {
		if name == "writable" && runtime.GOOS == "windows" {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadConsents(path); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// checkSchema holds a file against one of the published schemas, and sees to it that the schema refuses something.
func checkSchema(t *testing.T, schema, path string) {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "schemas", schema))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var instance map[string]any
	if err := json.Unmarshal(data, &instance); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(instance); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
	delete(instance, "version")
	if compiled.Validate(instance) == nil {
		t.Errorf("%s takes a file without version", schema)
	}
}
