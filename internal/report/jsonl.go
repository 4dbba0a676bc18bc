package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Line is what `lint --format jsonl` prints of one skill. schemas/jsonl.schema.json describes this form.
type Line struct {
	Version  int             `json:"version"` // of the form
	Path     string          `json:"path"`    // as it stands in the list
	Hash     string          `json:"hash,omitempty"`
	Findings json.RawMessage `json:"findings,omitempty"` // of FindingsOf
	Error    string          `json:"error,omitempty"`    // why the skill could not be checked
}

// Write prints the line.
func (l Line) Write(w io.Writer) error {
	l.Version = 1
	out, err := compactJSON(l)
	if err != nil {
		return fmt.Errorf("print the line of %s: %w", l.Path, err)
	}
	_, err = w.Write(out)
	return err
}

// FindingsOf returns the findings of a result as a JSON array without line breaks; files are as the result shows them.
func FindingsOf(r *workspace.Result) ([]byte, error) {
	list := make([]jsonFinding, 0, len(r.Findings))
	for _, f := range r.Findings {
		list = append(list, toJSON(r, f))
	}
	out, err := compactJSON(list)
	if err != nil {
		return nil, fmt.Errorf("print findings: %w", err)
	}
	return bytes.TrimSuffix(out, []byte("\n")), nil
}

// compactJSON prints a value on one line, otherwise as printJSON does.
func compactJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeHidden(b.Bytes()), nil
}
