package mcpconfig

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// Form is a way of writing a variable in a configuration.
type Form uint8

const (
	NoForm        Form = iota
	Braces             // ${VAR}
	Default            // ${VAR:-text}
	Dollar             // $VAR
	Percent            // %VAR%, on Windows
	EnvForm            // ${env:VAR}
	InputForm          // ${input:id}
	WorkspaceForm      // ${workspaceFolder}, ${workspaceFolder:name}
	UserHome           // ${userHome}
	DefaultPaths       // ${workspaceFolderBasename}, ${pathSeparator}, ${/}
	ConfigForm         // ${config:setting}
	CommandForm        // ${command:id}
	FileForm           // ${file:/path}
	BareEnv            // {env:VAR}
	BareFile           // {file:path}
	ExtensionForm      // ${extensionPath}, ${workspacePath}, of Gemini CLI's extensions
	PluginForm         // ${CLAUDE_PLUGIN_ROOT}: put in by Claude Code whatever the environment holds
)

// Variable is a variable in a text.
type Variable struct {
	Form       Form
	Name       string // of the environment variable, the input or the setting
	Default    bool   // has a text to use when the variable is not set
	Start, End int    // bytes of the text
}

// UsesEnv reports whether the form takes its value from the environment.
func (f Form) UsesEnv() bool {
	return slices.Contains([]Form{Braces, Default, Dollar, Percent, EnvForm, BareEnv}, f)
}

var variablePattern = lazyregexp.New(
	`\$\{[^{}$\n]*\}` + // braces; a default may hold anything but a further variable
		`|\{(?:env|file):[^{}\n]*\}` +
		`|\$[A-Za-z_][A-Za-z0-9_]*` +
		`|%[A-Za-z_][A-Za-z0-9_]*%`)

// named gives the forms that stand for one thing.
var named = map[string]Form{
	"userHome": UserHome, "workspaceFolder": WorkspaceForm, "workspaceFolderBasename": DefaultPaths, "workspaceRoot": WorkspaceForm,
	"pathSeparator": DefaultPaths, "/": DefaultPaths, "extensionPath": ExtensionForm, "workspacePath": ExtensionForm,
	"CLAUDE_PLUGIN_ROOT": PluginForm, "CLAUDE_PLUGIN_DATA": PluginForm, "file": DefaultPaths, "fileDirname": DefaultPaths, "cwd": DefaultPaths,
}

// prefixed gives the forms that a word before a colon stands for.
var prefixed = map[string]Form{
	"env": EnvForm, "input": InputForm, "config": ConfigForm, "command": CommandForm, "file": FileForm, "workspaceFolder": WorkspaceForm,
}

// Variables returns the variables in a text, whichever client understands them, in their order.
func Variables(s string) []Variable {
	var out []Variable
	for _, at := range variablePattern.FindAllStringIndex(s, -1) {
		if v := variable(s[at[0]:at[1]]); v.Form != NoForm {
			v.Start, v.End = at[0], at[1]
			out = append(out, v)
		}
	}
	return out
}

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func variable(s string) Variable {
	switch {
	case s[0] == '%':
		return Variable{Form: Percent, Name: strings.Trim(s, "%")}
	case s[0] == '{':
		kind, name, _ := strings.Cut(s[1:len(s)-1], ":")
		if kind == "file" {
			return Variable{Form: BareFile, Name: name}
		}
		return Variable{Form: BareEnv, Name: name}
	case !strings.HasPrefix(s, "${"):
		return Variable{Form: Dollar, Name: s[1:]}
	}
	return braced(s[2 : len(s)-1])
}

// braced reads what stands between "${" and "}".
func braced(s string) Variable {
	if form := named[s]; form != NoForm {
		return Variable{Form: form, Name: s}
	}
	name, rest, colon := strings.Cut(s, ":")
	switch {
	case !colon && envName.MatchString(name):
		return Variable{Form: Braces, Name: name}
	case strings.HasPrefix(rest, "-") && envName.MatchString(name):
		return Variable{Form: Default, Name: name, Default: true}
	case colon && prefixed[name] != NoForm:
		return Variable{Form: prefixed[name], Name: rest}
	}
	return Variable{}
}

// Expands reports whether the client puts in variables of a form.
func (c *Client) Expands(form Form) bool { return slices.Contains(c.Forms, form) }

// Native returns how the client writes a variable of the environment, or "" when it knows none.
func (c *Client) Native(name string) string {
	for _, f := range c.Forms {
		switch f {
		case Braces:
			return "${" + name + "}"
		case EnvForm:
			return "${env:" + name + "}"
		case BareEnv:
			return "{env:" + name + "}"
		}
	}
	return ""
}

// ProjectVariable returns how the client writes the folder of the project, or "" when it knows no variable for it.
func (c *Client) ProjectVariable() string {
	switch {
	case c.Expands(WorkspaceForm):
		return "${workspaceFolder}"
	case c.Name == "claude-code": // it sets the variable for the server alone, so that the default is what counts
		return "${CLAUDE_PROJECT_DIR:-.}"
	}
	return ""
}

// HomeVariable returns how the client writes the user's own folder, or "" when it knows no variable for it.
func (c *Client) HomeVariable() string {
	if c.Expands(UserHome) {
		return "${userHome}"
	}
	return c.Native("HOME")
}
