package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// importer turns values into calls and joins calls with their results.
type importer struct {
	visitor Visitor
	sum     *Summary
	dialect *dialect
	early   []value // what was read before the format was known

	// Of the value that is being read:
	line    int
	list    string
	session string
	thread  string
	time    string

	pending map[key][]*Call // calls without a result, the oldest first
	waiting []*Call         // the same calls in order; those that have their result are nil or done
	seen    map[uint64]struct{}
	seed    maphash.Seed
	streams map[string]*stream // of MCP
}

// value is a JSON value with the line it starts on.
type value struct {
	node *catalog.Node
	line int
	list string // as in record
}

// key joins a call with its result.
type key struct{ thread, id string }

// maxPending is how many calls wait for their result. The oldest is given up for a new one.
const maxPending = 10_000

func newImporter(v Visitor) *importer {
	return &importer{
		visitor: v, sum: &Summary{}, pending: map[key][]*Call{}, seen: map[uint64]struct{}{}, seed: maphash.MakeSeed(), streams: map[string]*stream{},
	}
}

// take reads one value of the recording.
func (im *importer) take(rec record) {
	if rec.fault != "" {
		im.sum.note(Note{Line: rec.line, Message: rec.fault, Broken: true})
		return
	}
	n, err := catalog.ParseBytes(rec.data)
	if err != nil {
		im.sum.note(Note{Line: rec.line + lineWithin(rec.data, err), Message: "this is no JSON: " + reasonOf(err), Broken: true})
		return
	}
	if im.dialect == nil {
		if im.early = append(im.early, value{n, rec.line, rec.list}); len(im.early) >= looks {
			_ = im.settle() // what is wrong is told at the end
		}
		return
	}
	im.read(value{n, rec.line, rec.list})
}

// settle decides on the format, if it is not known yet, and reads what has been held back for that.
func (im *importer) settle() error {
	if im.dialect != nil {
		return nil
	}
	d := dialectOf(im.sum.Format)
	if im.sum.Format == "" {
		var nodes []*catalog.Node
		for _, v := range im.early {
			nodes = append(nodes, v.node)
		}
		var ok bool
		if d, ok = detect(nodes); !ok {
			return ErrUnknown
		}
	}
	im.dialect, im.sum.Format = &d, d.format
	if im.sum.Client == "" {
		im.sum.Client = d.client
	}
	early := im.early
	im.early = nil
	for _, v := range early {
		im.read(v)
	}
	return nil
}

func (im *importer) read(v value) {
	im.line, im.list = v.line, v.list
	im.dialect.read(im, v.node)
}

// lineOf returns the line that a part of the value being read stands on.
func (im *importer) lineOf(n *catalog.Node) int {
	if n == nil {
		return im.line
	}
	return im.line + strings.Count(n.Source()[:n.Span.Start], "\n")
}

// strange notes a value that the format does not have.
func (im *importer) strange(what string) {
	im.sum.note(Note{Line: im.line, Message: what + " was passed over"})
}

// newCall returns a call of the value being read. arguments is the object, a text that should hold one, or nil.
func (im *importer) newCall(at *catalog.Node, id, name string, arguments *catalog.Node) *Call {
	c := &Call{Line: im.lineOf(at), ID: id, Session: im.session, Thread: im.thread, Time: im.time, Name: name}
	c.setArguments(arguments)
	return c
}

// setArguments takes arguments as they are recorded: an object, a text with one, or nothing for an empty one.
func (c *Call) setArguments(n *catalog.Node) {
	text := n.Raw()
	if n.Is(catalog.String) {
		text = n.Text()
	}
	if n == nil || n.Is(catalog.Null) || strings.TrimSpace(text) == "" {
		text = "{}"
	}
	// A copy: the whole value need not stay in memory for it.
	parsed, err := catalog.ParseBytes([]byte(text))
	switch {
	case err != nil:
		c.Raw, c.Fault = strings.Clone(text), "they are no JSON: "+err.Error()
	case parsed.Is(catalog.Null):
		c.Arguments, _ = catalog.Parse("{}")
	case !parsed.Is(catalog.Object):
		c.Raw, c.Fault = strings.Clone(text), "they are "+parsed.Kind.String()+", not an object"
	default:
		c.Arguments = parsed
	}
}

