package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

// mcpConfigRules returns the rules about MCP configurations, by name.
func mcpConfigRules() []*lint.Rule {
	return []*lint.Rule{
		mcpBroadTrust,
		mcpCmdWrapper,
		mcpCommandAndURL,
		mcpCommandLine,
		mcpComment,
		mcpDockerEnv,
		mcpDockerPrivileges,
		mcpDockerRemove,
		mcpDockerStdin,
		mcpDuplicateKey,
		mcpDuplicateName,
		mcpEmptyEnv,
		mcpEncoding,
		mcpForeignVariable,
		mcpHeadersHelper,
		mcpInlineCode,
		mcpLiteralCredential,
		mcpLoaderEnv,
		mcpMachinePath,
		mcpMissingWrapper,
		mcpName,
		mcpNoCommand,
		mcpNoProgram,
		mcpNpxYes,
		mcpOtherTransportKey,
		mcpOuterSpace,
		mcpPlaceholder,
		mcpPlainHTTP,
		mcpRelativePath,
		mcpRootKey,
		mcpSameServer,
		mcpShadowed,
		mcpShape,
		mcpShellSyntax,
		mcpSimilarName,
		mcpSSE,
		mcpSyntax,
		mcpTilde,
		mcpTimeout,
		mcpToolLists,
		mcpToolPatternInSettings,
		mcpTrailingComma,
		mcpType,
		mcpUndeclaredInput,
		mcpUnknownKey,
		mcpUnknownServer,
		mcpUnpinned,
		mcpUnsetVariable,
		mcpUnusedInput,
		mcpURL,
		mcpURLPath,
		mcpURLWithoutType,
		mcpWritable,
		mcpWrongPlace,
	}
}

// mcpExample writes a .mcp.json with one server, for the pages.
func mcpExample(entry string) string {
	return "-- .mcp.json --\n" + mcpServersJSON(`"docs": {`+entry+`}`)
}

func mcpServersJSON(servers string) string {
	return "{\n  \"mcpServers\": {\n    " + servers + "\n  }\n}\n"
}

const (
	goodStdio  = `"command": "npx", "args": ["-y", "docs-mcp@1.2.3"]`
	goodRemote = `"type": "http", "url": "https://docs.example/mcp"`
)

// mcpJudgesKey is the key of what mcpJudges works out once for a file.
type mcpJudgesKey struct{}

// mcpJudges returns the clients that the servers are judged by: of those that read the file the ones that the user named,
// or all of them when nobody was named. Clients that were named and read other files judge as if this one were theirs,
// when none reads it; several that differ do not when nobody is known to read the file.
func mcpJudges(p *lint.Pass) []*mcpconfig.Client {
	return lint.Shared(p, mcpJudgesKey{}, func(p *lint.Pass) []*mcpconfig.Client {
		var readers, others []*mcpconfig.Client
		for _, name := range p.Clients {
			c := mcpconfig.ClientByName(name)
			switch {
			case c == nil:
			case slices.Contains(p.Config.Format.Clients, c.Name):
				readers = append(readers, c)
			default:
				others = append(others, c)
			}
		}
		switch {
		case len(readers) > 0:
			return readers
		case len(others) == 1 || len(p.Config.Format.Clients) > 0 && len(others) > 0:
			return others
		}
		return p.Config.Clients()
	})
}

// blamed returns the judges for which a condition holds.
func blamed(p *lint.Pass, holds func(*mcpconfig.Client) bool) []*mcpconfig.Client {
	return slices.DeleteFunc(slices.Clone(mcpJudges(p)), func(c *mcpconfig.Client) bool { return !holds(c) })
}

// labels joins the names of clients for people.
func labels(clients []*mcpconfig.Client) string {
	var out []string
	for _, c := range clients {
		out = append(out, c.Label)
	}
	return joinAnd(out)
}

func joinAnd(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// verb returns the verb for one client or several.
func verb(clients []*mcpconfig.Client, one, many string) string {
	if len(clients) == 1 {
		return one
	}
	return many
}

func clientNames(clients []*mcpconfig.Client) []string {
	var out []string
	for _, c := range clients {
		out = append(out, c.Name)
	}
	return out
}

// inServer puts the server into a finding.
func inServer(s *mcpconfig.Server, f lint.Finding) lint.Finding {
	f.Server = s.Name
	return f
}

// eachServer runs visit over the servers of the configuration.
func eachServer(visit func(*lint.Pass, *mcpconfig.Server)) func(*lint.Pass) {
	return func(p *lint.Pass) {
		for _, s := range p.Config.Servers {
			visit(p, s)
		}
	}
}

// eachText runs visit over the texts by which servers are started or reached.
func eachText(visit func(*lint.Pass, *mcpconfig.Server, mcpconfig.Text)) func(*lint.Pass) {
	return eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		for _, x := range s.Texts() {
			visit(p, s, x)
		}
	})
}

// placeOf names the place of a text.
func placeOf(x mcpconfig.Text) string {
	switch x.Role {
	case mcpconfig.Command:
		return "the command"
	case mcpconfig.Args:
		return "an argument"
	case mcpconfig.URL:
		return "the URL"
	case mcpconfig.Cwd:
		return "the working directory"
	case mcpconfig.Env:
		return "the variable " + x.Name
	}
	return "the header " + x.Name
}

// isJSON reports whether the configuration is written in some form of JSON.
func isJSON(f *mcpconfig.File) bool {
	return f.Format.Syntax != mcpconfig.TOML && f.Format.Syntax != mcpconfig.YAML
}

// setValue offers to write another text as a value.
func setValue(n *mcpconfig.Node, to, title string, safe bool) []lint.Fix {
	return []lint.Fix{{Title: title, Safe: safe, Edits: []lint.Edit{lint.Replace(n.Span, mcpconfig.Quote(to))}}}
}

// renameMember offers to write a key in another way. Only JSON has each key at one place.
func renameMember(p *lint.Pass, m *mcpconfig.Member, to string, safe bool) []lint.Fix {
	if !isJSON(p.Config) {
		return nil
	}
	return []lint.Fix{{
		Title: fmt.Sprintf("rename the key to %s", to), Safe: safe, Edits: []lint.Edit{lint.Replace(m.Key, mcpconfig.Quote(to))},
	}}
}

// insertBefore offers to put a new member before one of an object.
func insertBefore(p *lint.Pass, m *mcpconfig.Member, name, value string, safe bool) []lint.Fix {
	if !isJSON(p.Config) {
		return nil
	}
	return []lint.Fix{{
		Title: "add " + mcpconfig.Quote(name) + ": " + value, Safe: safe,
		Edits: []lint.Edit{lint.Insert(m.Key.Start, mcpconfig.Quote(name)+": "+value+","+gap(p.Text(), m.Key.Start))},
	}}
}

// gap returns the white space that stands before an offset: what separates the members of an object.
func gap(src string, at int) string {
	start := len(strings.TrimRight(src[:at], " \t\r\n"))
	if start == at {
		return " "
	}
	return src[start:at]
}

// mcpLine returns the line of an offset, counted from 1.
func mcpLine(p *lint.Pass, at int) int { return p.Doc().Lines().OffsetLine(at) + 1 }
