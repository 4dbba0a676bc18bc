package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// document is one version of a file that is open in the editor. It never changes.
type document struct {
	raw      uri.URI // as the client spells it
	language string
	version  int32
	abs      string // where it lies, or is taken to lie; "" for one that the server has no use for
	text     string
	lines    *text.LineIndex
	gone     bool // deleted on disk and not edited since: it counts as absent
}

func (d *document) with(version int32, newText string) *document {
	next := *d
	next.version, next.text, next.lines, next.gone = version, newText, text.NewLineIndex(newText), false
	return &next
}

// unsaved reports whether the document was never saved, such as untitled:Untitled-1.
func (d *document) unsaved() bool { return !canonical(d.raw).IsFile() }

// apply applies changes one after the other, as the protocol wants.
func (d *document) apply(changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) string {
	src, lines := d.text, d.lines
	for _, c := range changes {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			src = c.Text
		case *protocol.TextDocumentContentChangePartial:
			at := mapper{lines, enc}.span(c.Range)
			src = src[:at.Start] + c.Text + src[at.End:]
		}
		lines = text.NewLineIndex(src)
	}
	return src
}

// skillDocument returns the document as the rules see it.
func (d *document) skillDocument(shown string) *skills.Document {
	doc := skills.NewDocument(shown, d.abs, d.text)
	doc.Version = d.version
	return doc
}
