package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var mcpForeignVariable = &lint.Rule{
	Name: "mcp-config/foreign-variable", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "A variable is written in the syntax of another client.",
		Why: "The client passes on the characters as they are: the server gets `${env:TOKEN}` for a token. Claude Code knows ${VAR} and ${VAR:-text}, VS Code and Cursor ${env:VAR}, " +
			"OpenCode {env:VAR}, Gemini CLI $VAR too; Codex and Claude Desktop put in nothing.",
		Bad:  mcpExample(goodStdio + `, "env": {"LEVEL": "${env:DEMO_SET}"}`),
		Good: mcpExample(goodStdio + `, "env": {"LEVEL": "${DEMO_SET}"}`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		clients := mcpJudges(p)
		if len(clients) == 0 || isScript(s, x) {
			return
		}
		for _, v := range mcpconfig.Variables(x.Text) {
			if !certainlyVariable(x, v) || slices.ContainsFunc(clients, func(c *mcpconfig.Client) bool { return c.Expands(v.Form) || len(c.Forms) == 0 && !c.Literal }) {
				continue
			}
			p.Report(inServer(s, lint.Finding{
				Span: x.Part(v.Start, v.End),
				Message: fmt.Sprintf("%s is the variable syntax of another client: %s %s it on as it stands",
					shownVariable(x, v), labels(clients), verb(clients, "passes", "pass")),
				Help:    nativeHelp(v, clients[0]),
				Clients: clientNames(clients),
				Fixes:   nativeFix(x, v, clients[0]),
			}))
		}
	}),
}

// shownVariable returns a variable as it is written. A default may be a secret.
func shownVariable(x mcpconfig.Text, v mcpconfig.Variable) string {
	if v.Default {
		return "${" + v.Name + ":-…}"
	}
	return x.Text[v.Start:v.End]
}

// isScript reports whether a text is code for a shell, which has variables of its own.
func isScript(s *mcpconfig.Server, x mcpconfig.Text) bool {
	return x.Role == mcpconfig.Args && slices.Contains(mcpShells, s.Program())
}

var upperName = lazyregexp.New(`^[A-Z][A-Z0-9_]{3,}$`)

// certainlyVariable reports whether a variable is surely meant as one: a dollar or a per cent sign may stand in a password or
// an address.
func certainlyVariable(x mcpconfig.Text, v mcpconfig.Variable) bool {
	switch v.Form {
	case mcpconfig.Dollar, mcpconfig.Percent:
		alone := v.Start == 0 && v.End == len(x.Text) && strings.ToUpper(v.Name) == v.Name
		return alone || upperName.MatchString(v.Name)
	case mcpconfig.PluginForm, mcpconfig.ExtensionForm:
		return false // their clients put them in whatever file stands there
	}
	return true
}

func nativeHelp(v mcpconfig.Variable, c *mcpconfig.Client) string {
	switch {
	case v.Form == mcpconfig.WorkspaceForm && c.ProjectVariable() != "":
		return "write " + c.ProjectVariable()
	case v.Form.UsesEnv() && c.Native(v.Name) != "":
		return "write " + c.Native(v.Name)
	case c.Literal:
		return c.Label + " puts in no variables; leave the value to the environment of the server"
	}
	return "write the value, or a variable that " + c.Label + " knows"
}

func nativeFix(x mcpconfig.Text, v mcpconfig.Variable, c *mcpconfig.Client) []lint.Fix {
	to, safe := "", true
	switch {
	case v.Form == mcpconfig.WorkspaceForm && v.Name == "workspaceFolder":
		to, safe = c.ProjectVariable(), false
	case v.Form.UsesEnv() && !v.Default:
		to = c.Native(v.Name)
	}
	if to == "" || !x.Verbatim() {
		return nil
	}
	return []lint.Fix{{Title: "write " + to, Safe: safe, Edits: []lint.Edit{lint.Replace(x.Part(v.Start, v.End), to)}}}
}

var mcpUnsetVariable = &lint.Rule{
	Name: "mcp-config/unset-variable", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A variable is not set in the environment and has no default.",
		Why: "Claude Code then sends the text `${VAR}` itself, Gemini CLI nothing: the server answers 401 and nobody knows why. " +
			"What is set differs by machine; only names are looked up, never values.",
		Bad:  mcpExample(goodStdio + `, "env": {"LEVEL": "${DEMO_UNSET}"}`),
		Good: mcpExample(goodStdio + `, "env": {"LEVEL": "${DEMO_UNSET:-1}"}`),
	},
	Run: func(p *lint.Pass) {
		seen := map[string]bool{}
		for _, s := range p.Config.Servers {
			if s.Disabled() {
				continue
			}
			for _, x := range s.Texts() {
				for _, v := range mcpconfig.Variables(x.Text) {
					if f, ok := unset(p, s, x, v); ok && !seen[v.Name] {
						seen[v.Name] = true
						p.Report(inServer(s, f))
					}
				}
			}
		}
	},
}

