package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
)

// methodReplay holds recorded tool calls against today's tools and skills.
const methodReplay = "skill/replay"

// replayParams are the parameters of skill/replay, called as the flags of the command line:
// schemas/replay-params.schema.json. A document is the recording, when no recordings are named.
type replayParams struct {
	subject
	Recordings  []uri.URI `json:"recordings"`
	From        string    `json:"from"`
	Clients     []string  `json:"clients"` // as --client
	All         bool      `json:"all"`
	Live        bool      `json:"live"`
	AllowWrites bool      `json:"allowWrites"`
	Timeout     string    `json:"probeTimeout"`
	Masks       []string  `json:"masks"` // nil is the usual ones
	Patterns    []string  `json:"maskPatterns"`
	Pointers    []string  `json:"maskAt"`
}

// replay reads recordings and tells what of them would go wrong today.
func (s *Server) replay(ctx context.Context, p *replayParams) (*reply, error) {
	if p.TextDocument != nil && len(p.Recordings) == 0 {
		p.Recordings = []uri.URI{p.TextDocument.URI}
	}
	p.TextDocument = nil // the recording may lie anywhere
	st, x, err := s.scene(ctx, p.subject)
	if err != nil {
		return nil, err
	}
	in, err := p.input(st, x)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.started.Add(1)
	defer s.started.Done()
	if p.Live {
		if in.Live, err = s.again(ctx, st, x, p, in.Today); err != nil {
			return nil, err
		}
	}
	defer s.progress(ctx, "Replaying recordings", cancel).end()
	result, err := replay.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	o := report.ReplayOptions{Name: func(source string) string { return string(st.uriOf(x.live.Abs(source))) }}
	return reported(replaySummary(result), func(w io.Writer, format string) error { return report.Replay(w, result, format, o) })
}

func (p *replayParams) input(st *state, x scene) (*replay.Input, error) {
	in := &replay.Input{Format: recording.Format(p.From), All: p.All, Today: replay.TodayOf(x.live.Snapshot, x.root)}
	in.Today.FS = st.fs
	in.Today.Home, _ = os.UserHomeDir() // without one there are no skills in it
	if p.From != "" && !slices.Contains(recording.Formats(), p.From) {
		return nil, fmt.Errorf("from: %w", report.UnknownFormat(p.From, recording.Formats()))
	}
	for _, name := range p.Clients {
		c, err := profile.Find(name)
		if err != nil {
			return nil, err
		}
		in.Clients = append(in.Clients, c)
	}
	if len(p.Recordings) == 0 {
		return nil, errors.New("name recordings, or a document that is one")
	}
	for _, u := range p.Recordings {
		abs := pathOf(canonical(u))
		if _, err := st.fs.Stat(abs); err != nil {
			return nil, fmt.Errorf("the recording %s: %w", u, err)
		}
		in.Sources = append(in.Sources, replay.Source{Name: x.live.Shown(abs), Open: func() (io.ReadCloser, error) { return st.stream(u, abs) }})
	}
	return in, nil
}

// stream reads a file piece by piece, an open document as the editor has it.
func (st *state) stream(u uri.URI, abs string) (io.ReadCloser, error) {
	if d := st.docs[canonical(u)]; d != nil && !d.gone {
		return io.NopCloser(bytes.NewReader([]byte(d.text))), nil
	}
	return os.Open(abs)
}

// again returns how calls are made again, with the user's consent to each server.
func (s *Server) again(ctx context.Context, st *state, x scene, p *replayParams, today *replay.Today) (*replay.Live, error) {
	o, err := s.probeOptions(st, x, p.Timeout)
	if err != nil {
		return nil, err
	}
	names := p.Masks
	if names == nil {
		names = replay.DefaultMasks
	}
	masks, err := replay.NewMasks(names, p.Patterns, p.Pointers)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	known, err := consents()
	if err != nil {
		return nil, err
	}
	var entries []*mcpconfig.Server
	for _, server := range today.Servers {
		if server.Entry != nil {
			entries = append(entries, server.Entry)
		}
	}
	o.Expand = expander(entries)
	then := " and call its read-only tools"
	if p.AllowWrites {
		then = " and call its tools, also those that change something"
	}
	launch := func(server *replay.Server) (mcpprobe.Launch, bool, error) {
		if server.Entry == nil {
			return mcpprobe.Launch{}, false, nil
		}
		l := mcpprobe.LaunchOf(server.Entry)
		agreed, err := s.consents(ctx, l, known, then)
		return l, agreed, err
	}
	return &replay.Live{Launch: launch, Options: o, AllowWrites: p.AllowWrites, Masks: masks}, nil
}

// replaySummary says in a sentence what a replay found.
func replaySummary(r *replay.Report) string {
	n := r.Counts
	out := fmt.Sprintf("%s: %s, %s", report.Plural(n.Calls, "call"), report.Plural(n.Errors, "error"), report.Plural(n.Warnings, "warning"))
	if l := n.Live; l != (replay.LiveCounts{}) {
		out += fmt.Sprintf("; called again: %d the same, %d not, %d failed, %d left out", l.Same, l.Differ, l.Failed, l.Skipped)
	}
	return out
}
