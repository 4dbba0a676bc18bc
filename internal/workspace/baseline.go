package workspace

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// BaselineFilter leaves out what is recorded in a file, given by its absolute path.
func BaselineFilter(file string) Filter {
	return func(_ context.Context, s *Snapshot, r *Result) error {
		var err error
		r.Findings, err = s.unrecorded(file, r.Findings)
		return err
	}
}

// ConfiguredBaselines leaves out what is recorded in the files that the configurations name, each for the
// files that its configuration holds for.
func ConfiguredBaselines(_ context.Context, s *Snapshot, r *Result) error {
	by := map[string][]lint.Finding{}
	for _, f := range r.Findings {
		file := ""
		if cfg := s.Config(f.File); cfg.Baseline != "" {
			file = absolute(cfg.Dir, cfg.Baseline)
		}
		by[file] = append(by[file], f)
	}
	r.Findings = by[""]
	for file, findings := range by {
		if file == "" {
			continue
		}
		left, err := s.unrecorded(file, findings)
		if err != nil {
			return err
		}
		r.Findings = append(r.Findings, left...)
	}
	lint.Sort(r.Findings)
	return nil
}

func (s *Snapshot) unrecorded(file string, findings []lint.Finding) ([]lint.Finding, error) {
	data, err := s.opt.FS.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	b, err := lint.ReadBaseline(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Shown(s.opt.Base, file), err)
	}
	return b.Filter(findings, s.Doc, s.recordedName(file)), nil
}

// EncodeBaseline returns the baseline that records all findings of a result and will lie at the absolute
// path file. Files are recorded relative to its folder, so that it holds wherever it is used from.
func EncodeBaseline(base, file string, r *Result) ([]byte, error) {
	return lint.WriteBaseline(r.Findings, r.Doc, func(name string) string {
		return Shown(filepath.Dir(file), absolute(base, name))
	})
}

func (s *Snapshot) recordedName(file string) func(string) string {
	dir := filepath.Dir(file)
	return func(name string) string { return Shown(dir, s.Abs(name)) }
}