// unset says that a variable is not set, if the judges would put it in.
func unset(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text, v mcpconfig.Variable) (lint.Finding, bool) {
	clients := blamed(p, func(c *mcpconfig.Client) bool { return c.Expands(v.Form) })
	if len(clients) == 0 || !v.Form.UsesEnv() || !certainlyVariable(x, v) || v.Default || isScript(s, x) || p.View.HasEnv(v.Name) {
		return lint.Finding{}, false
	}
	f := lint.Finding{
		Span:    x.Part(v.Start, v.End),
		Message: fmt.Sprintf("the environment variable %s in %s is not set: %s", v.Name, placeOf(x), unsetEffect(clients[0])),
		Help:    fmt.Sprintf("set %s where the client is started", v.Name),
		Clients: clientNames(clients),
	}
	if p.Config.Place.Plugin {
		f.Severity = lint.Info // whoever installs the plugin sets it
	}
	if clients[0].Expands(mcpconfig.Default) {
		f.Help += fmt.Sprintf(", or give a default: ${%s:-…}", v.Name)
	}
	return f, true
}

func unsetEffect(c *mcpconfig.Client) string {
	if c.Name == "claude-code" {
		return c.Label + " uses the text as it stands"
	}
	return "the server gets no value from " + c.Label
}

const inputHead = "-- .vscode/mcp.json --\n{\n  \"inputs\": [\n    {\"id\": \"key\", \"type\": \"promptString\", \"description\": \"API key\", \"password\": true}\n  ],\n  \"servers\": {\n    \"docs\": {"

var mcpUndeclaredInput = &lint.Rule{
	Name: "mcp-config/undeclared-input", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "${input:…} names an input that the file does not declare.",
		Why:  "VS Code asks for what stands in `inputs`; for another id it has nothing to ask, and the server does not start.",
		Bad:  inputHead + goodStdio + `, "env": {"KEY": "${input:key}", "MORE": "${input:other}"}}` + "\n  }\n}\n",
		Good: inputHead + goodStdio + `, "env": {"KEY": "${input:key}"}}` + "\n  }\n}\n",
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		asks := blamed(p, func(c *mcpconfig.Client) bool { return c.Expands(mcpconfig.InputForm) })
		for _, v := range mcpconfig.Variables(x.Text) {
			if v.Form != mcpconfig.InputForm || len(asks) == 0 || slices.Contains(inputIDs(p), v.Name) {
				continue
			}
			p.Report(inServer(s, lint.Finding{
				Span:    x.Part(v.Start, v.End),
				Message: fmt.Sprintf("the input %s is not declared: %s has nothing to ask for%s", v.Name, labels(asks), lint.Suggest(v.Name, inputIDs(p))),
				Help:    fmt.Sprintf("add an entry with the id %s to inputs", v.Name),
				Clients: clientNames(asks),
			}))
		}
	}),
}

func inputIDs(p *lint.Pass) []string {
	var out []string
	for _, in := range p.Config.Inputs {
		out = append(out, in.ID)
	}
	return out
}

var mcpUnusedInput = &lint.Rule{
	Name: "mcp-config/unused-input", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "An input is declared and no server uses it.",
		Why:  "It is never asked for; mostly a server was deleted, or the value stands in it as plain text.",
		Bad:  inputHead + goodStdio + "}\n  }\n}\n",
		Good: inputHead + goodStdio + `, "env": {"KEY": "${input:key}"}}` + "\n  }\n}\n",
	},
	Run: func(p *lint.Pass) {
		used := map[string]bool{}
		for _, s := range p.Config.Servers {
			for _, x := range s.Texts() {
				for _, v := range mcpconfig.Variables(x.Text) {
					used[v.Name] = used[v.Name] || v.Form == mcpconfig.InputForm
				}
			}
		}
		for _, in := range p.Config.Inputs {
			if !used[in.ID] {
				p.Report(lint.Finding{Span: in.Node.Span, Message: fmt.Sprintf("the input %s is declared, but no server uses it", in.ID), Help: "delete it, or use it"})
			}
		}
	},
}
