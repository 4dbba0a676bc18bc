package recording

import (
	"cmp"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// claude reads a line of a session of Claude Code. Lines form a tree, for a user can go back and take another way;
// calls were made on all of its branches.
func (im *importer) claude(n *catalog.Node) {
	typ := n.Get("type").Text()
	if !slices.Contains(claudeLines, typ) {
		if n.Get("message") != nil { // lines of the client's own, of which each version has more, hold none
			im.strange("a line of the unknown type " + shownType(typ))
		}
		return
	}
	im.session = n.Get("sessionId").Text()
	im.thread = im.session
	side, _ := n.Get("isSidechain").Bool()
	if side {
		im.thread += " " + cmp.Or(n.Get("agentId").Text(), "sidechain")
	}
	im.sum.Version = cmp.Or(im.sum.Version, n.Get("version").Text())
	im.sum.Folder = cmp.Or(im.sum.Folder, n.Get("cwd").Text())
	m := n.Get("message")
	if !m.Is(catalog.Object) {
		return
	}
	if meta, _ := n.Get("isMeta").Bool(); meta && !hasBlock(m, always, "tool_result") {
		return // words of the client, such as the text of a skill
	}
	im.structured(n, m)
	im.claudeMessage(n, m)
}

func (im *importer) claudeMessage(n, m *catalog.Node) {
	im.time = n.Get("timestamp").Text()
	if m.Get("role").Text() == "user" {
		im.turn(m)
	}
	for _, part := range m.Get("content").List() {
		im.block(part)
	}
}

// structured takes the structured result of an MCP tool, which stands beside the message.
func (im *importer) structured(n, m *catalog.Node) {
	s := n.Get("toolUseResult").Get("structuredContent")
	if s == nil {
		s = n.Get("mcpMeta").Get("structuredContent")
	}
	content := m.Get("content").List()
	if !s.Is(catalog.Object) || len(content) != 1 {
		return
	}
	b := content[0]
	if c := im.waitingFor(key{im.thread, b.Get("tool_use_id").Text()}); c != nil {
		c.Result, c.ResultLine = resultOf(b.Get("content")), im.line
		c.Result.failed(b.Get("is_error"))
		c.Result.Structured = s
	}
}

// claudeLines are the types of lines in a session.
var claudeLines = []string{
	"user", "assistant", "system", "summary", "progress", "file-history-snapshot", "permission-mode", "queue-operation", "attachment", "last-prompt",
	"custom-title", "ai-title", "tag", "agent-name", "agent-color", "agent-setting", "pr-link", "mode", "worktree-state", "content-replacement",
}
