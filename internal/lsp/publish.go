package lsp

import (
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// publications is what the client was told.
type publications struct {
	mu    sync.Mutex
	last  map[uri.URI]published
	whole bool                // the client asked for the diagnostics of all files
	owned map[string][]string // absolute path of a skill -> those of the files it had diagnostics on
	seq   uint64              // of the state that ids are of
	ids   map[uri.URI]string  // what stands for the diagnostics of documents, as far as it was worked out
}

// published is the last set of diagnostics of one document.
type published struct {
	seq     uint64
	as      uri.URI // how it was spelt
	version int32
	id      string // stands for the set
	empty   bool
}

// publishTouched sends the diagnostics of edited documents, and of the other files that belong to the same
// skill, to a client that does not ask for them.
func (s *Server) publishTouched(docs map[uri.URI]bool) {
	if s.can.pull || len(docs) == 0 {
		return
	}
	s.contain("diagnostics", func() {
		st := s.state()
		for u := range docs {
			s.publishDocument(st, u)
		}
	})
}

func (s *Server) publishDocument(st *state, u uri.URI) {
	p, ok := st.find(u)
	s.send(st, u, p, s.diagnostics(st, p))
	if !ok {
		return
	}
	skill := p.live.SkillOf(p.file)
	if skill == nil {
		return
	}
	s.publish.mu.Lock()
	before := s.publish.owned[skill.Doc.Abs]
	s.publish.mu.Unlock()
	var now []string
	for _, file := range p.live.Known(skill.Doc.Path) {
		now = append(now, p.live.Abs(file))
	}
	slices.Sort(now)
	for _, abs := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(before, now)))) {
		if other := canonical(fileURI(abs)); other != u && abs != skill.Doc.Abs {
			p, _ := st.find(other)
			s.send(st, other, p, s.diagnostics(st, p))
		}
	}
	s.publish.mu.Lock()
	defer s.publish.mu.Unlock()
	if s.publish.owned == nil {
		s.publish.owned = map[string][]string{}
	}
	s.publish.owned[skill.Doc.Abs] = now
}

// publishAll sends what is new in all files, or has a client that asks do so. It gives up when ctx ends.
func (s *Server) publishAll(ctx context.Context) {
	st := s.state()
	files := s.files(st)
	if s.can.pull {
		s.refreshIfNew(ctx, st, files)
		return
	}
	s.publish.mu.Lock()
	for u, p := range s.publish.last {
		if !p.empty {
			files[u] = true
		}
	}
	s.publish.mu.Unlock()
	for _, u := range slices.Sorted(maps.Keys(files)) {
		if ctx.Err() != nil {
			return
		}
		p, _ := st.find(u)
		s.send(st, u, p, s.diagnostics(st, p))
	}
}

// files returns the documents that have diagnostics, as far as is known: those that are open, and the others
// when the user wants the whole workspace diagnosed.
func (s *Server) files(st *state) map[uri.URI]bool {
	out := map[uri.URI]bool{}
	for u := range st.docs {
		out[u] = true
	}
	if !on(st.settings.Workspace) {
		return out
	}
	for _, f := range st.folders {
		if f.live == nil {
			continue
		}
		for _, file := range f.live.Files() {
			if file != "." {
				out[canonical(fileURI(f.live.Abs(file)))] = true
			}
		}
		for _, fault := range configFaults(f.live.ConfigErr()) {
			out[canonical(fileURI(f.live.Abs(fault.File)))] = true
		}
	}
	return out
}

// send publishes the diagnostics of a document as of a state, unless the client has them already, or the
// document was edited since: then those of the new version follow.
func (s *Server) send(st *state, u uri.URI, p place, diagnostics []protocol.Diagnostic) {
	s.publish.mu.Lock()
	defer s.publish.mu.Unlock()
	doc := st.docs[u]
	last, sent := s.publish.last[u]
	if last.seq > st.seq || s.state().docs[u] != doc {
		return
	}
	now := published{seq: st.seq, as: u, id: resultID(diagnostics), empty: len(diagnostics) == 0}
	params := &protocol.PublishDiagnosticsParams{Diagnostics: diagnostics}
	if doc != nil {
		now.version, now.as = doc.version, doc.raw
		params.Version = protocol.NewOptional(doc.version)
	}
	params.URI = now.as
	respelt := sent && last.as != now.as
	if sent && !respelt && last.id == now.id && last.version == now.version || !sent && doc == nil && now.empty {
		return
	}
	if respelt && !last.empty {
		s.publishOne(&protocol.PublishDiagnosticsParams{URI: last.as, Diagnostics: []protocol.Diagnostic{}})
	}
	s.publish.last[u] = now
	s.publishOne(params)
}

func (s *Server) publishOne(p *protocol.PublishDiagnosticsParams) {
	if err := s.client.PublishDiagnostics(s.ctx, p); err != nil && s.ctx.Err() == nil {
		s.log.Warn("diagnostics cannot be sent", "uri", p.URI, "err", err)
	}
}

// resultID stands for a set of diagnostics: equal sets have equal ids.
func resultID(diagnostics []protocol.Diagnostic) string {
	h := fnv.New64a()
	raw, err := protocol.Marshal(diagnostics)
	if err != nil {
		panic(err) // they hold nothing that has no JSON
	}
	_, _ = h.Write(raw) // never fails
	return strconv.FormatUint(h.Sum64(), 36)
}
