package recording

import (
	"cmp"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// containers are members of requests, answers and saved states under which messages are kept.
var containers = []string{
	"messages", "contents", "input", "output", "choices", "candidates", "message", "content", "request", "response", "body", "data", "state",
	"memory", "context", "conversation", "history", "items", "events", "entries", "records",
}

// eachMessage visits the messages in a value: the value itself, or those in it.
func eachMessage(n *catalog.Node, visit func(*catalog.Node)) {
	switch {
	case n.Is(catalog.Array):
		for _, item := range n.Items {
			eachMessage(item, visit)
		}
	case !n.Is(catalog.Object):
	case isMessage(n):
		visit(n)
	default:
		for _, key := range containers {
			eachMessage(n.Get(key), visit)
		}
	}
}

func isMessage(n *catalog.Node) bool {
	typ := n.Get("type").Text()
	return n.Get("role").Is(catalog.String) || n.Get("parts").Is(catalog.Array) || n.Get("tool_calls").Is(catalog.Array) ||
		n.Get("toolCalls").Is(catalog.Array) || slices.Contains(responseItems, typ) || slices.Contains(chatLines, typ) && n.Get("content") != nil
}

// chatLines are the types of messages in chats of Gemini CLI.
var chatLines = []string{"user", "gemini", "info", "error", "warning"}

// conversation reads a value that is a message or holds some.
func (im *importer) conversation(n *catalog.Node) {
	found := false
	eachMessage(n, func(m *catalog.Node) {
		found = true
		im.message(m)
	})
	im.sum.Folder = cmp.Or(im.sum.Folder, n.Get("cwd").Text())
	if !found && !im.besides(n) {
		im.strange("a value that is no message")
	}
}

// besides reports whether a value stands beside the messages and holds none: a single setting of a request, such as
// its model, the head of a chat, or a list of messages that is empty.
func (im *importer) besides(n *catalog.Node) bool {
	switch {
	case im.list != "" && !slices.Contains(containers, im.list): // such as the tools of a request
		return true
	case n.Is(catalog.Array):
		return len(n.Items) == 0
	}
	settings := []string{"model", "id", "object", "sessionId", "projectHash", "$set", "$rewindTo", "tools", "usage", "usageMetadata"}
	return n.Is(catalog.Object) && (len(n.Members) == 1 || slices.ContainsFunc(settings, func(k string) bool { return n.Get(k) != nil }) ||
		slices.ContainsFunc(containers, func(k string) bool { return n.Get(k) != nil }))
}

// message reads one message of any family. What tells them apart is the shape of the parts.
func (im *importer) message(m *catalog.Node) {
	im.time = cmp.Or(m.Get("timestamp").Text(), m.Get("created_at").Text())
	role := m.Get("role").Text()
	if slices.Contains(responseItems, m.Get("type").Text()) && m.Get("type").Text() != "message" {
		im.item(m)
		return
	}
	if role == "user" || role == "" && m.Get("type").Text() == "user" {
		im.turn(m)
	}
	for _, call := range m.Get("tool_calls").List() {
		im.chatCall(call)
	}
	if old := m.Get("function_call"); old.Is(catalog.Object) { // before there were tools
		im.begin(im.newCall(old, "", old.Get("name").Text(), old.Get("arguments")))
	}
	if role == "tool" || role == "function" {
		im.end(key{im.thread, m.Get("tool_call_id").Text()}, resultOf(m.Get("content")), m)
		return
	}
	for _, part := range m.Get("content").List() {
		im.block(part)
	}
	for _, part := range m.Get("parts").List() {
		im.part(part)
	}
	for _, call := range m.Get("toolCalls").List() {
		im.cliCall(call)
	}
}

// turn tells that the user spoke, where the message is not only there for the result of a tool.
func (im *importer) turn(m *catalog.Node) {
	content := m.Get("content")
	text := content.Text()
	for _, part := range append(content.List(), m.Get("parts").List()...) {
		if t := part.Get("type").Text(); t == "tool_result" || t == "mcp_tool_result" || part.Get("functionResponse") != nil {
			return
		}
		text += part.Get("text").Text()
	}
	const beginning = 4 << 10
	im.visitor.Turn(im.thread, text[:min(len(text), beginning)])
}

// chatCall reads a call of chat completions.
func (im *importer) chatCall(n *catalog.Node) {
	f := n.Get("function")
	if f == nil {
		f = n.Get("custom") // its input is text of any form
	}
	name := f.Get("name").Text()
	if name == "" {
		im.strange("a call without the name of a tool")
		return
	}
	im.begin(im.newCall(n, n.Get("id").Text(), name, f.Get("arguments")))
}

// block reads a part of a message of Anthropic, Claude Code or AgentScope.
func (im *importer) block(b *catalog.Node) {
	id := b.Get("id").Text()
	switch b.Get("type").Text() {
	case "tool_use", "tool_call":
		c := im.newCall(b, id, b.Get("name").Text(), b.Get("input"))
		if c.Name == "" {
			im.strange("a call without the name of a tool")
			return
		}
		im.begin(c)
	case "mcp_tool_use":
		c := im.newCall(b, id, b.Get("name").Text(), b.Get("input"))
		c.Server, c.Tool = b.Get("server_name").Text(), c.Name
		im.begin(c)
	case "server_tool_use": // one of the model's own
		im.begin(im.newCall(b, id, b.Get("name").Text(), b.Get("input")))
	case "tool_result":
		content := b.Get("content")
		if content == nil {
			content = b.Get("output") // AgentScope
		}
		r := resultOf(content)
		r.failed(b.Get("is_error"))
		r.setState(b.Get("state").Text())
		im.end(key{im.thread, cmp.Or(b.Get("tool_use_id").Text(), id)}, r, b)
	default:
		// mcp_tool_result, web_search_tool_result, code_execution_tool_result …
		if joined := b.Get("tool_use_id").Text(); joined != "" {
			r := resultOf(b.Get("content"))
			r.failed(b.Get("is_error"))
			im.end(key{im.thread, joined}, r, b)
		}
	}
}

// part reads a part of a message of Gemini. Calls there have no id in older versions: results come in their order.
func (im *importer) part(p *catalog.Node) {
	if f := firstOf(p, "functionCall", "function_call"); f.Is(catalog.Object) {
		name := f.Get("name").Text()
		im.begin(im.newCall(f, cmp.Or(f.Get("id").Text(), "name:"+name), name, f.Get("args")))
	}
	if f := firstOf(p, "functionResponse", "function_response"); f.Is(catalog.Object) {
		k := key{im.thread, f.Get("id").Text()}
		if byName := (key{im.thread, "name:" + f.Get("name").Text()}); k.id == "" || im.waitingFor(k) == nil && im.waitingFor(byName) != nil {
			k = byName
		}
		im.end(k, geminiResult(f.Get("response")), f)
	}
}

// cliCall reads a call of a chat of Gemini CLI, which holds its result.
func (im *importer) cliCall(n *catalog.Node) {
	im.sum.Client = "gemini-cli"
	c := im.newCall(n, n.Get("id").Text(), n.Get("name").Text(), n.Get("args"))
	c.Time = cmp.Or(n.Get("timestamp").Text(), c.Time)
	if !im.begin(c) {
		return
	}
	var response *catalog.Node
	for _, p := range n.Get("result").List() {
		if f := p.Get("functionResponse"); f != nil {
			response = f.Get("response")
		}
	}
	if response == nil {
		return
	}
	r := geminiResult(response)
	r.setState(n.Get("status").Text())
	im.end(key{c.Thread, c.ID}, r, n)
}

func firstOf(n *catalog.Node, keys ...string) *catalog.Node {
	for _, k := range keys {
		if v := n.Get(k); v != nil {
			return v
		}
	}
	return nil
}

// geminiResult reads the response of a function. Gemini CLI puts the text of a tool under "output", and errors under
// "error"; the blocks of MCP stand under "content".
func geminiResult(n *catalog.Node) *Result {
	if message := n.Get("error"); message != nil {
		r := resultOf(message)
		r.Failed = true
		return r
	}
	for _, k := range []string{"content", "output", "result"} {
		if v := n.Get(k); v.Is(catalog.String) || v.Is(catalog.Array) {
			r := resultOf(v)
			r.Structured = n.Get("structuredContent")
			r.failed(n.Get("isError"))
			return r
		}
	}
	return &Result{Structured: n}
}
