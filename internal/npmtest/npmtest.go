// Package npmtest finds the programs from npm that tests run against. Of such programs the race detector sees nothing, so
// their tests are skipped with it.
package npmtest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lookpath"
	"github.com/skill-ls/skill-ls/internal/racetest"
)

// Modules returns the folder node_modules that .ci/run has filled with the packages of .ci/npm/package.json. A test
// is skipped where that was not done, or was done for other versions.
func Modules(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(cache(t), "npm")
	_, here, _, _ := runtime.Caller(0)
	want, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", ".ci", "npm", "package.json"))
	if err != nil {
		t.Skipf("the list of npm packages cannot be read: %v", err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "complete"))
	if err != nil || !bytes.Equal(got, want) {
		t.Skipf("the npm packages are not in %s; .ci/run puts them there", dir)
	}
	return filepath.Join(dir, "node_modules")
}

// Client returns the path of an agent client that is in PATH, or else where .ci/run installs it. A test is skipped where
// it is in neither.
func Client(t testing.TB, command string) string {
	t.Helper()
	dir := cache(t)
	installed := filepath.Join(dir, "clients", "node_modules", ".bin")
	program, err := lookpath.Find(command, "", os.Getenv("PATH")+string(os.PathListSeparator)+installed)
	if err != nil {
		t.Skipf("%s is neither in PATH nor in %s, where .ci/run installs two clients: %v", command, installed, err)
	}
	return program
}

// cache returns the folder of what .ci/run has installed for tests.
func cache(t testing.TB) string {
	t.Helper()
	racetest.Skip(t)
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no folder for caches: %v", err)
	}
	return filepath.Join(dir, "skill-ls-test")
}
