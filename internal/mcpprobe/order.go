package mcpprobe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// againTimeout bounds a question that was answered before.
const againTimeout = 2 * time.Second

// manyNames is how many tools a page may have to be asked for a second time.
const manyNames = 500

// askAgain asks for the first page of the tools once more. Lists should come in the same order each time, for what
// providers keep of a prompt holds only while it begins with the same text:
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools
// Whatever goes wrong is fine.
func (p *probe) askAgain(ctx context.Context, s *session) {
	if len(p.first) < 2 || len(p.first) > manyNames {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, againTimeout)
	defer cancel()
	result, err := s.call(ctx, tools.method, nil)
	if err != nil || !result.Get(tools.key).Is(catalog.Array) {
		return
	}
	again := toolNames(result.Get(tools.key).Items)
	switch {
	case slices.Equal(p.first, again):
	case slices.Equal(slices.Sorted(slices.Values(p.first)), slices.Sorted(slices.Values(again))):
		p.report(UnstableOrder, "lists its tools in another order when it is asked again: what providers keep of the prompt is lost each time")
	default:
		p.report(UnstableList, fmt.Sprintf("lists other tools when it is asked again: %d at first, then %d", len(p.first), len(again)))
	}
}

func toolNames(items []*catalog.Node) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = catalog.Tool{Node: item}.Name()
	}
	return out
}

// reportPages reports a list of tools that goes on behind its first page. An empty cursor has been reported already.
func (p *probe) reportPages(l listing, cursors []string) {
	if l.key == tools.key && len(cursors) > 0 && !slices.Contains(cursors, "") {
		p.report(SeveralPages, fmt.Sprintf("lists its tools on %d pages: clients that ask once, such as Gemini CLI, get the %d of the first", len(cursors)+1, len(p.first)))
	}
}
