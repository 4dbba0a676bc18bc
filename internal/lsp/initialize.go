package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

// Initialize tells the client what the server can and learns what the client can.
func (s *Server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	enc := encoding(or(p.Capabilities.General).PositionEncodings)
	s.can = newAbilities(&p.Capabilities, enc)
	s.can.lineLinks = strings.HasPrefix(p.ClientInfo.Name, "Visual Studio Code") || completesKeys(p.Capabilities.Experimental)
	s.can.completesKeys = s.can.lineLinks
	s.trace.Store(p.Trace != "" && p.Trace != protocol.TraceValueOff)
	options, err := parseSettings(p.InitializationOptions, s.reg)
	if err != nil {
		s.log.Warn("some of the initialization options cannot be used", "err", err)
	}
	s.can.panels, s.can.untrusted = options.Panels, !on(options.Trusted)
	s.write.Lock()
	st := s.state().next()
	st.settings = options
	for _, f := range workspaceFolders(p) {
		st.addFolder(f)
	}
	s.current.Store(st)
	s.write.Unlock()
	if p.ProcessID != nil {
		s.watchParent(int(*p.ProcessID))
	}
	s.phase.Store(running)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(enc),
		ServerInfo:   protocol.ServerInfo{Name: "skill-ls", Version: protocol.NewOptional(s.opt.Version)},
	}, nil
}

// completesKeys reads whether the editor says that it completes keys of a SKILL.md by itself: editors that are made
// of VS Code have other names.
func completesKeys(experimental protocol.LSPAny) bool {
	var e struct {
		CompletesSkillKeys bool `json:"completesSkillKeys"`
	}
	return json.Unmarshal(experimental, &e) == nil && e.CompletesSkillKeys
}

// workspaceFolders returns the folders that the client has open, in whichever way it says so.
func workspaceFolders(p *protocol.InitializeParams) []uri.URI {
	var out []uri.URI
	if folders, ok := p.WorkspaceFolders.Get(); ok {
		for _, f := range folders {
			out = append(out, f.URI)
		}
		return out
	}
	//lint:ignore SA1019 older clients send no folders
	if p.RootURI != nil && *p.RootURI != "" {
		//lint:ignore SA1019 see above
		return []uri.URI{*p.RootURI}
	}
	//lint:ignore SA1019 see above
	if root, ok := p.RootPath.Get(); ok && root != "" {
		return []uri.URI{uri.File(root)}
	}
	return nil
}

// addFolder adds a folder of the workspace to a state that is not stored yet.
func (st *state) addFolder(u uri.URI) {
	root := pathOf(canonical(u))
	if root == "" || slices.ContainsFunc(st.folders, func(f *folder) bool { return f.loose == "" && f.root == root }) {
		return
	}
	st.folders = append(st.folders, &folder{root: root})
	slices.SortStableFunc(st.folders, func(a, b *folder) int { return len(b.root) - len(a.root) })
}

// Initialized begins the work: now the client takes requests.
func (s *Server) Initialized(context.Context, *protocol.InitializedParams) error {
	if s.can.watch || s.can.registerConfig && s.can.configuration {
		s.background("watch files", s.register)
	}
	if !s.can.watch {
		go s.contain("look for changed files", s.pollFiles)
	}
	if s.can.configuration {
		s.pullSettings()
	}
	s.change(func(*state) {})
	s.hurry()
	return nil
}

// register asks the client to tell of changed files and settings.
func (s *Server) register(ctx context.Context) error {
	var all []protocol.Registration
	if s.can.watch {
		raw, err := json.Marshal(map[string]any{"watchers": watchers()})
		if err != nil {
			return err
		}
		all = append(all, protocol.Registration{ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: raw})
	}
	if s.can.registerConfig {
		raw, err := json.Marshal(map[string]any{"section": section})
		if err != nil {
			return err
		}
		all = append(all, protocol.Registration{ID: "settings", Method: protocol.MethodWorkspaceDidChangeConfiguration, RegisterOptions: raw})
	}
	return s.client.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: all})
}

type watcher struct {
	GlobPattern string `json:"globPattern"`
}

// watchers are the files whose changes matter: those that skills consist of and refer to, manifests and configurations.
func watchers() []watcher {
	out := []watcher{{"**/*.md"}, {"**/skills/**"}, {"**/agents/*.yaml"}, {"**/.skilllint.{yaml,yml,json}"}, {"**/.gitignore"}, {"**/scripts/**"}, {"**/" + catalog.LockName}, {"**/evals/**"}}
	for _, f := range mcpconfig.Formats {
		if f.Path != "" && !filepath.IsAbs(f.Path) {
			out = append(out, watcher{"**/" + f.Path})
		}
	}
	for place := range manifest.Places {
		out = append(out, watcher{"**/" + place})
	}
	return out
}
