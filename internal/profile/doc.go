package profile

import (
	"path"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// Doc is one SKILL.md that several clients are played on. It keeps what they
// share: the text cut at each kind of fence, and the parsed front matter. It
// is not safe for concurrent use.
type Doc struct {
	Path string // as it is reported, with "/"
	Src  []byte
	Name string // what stands for the folder's name; empty for a SKILL.md

	// Beside reads a file of the skill's folder, by its path in it; nil when
	// there is no folder to read.
	Beside func(name string) ([]byte, error)

	splits  []cachedSplit
	sources []cachedSource
	written *written
}

type cachedSplit struct {
	id    string
	split dialect.Split
	err   error
}

type cachedSource struct {
	front  string
	source *dialect.Source
}

// NewDoc returns a Doc for the bytes of the file at path. The last folder of
// path is the skill's folder.
func NewDoc(path string, src []byte) *Doc { return &Doc{Path: path, Src: src} }

// Folder is the name of the skill's folder, or that of a file which is a
// skill of its own.
func (d *Doc) Folder() string {
	if d.Name != "" {
		return d.Name
	}
	return path.Base(path.Dir(d.Path))
}

func (d *Doc) split(f dialect.Fence, id string) (dialect.Split, error) {
	for _, c := range d.splits {
		if c.id == id {
			return c.split, c.err
		}
	}
	split, err := f.Split(d.Src)
	d.splits = append(d.splits, cachedSplit{id, split, err})
	return split, err
}

func (d *Doc) source(front string) *dialect.Source {
	for _, c := range d.sources {
		if c.front == front {
			return c.source
		}
	}
	s := dialect.NewSource(front)
	d.sources = append(d.sources, cachedSource{front, s})
	return s
}
