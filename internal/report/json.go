package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// schemas/report.schema.json describes this form.
type jsonReport struct {
	Version    int               `json:"version"`
	Findings   []json.RawMessage `json:"findings"` // of jsonFinding
	Statistics []count           `json:"statistics,omitempty"`
	Summary    jsonSummary       `json:"summary"`
}

type jsonFinding struct {
	Rule     string        `json:"rule"`
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Help     string        `json:"help,omitempty"`
	Docs     string        `json:"docs"`
	File     string        `json:"file"`
	Range    textRange     `json:"range"`
	Clients  []string      `json:"clients,omitempty"`
	Server   string        `json:"server,omitempty"`
	Tool     string        `json:"tool,omitempty"`
	Pointer  string        `json:"pointer,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
	Fixes    []jsonFix     `json:"fixes,omitempty"`
}

type jsonRelated struct {
	File    string    `json:"file"`
	Range   textRange `json:"range"`
	Message string    `json:"message"`
}

type jsonFix struct {
	Title   string       `json:"title"`
	Safe    bool         `json:"safe"`
	Edits   []jsonEdit   `json:"edits"`
	Renames []jsonRename `json:"renames,omitempty"`
	Creates []jsonCreate `json:"creates,omitempty"`
}

type jsonEdit struct {
	File    string    `json:"file"`
	Range   textRange `json:"range"`
	NewText string    `json:"new_text"`
}

type jsonRename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type jsonCreate struct {
	File string `json:"file"`
	Text string `json:"text"`
}

type jsonSummary struct {
	Skills   int `json:"skills"`
	Configs  int `json:"configs"`
	Servers  int `json:"servers"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Hints    int `json:"hints"`
	Fixable  int `json:"fixable"`
}

// JSON prints findings in the program's own form, one at a time: those of a large workspace take more memory than its
// skills.
func JSON(w io.Writer, r *workspace.Result, o Options) error {
	frame := jsonReport{Version: 1, Findings: []json.RawMessage{}, Summary: summarize(r)}
	if len(r.Findings) > 0 {
		frame.Findings = []json.RawMessage{findingsGoHere}
	}
	if o.Statistics {
		frame.Statistics = statistics(r.Findings)
	}
	var around strings.Builder
	if err := writeJSON(&around, frame); err != nil {
		return err
	}
	before, after, _ := strings.Cut(around.String(), string(findingsGoHere))
	out := bufio.NewWriter(w)
	out.WriteString(before)
	printers := make([]*printer, runtime.GOMAXPROCS(0))
	for i := range printers {
		printers[i] = newPrinter()
	}
	between := ""
	for some := range slices.Chunk(r.Findings, findingsAtOnce) {
		texts, err := printFindings(printers, r, some)
		if err != nil {
			return err
		}
		for _, text := range texts {
			out.WriteString(between)
			out.Write(text)
			between = betweenFindings
		}
	}
	out.WriteString(after)
	return out.Flush()
}

// findingsGoHere stands for the findings in the frame around them.
var findingsGoHere = json.RawMessage("0.0")

// findingsAtOnce is how many findings are printed before they are written.
const findingsAtOnce = 512

// betweenFindings separates findings as they stand in a report.
const betweenFindings = ",\n    "

// printFindings prints findings as they stand in a report, by all printers at once, in pieces to be joined by
// betweenFindings. The pieces hold until the next call.
func printFindings(printers []*printer, r *workspace.Result, findings []lint.Finding) ([][]byte, error) {
	pieces := slices.Collect(slices.Chunk(findings, len(findings)/len(printers)+1))
	texts := make([][]byte, len(pieces))
	var g errgroup.Group
	for i, piece := range pieces {
		g.Go(func() (err error) {
			texts[i], err = printers[i].print(r, piece)
			return err
		})
	}
	return texts, g.Wait()
}

// printer keeps the memory that printing takes.
type printer struct {
	buffer  bytes.Buffer
	encoder *json.Encoder
}

func newPrinter() *printer {
	p := &printer{}
	p.encoder = newEncoder(&p.buffer, "    ")
	return p
}

func (p *printer) print(r *workspace.Result, findings []lint.Finding) ([]byte, error) {
	b := &p.buffer
	b.Reset()
	for i, f := range findings {
		if i > 0 {
			b.Truncate(b.Len() - len("\n")) // that the encoder ends a value with
			b.WriteString(betweenFindings)
		}
		if err := p.encoder.Encode(toJSON(r, f)); err != nil {
			return nil, fmt.Errorf("print a finding of %s: %w", f.Rule.Name, err)
		}
	}
	return escapeHidden(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	if err := newEncoder(&b, "").Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// newEncoder prints values with their characters as they are: reports are read by people too. For their sake escapeHidden
// then escapes what is not visible, or drives a terminal.
func newEncoder(w io.Writer, prefix string) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	return enc
}

// escapeHidden writes the hidden characters in the strings of JSON as escapes, those that the encoder leaves.
func escapeHidden(data []byte) []byte {
	var out []byte
	copied := 0
	for i := nextHidden(data, 0); i < len(data); {
		out = append(out, data[copied:i]...)
		r, n := utf8.DecodeRune(data[i:])
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
		copied = i + n
		i = nextHidden(data, copied)
	}
	if copied == 0 {
		return data
	}
	return append(out, data[copied:]...)
}

// nextHidden returns the offset of the first hidden character at or after one, the length of data if there is none.
func nextHidden(data []byte, from int) int {
	for i := from; i < len(data); {
		if data[i] < 0x7F {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if hiddenInJSON(r) {
			return i
		}
		i += n
	}
	return len(data)
}

// hiddenInJSON is hidden for what the encoder has not escaped already, line ends between values aside.
func hiddenInJSON(r rune) bool { return r >= 0x7F && hidden(r) }

func toJSON(r *workspace.Result, f lint.Finding) jsonFinding {
	out := jsonFinding{
		Rule: f.Rule.Name, Severity: f.Severity.String(), Message: f.Message, Help: f.Help, Docs: f.Rule.Docs(),
		File: f.File, Range: locate(r.Doc(f.File), f.Span), Clients: f.Clients,
		Server: f.Server, Tool: f.Tool, Pointer: f.Pointer,
	}
	for _, rel := range f.Related {
		out.Related = append(out.Related, jsonRelated{rel.File, locate(r.Doc(rel.File), rel.Span), rel.Message})
	}
	for _, fix := range f.Fixes {
		out.Fixes = append(out.Fixes, fixToJSON(r, fix))
	}
	return out
}

func fixToJSON(r *workspace.Result, fix lint.Fix) jsonFix {
	out := jsonFix{Title: fix.Title, Safe: fix.Safe, Edits: make([]jsonEdit, 0, len(fix.Edits))}
	for _, e := range fix.Edits {
		out.Edits = append(out.Edits, jsonEdit{e.File, locate(r.Doc(e.File), e.Span), e.New})
	}
	for _, m := range fix.Renames {
		out.Renames = append(out.Renames, jsonRename(m))
	}
	for _, c := range fix.Creates {
		out.Creates = append(out.Creates, jsonCreate(c))
	}
	return out
}

func summarize(r *workspace.Result) jsonSummary {
	s := jsonSummary{
		Skills: len(r.Skills), Configs: len(r.Configs),
		Errors: r.Count(lint.Error), Warnings: r.Count(lint.Warning), Infos: r.Count(lint.Info), Hints: r.Count(lint.Hint),
	}
	for _, c := range r.Configs {
		s.Servers += len(c.Servers)
	}
	for _, f := range r.Findings {
		if Fixable(f) {
			s.Fixable++
		}
	}
	return s
}
