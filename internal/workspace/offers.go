package workspace

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Saved is a saved answer of a server to tools/list. It stands for the server of that name in every configuration.
type Saved struct {
	Doc    *skills.Document
	Server *catalog.Server
}

// ReadSaved reads a saved answer of the server called name. shown is the path under which findings in it are told.
func ReadSaved(name, shown, abs string, data []byte) (Saved, error) {
	server, err := catalog.ReadList(name, data)
	if err != nil {
		return Saved{}, err
	}
	return Saved{skills.NewDocument(shown, abs, string(data)), server}, nil
}

// Probed is what a probe of one entry of a configuration found.
type Probed struct {
	Entry    *mcpconfig.Server
	Server   *catalog.Server // nil when the probe failed
	Problems []lint.Problem
}

// offerKey names an entry of a configuration. Edited files are parsed anew, so the entry itself is none.
type offerKey struct{ file, server string }

// WithProbed returns the snapshot in which servers offer what a probe found.
func (s *Snapshot) WithProbed(probed []Probed) *Snapshot {
	next := *s
	next.probed = map[offerKey]Probed{}
	for _, p := range probed {
		next.probed[offerKey{p.Entry.File.Doc.Path, p.Entry.Name}] = p
	}
	next.offers = next.allOffers()
	return &next
}

// Offers implements lint.View: what is known of the servers of each configuration, and last of those that none
// names.
func (s *Snapshot) Offers() []*lint.Offers { return s.offers }

func (s *Snapshot) allOffers() []*lint.Offers {
	var out []*lint.Offers
	used := map[string]bool{}
	for _, f := range s.mcp {
		if o := s.offersOf(f, used); len(o.Servers) > 0 || o.LockErr != nil {
			out = append(out, o)
		}
	}
	rest := &lint.Offers{}
	for _, saved := range s.opt.Saved {
		if !used[saved.Server.Name] {
			s.docs[saved.Doc.Path] = saved.Doc
			rest.Servers = append(rest.Servers, lint.Offer{Name: saved.Server.Name, Doc: saved.Doc, Server: saved.Server})
		}
	}
	if len(rest.Servers) > 0 {
		out = append(out, rest)
	}
	return out
}

func (s *Snapshot) offersOf(f *mcpconfig.File, used map[string]bool) *lint.Offers {
	out := &lint.Offers{Config: f}
	lock := s.locks.above(s, filepath.Dir(f.Doc.Abs))
	if lock != nil {
		out.Lock, out.LockErr = lock.doc, lock.err
	}
	for _, entry := range f.Servers {
		o := lint.Offer{Name: entry.Name, Entry: entry, Locked: lock.server(entry.Name)}
		probed, asked := s.probed[offerKey{f.Doc.Path, entry.Name}]
		saved := s.saved(entry.Name)
		switch {
		case asked:
			o.Server, o.Problems = probed.Server, probed.Problems
		case saved != nil:
			o.Server, o.Doc, used[entry.Name] = saved.Server, saved.Doc, true
		case !entry.Disabled():
			o.Server, o.Locked = o.Locked, nil
		}
		if o.Server != nil || len(o.Problems) > 0 {
			out.Servers = append(out.Servers, o)
		}
	}
	return out
}

func (s *Snapshot) saved(name string) *Saved {
	for i := range s.opt.Saved {
		if s.opt.Saved[i].Server.Name == name {
			return &s.opt.Saved[i]
		}
	}
	return nil
}

// locks are the lock files of a snapshot, by the folder that one was looked for in.
type locks map[string]*lock

type lock struct {
	doc     *skills.Document
	catalog *catalog.Catalog
	err     *catalog.SyntaxError
}

func (l *lock) server(name string) *catalog.Server {
	if l == nil {
		return nil
	}
	return l.catalog.Server(name)
}

// above returns the lock file in a folder or the nearest one above it, up to the root of its repository or to that of
// the snapshot; nil when there is none.
func (l locks) above(s *Snapshot, dir string) *lock {
	if have, known := l[dir]; known {
		return have
	}
	found := s.readLock(dir)
	up := filepath.Dir(dir)
	if found == nil && up != dir && dir != s.root && !isRepository(s.opt.FS, dir) {
		found = l.above(s, up)
	}
	l[dir] = found
	return found
}

func (s *Snapshot) readLock(dir string) *lock {
	file := filepath.Join(dir, catalog.LockName)
	raw, err := s.opt.FS.ReadFile(file)
	if err != nil {
		return nil
	}
	l := &lock{doc: skills.NewDocument(Shown(s.opt.Base, file), file, string(raw))}
	if l.catalog, err = catalog.Decode([]byte(strings.ToValidUTF8(string(raw), "\uFFFD"))); err != nil {
		if !errors.As(err, &l.err) {
			l.err = &catalog.SyntaxError{Line: 1, Column: 1, Reason: err.Error()}
		}
		s.docs[l.doc.Path] = l.doc
	}
	return l
}

// LockFile returns the absolute path of the lock file of a configuration: the one that is there, else the one to be
// written in the folder that the configuration is for.
func (s *Snapshot) LockFile(f *mcpconfig.File) string {
	if l := s.locks.above(s, filepath.Dir(f.Doc.Abs)); l != nil {
		return l.doc.Abs
	}
	return filepath.Join(f.Project(), catalog.LockName)
}

// LockedNames returns the servers of all configurations that share a lock file, turned off or not, by that file. A lock
// file in a folder that was not looked through as a whole, or for a configuration that cannot be read as a whole, is not
// there: who knows what else is configured.
func (s *Snapshot) LockedNames() map[string][]string {
	out := map[string][]string{}
	var unknown []string
	for _, f := range s.mcp {
		lock := s.LockFile(f)
		if f.Broken() {
			unknown = append(unknown, lock)
		}
		if !slices.ContainsFunc(s.opt.Paths, func(p string) bool { return within(p, filepath.Dir(lock)) }) {
			continue
		}
		if out[lock] == nil {
			out[lock] = []string{}
		}
		for _, e := range f.Servers {
			out[lock] = append(out[lock], e.Name)
		}
	}
	for _, lock := range unknown {
		delete(out, lock)
	}
	return out
}
