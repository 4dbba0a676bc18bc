package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// load takes a snapshot of a folder. Faults in configurations are no reason to fail: the files with faults
// count as empty, and diagnostics tell.
func (s *Server) load(ctx context.Context, st *state, root string, paths []string) (*workspace.Live, error) {
	o, err := s.options(st, root, paths)
	if err != nil {
		return nil, err
	}
	snapshot, err := workspace.Load(ctx, o)
	if errors.Is(err, skills.ErrNoSkill) {
		// Settings in which no server stands yet: what is typed there is helped along all the same.
		o.Paths, o.Exclude = []string{filepath.Dir(paths[0])}, []string{"**"}
		snapshot, err = workspace.Load(ctx, o)
	}
	if snapshot == nil {
		return nil, err
	}
	if err != nil && len(configFaults(err)) == 0 {
		s.log.Warn("a configuration cannot be used", "folder", root, "err", err)
	}
	if known := st.knownIn(snapshot.Configs()); len(known) > 0 {
		snapshot = snapshot.WithProbed(known)
	}
	return workspace.NewLive(snapshot, s.engine), nil
}

// loadFolder takes a snapshot of a whole folder, with the skills open in it that a search would pass over.
func (s *Server) loadFolder(ctx context.Context, st *state, f *folder) (*workspace.Live, error) {
	paths := []string{f.root}
	for u, d := range st.docs {
		if f.loose == u || f.loose == "" && within(f.root, d.abs) && filepath.Base(d.abs) == skills.FileName && !d.gone {
			paths = append(paths, d.abs)
		}
	}
	if f.loose != "" {
		paths = paths[1:]
	}
	return s.load(ctx, st, f.root, paths)
}

// loadAlone takes a snapshot of the skill or the configuration that a document is or belongs to, and nothing
// else. It returns nil when there is none.
func (s *Server) loadAlone(st *state, root string, d *document) *workspace.Live {
	if !concerns(st.fs, d) {
		return nil
	}
	live, err := s.load(s.ctx, st, root, []string{d.abs})
	if err != nil {
		s.log.Warn("a file cannot be looked at", "file", d.abs, "err", err)
		return nil
	}
	return live
}

// concerns reports whether a file is one the server has something to say about, when the user opens it.
func concerns(fsys skills.FS, d *document) bool {
	if d.abs == "" || d.gone {
		return false
	}
	if skills.IsSkillFile(filepath.Base(d.abs)) || mcpconfig.Match(d.abs) != nil {
		return true
	}
	for dir := filepath.Dir(d.abs); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := fsys.Stat(filepath.Join(dir, skills.FileName)); err == nil {
			return true
		}
	}
	return false
}

// looseFolder returns the surroundings of a document that lies in no folder of the workspace: the folder that
// its skill's folder lies in.
func looseFolder(fsys skills.FS, u uri.URI, d *document) *folder {
	dir := filepath.Dir(d.abs)
	for up := dir; filepath.Dir(up) != up; up = filepath.Dir(up) {
		if _, err := fsys.Stat(filepath.Join(up, skills.FileName)); err == nil {
			dir = filepath.Dir(up)
			break
		}
	}
	return &folder{root: dir, loose: u}
}

// unsavedRoot is where documents that were never saved are taken to lie. Nothing is there on disk.
var unsavedRoot = filepath.Join(string(filepath.Separator), "untitled:")

// unsavedPath returns where a document that was never saved is taken to lie: its folder is called as the skill
// is, for it has no other. It is "" for one that is no skill.
func unsavedPath(d *document) string {
	if d.language != "skill" && !strings.HasSuffix(string(d.raw), skills.FileName) {
		return ""
	}
	name := "unnamed"
	front := skills.Parse(skills.NewDocument("", "", d.text)).Front
	if f := front.Field("name"); f != nil && filepath.IsLocal(f.Text) && !strings.ContainsAny(f.Text, `/\`) {
		name = f.Text
	}
	return filepath.Join(unsavedRoot, name, skills.FileName)
}

// configFaults returns the faults of configuration files in an error.
func configFaults(err error) []*lint.ConfigError {
	var out []*lint.ConfigError
	switch e := err.(type) {
	case nil:
	case *lint.ConfigError:
		out = append(out, e)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			out = append(out, configFaults(inner)...)
		}
	case interface{ Unwrap() error }:
		out = configFaults(e.Unwrap())
	}
	return out
}
