package lsp

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// state is all that the server knows at one moment. It never changes.
type state struct {
	seq      uint64 // grows with each state
	docs     map[uri.URI]*document
	fs       *workspace.Overlay // the disk with the open documents over it
	folders  []*folder          // those deeper in the file system first
	settings settings
	probed   []probedServer
	touched  []uri.URI // the documents that differ from the state before
}

// folder is a folder of the workspace, or the surroundings of a document that lies in none.
type folder struct {
	root  string                      // absolute path
	loose uri.URI                     // the only document it is there for; "" for a folder of the workspace
	live  *workspace.Live             // nil while it is not loaded yet
	quick map[uri.URI]*workspace.Live // of open documents that live does not know yet, each alone
	// stale is the number of the last state in which files were added or removed, or settings changed, so that
	// live must be loaded anew; 0 when it need not.
	stale   uint64
	checked bool     // every skill was looked at once
	removed []string // absolute paths of what was deleted since live was loaded
}

func newState(disk skills.FS) *state {
	return &state{docs: map[uri.URI]*document{}, fs: workspace.NewOverlay(disk, nil)}
}

// next returns a copy that may be changed until it is stored.
func (st *state) next() *state {
	n := *st
	n.seq++
	n.touched = nil
	n.docs = maps.Clone(st.docs)
	n.folders = slices.Clone(st.folders)
	return &n
}

// settled reports whether what depends on other files is worked out.
func (st *state) settled() bool {
	return !slices.ContainsFunc(st.folders, func(f *folder) bool { return f.stale != 0 || f.live != nil && !f.live.Settled() })
}

// folderOf returns the index of the folder that a document belongs to, or -1.
func (st *state) folderOf(u uri.URI, abs string) int {
	for i, f := range st.folders {
		if f.loose == u && u != "" {
			return i
		}
	}
	for i, f := range st.folders {
		if f.loose == "" && within(f.root, abs) {
			return i
		}
	}
	return -1
}

// reaches reports whether a path, which need not exist, lies in a folder that the client has opened, all symbolic links
// followed: nothing is created or moved elsewhere.
func (st *state) reaches(abs string) bool {
	real, err := workspace.RealPath(st.fs, abs)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(st.folders, func(f *folder) bool {
		root, err := st.fs.RealPath(f.root)
		return err == nil && within(root, real)
	})
}

// within reports whether a path is dir or lies below it.
func within(dir, p string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// place is a document together with the workspace that tells of it.
type place struct {
	uri  uri.URI   // canonical
	doc  *document // nil for one that is not open
	live *workspace.Live
	file string // as live shows it
}

// find returns where a document is told of. The result is false when it is none of the server's business.
func (st *state) find(u uri.URI) (place, bool) {
	p := place{uri: canonical(u)}
	abs := pathOf(p.uri)
	if p.doc = st.docs[p.uri]; p.doc != nil {
		abs = p.doc.abs
	}
	i := st.folderOf(p.uri, abs)
	if abs == "" || i < 0 {
		return p, false
	}
	if p.live = st.folders[i].quick[p.uri]; p.live == nil {
		p.live = st.folders[i].live
	}
	if p.live == nil {
		return p, false
	}
	p.file = p.live.Shown(abs)
	return p, true
}

// uriOf returns the URI of a file as the client spells it, as far as it has named it.
func (st *state) uriOf(abs string) uri.URI {
	u := canonical(fileURI(abs))
	if d := st.docs[u]; d != nil {
		return d.raw
	}
	if within(unsavedRoot, abs) {
		for _, d := range st.docs {
			if d.abs == abs {
				return d.raw
			}
		}
	}
	return u
}

// gone reports whether a document is known to be deleted: one that is open was not edited since.
func (st *state) gone(p place) bool {
	if p.doc != nil {
		return p.doc.gone
	}
	abs := p.live.Abs(p.file)
	i := st.folderOf(p.uri, abs)
	return i >= 0 && st.folders[i].gone(abs)
}

// gone reports whether a file was deleted since the folder was loaded.
func (f *folder) gone(abs string) bool {
	return slices.ContainsFunc(f.removed, func(dir string) bool { return within(dir, abs) })
}

// setFolder replaces a folder in a state that is not stored yet.
func (st *state) setFolder(i int, change func(*folder)) {
	f := *st.folders[i]
	f.quick = maps.Clone(f.quick)
	change(&f)
	st.folders[i] = &f
}
