package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Baseline is a record of findings that are known and not to be shown again.
type Baseline struct {
	known map[string]int // fingerprint -> how many
}

// baselineFile is the form on disk. schemas/baseline.schema.json describes it.
type baselineFile struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

type baselineEntry struct {
	Rule        string `json:"rule"`
	File        string `json:"file"`
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
}

const baselineVersion = 1

// ReadBaseline decodes a baseline.
func ReadBaseline(data []byte) (*Baseline, error) {
	var f baselineFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	if f.Version != baselineVersion {
		return nil, fmt.Errorf("read baseline: version %d is not known; write it anew with --write-baseline", f.Version)
	}
	b := &Baseline{known: map[string]int{}}
	for _, e := range f.Findings {
		b.known[e.Fingerprint] += max(e.Count, 1)
	}
	return b, nil
}

// WriteBaseline encodes findings. name gives the path under which a file is recorded.
func WriteBaseline(findings []Finding, docs func(file string) *skills.Document, name func(file string) string) ([]byte, error) {
	f := baselineFile{Version: baselineVersion, Findings: []baselineEntry{}}
	at := map[string]int{}
	for _, x := range findings {
		print := Fingerprint(x, docs(x.File), name(x.File))
		if i, ok := at[print]; ok {
			f.Findings[i].Count++
			continue
		}
		at[print] = len(f.Findings)
		f.Findings = append(f.Findings, baselineEntry{x.Rule.Name, name(x.File), print, 1})
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write baseline: %w", err)
	}
	return append(data, '\n'), nil
}

// Filter returns the findings that the baseline does not know. Each entry covers as many findings as were
// recorded, so that a second one of the same kind on the same text is new.
func (b *Baseline) Filter(findings []Finding, docs func(file string) *skills.Document, name func(file string) string) []Finding {
	left := map[string]int{}
	for k, n := range b.known {
		left[k] = n
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool {
		print := Fingerprint(f, docs(f.File), name(f.File))
		if left[print] == 0 {
			return false
		}
		left[print]--
		return true
	})
}

// Fingerprint identifies a finding by its rule, its file and the text of its line without the white space
// around it, so that it stays the same when lines move.
func Fingerprint(f Finding, doc *skills.Document, name string) string {
	line := ""
	if doc != nil && len(doc.Text) > 0 {
		lines := doc.Lines()
		line = strings.TrimSpace(lines.Line(lines.OffsetLine(min(f.Span.Start, len(doc.Text)))).In(doc.Text))
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule.Name, name, f.Server, f.Tool, f.Pointer, line}, "\x00")))
	return hex.EncodeToString(sum[:16])
}
