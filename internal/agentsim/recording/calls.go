package recording

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// The first member of every line that Writer writes.
const (
	ownMark = "skilllint"
	ownKind = "call"
)

// ownLine is a line of the format Calls, described by schemas/calls.schema.json.
type ownLine struct {
	Mark       string          `json:"skilllint"`
	Version    int             `json:"version"`
	Session    string          `json:"session,omitempty"`
	Thread     string          `json:"thread,omitempty"`
	Time       string          `json:"time,omitempty"`
	Client     string          `json:"client,omitempty"`
	Name       string          `json:"name"`
	Server     string          `json:"server,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Raw        string          `json:"arguments_text,omitempty"`
	Result     *ownResult      `json:"result,omitempty"`
	DurationMS int64           `json:"duration_ms,omitempty"`
}

type ownResult struct {
	Content    []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structured,omitempty"`
	Failed     bool              `json:"failed,omitempty"`
	State      string            `json:"state,omitempty"`
	Cut        bool              `json:"cut,omitempty"`
}

// Write writes a call as a line of the format Calls. clean is asked for every JSON value that is written, and may
// replace what should not be kept.
func Write(w io.Writer, client string, c *Call, clean func(*catalog.Node) string) error {
	l := ownLine{
		Mark: ownKind, Version: 1, Session: c.Session, Thread: c.Thread, Time: c.Time, Client: client, Name: c.Name, Server: c.Server, Tool: c.Tool,
		Raw: c.Raw, DurationMS: c.Duration.Milliseconds(),
	}
	if c.Arguments != nil {
		l.Arguments = json.RawMessage(clean(c.Arguments))
	}
	if r := c.Result; r != nil {
		l.Result = &ownResult{Content: []json.RawMessage{}, Failed: r.Failed, State: r.State, Cut: r.Cut()}
		for _, b := range r.Content() {
			l.Result.Content = append(l.Result.Content, json.RawMessage(clean(b)))
		}
		if r.Structured != nil {
			l.Result.Structured = json.RawMessage(clean(r.Structured))
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("write a call: %w", err)
	}
	return nil
}

// ownCall reads a line of the format Calls.
func (im *importer) ownCall(n *catalog.Node) {
	if n.Get(ownMark).Text() != ownKind {
		im.strange("a value that is no call")
		return
	}
	im.session, im.thread, im.time = text(n, "session"), text(n, "thread"), text(n, "time")
	if client := text(n, "client"); client != "" {
		im.sum.Client = client
	}
	arguments := n.Get("arguments")
	if raw := n.Get("arguments_text"); raw != nil {
		arguments = raw
	}
	c := im.newCall(n, "", text(n, "name"), arguments)
	c.Server, c.Tool, c.Duration = text(n, "server"), text(n, "tool"), milliseconds(n.Get("duration_ms"))
	if c.Name == "" {
		im.strange("a call without the name of a tool")
		return
	}
	im.begin(c)
	var r *Result
	if recorded := n.Get("result"); recorded.Is(catalog.Object) {
		r = resultOf(recorded.Get("content"))
		r.Structured = recorded.Get("structured")
		r.failed(recorded.Get("failed"))
		r.State = text(recorded, "state")
		r.cut, _ = recorded.Get("cut").Bool()
	}
	im.endOwn(c, r)
}

// endOwn ends a call whose line holds all there is.
func (im *importer) endOwn(c *Call, r *Result) {
	if r != nil {
		c.Result, c.ResultLine = r, c.Line
	}
	im.done(key{c.Thread, c.ID}, c)
}
