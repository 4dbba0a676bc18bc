package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Diagnostic answers a client that asks for the diagnostics of a document.
func (s *Server) Diagnostic(ctx context.Context, p *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	st := s.at(ctx)
	u := canonical(p.TextDocument.URI)
	at, _ := st.find(u)
	items := s.diagnostics(st, at)
	id := resultID(items)
	s.answered(st, u, id)
	if p.PreviousResultID != nil && *p.PreviousResultID == id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{UnchangedDocumentDiagnosticReport: unchanged(id)}, nil
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: full(id, items)}, nil
}

func full(id string, items []protocol.Diagnostic) protocol.FullDocumentDiagnosticReport {
	return protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(id), Items: items}
}

func unchanged(id string) protocol.UnchangedDocumentDiagnosticReport {
	return protocol.UnchangedDocumentDiagnosticReport{Kind: "unchanged", ResultID: id}
}

// answered notes what a client that asks was told.
func (s *Server) answered(st *state, u uri.URI, id string) {
	s.publish.mu.Lock()
	defer s.publish.mu.Unlock()
	if s.publish.last[u].seq <= st.seq {
		s.publish.last[u] = published{seq: st.seq, id: id}
	}
}

// DiagnosticWorkspace answers a client that asks for the diagnostics of all documents. It waits until the
// workspace has been looked at once. One that asks again, as VS Code does every other second, is answered when the user
// pauses: until then nothing is known of other documents than the one that is edited, and the time is needed for that.
func (s *Server) DiagnosticWorkspace(ctx context.Context, p *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	select {
	case <-s.settledOnce:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if len(p.PreviousResultIds) > 0 {
		s.awaitPause(ctx)
	}
	st := s.state()
	s.publish.mu.Lock()
	s.publish.whole = true
	s.publish.mu.Unlock()
	before := map[uri.URI]string{}
	files := s.files(st)
	for _, r := range p.PreviousResultIds {
		u := canonical(r.URI)
		before[u], files[u] = r.Value, true
	}
	out := pieces[protocol.WorkspaceDocumentDiagnosticReport]{s: s, token: p.PartialResultToken, as: func(items []protocol.WorkspaceDocumentDiagnosticReport) any {
		return &protocol.WorkspaceDiagnosticReportPartialResult{Items: items}
	}}
	for i, u := range slices.Sorted(maps.Keys(files)) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i%partSize == 0 {
			taskOf(ctx).say(fmt.Sprintf("%d of %d files", i, len(files)))
		}
		out.add(s.workspaceReport(st, u, before[u]))
	}
	return &protocol.WorkspaceDiagnosticReport{Items: out.rest()}, nil
}

func (s *Server) workspaceReport(st *state, u uri.URI, before string) protocol.WorkspaceDocumentDiagnosticReport {
	id, items := s.publish.idAt(st, u), []protocol.Diagnostic(nil)
	if id == "" || id != before {
		at, _ := st.find(u)
		items = s.diagnostics(st, at)
		id = resultID(items)
	}
	s.answered(st, u, id)
	shown, version := u, (*int32)(nil)
	if d := st.docs[u]; d != nil {
		shown, version = d.raw, new(d.version)
	}
	if before == id {
		return &protocol.WorkspaceUnchangedDocumentDiagnosticReport{UnchangedDocumentDiagnosticReport: unchanged(id), URI: shown, Version: version}
	}
	return &protocol.WorkspaceFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: full(id, items), URI: shown, Version: version}
}

// refreshIfNew has the client ask again when it was told something else about a document than holds now. It gives up when
// ctx ends.
func (s *Server) refreshIfNew(ctx context.Context, st *state, files map[uri.URI]bool) {
	if !s.can.refreshDiagnostics {
		return
	}
	s.publish.mu.Lock()
	told, whole := maps.Clone(s.publish.last), s.publish.whole
	s.publish.mu.Unlock()
	for u := range files {
		if _, ok := told[u]; !ok && whole {
			s.refresh("diagnostics", s.client.DiagnosticRefresh)
			return
		}
	}
	for u, last := range told {
		if ctx.Err() != nil {
			return
		}
		at, _ := st.find(u)
		id := resultID(s.diagnostics(st, at))
		s.publish.keep(st, u, id)
		if id != last.id {
			s.refresh("diagnostics", s.client.DiagnosticRefresh)
			return
		}
	}
}

// keep remembers what stands for the diagnostics of a document in a state, until there is a newer one.
func (p *publications) keep(st *state, u uri.URI, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seq != st.seq {
		p.seq, p.ids = st.seq, map[uri.URI]string{}
	}
	p.ids[u] = id
}

// idAt returns what stands for the diagnostics of a document in a state; "" when they have to be worked out.
func (p *publications) idAt(st *state, u uri.URI) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seq != st.seq {
		return ""
	}
	return p.ids[u]
}
