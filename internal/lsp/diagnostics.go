package lsp

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// source names the server in diagnostics.
const source = "skilllint"

// docsRoot is where the pages of rules are read.
const docsRoot = "https://github.com/skill-ls/skill-ls/blob/main/"

// findings returns what the rules have to say about a document.
func (s *Server) findings(st *state, p place) []lint.Finding {
	if p.live == nil || st.gone(p) {
		return nil
	}
	out, err := p.live.Findings(p.file)
	if err != nil {
		s.log.Error("a rule failed; please report it with the file", "err", err)
	}
	if p.doc != nil && p.doc.unsaved() {
		out = slices.DeleteFunc(out, func(f lint.Finding) bool { return slices.Contains([]string{"file", "link"}, f.Rule.Group()) })
	}
	return out
}

// diagnostics returns the findings on a document, and the faults of one that is a configuration, as the
// protocol has them: none on one that is not open when the user wants only those diagnosed. It never returns nil, which clients do not take for an empty list.
func (s *Server) diagnostics(st *state, p place) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	if p.doc == nil && !on(st.settings.Workspace) {
		return out
	}
	c := s.converter(st, p)
	for _, f := range s.findings(st, p) {
		out = append(out, c.diagnostic(f))
	}
	if p.live != nil {
		for _, fault := range configFaults(p.live.ConfigErr()) {
			if fault.File == p.file {
				out = append(out, c.configFault(fault))
			}
		}
	}
	return out
}

// converter turns findings of one workspace into protocol types.
type converter struct {
	*Server
	st *state
	p  place
}

func (s *Server) converter(st *state, p place) converter { return converter{s, st, p} }

// mapper returns what converts the offsets of a file, by its shown path. One that is not at hand is taken for
// empty: its only place is its start.
func (c converter) mapper(file string) mapper {
	if c.p.doc != nil && file == c.p.file {
		return mapper{c.p.doc.lines, c.can.encoding}
	}
	if d := c.p.live.Doc(file); d != nil {
		return mapper{d.Lines(), c.can.encoding}
	}
	return mapper{text.NewLineIndex(""), c.can.encoding}
}

func (c converter) uri(file string) uri.URI { return c.st.uriOf(c.p.live.Abs(file)) }

var severities = map[lint.Severity]protocol.DiagnosticSeverity{
	lint.Error:   protocol.DiagnosticSeverityError,
	lint.Warning: protocol.DiagnosticSeverityWarning,
	lint.Info:    protocol.DiagnosticSeverityInformation,
	lint.Hint:    protocol.DiagnosticSeverityHint,
}

func (c converter) diagnostic(f lint.Finding) protocol.Diagnostic {
	message := f.Message
	if f.Help != "" {
		message += "\n" + f.Help
	}
	d := protocol.Diagnostic{
		Range:           c.mapper(f.File).rangeOf(f.Span),
		Severity:        severities[f.Severity],
		Code:            protocol.String(f.Rule.Name),
		CodeDescription: protocol.CodeDescription{Href: uri.URI(docsRoot + f.Rule.Docs())},
		Source:          protocol.NewOptional(source),
		Message:         protocol.String(message),
		Tags:            tags(f),
	}
	if c.can.related {
		for _, r := range f.Related {
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: c.uri(r.File), Range: c.mapper(r.File).rangeOf(r.Span)}, Message: r.Message,
			})
		}
	}
	if c.can.diagnosticData && len(f.Fixes) > 0 {
		d.Data = c.fixData(f)
	}
	return d
}

// unnecessary are the rules whose findings are on text without effect, which editors show faded.
var unnecessary = []string{lint.UnusedSuppression, "field/unknown"}

func tags(f lint.Finding) protocol.DiagnosticTags {
	if slices.Contains(unnecessary, f.Rule.Name) {
		return protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary)
	}
	return protocol.DiagnosticTags{}
}

// fixData carries the fixes with a diagnostic, for clients that apply them without asking for code actions.
func (c converter) fixData(f lint.Finding) protocol.LSPAny {
	type fix struct {
		Title string          `json:"title"`
		Safe  bool            `json:"safe"`
		Edit  json.RawMessage `json:"edit"`
	}
	var out []fix
	for _, x := range f.Fixes {
		edit, ok := c.edit(x)
		if !ok {
			continue
		}
		raw, err := protocol.Marshal(edit)
		if err != nil {
			panic(err) // it holds nothing that has no JSON
		}
		out = append(out, fix{x.Title, x.Safe, raw})
	}
	raw, err := json.Marshal(map[string]any{"fixes": out})
	if err != nil {
		panic(err)
	}
	return raw
}

// configFault shows a fault of a configuration file at its line, whose rest it covers.
func (c converter) configFault(fault *lint.ConfigError) protocol.Diagnostic {
	m := c.mapper(fault.File)
	if c.p.doc == nil || fault.File != c.p.file {
		if raw, err := c.st.fs.ReadFile(c.p.live.Abs(fault.File)); err == nil {
			m = mapper{skills.NewDocument("", "", string(raw)).Lines(), c.can.encoding}
		}
	}
	start := m.lines.PositionOffset(text.Position{Line: fault.Line - 1, Column: fault.Column - 1}, text.UTF32)
	end := max(start, m.lines.Line(fault.Line-1).End)
	return protocol.Diagnostic{
		Range:    m.rangeOf(text.Span{Start: start, End: end}),
		Severity: protocol.DiagnosticSeverityError,
		Code:     protocol.String("configuration"),
		Source:   protocol.NewOptional(source),
		Message:  protocol.String(fault.Message),
	}
}
