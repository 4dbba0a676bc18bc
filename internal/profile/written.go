package profile

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// written is the front matter as its author meant it: read with every
// leniency. What a client loads is compared with it.
type written struct{ fields dialect.Map }

// lenient finds front matter as the text means it, the surest reading first: a
// closing fence at the start of a line, an indented one, one with text behind
// it, none.
var lenient = []dialect.Fence{
	lenientFence(dialect.Mark{Match: "rtrim", MaxDashes: -1}, ""),
	lenientFence(dialect.Mark{Match: "trim-prefix", MaxDashes: -1}, "rest"),
}

func lenientFence(closing dialect.Mark, unclosed string) dialect.Fence {
	return dialect.Fence{
		BOM:      "strip",
		Newlines: []string{"lf", "crlf", "cr"},
		Leading:  "any-text",
		Open:     dialect.Mark{Match: "trim", MaxDashes: -1},
		Close:    closing,
		Unclosed: unclosed,
	}
}

var lenientIDs = []string{"lenient", "lenient, unclosed"}

const writtenDialect = "yaml12-core"

var (
	// The fallback keeps a plain value with ": " or a leading "@" as it stands.
	writtenOptions = dialect.Options{DupKeys: dialect.DupLast, Fallback: "gemini-lines"}
	writtenID      = parseID(writtenDialect, writtenOptions)
)

func (d *Doc) asWritten() *written {
	if d.written != nil {
		return d.written
	}
	d.written = &written{}
	for i := range lenient {
		split, err := d.split(&lenient[i], lenientIDs[i])
		if err != nil || !split.Found {
			continue
		}
		if m, err := d.parse(lineFeeds(split.Front), writtenID, writtenDialect, writtenOptions); err == nil {
			d.written.fields = m
		}
		break
	}
	return d.written
}

// text is the field's words as written, "" when it has none.
func (w *written) text(key string) string {
	v := w.fields.Get(key)
	switch v.Kind {
	case dialect.Missing, dialect.Null, dialect.List, dialect.Mapping:
		return ""
	case dialect.String:
		return v.Text
	}
	if v.Raw != "" {
		return v.Raw
	}
	return v.Text
}

// changes compares what was loaded with what was written.
func (s *play) changes() []Change {
	var out []Change
	for _, name := range []string{"description", "name"} {
		from, to := s.d.asWritten().text(name), s.field(name)
		if sameWords(from, to.text) || from != "" && strings.HasPrefix(to.text, from) {
			continue
		}
		if to.from == "front" && s.d.asWritten().fields.Get(name).Kind == dialect.Missing {
			continue // the client reads a form of front matter that the lenient reading does not
		}
		out = append(out, Change{Field: name, Kind: changeKind(from, to), From: from, To: to.text})
	}
	return out
}

func changeKind(from string, to loadedField) string {
	switch {
	case to.text == "":
		return "emptied"
	case strings.HasPrefix(to.from, "body"):
		return "body"
	case to.from == "folder":
		return "folder"
	case to.from != "front":
		return "other"
	}
	stem, whole := strings.TrimRight(to.text, ".… "), from
	if !strings.HasPrefix(from, stem) { // the client has joined its lines before it cut
		stem, whole = joined(stem), joined(from)
	}
	if len(stem) < len(whole) && strings.HasPrefix(whole, stem) {
		return "cut"
	}
	return "rewritten"
}

func joined(s string) string { return strings.Join(strings.Fields(s), " ") }

// sameWords compares texts without regard to white space.
func sameWords(a, b string) bool {
	return a == b || slices.Equal(strings.Fields(a), strings.Fields(b))
}
