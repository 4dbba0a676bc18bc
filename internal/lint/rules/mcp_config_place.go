package rules

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

var mcpRootKey = &lint.Rule{
	Name: "mcp-config/root-key", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "The servers stand under another key than the file's clients read.",
		Why: "VS Code reads `servers`, most others `mcpServers`, Zed `context_servers`, Codex `mcp_servers`, OpenCode `mcp`. " +
			"Under any other key the servers are ignored and nothing is said (ChromeDevTools/chrome-devtools-mcp#1246).",
		Bad:  "-- .vscode/mcp.json --\n" + mcpServersJSON(`"docs": {`+goodRemote+`}`),
		Good: "-- .vscode/mcp.json --\n" + strings.Replace(mcpServersJSON(`"docs": {`+goodRemote+`}`), "mcpServers", "servers", 1),
	},
	Run: func(p *lint.Pass) {
		f := p.Config
		if len(f.Format.Clients) == 0 || !f.Root.Is(mcpconfig.Object) {
			return
		}
		other := false
		for _, m := range f.Root.Members {
			if f.OtherKey(m) {
				other = true
				p.Report(wrongRootKey(p, m))
			}
		}
		if !other && f.Key == nil && !f.Bare && !f.Broken() && !f.Format.Settings && !f.Format.AgentScope {
			reportNoKey(p)
		}
	},
}

// reportNoKey speaks of a file that has members but nothing that could be servers.
func reportNoKey(p *lint.Pass) {
	f := p.Config
	for _, m := range f.Root.Members {
		if mcpconfig.IsComment(m.Name) || m.Name == "inputs" {
			continue
		}
		clients, want := f.Clients(), strings.Join(f.Format.Key, ".")
		if m.Value.Kind == mcpconfig.Object && lint.Nearest(m.Name, []string{want}) != "" {
			p.Report(wrongRootKey(p, m))
			return
		}
		p.Report(lint.Finding{
			Span:    m.Key,
			Message: fmt.Sprintf("the file has no %s: %s %s no server in it", want, labels(clients), verb(clients, "finds", "find")),
			Help:    fmt.Sprintf("put the servers into %q: {\"name\": {…}}", want),
			Clients: clientNames(clients),
		})
		return
	}
}

func wrongRootKey(p *lint.Pass, m *mcpconfig.Member) lint.Finding {
	f := p.Config
	want, clients := strings.Join(f.Format.Key, "."), f.Clients()
	out := lint.Finding{
		Span: m.Key,
		Message: fmt.Sprintf("%s %s the key %s, not %s: the servers under it are ignored",
			labels(clients), verb(clients, "reads", "read"), want, m.Name),
		Help:    "rename the key to " + want,
		Clients: clientNames(clients),
	}
	if len(f.Format.Key) == 1 && f.Root.Member(want) == nil {
		out.Fixes = flattenFix(p, m, renameMember(p, m, want, true))
	}
	return out
}

// flattenFix lets a repair of a key also take away a key between it and the servers, as in "mcp": {"servers": {…}}. There is none
// where that would lose something.
func flattenFix(p *lint.Pass, m *mcpconfig.Member, fixes []lint.Fix) []lint.Fix {
	inner := m.Value.Get("servers")
	if len(fixes) == 0 || !inner.Is(mcpconfig.Object) || len(inner.Members) == 0 || !inner.Members[0].Value.Is(mcpconfig.Object) {
		return fixes
	}
	if len(m.Value.Members) > 1 {
		return nil
	}
	fixes[0].Edits = append(fixes[0].Edits, lint.Replace(m.Value.Span, inner.Span.In(p.Text())))
	return fixes
}

var mcpMissingWrapper = &lint.Rule{
	Name: "mcp-config/missing-wrapper", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "Servers stand at the top of the file without the key that holds them.",
		Why:  "A client that looks for `mcpServers` finds none and registers nothing. Claude Code allows the bare form in a plugin only, where this rule is silent.",
		Bad:  "-- .mcp.json --\n{\n  \"docs\": {" + goodRemote + "}\n}\n",
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		f := p.Config
		if !f.Bare || f.Place.Plugin || len(f.Format.Clients) == 0 {
			return
		}
		s, key := f.Servers[0], strings.Join(f.Format.Key, ".")
		p.Report(inServer(s, lint.Finding{
			Span:    s.Key,
			Message: fmt.Sprintf("the server is not under %s: %s %s nothing from this file", key, labels(f.Clients()), verb(f.Clients(), "registers", "register")),
			Help:    fmt.Sprintf("put the servers into %q: {…}", key),
			Clients: clientNames(f.Clients()),
			Fixes:   wrapFix(p, key),
		}))
	},
}

