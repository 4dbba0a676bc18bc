package recording

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Format is a form in which calls are kept.
type Format string

// The formats.
const (
	ClaudeCode      Format = "claude-code"      // ~/.claude/projects/…/SESSION.jsonl
	Codex           Format = "codex"            // ~/.codex/sessions/…/rollout-….jsonl
	AgentScope1     Format = "agentscope-1"     // Msg of AgentScope 1.x
	AgentScope2     Format = "agentscope-2"     // Msg of AgentScope 2.x
	OpenAIChat      Format = "openai-chat"      // messages of chat completions, alone or in requests and answers
	OpenAIResponses Format = "openai-responses" // items of the responses API, alone or in requests and answers
	Anthropic       Format = "anthropic"        // messages of the messages API, alone or in requests and answers
	Gemini          Format = "gemini"           // contents of generateContent, and chats of Gemini CLI
	MCP             Format = "mcp"              // messages of MCP, with or without a direction around them
	Calls           Format = "calls"            // what Writer writes
)

// dialect is how one format is told and read.
type dialect struct {
	format Format
	client string                         // the profile of the client that writes it, "" when any can
	sign   func(n *catalog.Node) int      // how much a value looks like the format; 0 is not at all
	read   func(*importer, *catalog.Node) // takes one value
}

// dialects are in the order in which they are preferred when a recording looks like several.
func dialects() []dialect {
	return []dialect{
		{Calls, "", signOfCalls, (*importer).ownCall},
		{MCP, "", signOfMCP, (*importer).rpc},
		{ClaudeCode, "claude-code", signOfClaude, (*importer).claude},
		{Codex, "codex", signOfCodex, (*importer).codex},
		{AgentScope2, "agentscope-2", ofMessages(signOfAgentScope2), (*importer).conversation},
		{AgentScope1, "agentscope-1", ofMessages(signOfAgentScope1), (*importer).conversation},
		{OpenAIResponses, "", ofMessages(signOfResponses), (*importer).conversation},
		{Gemini, "", ofMessages(signOfGemini), (*importer).conversation},
		{OpenAIChat, "", ofMessages(signOfChat), (*importer).conversation},
		{Anthropic, "", ofMessages(signOfAnthropic), (*importer).conversation},
	}
}

// Formats returns the names of all formats.
func Formats() []string {
	var out []string
	for _, d := range dialects() {
		out = append(out, string(d.format))
	}
	slices.Sort(out)
	return out
}

func known(f Format) bool { return slices.Contains(Formats(), string(f)) }

func unknownFormat(f Format) error {
	return fmt.Errorf("no recording has the format %q; there are %s", f, strings.Join(Formats(), ", "))
}

// ErrUnknown says that the beginning of a recording looks like none of the formats.
var ErrUnknown = errors.New("this is no recording of a known format (" + strings.Join(Formats(), ", ") + ")")

// looks is how many values decide on the format.
const looks = 20

// detect returns the format that values look like most, false when they look like none.
func detect(values []*catalog.Node) (dialect, bool) {
	var best dialect
	most := 0
	for _, d := range dialects() {
		score := 0
		for _, n := range values {
			score += d.sign(n)
		}
		if score > most {
			best, most = d, score
		}
	}
	return best, most > 0
}

func dialectOf(f Format) dialect {
	for _, d := range dialects() {
		if d.format == f {
			return d
		}
	}
	return dialect{}
}

// Scores: a certain sign outweighs any number of vague ones among the values that are looked at.
const (
	certain = 100
	likely  = 10
	vague   = 1
)

func score(yes bool, points int) int {
	if yes {
		return points
	}
	return 0
}

func signOfCalls(n *catalog.Node) int { return score(n.Get(ownMark).Text() == ownKind, certain*looks) }

func signOfMCP(n *catalog.Node) int { return score(len(envelopes(n)) > 0, certain) }

func signOfClaude(n *catalog.Node) int {
	typ := n.Get("type").Text()
	return score(n.Get("projectHash") == nil && (n.Get("sessionId") != nil || n.Get("leafUuid") != nil) && typ != "" && n.Get("toolCalls") == nil, certain)
}

func signOfCodex(n *catalog.Node) int {
	return score(n.Get("payload").Is(catalog.Object) && slices.Contains(codexLines, n.Get("type").Text()), certain)
}

// ofMessages adds up the signs of all messages in a value.
func ofMessages(sign func(m *catalog.Node) int) func(*catalog.Node) int {
	return func(n *catalog.Node) int {
		total := 0
		eachMessage(n, func(m *catalog.Node) { total += sign(m) })
		return min(total, certain)
	}
}

// hasBlock reports whether the content of a message has a block of one of some types that passes.
func hasBlock(m *catalog.Node, pass func(*catalog.Node) bool, types ...string) bool {
	return slices.ContainsFunc(m.Get("content").List(), func(b *catalog.Node) bool {
		return slices.Contains(types, b.Get("type").Text()) && pass(b)
	})
}

func always(*catalog.Node) bool { return true }

func signOfAgentScope2(m *catalog.Node) int {
	named := m.Get("name").Is(catalog.String) && m.Get("role").Is(catalog.String)
	return score(named && hasBlock(m, always, "tool_call"), certain/2) +
		score(named && hasBlock(m, func(b *catalog.Node) bool { return b.Get("state") != nil }, "tool_result"), certain/2) +
		score(named && m.Get("metadata") != nil && (m.Get("created_at") != nil || m.Get("finished_at") != nil), likely)
}

func signOfAgentScope1(m *catalog.Node) int {
	named := m.Get("name").Is(catalog.String) && m.Get("role").Is(catalog.String)
	ownID := func(b *catalog.Node) bool { return b.Get("id") != nil && b.Get("tool_use_id") == nil }
	return score(named && hasBlock(m, ownID, "tool_result"), certain/2) +
		score(named && hasBlock(m, always, "tool_use"), likely) +
		score(named && m.Get("metadata") != nil && m.Get("timestamp") != nil, likely)
}

func signOfResponses(m *catalog.Node) int {
	typ := m.Get("type").Text()
	return score(slices.Contains(responseCalls, typ), certain/2) + score(typ == "message" || typ == "reasoning", vague)
}

func signOfGemini(m *catalog.Node) int {
	return score(m.Get("parts").Is(catalog.Array), likely) + score(m.Get("toolCalls").Is(catalog.Array), certain/2) +
		score(m.Get("type").Text() == "gemini", likely)
}

func signOfChat(m *catalog.Node) int {
	return score(m.Get("tool_calls").Is(catalog.Array) || m.Get("tool_call_id") != nil, certain/2) + score(m.Get("role") != nil, vague)
}

func signOfAnthropic(m *catalog.Node) int {
	joined := func(b *catalog.Node) bool { return b.Get("tool_use_id") != nil }
	return score(hasBlock(m, always, "tool_use", "mcp_tool_use", "server_tool_use"), likely) +
		score(hasBlock(m, joined, "tool_result", "mcp_tool_result"), certain/2) + score(m.Get("role") != nil, vague)
}