// begin takes a call, unless it stands there again. It reports whether it is new.
func (im *importer) begin(c *Call) bool {
	if c.ID != "" && im.sum.Format != MCP && im.repeated(c) {
		im.sum.Again++
		return false
	}
	im.sum.Calls++
	im.visitor.Begin(c)
	k := key{c.Thread, c.ID}
	im.pending[k] = append(im.pending[k], c)
	im.waiting = append(im.waiting, c)
	im.giveUp(maxPending)
	return true
}

// repeated reports whether the call was seen before: each request to a model holds the whole conversation again.
func (im *importer) repeated(c *Call) bool {
	var h maphash.Hash
	h.SetSeed(im.seed)
	for _, s := range []string{c.Thread, c.ID, c.Name, c.Arguments.Raw(), c.Raw} {
		_, _ = h.WriteString(s) // never fails
		_ = h.WriteByte(0)
	}
	sum := h.Sum64()
	_, again := im.seen[sum]
	im.seen[sum] = struct{}{}
	im.seen[im.idSum(key{c.Thread, c.ID})] = struct{}{}
	return again
}

func (im *importer) idSum(k key) uint64 { return maphash.String(im.seed, k.thread+"\x00"+k.id) }

// waitingFor returns the oldest call without a result that a result is for, nil when there is none.
func (im *importer) waitingFor(k key) *Call {
	if list := im.pending[k]; len(list) > 0 {
		return list[0]
	}
	return nil
}

// end takes the result of the oldest call of that key. One whose call had its result before is a repetition.
func (im *importer) end(k key, r *Result, at *catalog.Node) {
	c := im.waitingFor(k)
	if c == nil {
		if _, had := im.seen[im.idSum(k)]; !had {
			im.sum.Lost++
		}
		return
	}
	if c.Result == nil {
		c.Result, c.ResultLine = r, im.lineOf(at)
	}
	im.done(k, c)
}

func (im *importer) done(k key, c *Call) {
	rest := im.pending[k][1:]
	if len(rest) == 0 {
		delete(im.pending, k)
	} else {
		im.pending[k] = rest
	}
	for i, w := range slices.Backward(im.waiting) {
		if w == c {
			im.waiting = slices.Delete(im.waiting, i, i+1)
			break
		}
	}
	im.visitor.End(c)
}

// giveUp ends calls without a result until no more than some are waiting.
func (im *importer) giveUp(most int) {
	for len(im.waiting) > most {
		c := im.waiting[0]
		im.done(key{c.Thread, c.ID}, c)
	}
}

func (im *importer) finish() { im.giveUp(0) }

// copyOf returns a value without the text around it, which then need not stay in memory.
func copyOf(n *catalog.Node) *catalog.Node {
	if n == nil {
		return nil
	}
	c, err := catalog.ParseBytes([]byte(n.Raw()))
	if err != nil {
		return nil // it is part of a value that could be read
	}
	return c
}

// quote returns a text as a JSON string.
func quote(s string) string {
	quoted, _ := json.Marshal(s) // a text can always be encoded
	return string(quoted)
}

// lineWithin returns how many lines into a value a fault lies. Lines of recordings end with a line feed, and with nothing else.
func lineWithin(data []byte, err error) int {
	if s, ok := errors.AsType[*catalog.SyntaxError](err); ok {
		return bytes.Count(data[:min(s.Offset, len(data))], []byte("\n"))
	}
	return 0
}

func reasonOf(err error) string {
	if s, ok := errors.AsType[*catalog.SyntaxError](err); ok {
		return s.Reason
	}
	return err.Error()
}
