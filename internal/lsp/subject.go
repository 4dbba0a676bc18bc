package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// subject says what a request of this server's own is about: a document, else a folder of the workspace, else the
// first one.
type subject struct {
	progressTokens
	TextDocument *struct {
		URI uri.URI `json:"uri"`
	} `json:"textDocument"`
	Folder uri.URI `json:"folder"`
}

// progressTokens may stand in the parameters of any request. The first is read before the others are, by progressive.
type progressTokens struct {
	WorkDone json.RawMessage `json:"workDoneToken"`
	Partial  json.RawMessage `json:"partialResultToken"`
}

// scene is where a request of this server's own takes place: a folder, and perhaps a document in it.
type scene struct {
	place                 // of the document; only live is set without one
	root  string          // absolute path of the folder
	skill *skills.Skill   // that the document is, or is part of; nil for none
	mcp   *mcpconfig.File // that the document is; nil for none
}

// scene finds what a request is about, in a state in which nothing waits to be loaded. The error says what there is
// not.
func (s *Server) scene(ctx context.Context, x subject) (*state, scene, error) {
	st := s.at(ctx)
	if slices.ContainsFunc(st.folders, func(f *folder) bool { return f.live == nil || f.stale != 0 }) {
		st = s.loaded()
	}
	if ctx.Err() != nil {
		return nil, scene{}, ctx.Err()
	}
	found, err := st.scene(x)
	if err != nil {
		err = fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	return st, found, err
}

func (st *state) scene(x subject) (scene, error) {
	if x.TextDocument != nil {
		at, ok := st.find(x.TextDocument.URI)
		if !ok {
			return scene{}, fmt.Errorf("%s is no skill, nor part of one, and lies in no folder of the workspace", x.TextDocument.URI)
		}
		root := at.live.Base()
		return scene{at, root, at.live.SkillOf(at.file), at.live.ConfigOf(at.file)}, nil
	}
	i := slices.IndexFunc(st.folders, func(f *folder) bool {
		return f.loose == "" && f.live != nil && (x.Folder == "" || f.root == pathOf(canonical(x.Folder)))
	})
	switch {
	case i >= 0:
		return scene{place: place{live: st.folders[i].live}, root: st.folders[i].root}, nil
	case x.Folder != "":
		return scene{}, fmt.Errorf("%s is no folder of the workspace", x.Folder)
	}
	return scene{}, errors.New("no folder is open; name a document")
}

// project returns the folder that a client would be started in to find the skill of the scene: the one that holds
// its own folder of skills, else the folder of the workspace.
func (x scene) project() string {
	if x.skill == nil || x.skill.Brand == "" {
		return x.root
	}
	dir := filepath.Dir(x.skill.Doc.Abs)
	for filepath.Base(dir) != x.skill.Brand && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	return filepath.Dir(dir)
}

// reply is what a request of this server's own brings back: the command line's JSON, and the Markdown form beside it
// for editors that have no panels.
type reply struct {
	json    []byte // an object
	summary string // in a sentence
}

// MarshalJSON implements json.Marshaler.
func (r *reply) MarshalJSON() ([]byte, error) { return r.json, nil }

// add puts a value into the object, which is not empty.
func (r *reply) add(name string, value any) error {
	raw, err := json.Marshal(map[string]any{name: value})
	if err == nil {
		r.json = slices.Concat(bytes.TrimSuffix(bytes.TrimSpace(r.json), []byte("}")), []byte(","), raw[1:])
	}
	return err
}

// reported returns a report as a reply. write prints it in a format of the command line.
func reported(summary string, write func(w io.Writer, format string) error) (*reply, error) {
	r, err := inJSON(summary, write)
	if err != nil {
		return nil, err
	}
	var words bytes.Buffer
	if err := write(&words, "markdown"); err != nil {
		return nil, err
	}
	return r, r.add("markdown", words.String())
}

// inJSON returns a report as a reply without the Markdown form, for who asks at every keystroke.
func inJSON(summary string, write func(w io.Writer, format string) error) (*reply, error) {
	var data bytes.Buffer
	if err := write(&data, "json"); err != nil {
		return nil, err
	}
	return &reply{data.Bytes(), summary}, nil
}
