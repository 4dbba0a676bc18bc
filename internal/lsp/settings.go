package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// section is the name of the server's settings in an editor.
const section = "skilllint"

// settings is what the user has chosen in the editor. Configuration files hold besides, and these win over
// them, as the flags of the command line do.
type settings struct {
	Clients        []string          `json:"clients"`        // as --client
	Rules          map[string]string `json:"rules"`          // rule or group: level, as --severity
	Config         string            `json:"config"`         // as --config; relative to the folder
	Workspace      *bool             `json:"workspace"`      // diagnose files that are not open, too; true when absent
	InlayHints     *bool             `json:"inlayHints"`     // true when absent, and so on
	CodeLens       *bool             `json:"codeLens"`       //
	SemanticTokens *bool             `json:"semanticTokens"` //
	// Trusted says whether the user trusts the workspace; true when absent. No in the initialization options holds for
	// the whole session, so that no settings of a workspace can lift it.
	Trusted *bool `json:"trusted"`
	// Panels, an initialization option, says that the client shows what commands bring back by itself.
	Panels bool `json:"panels"`
}

// on reads a switch that is on unless it says otherwise.
func on(b *bool) bool { return b == nil || *b }

// parseSettings reads settings as a client sends them, alone or below the name of the section. What cannot be
// used is told and left out, so that the rest holds.
func parseSettings(raw []byte, reg *lint.Registry) (settings, error) {
	var s settings
	var wrapped map[string]json.RawMessage
	if json.Unmarshal(raw, &wrapped) == nil && wrapped[section] != nil {
		raw = wrapped[section]
	}
	if len(raw) == 0 || string(raw) == "null" {
		return s, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return settings{}, fmt.Errorf("read the settings: %w", err)
	}
	var errs []error
	s.Clients = slices.DeleteFunc(s.Clients, func(name string) bool {
		err := ask.KnownClient(name)
		errs = append(errs, err)
		return err != nil
	})
	maps.DeleteFunc(s.Rules, func(name, level string) bool {
		_, err := reg.Match(name)
		if err == nil {
			_, err = lint.ParseSeverity(level)
		}
		errs = append(errs, err)
		return err != nil
	})
	return s, errors.Join(errs...)
}

// flags returns the settings as the command line would give them.
func (s settings) flags() lint.Flags {
	f := lint.Flags{Clients: ask.Clients(s.Clients)}
	for _, name := range slices.Sorted(maps.Keys(s.Rules)) {
		level, err := lint.ParseSeverity(s.Rules[name])
		if err == nil {
			f.Levels = append(f.Levels, lint.Setting{Name: name, Level: level, HasLvl: true, Source: "editor settings"})
		}
	}
	return f
}

// options says how a folder is loaded: paths are what is looked for in it.
func (s *Server) options(st *state, root string, paths []string) (workspace.Options, error) {
	o := workspace.Options{FS: st.fs, Base: root, Paths: paths}
	var err error
	if o.Resolver, err = lint.NewResolver(s.reg, st.settings.flags()); err != nil {
		return o, err
	}
	parse := (&ask.Folder{Registry: s.reg}).ParseConfig
	if st.settings.Config == "" {
		o.Configs = workspace.FindConfigs(st.fs, root, parse)
		return o, nil
	}
	file := st.settings.Config
	if !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	if o.Configs, err = workspace.FixedConfig(st.fs, root, file, parse); err != nil {
		return o, fmt.Errorf("the configuration that the settings name: %w", err)
	}
	return o, nil
}
