package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

// serverAt returns the entry of an MCP server that an offset lies in, and the key it lies on, if any.
func serverAt(f *mcpconfig.File, off int) (*mcpconfig.Server, *mcpconfig.Member) {
	for _, s := range f.Servers {
		if s.Node == nil || !touches(extent(f, s), text.At(off)) {
			continue
		}
		for _, m := range s.Node.Members {
			if touches(m.Key, text.At(off)) {
				return s, m
			}
			if touches(m.Value.Span, text.At(off)) {
				return nil, nil // inside a value: no key goes here
			}
		}
		return s, nil
	}
	return nil, nil
}

// extent returns the part of the file in which keys of a server go. In TOML it ends at the next table, in YAML with the
// blanks behind the last key, which stand for the next one.
func extent(f *mcpconfig.File, s *mcpconfig.Server) text.Span {
	at, src := s.Node.Span, f.Doc.Text
	switch {
	case f.Format == nil:
	case f.Format.Syntax == mcpconfig.TOML && at.Empty():
		at.Start = lineEnd(src, s.Key.End)
		at.End = len(src)
		if i := strings.Index(src[at.Start:], "\n["); i >= 0 {
			at.End = at.Start + i
		}
	case f.Format.Syntax == mcpconfig.YAML:
		at.End += len(src[at.End:]) - len(strings.TrimLeft(src[at.End:], " \r\n"))
	}
	return at
}

// mcpItems completes the keys of an MCP server: those that the clients of the file read and that are not there.
func (p *page) mcpItems(f *mcpconfig.File, off int) []protocol.CompletionItem {
	s, on := serverAt(f, off)
	if s == nil || f.Format == nil {
		return nil
	}
	at := tokenAt(p.text(), off, func(c byte) bool { return isNameByte(c) || c == '"' })
	if on != nil {
		at = on.Key
	}
	var out []protocol.CompletionItem
	for _, key := range mcpKeys(f) {
		if have := s.Node.Member(key); have != nil && have != on {
			continue
		}
		it := p.item(key, "read by "+mcpReaders(f, key), protocol.CompletionItemKindProperty, at)
		edit := it.TextEdit.(*protocol.TextEdit)
		edit.NewText = mcpKey(f, key, on != nil)
		it.FilterText = protocol.NewOptional(edit.NewText)
		out = append(out, it)
	}
	return out
}

// mcpKey writes a key as the syntax of the file wants it, with what stands behind it unless that is there.
func mcpKey(f *mcpconfig.File, key string, alone bool) string {
	quoted, mark := `"`+key+`"`, ": "
	switch f.Format.Syntax {
	case mcpconfig.TOML:
		quoted, mark = key, " = "
	case mcpconfig.YAML:
		quoted = key
	}
	if alone {
		return quoted
	}
	return quoted + mark
}

// mcpKeys returns the keys that one of the clients of a file reads.
func mcpKeys(f *mcpconfig.File) []string {
	var out []string
	for _, name := range f.Format.Clients {
		if c := mcpconfig.ClientByName(name); c != nil {
			for _, key := range c.Keys() {
				if !slices.Contains(out, key) {
					out = append(out, key)
				}
			}
		}
	}
	return out
}

func mcpReaders(f *mcpconfig.File, key string) string {
	var out []string
	for _, name := range f.Format.Clients {
		if c := mcpconfig.ClientByName(name); c != nil && c.Reads(key) {
			out = append(out, c.Label)
		}
	}
	return strings.Join(out, ", ")
}

// hoverMCP tells the tools of a server on its name, and on a key which clients of the file read it.
func (p *page) hoverMCP(f *mcpconfig.File, off int) (string, text.Span) {
	if e := entryAt(f, off); e != nil {
		o := offerOf(p.live(), e)
		if o == nil {
			o = &lint.Offer{Name: e.Name}
		}
		return hoverServer(o), e.Key
	}
	s, on := serverAt(f, off)
	if s == nil || on == nil || f.Format == nil || len(f.Format.Clients) == 0 {
		return "", text.Span{}
	}
	if who := mcpReaders(f, on.Name); who != "" {
		return fmt.Sprintf("**%s**\n\nRead by %s.", on.Name, who), on.Key
	}
	return fmt.Sprintf("**%s**\n\nNo client of this file reads it.", on.Name), on.Key
}
