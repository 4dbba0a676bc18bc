package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidChangeConfiguration takes over the user's settings. A client that answers workspace/configuration is asked:
// what it sends by itself is often empty.
func (s *Server) DidChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	if s.can.configuration {
		s.pullSettings()
		return nil
	}
	s.takeSettings(p.Settings)
	return nil
}

// pullSettings asks the client for the settings.
func (s *Server) pullSettings() {
	s.background("tell the settings", func(ctx context.Context) error {
		answers, err := s.client.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new(section)}}})
		if err == nil && len(answers) > 0 && len(answers[0]) > 0 && string(answers[0]) != "null" {
			s.takeSettings(answers[0])
		}
		return err
	})
}

// takeSettings makes settings hold. All folders are looked at anew.
func (s *Server) takeSettings(raw []byte) {
	set, err := parseSettings(raw, s.reg)
	if err != nil {
		s.log.Warn("some of the settings cannot be used", "err", err)
	}
	s.change(func(st *state) {
		st.settings = set
		for i := range st.folders {
			st.setFolder(i, func(f *folder) { f.stale = st.seq })
		}
		for u, d := range st.docs {
			s.lay(st, u, d)
		}
	})
	s.hurry()
	s.refreshShown()
}
