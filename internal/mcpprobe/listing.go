package mcpprobe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Bounds of a list.
const (
	maxPages = 100
	maxItems = 2000
)

// listing is a method that lists something.
type listing struct {
	method, key, capability string
	add                     func(*catalog.Server, []*catalog.Node)
}

var tools = listing{"tools/list", "tools", "tools", (*catalog.Server).AddTools}

// others are listed when the server declares them.
var others = []listing{
	{"prompts/list", "prompts", "prompts", (*catalog.Server).AddPrompts},
	{"resources/list", "resources", "resources", (*catalog.Server).AddResources},
	{"resources/templates/list", "resourceTemplates", "resources", (*catalog.Server).AddTemplates},
}

// list asks for everything the server has. Without tools the result is an error; the other lists are taken as far
// as they go, and explain says what was wrong with them.
func (p *probe) list(ctx context.Context, s *session, explain func(method string, err error)) error {
	p.tell(Listing)
	if !p.server.Capability("tools") {
		p.listUndeclared(ctx, s)
	} else if err := p.pages(ctx, s, tools); err != nil {
		return err
	}
	p.result.Status, p.result.Catalog = Answered, p.server
	p.checkTools()
	if p.hold != nil {
		p.clock.Stop()
		p.hold(ctx, s)
		return nil
	}
	for _, l := range others {
		if !p.server.Capability(l.capability) {
			continue
		}
		if err := p.pages(ctx, s, l); err != nil {
			// Servers with resources need not have templates, and many say so in this way.
			if refusal, ok := err.(*rpcError); ok && refusal.code == methodNotFound && l.key == "resourceTemplates" {
				continue
			}
			explain(l.method, err)
			if ctx.Err() != nil {
				return nil
			}
		}
	}
	p.askAgain(ctx, s)
	return nil
}

// undeclaredTimeout bounds a question that a server need not answer.
const undeclaredTimeout = 2 * time.Second

// listUndeclared looks for tools that the server has and does not declare. Whatever goes wrong is fine.
func (p *probe) listUndeclared(ctx context.Context, s *session) {
	ctx, cancel := context.WithTimeout(ctx, undeclaredTimeout)
	defer cancel()
	if err := p.pages(ctx, s, tools); err == nil && len(p.server.Tools) > 0 {
		p.report(Undeclared, fmt.Sprintf("has %d tools but does not declare the capability \"tools\": clients that go by it ask for none", len(p.server.Tools)))
	}
}

// pages asks for one page after the other until the server names no next one.
func (p *probe) pages(ctx context.Context, s *session, l listing) error {
	var (
		cursor   params
		seen     []string // cursors
		count    int
		previous string
	)
	for range maxPages {
		result, err := s.call(ctx, l.method, cursor)
		if err != nil {
			return err
		}
		items := result.Get(l.key)
		if !items.Is(catalog.Array) {
			return badAnswer(l.method, result)
		}
		if l.key == tools.key && cursor == nil {
			p.first = toolNames(items.Items)
		}
		next := result.Get("nextCursor")
		repeated := next.Is(catalog.String) && slices.Contains(seen, next.Text())
		if !repeated || items.Raw() != previous { // a server that ignores cursors sends the same page again
			l.add(p.server, items.Items)
		}
		previous = items.Raw()
		if count += len(items.Items); count > maxItems {
			p.report(TooManyItems, fmt.Sprintf("lists more than %d entries in %s; the rest was not asked for", maxItems, l.method))
			return nil
		}
		switch {
		case repeated:
			p.reportLoop(l, next.Text())
			return nil
		case next == nil || next.Is(catalog.Null):
			p.reportPages(l, seen)
			return nil
		case !next.Is(catalog.String):
			p.report(BadAnswer, fmt.Sprintf("gives a next page in %s that is %s, not a string", l.method, next.Kind))
			return nil
		}
		seen = append(seen, next.Text())
		cursor = params{"cursor": next.Text()}
		p.reportEmptyCursor(l, next.Text())
	}
	p.report(TooManyPages, fmt.Sprintf("lists more than %d pages in %s and names yet another; the rest was not asked for", maxPages, l.method))
	return nil
}

// reportLoop reports a cursor that comes back. The empty one has been reported already: whoever sends it always
// means that there are no more pages.
func (p *probe) reportLoop(l listing, cursor string) {
	if cursor != "" {
		p.report(PageLoop, fmt.Sprintf("names the same next page %q again and again in %s", cut(cursor, 40), l.method))
	}
}

func (p *probe) reportEmptyCursor(l listing, cursor string) {
	if cursor == "" {
		p.report(EmptyCursor, "names a next page with an empty cursor in "+l.method+": some clients take that for the end of the list and others ask on")
	}
}

// checkTools reports the tools that break the MCP schema.
func (p *probe) checkTools() {
	for i, t := range p.server.Tools {
		for _, d := range t.Defects(p.server.ProtocolVersion) {
			who := fmt.Sprintf("tool %d of %d", i+1, len(p.server.Tools))
			if name := t.Name(); name != "" {
				who = fmt.Sprintf("tool %q", cut(name, maxLine))
			}
			p.add(Problem{Kind: MalformedTool, Message: who + ": " + d.Reason, Tool: t.Name(), Pointer: d.Pointer})
		}
	}
}
