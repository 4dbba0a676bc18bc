package recording

import (
	"cmp"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// responseCalls are the items of the responses API that are calls or results of tools.
var responseCalls = []string{
	"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "mcp_call", "local_shell_call", "local_shell_call_output",
}

// responseItems are all items that are looked at, or passed over without a word.
var responseItems = append([]string{"message", "reasoning", "mcp_list_tools", "web_search_call", "file_search_call", "mcp_approval_request", "mcp_approval_response", "item_reference", "compaction", "image_generation_call", "code_interpreter_call", "ghost_snapshot"}, responseCalls...)

// item reads an item of the responses API, and of Codex.
func (im *importer) item(n *catalog.Node) {
	id := cmp.Or(n.Get("call_id").Text(), n.Get("id").Text())
	switch n.Get("type").Text() {
	case "function_call":
		name := n.Get("name").Text()
		if space := n.Get("namespace").Text(); space != "" {
			name = strings.TrimSuffix(space, "__") + "::" + name
		}
		im.begin(im.newCall(n, id, name, n.Get("arguments")))
	case "custom_tool_call": // its input is text of any form
		im.begin(im.newCall(n, id, n.Get("name").Text(), nil))
	case "local_shell_call":
		im.begin(im.newCall(n, id, "local_shell", n.Get("action")))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		im.end(key{im.thread, id}, outputOf(n.Get("output")), n)
	case "mcp_call":
		im.mcpCall(n)
	}
}

// mcpCall reads a call that the provider made itself; the item holds the result too.
func (im *importer) mcpCall(n *catalog.Node) {
	c := im.newCall(n, n.Get("id").Text(), n.Get("name").Text(), n.Get("arguments"))
	c.Server, c.Tool = n.Get("server_label").Text(), c.Name
	if !im.begin(c) {
		return
	}
	r := resultOf(n.Get("output"))
	if fault := n.Get("error"); fault != nil && !fault.Is(catalog.Null) {
		r = resultOf(fault)
		r.Failed = true
	}
	im.end(key{c.Thread, c.ID}, r, n)
}

// outputOf reads the output of a function: a text, blocks, or in older rollouts an object with the text. Of MCP tools
// Codex keeps the blocks as JSON in the text.
func outputOf(n *catalog.Node) *Result {
	if n.Is(catalog.Object) && n.Get("content") != nil {
		r := outputOf(n.Get("content"))
		if ok, set := n.Get("success").Bool(); set && !ok {
			r.Failed = true
		}
		return r
	}
	r := resultOf(n)
	r.fromText = true
	return r
}

// codexLines are the types of lines in a rollout.
var codexLines = []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record"}

// codex reads a line of a rollout.
func (im *importer) codex(n *catalog.Node) {
	p := n.Get("payload")
	im.time = n.Get("timestamp").Text()
	switch typ := n.Get("type").Text(); typ {
	case "session_meta":
		im.session = cmp.Or(p.Get("id").Text(), im.session)
		im.thread = im.session
		im.sum.Version = cmp.Or(im.sum.Version, p.Get("cli_version").Text())
		im.sum.Folder = cmp.Or(im.sum.Folder, p.Get("cwd").Text())
	case "response_item":
		if p.Get("type").Text() == "message" && p.Get("role").Text() != "user" {
			return
		}
		time := im.time
		if p.Get("role").Is(catalog.String) {
			im.message(p)
		} else {
			im.item(p)
		}
		im.time = time
	case "event_msg":
		im.codexEvent(p)
	case "turn_context", "compacted", "world_state", "token_usage_record":
	default:
		im.strange("a line of the unknown type " + shownType(typ))
	}
}

// codexEvent reads what Codex says on the side. Of a call of an MCP server it knows the server, and the whole result.
func (im *importer) codexEvent(p *catalog.Node) {
	switch p.Get("type").Text() {
	case "user_message":
		im.visitor.Turn(im.thread, p.Get("message").Text())
	case "mcp_tool_call_begin":
		im.codexCall(p)
	case "mcp_tool_call_end":
		c := im.codexCall(p)
		if c == nil {
			return
		}
		c.ResultLine = im.line
		took := p.Get("duration")
		c.Duration = time.Duration(number(took.Get("secs")))*time.Second + time.Duration(number(took.Get("nanos")))
		result := p.Get("result")
		if ok := result.Get("Ok"); ok != nil {
			c.Result = mcpResult(ok)
		} else {
			c.Result = resultOf(result.Get("Err"))
			c.Result.Failed = true
		}
	}
}

// codexCall returns the call that an event is about. Some rollouts have no other trace of it.
func (im *importer) codexCall(p *catalog.Node) *Call {
	id, what := p.Get("call_id").Text(), p.Get("invocation")
	k := key{im.thread, id}
	c := im.waitingFor(k)
	if c == nil {
		if _, had := im.seen[im.idSum(k)]; had {
			return nil
		}
		c = im.newCall(p, id, "mcp__"+what.Get("server").Text()+"::"+what.Get("tool").Text(), what.Get("arguments"))
		im.begin(c)
	}
	c.Server, c.Tool = what.Get("server").Text(), what.Get("tool").Text()
	return c
}

func shownType(typ string) string {
	const most = 40
	if typ == "" {
		return "(none)"
	}
	return `"` + strings.ToValidUTF8(typ[:min(len(typ), most)], "") + `"`
}
