package profile

import (
	"fmt"
	"path"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// Doc is one SKILL.md that several clients are played on. It keeps what they
// share: the text cut at each kind of fence, and the parsed front matter. It
// is not safe for concurrent use.
type Doc struct {
	Path string // as it is reported, with "/"
	Src  string // the bytes of the file
	Name string // what stands for the folder's name; empty for a SKILL.md
	UTF8 bool   // Src is known to be UTF-8; else it is looked at

	// Beside reads a file of the skill's folder, by its path in it; nil when
	// there is no folder to read.
	Beside func(name string) ([]byte, error)

	splits  []cachedSplit // none of a plain block
	sources []cachedSource
	parses  []cachedParse
	tools   []cachedWords
	written *written
	content content // of the client that loads it now
	form    *form   // nil until it is needed
}

// form is what the bytes of a file are, looked at once for all clients.
type form struct {
	text       bool // UTF-8
	plain      bool // with a block that all clients cut alike,
	start, end int  // which is here
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

type cachedWords struct {
	how, text string
	words     []string
}

type cachedParse struct {
	front, id string
	fields    dialect.Map
	err       error
}

// NewDoc returns a Doc for the bytes of the file at path. The last folder of
// path is the skill's folder.
func NewDoc[Bytes string | []byte](path string, src Bytes) *Doc {
	return &Doc{Path: path, Src: string(src)}
}

// Forget drops what is kept for further clients, and the bytes.
func (d *Doc) Forget() {
	d.Src, d.splits, d.sources, d.parses, d.written, d.tools, d.form, d.Beside, d.content = "", nil, nil, nil, nil, nil, nil, nil, content{}
}

// Folder is the name of the skill's folder, or that of a file which is a
// skill of its own.
func (d *Doc) Folder() string {
	if d.Name != "" {
		return d.Name
	}
	return path.Base(path.Dir(d.Path))
}

func (d *Doc) split(f *dialect.Fence, id string) (dialect.Split, error) {
	if form := d.looked(); form.plain {
		if split, ok := f.CutPlain(d.Src, form.start, form.end); ok {
			return split, nil
		}
	}
	for i := range d.splits {
		if c := &d.splits[i]; c.id == id {
			return c.split, c.err
		}
	}
	var split dialect.Split
	var err error
	if d.looked().text {
		split = f.SplitText(d.Src)
	} else {
		split, err = f.Split(d.Src)
	}
	if d.splits == nil {
		d.splits = make([]cachedSplit, 0, usualReadings)
	}
	d.splits = append(d.splits, cachedSplit{id, split, err})
	return split, err
}

func (d *Doc) looked() *form {
	if d.form == nil {
		d.form = &form{text: d.UTF8 || utf8.ValidString(d.Src)}
		if d.form.text {
			d.form.start, d.form.end, d.form.plain = dialect.PlainBlock(d.Src)
		}
	}
	return d.form
}

func (d *Doc) source(front string) *dialect.Source {
	for i := range d.sources {
		if c := &d.sources[i]; c.front == front {
			return c.source
		}
	}
	var s *dialect.Source
	if len(d.sources) > 0 {
		s, _ = d.sources[0].source.Around(front)
	}
	if s == nil {
		s = dialect.NewSource(front)
	}
	d.sources = append(d.sources, cachedSource{front, s})
	return s
}

// usualReadings is how many dialects the clients that judge a skill read it in.
const usualReadings = 8

// parse reads front matter; id is equal for equal dialects and options.
func (d *Doc) parse(front, id, name string, opt dialect.Options) (dialect.Map, error) {
	if s := d.source(front); s.Plain() {
		return s.Parse(name, opt)
	}
	for i := range d.parses {
		if c := &d.parses[i]; c.id == id && c.front == front {
			return c.fields, c.err
		}
	}
	m, err := d.source(front).Parse(name, opt)
	if d.parses == nil {
		d.parses = make([]cachedParse, 0, usualReadings)
	}
	d.parses = append(d.parses, cachedParse{front, id, m, err})
	return m, err
}

// parseID names a dialect and its options.
func parseID(name string, opt dialect.Options) string { return fmt.Sprintf("%s %+v", name, opt) }
