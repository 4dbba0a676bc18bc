// Package npmtest finds the npm packages that tests run against.
package npmtest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Modules returns the folder node_modules that .ci/run has filled with the packages of .ci/npm/package.json. A test
// is skipped where that was not done, or was done for other versions.
func Modules(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no folder for caches: %v", err)
	}
	dir := filepath.Join(cache, "skill-ls-test", "npm")
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
