package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

// mcpFormat returns what is known of the page as a configuration of MCP servers; nil when it is none, and when none of
// its clients would read it where it lies.
func (p *page) mcpFormat() *mcpconfig.Format {
	f := mcpconfig.Match(p.doc.Abs)
	if f == nil || !f.ByShape && len(f.Clients) == 0 {
		return nil
	}
	return f
}

// offeredByEditor reports whether the editor completes the keys of a file by itself, as VS Code does in its own
// configurations. https://code.visualstudio.com/docs/copilot/customization/mcp-servers
func (p *page) offeredByEditor(f *mcpconfig.Format) bool {
	return p.can.completesKeys && slices.Equal(f.Clients, []string{"vscode"})
}

// follows reports whether keys lead to where a path with "*" goes on, and to what.
func follows(path, keys []string) (next string, ok bool) {
	if len(keys) >= len(path) || !matchesKeys(path[:len(keys)], keys) {
		return "", false
	}
	return path[len(keys)], true
}

// matchesKeys reports whether keys are one of those that a path with "*" stands for.
func matchesKeys(path, keys []string) bool {
	return slices.EqualFunc(path, keys, func(want, have string) bool { return want == "*" || want == have })
}

// mcpKeys offers the keys that lead to the servers of a configuration, and those of a server.
func (p *page) mcpKeys(f *mcpconfig.Format, k keyPath) []choice {
	if f.Inputs() != nil && matchesKeys(f.Inputs(), k.path) {
		return tableKeys(inputKeys)(keyPath{})
	}
	var out []choice
	for _, path := range append(f.Entries(), f.Inputs()) {
		next, ok := follows(path, k.path)
		if ok && next != "*" && !slices.ContainsFunc(out, func(c choice) bool { return c.text == next }) {
			out = append(out, leadingKey(f, next))
		}
	}
	if slices.ContainsFunc(f.Entries(), func(path []string) bool { return matchesKeys(path, k.path) }) {
		return append(out, serverKeys(f, k.have)...)
	}
	return out
}

// leadingKey is a key on the way to the servers, or to what they may name.
func leadingKey(f *mcpconfig.Format, key string) choice {
	switch {
	case key == "inputs":
		return choice{text: key, words: "values that VS Code asks the user for", inside: "[$0]"}
	case len(f.Clients) == 0:
		return choice{text: key, words: "MCP servers", inside: "{$0}", table: true}
	}
	return choice{text: key, words: "MCP servers, read by " + readersOfKey(f.Readers(), ""), inside: "{$0}", table: true}
}

// serverKeys offers the keys of a server that the clients of a file read. What is there already says whether it is
// started or reached.
func serverKeys(f *mcpconfig.Format, have []string) []choice {
	readers := f.Readers()
	if len(readers) == 0 {
		var out []choice
		for _, key := range mcpconfig.CommonKeys() {
			out = append(out, choice{text: key, words: "read by most clients"})
		}
		return out
	}
	with := func(role mcpconfig.Role) bool {
		return slices.ContainsFunc(have, func(key string) bool { return mcpconfig.RoleOf(key) == role })
	}
	var out []choice
	for _, c := range readers {
		for _, key := range c.Keys() {
			other := with(mcpconfig.Command) && slices.Contains(c.Remote, key) || with(mcpconfig.URL) && slices.Contains(c.Stdio, key)
			if !other && !slices.ContainsFunc(out, func(o choice) bool { return o.text == key }) {
				out = append(out, choice{text: key, words: "read by " + readersOfKey(readers, key)})
			}
		}
	}
	return out
}

// readersOfKey names those clients that read a key, all of them for "".
func readersOfKey(clients []*mcpconfig.Client, key string) string {
	var out []string
	for _, c := range clients {
		if key == "" || c.Reads(key) {
			out = append(out, c.Label)
		}
	}
	return strings.Join(out, ", ")
}

// inputKeys are the keys of an input. https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
var inputKeys = map[string]string{
	"type":        "How it is asked for.",
	"id":          "Its name in ${input:NAME}.",
	"description": "What the user is asked.",
	"default":     "What holds unless the user says otherwise.",
	"password":    "Whether what is typed is hidden.",
	"options":     "What the user may pick from.",
	"command":     "The command that brings the value.",
	"args":        "The arguments of that command.",
}

// mcpValues offers the values of a key of a server: words, and the names of its tools where those are listed.
func (p *page) mcpValues(f *mcpconfig.Format, k keyPath) []choice {
	if n := len(f.Inputs()); n > 0 && len(k.path) == n+1 && matchesKeys(f.Inputs(), k.path[:n]) {
		return inputValues[k.path[n]]
	}
	for _, path := range f.Entries() {
		n := len(path)
		switch {
		case len(k.path) < n || !matchesKeys(path, k.path[:n]):
		case len(k.path) == n+1:
			return serverValues(f.Readers(), k.path[n])
		case len(k.path) == n+2 && k.path[n+1] == "*":
			return p.toolChoices(k.path[n-1], mcpconfig.RoleOf(k.path[n]))
		}
	}
	return nil
}

var inputValues = map[string][]choice{
	"type":     {{text: "promptString", words: "a text that is typed"}, {text: "pickString", words: "one of some"}, {text: "command", words: "what a command brings"}},
	"password": booleans,
}

// serverValues offers the values that some of the clients take for a key.
func serverValues(clients []*mcpconfig.Client, key string) []choice {
	var out []choice
	takers := map[string][]string{}
	for _, c := range clients {
		for _, v := range c.Values(key) {
			if takers[v] == nil {
				out = append(out, choice{text: v, literal: v == "true" || v == "false"})
			}
			takers[v] = append(takers[v], c.Label)
		}
	}
	for i, c := range out {
		out[i].words = "taken by " + strings.Join(takers[c.text], ", ")
	}
	return out
}

// toolChoices offers the tools that are known of a server, for a list with a role in its entry.
func (p *page) toolChoices(server string, role mcpconfig.Role) []choice {
	if !slices.Contains([]mcpconfig.Role{mcpconfig.Include, mcpconfig.Exclude, mcpconfig.Trust}, role) {
		return nil
	}
	var out []choice
	for _, offers := range p.live().Offers() {
		for _, o := range offers.Servers {
			if o.Name != server || o.Entry == nil || o.Entry.File.Doc.Path != p.p.file || o.Server == nil {
				continue
			}
			for _, t := range o.Server.Tools {
				out = append(out, choice{text: t.Name(), words: short(firstLine(t.Description()))})
			}
		}
	}
	return out
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
	on := serverKeyAt(f, off)
	if on == nil || len(f.Format.Clients) == 0 {
		return "", text.Span{}
	}
	if who := readersOfKey(f.Clients(), on.Name); who != "" {
		return fmt.Sprintf("**%s**\n\nRead by %s.", on.Name, who), on.Key
	}
	return fmt.Sprintf("**%s**\n\nNo client of this file reads it.", on.Name), on.Key
}

// serverKeyAt returns the key of a server that an offset lies on, or nil.
func serverKeyAt(f *mcpconfig.File, off int) *mcpconfig.Member {
	for _, s := range f.Servers {
		for _, m := range s.Node.Members {
			if touches(m.Key, text.At(off)) {
				return m
			}
		}
	}
	return nil
}
