package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// nodePlatform and nodeArch are the names that Node has for systems and processors.
var (
	nodePlatform = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch     = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// npmName is the package that holds a platform's programs.
func npmName(p Platform) string {
	return "@skill-ls/" + nodePlatform[p.OS] + "-" + nodeArch[p.Arch]
}

// npmPackage is a package.json.
type npmPackage struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Repository           map[string]string `json:"repository"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Files                []string          `json:"files"`
	Engines              map[string]string `json:"engines,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
}

func (r *Release) npmPackage(name, description string) npmPackage {
	return npmPackage{
		Name: name, Version: r.Version, Description: description, License: "MIT",
		Repository: map[string]string{"type": "git", "url": "git+https://github.com/skill-ls/skill-ls.git"},
	}
}

// npmPlatform writes the package of one platform. npm installs only that of the user's own.
func (r *Release) npmPlatform(p Platform, files []string) error {
	pkg := r.npmPackage(npmName(p), "The programs of skill-ls for "+p.String())
	pkg.OS, pkg.CPU, pkg.Files = []string{nodePlatform[p.OS]}, []string{nodeArch[p.Arch]}, []string{"bin"}
	dir := filepath.Join(r.Out, "npm", strings.TrimPrefix(npmName(p), "@skill-ls/"))
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "bin", filepath.Base(file)), data, 0o755); err != nil {
			return err
		}
	}
	return r.npmWrite(dir, pkg)
}

// npmMain writes the package that users name. It brings no program of its own: it starts that of the platform's package.
func (r *Release) npmMain() error {
	pkg := r.npmPackage("skill-ls", "Linter and language server for Agent Skills and MCP servers")
	pkg.Bin, pkg.Files = map[string]string{}, []string{"bin"}
	pkg.Engines = map[string]string{"node": ">=18"}
	pkg.OptionalDependencies = map[string]string{}
	for _, p := range platforms {
		pkg.OptionalDependencies[npmName(p)] = r.Version
	}
	dir := filepath.Join(r.Out, "npm", "skill-ls")
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	launcher, err := templates.ReadFile("templates/launch.js")
	if err != nil {
		return err
	}
	for _, program := range programs {
		pkg.Bin[program] = "bin/" + program + ".js"
		if err := os.WriteFile(filepath.Join(dir, "bin", program+".js"), launcher, 0o755); err != nil {
			return err
		}
	}
	return r.npmWrite(dir, pkg)
}

func (r *Release) npmWrite(dir string, pkg npmPackage) error {
	data, err := json.MarshalIndent(pkg, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md"} {
		data, err := os.ReadFile(filepath.Join(r.Root, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// formula writes the Homebrew formula. It names the archives of the platforms that were built.
func (r *Release) formula() error {
	t, err := template.ParseFS(templates, "templates/skill-ls.rb")
	if err != nil {
		return err
	}
	sums := map[string]string{}
	for _, p := range r.Platform {
		if p.OS == "windows" {
			continue
		}
		if sums[p.OS+"_"+p.Arch], err = sha256Of(filepath.Join(r.Out, r.archive(p))); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(r.Out, "skill-ls.rb"))
	if err != nil {
		return err
	}
	defer out.Close()
	if err := t.Execute(out, map[string]any{"Version": r.Version, "Sums": sums}); err != nil {
		return fmt.Errorf("write the formula: %w", err)
	}
	return out.Close()
}
