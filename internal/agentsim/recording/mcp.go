package recording

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// stream is what is known of one connection to a server.
type stream struct {
	server string            // what it is called
	asked  map[string]string // methods of requests without an answer, by id
	sent   map[string]string // the direction of those requests, as recorded
}

// envelope is a message of MCP with what the recording says about it.
type envelope struct {
	message   *catalog.Node
	direction string // as recorded, "" without one
	server    string
	session   string
	time      string
}

// wrappers are the members under which recorders keep the message itself, as an object or as a text.
var wrappers = []string{"message", "msg", "data", "payload", "frame", "body", "rpc", "raw", "json", "request", "response", "content"}

// envelopes returns the messages of a value: a message, several at once, one with a direction around it, or a request
// with its response.
func envelopes(n *catalog.Node) []envelope {
	switch {
	case n.Is(catalog.Array):
		var out []envelope
		for _, item := range n.Items {
			out = append(out, envelopes(item)...)
		}
		return out
	case isRPC(n):
		return []envelope{{message: n}}
	}
	var out []envelope
	for _, k := range wrappers {
		m := n.Get(k)
		if m.Is(catalog.String) && strings.Contains(m.Raw(), "jsonrpc") {
			m, _ = catalog.Parse(strings.TrimSpace(m.Text())) // another text is no message
		}
		for _, e := range unwrap(m) {
			e.direction = cmp.Or(text(n, "direction"), text(n, "dir"), text(n, "from"), text(n, "type"), k)
			e.server = cmp.Or(text(n, "server"), text(n, "server_name"), text(n, "serverName"))
			e.session = cmp.Or(text(n, "session"), text(n, "sessionId"), text(n, "session_id"), text(n, "connection"))
			e.time = cmp.Or(text(n, "timestamp"), text(n, "time"), text(n, "ts"))
			out = append(out, e)
		}
	}
	return out
}

func unwrap(m *catalog.Node) []envelope {
	if m.Is(catalog.Array) || isRPC(m) {
		return envelopes(m)
	}
	return nil
}

func isRPC(n *catalog.Node) bool { return n.Get("jsonrpc").Is(catalog.String) }

func text(n *catalog.Node, key string) string { return n.Get(key).Text() }

func (im *importer) rpc(n *catalog.Node) {
	list := envelopes(n)
	if len(list) == 0 {
		im.strange("a value that is no message of MCP")
	}
	for _, e := range list {
		im.rpcMessage(e)
	}
}

// rpcMessage reads one message. Ids belong to the side that asks, so an answer goes the other way than its request.
func (im *importer) rpcMessage(e envelope) {
	im.session, im.time = e.session, e.time
	im.thread = e.server + "\x00" + e.session
	s := im.streams[im.thread]
	if s == nil {
		s = &stream{server: e.server, asked: map[string]string{}, sent: map[string]string{}}
		im.streams[im.thread] = s
	}
	m, id := e.message, e.message.Get("id").Raw()
	method := m.Get("method").Text()
	switch {
	case method == "" && id != "":
		im.rpcAnswer(s, e, id)
	case id == "" || method == "":
	case method == "tools/call":
		p := m.Get("params")
		c := im.newCall(m, id, p.Get("name").Text(), p.Get("arguments"))
		c.Server, c.Tool = s.server, c.Name
		s.asked[id], s.sent[id] = method, e.direction
		im.begin(c)
	case method == "initialize" || method == "tools/list" || method == "server/discover":
		s.asked[id], s.sent[id] = method, e.direction
	}
}

func (im *importer) rpcAnswer(s *stream, e envelope, id string) {
	method, asked := s.asked[id]
	if !asked {
		return // to a request that is none of ours
	}
	if sent := s.sent[id]; sent != "" && sent == e.direction && !neutral(sent) {
		return
	}
	delete(s.asked, id)
	delete(s.sent, id)
	result := e.message.Get("result")
	switch method {
	case "tools/call":
		r := mcpResult(result)
		if fault := e.message.Get("error"); fault != nil {
			r = resultOf(fault.Get("message"))
			r.Failed = true
		}
		im.end(key{im.thread, id}, r, e.message)
	case "tools/list":
		im.offered(s.server, result, e.message)
	default:
		info := firstOf(result, "serverInfo")
		if info == nil {
			info = result.Get("_meta").Get("io.modelcontextprotocol/serverInfo")
		}
		s.server = cmp.Or(s.server, info.Get("name").Text())
	}
}

// neutral are words that say nothing of a direction.
func neutral(direction string) bool {
	for _, k := range wrappers {
		if k == direction && k != "request" && k != "response" {
			return true
		}
	}
	return direction == "jsonrpc" || direction == "mcp"
}

// offered tells what a server listed.
func (im *importer) offered(server string, result, at *catalog.Node) {
	s := &catalog.Server{Name: server}
	list := copyOf(result.Get("tools"))
	s.AddTools(list.List())
	if len(s.Tools) > 0 {
		im.visitor.Offered(s, im.lineOf(at))
	}
}

// mcpResult reads the result of tools/call.
func mcpResult(n *catalog.Node) *Result {
	r := resultOf(n.Get("content"))
	structured := n.Get("structuredContent")
	if structured == nil {
		structured = n.Get("structured_content")
	}
	if structured != nil && !structured.Is(catalog.Null) {
		r.Structured = structured
	}
	r.failed(n.Get("isError"))
	r.failed(n.Get("is_error"))
	return r
}

func number(n *catalog.Node) int64 {
	v, err := strconv.ParseInt(n.Raw(), 10, 64)
	if err != nil {
		return 0 // none, or none that is a whole number
	}
	return v
}

func milliseconds(n *catalog.Node) time.Duration { return time.Duration(number(n)) * time.Millisecond }
