package main

import (
	"debug/buildinfo"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// materials writes which modules a platform's programs are built from, as CycloneDX. The facts come from the programs
// themselves, the licences from NOTICE. https://cyclonedx.org/docs/1.6/json/
func (r *Release) materials(p Platform, files []string) error {
	licences, err := r.licences()
	if err != nil {
		return err
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp: r.Time.Format(time.RFC3339),
		Component: r.component(cdx.ComponentTypeApplication, "github.com/skill-ls/skill-ls", "v"+r.Version, "MIT"),
	}
	var components []cdx.Component
	seen := map[string]bool{}
	for _, file := range files {
		found, err := r.modules(file, licences, seen)
		if err != nil {
			return err
		}
		components = append(components, found...)
	}
	bom.Components = &components
	out, err := os.Create(filepath.Join(r.Out, r.stem(p)+".cdx.json"))
	if err != nil {
		return err
	}
	encoder := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	return errors.Join(encoder.EncodeVersion(bom, cdx.SpecVersion1_6), out.Close())
}

// modules lists a program and those of the modules it is built from that are not seen yet.
func (r *Release) modules(file string, licences map[string]string, seen map[string]bool) ([]cdx.Component, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum, err := sha256Of(file)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(file)
	out := []cdx.Component{{
		BOMRef: name, Type: cdx.ComponentTypeApplication, Name: name, Version: r.Version,
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}},
	}}
	if !seen["std"] {
		seen["std"] = true
		out = append(out, *r.component(cdx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause"))
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if !seen[m.Path] {
			seen[m.Path] = true
			out = append(out, *r.component(cdx.ComponentTypeLibrary, m.Path, m.Version, licences[m.Path]))
		}
	}
	return out, nil
}

func (r *Release) component(kind cdx.ComponentType, path, version, licence string) *cdx.Component {
	url := "pkg:golang/" + path + "@" + version
	c := &cdx.Component{BOMRef: url, Type: kind, Name: path, Version: version, PackageURL: url}
	if licence != "" {
		c.Licenses = &cdx.Licenses{{Expression: licence}}
	}
	return c
}

// notice is a line of NOTICE: a module, its licences, and whose it is.
var notice = regexp.MustCompile(`(?m)^  (\S+)\s+(\S+(?:, \S+)*)  +\(c\)`)

// identifiers are those of SPDX for the short names in NOTICE.
var identifiers = map[string]string{"BSD-3": "BSD-3-Clause", "BSD-2": "BSD-2-Clause"}

// licences reads NOTICE: SPDX expressions by module.
func (r *Release) licences() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(r.Root, "NOTICE"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, m := range notice.FindAllStringSubmatch(string(data), -1) {
		names := strings.Split(m[2], ", ")
		for i, name := range names {
			if id, ok := identifiers[name]; ok {
				names[i] = id
			}
		}
		out[m[1]] = strings.Join(names, " AND ")
	}
	return out, nil
}