// wrapFix offers to put all members of the file under a key. Comments between them would become servers.
func wrapFix(p *lint.Pass, key string) []lint.Fix {
	f := p.Config
	if len(f.Servers) != len(f.Root.Members) || f.Broken() || len(f.Format.Key) != 1 || !isJSON(f) {
		return nil
	}
	nl := eol(p.Text())
	return []lint.Fix{{Title: "put the servers under " + key, Safe: true, Edits: []lint.Edit{
		lint.Insert(f.Root.Span.Start+1, nl+mcpconfig.Quote(key)+": {"),
		lint.Insert(f.Root.Span.End-1, "}"+nl),
	}}}
}

var mcpWrongPlace = &lint.Rule{
	Name: "mcp-config/wrong-place", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "Servers stand in a file that no client reads.",
		Why: "Claude Code reads .mcp.json at the root of the project: neither .claude/.mcp.json nor `mcpServers` in .claude/settings.json, and no mcp.json without the dot " +
			"(anthropics/claude-code#37245). The servers are never there, and nothing is said.",
		Bad:  "-- .claude/.mcp.json --\n" + mcpServersJSON(`"docs": {`+goodRemote+`}`),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		f := p.Config
		switch {
		case len(f.Format.Clients) > 0 || len(f.Servers) == 0:
		case f.Format.Belongs != "":
			p.Report(lint.Finding{
				Span:    serversPlace(p),
				Message: fmt.Sprintf("no client reads MCP servers from %s: Claude Code reads them from %s at the root of the project", f.Format.Path, f.Format.Belongs),
				Help:    "move the servers to " + f.Format.Belongs,
				Fixes:   moveFix(p),
			})
		case baseName(p) == "mcp.json" && !f.Place.Plugin && atProjectRoot(p):
			p.Report(lint.Finding{
				Severity: lint.Info, Span: serversPlace(p),
				Message: "no client reads MCP servers from mcp.json here: Claude Code and Copilot CLI read .mcp.json, Cursor .cursor/mcp.json, VS Code .vscode/mcp.json",
				Help:    "give the file the name and place of the client it is for",
			})
		}
	},
}

func serversPlace(p *lint.Pass) text.Span {
	if p.Config.Key != nil {
		return p.Config.Key.Key
	}
	return p.Config.Servers[0].Key
}

// moveFix offers to move a file that holds nothing but servers.
func moveFix(p *lint.Pass) []lint.Fix {
	f := p.Config
	to := path.Join(path.Dir(p.Doc().Path), "..", f.Format.Belongs)
	if f.Format.Settings || p.View.Tree().Exists(filepath.Dir(p.Doc().Abs), filepath.Join(filepath.Dir(p.Doc().Abs), "..", f.Format.Belongs)) {
		return nil
	}
	return []lint.Fix{{Title: "move the file to " + to, Renames: []lint.Rename{{From: p.Doc().Path, To: to}}}}
}

func atProjectRoot(p *lint.Pass) bool {
	dir := filepath.Dir(p.Doc().Abs)
	return p.View.Tree().Root(dir) == dir
}

var mcpWritable = &lint.Rule{
	Name: "mcp-config/writable", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Risk: &lint.Risk{CWE: []int{732}, OWASP: []string{"AST06"}},
	Page: lint.Page{
		What: "Every user of the machine may write the file, or it is a symbolic link out of the project.",
		Why:  "Whoever writes the file has a command of their choice started. A link out of the project goes round what was reviewed (compare CVE-2026-25724).",
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		tree, abs := p.View.Tree(), p.Doc().Abs
		mode, err := tree.Mode(abs)
		if err == nil && runtime.GOOS != "windows" && mode&0o002 != 0 { // Windows has no such bits; Go makes them up
			p.Report(lint.Finding{
				Severity: lint.Hint,
				Message:  fmt.Sprintf("every user of the machine may write the file (%v): what it starts is up to them", mode&fs.ModePerm),
				Help:     "chmod o-w " + p.Doc().Path,
			})
		}
		root := tree.Root(filepath.Dir(abs))
		real, err := tree.RealPath(abs)
		realRoot, rootErr := tree.RealPath(root)
		if root == "" || err != nil || rootErr != nil || strings.HasPrefix(real, realRoot+string(filepath.Separator)) {
			return
		}
		p.Report(lint.Finding{
			Message: "the file is a symbolic link out of the project: what it starts is decided elsewhere",
			Help:    "put the file itself into the project",
		})
	},
}

