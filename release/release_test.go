package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"debug/elf"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

var host = Platform{runtime.GOOS, runtime.GOARCH}

// packed builds the release for this machine, once for all tests, and returns it.
func packed(t *testing.T) *Release {
	t.Helper()
	if os.Getenv("SKILLLINT_TEST_RELEASE") == "" {
		t.Skip("builds the programs several times, which takes minutes: make test-release runs it")
	}
	if !slices.Contains(platforms, host) {
		t.Skipf("there are no releases for %s", host)
	}
	r, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// built is the folder of what the tests build.
var built string

var once = sync.OnceValues(func() (*Release, error) {
	dir, err := os.MkdirTemp("", "skilllint-release-")
	if err != nil {
		return nil, err
	}
	built = dir
	r := &Release{
		Root: "..", Out: filepath.Join(dir, "dist"), Version: "1.2.3", Commit: "5446bea001122334455667788990011223344556",
		Time: time.Date(2026, time.November, 30, 16, 26, 2, 0, time.UTC), Platform: []Platform{host}, Log: io.Discard,
	}
	return r, r.build(context.Background())
})

func TestMain(m *testing.M) {
	status := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(status)
}

// files reads all files below a folder, by their paths in it.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(rel)], err = os.ReadFile(file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Two builds, in two folders, give the same bytes.
func TestReproducible(t *testing.T) {
	first := packed(t)
	second := *first
	second.Root, second.Out = sources(t), filepath.Join(t.TempDir(), "other", "dist")
	if err := second.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	one, two := files(t, first.Out), files(t, second.Out)
	if len(one) != len(two) || len(one) < 10 {
		t.Errorf("%d files and %d files", len(one), len(two))
	}
	for name, data := range one {
		if !bytes.Equal(data, two[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// sources copies what Git knows of the module into another folder.
func sources(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = ".."
	list, err := cmd.Output()
	if err != nil {
		t.Skipf("git does not list the sources: %v", err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("..", name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet recorded
		} else if err != nil {
			continue // a link to a folder
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unpack writes an archive's files into a folder, and returns the folder of the release in it.
func unpack(t *testing.T, r *Release) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Out, r.archive(host)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string, mode fs.FileMode, when time.Time, from io.Reader) {
		if !when.Equal(r.Time.Truncate(time.Second)) {
			t.Errorf("%s is of %s, not of the commit's time", name, when)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, mode)); err != nil {
			t.Fatal(err)
		}
	}
	if host.OS == "windows" {
		unzip(t, data, put)
	} else {
		untar(t, data, put)
	}
	return filepath.Join(dir, r.stem(host))
}

func untar(t *testing.T, data []byte, put func(string, fs.FileMode, time.Time, io.Reader)) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(plain); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		put(head.Name, head.FileInfo().Mode(), head.ModTime, in)
	}
}

func unzip(t *testing.T, data []byte, put func(string, fs.FileMode, time.Time, io.Reader)) {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range in.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		put(f.Name, f.Mode(), f.Modified, from)
	}
}

func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

func TestArchive(t *testing.T) {
	r := packed(t)
	dir := unpack(t, r)
	for _, program := range programs {
		file := filepath.Join(dir, host.executable(program))
		if got, want := output(t, dir, file, "--version"), program+" 1.2.3 (commit 5446bea00112, 2026-11-30)\n"; got != want {
			t.Errorf("%s says %q, want %q", program, got, want)
		}
		static(t, file)
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "share/man/skilllint-lint.1", "share/man/skill-ls.1", "share/completions/_skilllint", "skills/skilllint/SKILL.md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if got := output(t, dir, filepath.Join(dir, host.executable("skilllint")), "lint", "skills"); !strings.Contains(got, "no findings in 1 skill") {
		t.Errorf("lint of the skill in the archive: %s", got)
	}
	sums := files(t, r.Out)["checksums.txt"]
	for _, name := range []string{r.archive(host), r.stem(host) + ".cdx.json"} {
		sum, err := sha256Of(filepath.Join(r.Out, name))
		if err != nil || !bytes.Contains(sums, []byte(sum+"  "+name+"\n")) {
			t.Errorf("%s (%v) is not in\n%s", name, err, sums)
		}
	}
}

// static wants a program that needs no library of the system.
func static(t *testing.T, file string) {
	t.Helper()
	if host.OS != "linux" {
		return
	}
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if f.Section(".interp") != nil || len(libraries) > 0 {
		t.Errorf("%s is not static: %v %v", file, libraries, err)
	}
}

func TestBillOfMaterials(t *testing.T) {
	r := packed(t)
	bom := new(cdx.BOM)
	data := files(t, r.Out)[r.stem(host)+".cdx.json"]
	if err := cdx.NewBOMDecoder(bytes.NewReader(data), cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range *bom.Components {
		names[c.Name] = true
		if c.Type == cdx.ComponentTypeLibrary && (c.Licenses == nil || c.Version == "") {
			t.Errorf("%s %s has no licence in NOTICE, or no version", c.Name, c.Version)
		}
	}
	for _, want := range []string{host.executable("skilllint"), host.executable("skill-ls"), "std", "github.com/spf13/cobra", "go.lsp.dev/protocol"} {
		if !names[want] {
			t.Errorf("%s is not in the bill", want)
		}
	}
	if strings.Contains(string(data), "cyclonedx-go") {
		t.Error("what only builds the release is in the bill")
	}
}

func TestFormula(t *testing.T) {
	r := packed(t)
	text := string(files(t, r.Out)["skill-ls.rb"])
	sum, err := sha256Of(filepath.Join(r.Out, r.archive(host)))
	if err != nil {
		t.Fatal(err)
	}
	if host.OS != "windows" && !strings.Contains(text, r.archive(host)+"\"\n      sha256 \""+sum+"\"") {
		t.Errorf("the archive of this platform is not in\n%s", text)
	}
	if strings.Contains(text, "{{") || strings.Contains(text, "no value") || strings.Count(text, "\n  end\n") != 4 {
		t.Errorf("not filled in:\n%s", text)
	}
}

// The packages install without the network from what npm pack makes of them, and start the programs.
func TestNpm(t *testing.T) {
	r := packed(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not here")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("npm_config_cache", filepath.Join(home, "cache"))
	t.Setenv("npm_config_update_notifier", "false")
	var tarballs []string
	for _, name := range []string{"skill-ls", strings.TrimPrefix(npmName(host), "@skill-ls/")} {
		out := output(t, filepath.Join(r.Out, "npm", name), "npm", "pack", "--silent", "--pack-destination", home)
		tarballs = append(tarballs, filepath.Join(home, strings.TrimSpace(out)))
	}
	install := func(tarballs ...string) string {
		dir := t.TempDir()
		output(t, dir, "npm", append([]string{"install", "--prefix", dir, "--offline", "--no-audit", "--no-fund"}, tarballs...)...)
		return filepath.Join(dir, "node_modules", ".bin")
	}
	bin := install(tarballs...)
	for _, program := range programs {
		if got, want := output(t, home, filepath.Join(bin, program), "--version"), program+" 1.2.3 (commit 5446bea00112, 2026-11-30)\n"; got != want {
			t.Errorf("%s says %q, want %q", program, got, want)
		}
	}
	exits(t, 1, filepath.Join(bin, "skilllint"), "--stdin", "--stdin-filename", "x/SKILL.md")
	exits(t, 2, filepath.Join(bin, "skilllint"), "--nonsense")
	bin = install("--omit=optional", tarballs[0])
	if out := exits(t, 2, filepath.Join(bin, "skilllint"), "--version"); !strings.Contains(out, "the package "+npmName(host)+" is not installed") {
		t.Errorf("without the platform's package it says %s", out)
	}
}

// exits runs a program on a skill that nobody can read, and wants that status.
func exits(t *testing.T, want int, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader("---\nname: x\ndescription: \"a\n---\n")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		t.Errorf("%s %v: %v, want status %d\n%s", program, args, err, want, out)
	}
	return string(out)
}

// `go install MODULE@VERSION` works: the module can be packed, and says its version.
func TestGoInstall(t *testing.T) {
	packed(t)
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := filepath.Join(dir, "proxy", "github.com", "skill-ls", "skill-ls", "@v")
	v := module.Version{Path: "github.com/skill-ls/skill-ls", Version: "v1.2.3"}
	var zipped bytes.Buffer
	root := sources(t)
	if err := modzip.CreateFromDir(&zipped, v, root); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		os.MkdirAll(at, 0o755), os.WriteFile(filepath.Join(at, "list"), []byte("v1.2.3\n"), 0o644),
		os.WriteFile(filepath.Join(at, "v1.2.3.mod"), mod, 0o644), os.WriteFile(filepath.Join(at, "v1.2.3.zip"), zipped.Bytes(), 0o644),
		os.WriteFile(filepath.Join(at, "v1.2.3.info"), []byte(`{"Version":"v1.2.3","Time":"2026-11-30T16:26:02Z"}`), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	downloads := filepath.ToSlash(filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"))
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(filepath.Join(dir, "proxy")) + ",file://" + downloads, "GOSUMDB": "off", "GONOSUMDB": "*", "GONOPROXY": "none", "GOPRIVATE": "",
		"GOMODCACHE": filepath.Join(dir, "cache"), "GOBIN": filepath.Join(dir, "bin"), "GOFLAGS": "-modcacherw -trimpath", "GOTOOLCHAIN": "local",
	} {
		t.Setenv(name, value)
	}
	for _, program := range programs {
		output(t, dir, "go", "install", v.Path+"/cmd/"+program+"@latest")
		file := filepath.Join(dir, "bin", host.executable(program))
		if got, want := output(t, dir, file, "--version"), program+" 1.2.3\n"; got != want {
			t.Errorf("%s says %q, want %q", program, got, want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-platforms", "plan9/386"}, {"-nonsense"}, {"-root", filepath.Join(t.TempDir(), "none")}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
