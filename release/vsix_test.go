package main

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// machines says how the programs of each platform begin, for VS Code's names of them.
var machines = map[string]func(program []byte) error{
	"linux-x64":    isELF(elf.EM_X86_64),
	"linux-arm64":  isELF(elf.EM_AARCH64),
	"darwin-x64":   isMachO(macho.CpuAmd64),
	"darwin-arm64": isMachO(macho.CpuArm64),
	"win32-x64":    isPE(pe.IMAGE_FILE_MACHINE_AMD64),
	"win32-arm64":  isPE(pe.IMAGE_FILE_MACHINE_ARM64),
}

// TestExtensionPackages opens what `make vscode` has built: each package has the files of the extension and no others, and
// programs for its platform.
func TestExtensionPackages(t *testing.T) {
	dir := os.Getenv("SKILLLINT_TEST_VSIX")
	if dir == "" {
		t.Skip("checks packages of the extension that are there already: make vscode runs it, with SKILLLINT_TEST_VSIX as their folder")
	}
	for target, is := range machines {
		t.Run(target, func(t *testing.T) {
			file := filepath.Join(dir, "skill-ls_"+target+".vsix")
			got := unzipped(t, file)
			suffix := ""
			if strings.HasPrefix(target, "win32") {
				suffix = ".exe"
			}
			programs := []string{"extension/server/skill-ls" + suffix, "extension/server/skilllint" + suffix}
			want := append(slices.Clone(programs),
				"[Content_Types].xml", "extension.vsixmanifest",
				"extension/package.json", "extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt", "extension/NOTICE",
				"extension/dist/extension.js", "extension/dist/simulate.html", "extension/dist/licences.txt",
				"extension/media/new.md", "extension/media/probe.md", "extension/media/route.md", "extension/media/simulate.md", "extension/media/skills.svg")
			if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, slices.Sorted(slices.Values(want))) {
				t.Errorf("it holds %q", have)
			}
			for _, name := range programs {
				if err := is(got[name]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if manifest := string(got["extension.vsixmanifest"]); !strings.Contains(manifest, `TargetPlatform="`+target+`"`) {
				t.Errorf("the manifest is for another platform:\n%s", manifest)
			}
			if info, err := os.Stat(file); err == nil {
				t.Logf("%.1f MB", float64(info.Size())/1e6)
			}
		})
	}
}

// unzipped returns the files of an archive. Programs must be executable.
func unzipped(t *testing.T, file string) map[string][]byte {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := map[string][]byte{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.Name, "/server/") && f.Mode()&0o111 == 0 {
			t.Errorf("%s is not executable: %v", f.Name, f.Mode())
		}
	}
	return out
}

func isELF(want elf.Machine) func([]byte) error {
	return func(program []byte) error {
		f, err := elf.NewFile(bytes.NewReader(program))
		if err == nil && f.Machine != want {
			err = fmt.Errorf("is for %v", f.Machine)
		}
		return err
	}
}

func isMachO(want macho.Cpu) func([]byte) error {
	return func(program []byte) error {
		f, err := macho.NewFile(bytes.NewReader(program))
		if err == nil && f.Cpu != want {
			err = fmt.Errorf("is for %v", f.Cpu)
		}
		return err
	}
}

func isPE(want uint16) func([]byte) error {
	return func(program []byte) error {
		f, err := pe.NewFile(bytes.NewReader(program))
		if err == nil && f.Machine != want {
			err = fmt.Errorf("is for machine %#x", f.Machine)
		}
		return err
	}
}