var mcpShadowed = &lint.Rule{
	Name: "mcp-config/shadowed", Severity: lint.Info, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A client reads two files that define a server of one name differently.",
		Why: "Nothing is merged: one entry is used whole, the other has no effect. That of one user in one project wins over the project's, the project's over that of all projects of a user, " +
			"and what the machine's owner manages over all. Of two files of one project nobody says which.",
		Bad: "-- .mcp.json --\n" + mcpServersJSON(`"docs": {`+goodRemote+`}`) +
			"-- .github/mcp.json --\n" + mcpServersJSON(`"docs": {"type": "http", "url": "https://old.example/mcp"}`),
		Good: mcpExample(goodRemote),
	},
	Run: func(p *lint.Pass) {
		type place struct{ client, name string }
		seen, told := map[place][]*mcpconfig.Server{}, map[*mcpconfig.Server]bool{}
		for s, client := range readServers(p) {
			at := place{client, s.Name}
			for _, before := range seen[at] {
				loser, winner := s, before
				if s.Overrides(before) {
					loser, winner = before, s
				}
				if client != "" && before.File != s.File && before.Meets(s) && launchOf(before) != launchOf(s) && !told[loser] {
					told[loser] = true
					p.Report(shadowFinding(client, winner, loser))
				}
			}
			seen[at] = append(seen[at], s)
		}
	},
}

func shadowFinding(client string, winner, loser *mcpconfig.Server) lint.Finding {
	label := mcpconfig.ClientByName(client).Label
	effect := fmt.Sprintf("%s uses one of the two, nothing is merged", label)
	if winner.Overrides(loser) {
		effect = fmt.Sprintf("%s uses that one, nothing is merged", label)
	}
	return inServer(loser, lint.Finding{
		File: loser.File.Doc.Path, Span: loser.Key,
		Message: fmt.Sprintf("the server %s is defined differently in %s: %s", loser.Name, winner.File.Doc.Path, effect),
		Clients: []string{client},
		Related: []lint.Related{{File: winner.File.Doc.Path, Span: winner.Key, Message: "the other definition"}},
	})
}

// readServers yields the servers of all configurations once for each client that reads them, for "" where no client is
// known to.
func readServers(p *lint.Pass) iter.Seq2[*mcpconfig.Server, string] {
	return func(yield func(*mcpconfig.Server, string) bool) {
		for _, f := range p.View.Configs() {
			clients := f.Format.Clients
			if len(clients) == 0 {
				clients = []string{""}
			}
			for _, client := range clients {
				for _, s := range f.Servers {
					if !yield(s, client) {
						return
					}
				}
			}
		}
	}
}

// projectOf returns the folder that the path of the file's format is relative to.
func projectOf(f *mcpconfig.File) string {
	dir := path.Dir(f.Doc.Path)
	for range strings.Count(f.Format.Path, "/") {
		dir = path.Join(dir, "..")
	}
	return dir
}

// launchOf returns a text that is the same for entries that start or reach one server in one way.
func launchOf(s *mcpconfig.Server) string {
	var b strings.Builder
	for _, x := range s.Texts() {
		fmt.Fprintf(&b, "%d %q %q\n", x.Role, x.Name, x.Text)
	}
	return b.String()
}

var mcpUnknownServer = &lint.Rule{
	Name: "mcp-config/unknown-server", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A list of servers in Claude Code's settings names one that the project's .mcp.json does not define.",
		Why:  "The entry has no effect, and one unknown name can void the whole list (anthropics/claude-code#58874).",
		Bad:  mcpExample(goodRemote) + "-- .claude/settings.json --\n{\"enabledMcpjsonServers\": [\"doc\"]}\n",
		Good: mcpExample(goodRemote) + "-- .claude/settings.json --\n{\"enabledMcpjsonServers\": [\"docs\"]}\n",
	},
	Run: func(p *lint.Pass) {
		for _, f := range p.View.Configs() {
			for _, key := range []string{"enabledMcpjsonServers", "disabledMcpjsonServers"} {
				if list := f.Root.Get(key); list.Is(mcpconfig.Array) && len(f.Format.Extra) > 0 {
					reportUnknown(p, f, key, list)
				}
			}
		}
	},
}

func reportUnknown(p *lint.Pass, settings *mcpconfig.File, key string, list *mcpconfig.Node) {
	i := slices.IndexFunc(p.View.Configs(), func(f *mcpconfig.File) bool {
		return f.Doc.Path == path.Join(projectOf(settings), ".mcp.json") && !f.Broken()
	})
	if i < 0 {
		return
	}
	var known []string
	for _, s := range p.View.Configs()[i].Servers {
		known = append(known, s.Name)
	}
	for _, item := range list.Items {
		if item.Is(mcpconfig.String) && !slices.Contains(known, item.Text) {
			p.Report(lint.Finding{
				File: settings.Doc.Path, Span: item.Span, Server: item.Text,
				Message: fmt.Sprintf("%s names the server %q, which .mcp.json does not define%s", key, item.Text, lint.Suggest(item.Text, known)),
				Clients: []string{"claude-code"},
			})
		}
	}
}
