package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/text"
)

// launchers are programs that are given another program, a script or a package to run. A blank in a command is
// fine elsewhere: "C:\Program Files\nodejs\node.exe" is one path.
var launchers = []string{
	"npx", "npm", "node", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "tsx", "uv", "uvx", "python", "python3", "py", "pipx", "docker", "podman",
	"sh", "bash", "zsh", "cmd", "powershell", "pwsh", "go", "cargo", "ruby", "java", "dotnet", "php", "env", "poetry", "mise", "nix",
}

var mcpCommandLine = &lint.Rule{
	Name: "mcp-config/command-line", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "The command holds a whole command line.",
		Why:  "Clients start the program of exactly that name, blanks included; there is none, and the server fails with ENOENT. Arguments belong into `args`.",
		Bad:  mcpExample(`"command": "npx -y docs-mcp@1.2.3"`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if !isLine(s) || takesLine(p, s) {
			return
		}
		words, sure := commandWords(s.Command.Text)
		p.Report(inServer(s, lint.Finding{
			Span:    s.Command.Span,
			Message: fmt.Sprintf("the command holds arguments: clients look for a program that is called %q and all that follows", words[0]),
			Help:    fmt.Sprintf("write the command %s and put the rest into args", words[0]),
			Fixes:   splitFix(p, s, words, sure),
		}))
	}),
}

// isLine reports whether the command is a launcher with what it is to launch, or any program with an option.
func isLine(s *mcpconfig.Server) bool {
	if !s.Command.Is(mcpconfig.String) {
		return false
	}
	words, _ := commandWords(s.Command.Text)
	return len(words) > 1 && (slices.Contains(launchers, mcpconfig.ProgramName(words[0])) || slices.ContainsFunc(words[1:], option.MatchString))
}

// option is a word that no name of a file begins with, even where the name holds blanks.
var option = lazyregexp.New(`^--?[A-Za-z]`)

// takesLine reports whether the command is OpenCode's own kind of mistake, a text in place of a list, which has a
// rule of its own.
func takesLine(p *lint.Pass, s *mcpconfig.Server) bool {
	m := s.Field(mcpconfig.Command)
	return m != nil && m.Value == s.Command && len(blamed(p, func(c *mcpconfig.Client) bool { return c.Name == "opencode" })) > 0
}

// commandWords splits a command line at blanks, and reports whether that is all there is to it: no quotes, escapes
// or anything that a shell would look at.
func commandWords(s string) (words []string, sure bool) {
	return strings.Fields(s), !strings.ContainsAny(s, "\"'\\`$;&|<>*?")
}

// splitFix offers to move the words behind the first to the arguments.
func splitFix(p *lint.Pass, s *mcpconfig.Server, words []string, sure bool) []lint.Fix {
	m, args := s.Field(mcpconfig.Command), s.Field(mcpconfig.Args)
	fix := lint.Fix{Title: "put the arguments into args", Safe: sure}
	if !isJSON(p.Config) || m == nil || !s.Command.Verbatim() {
		return nil
	}
	switch {
	case m.Value.Kind == mcpconfig.Array:
		fix.Edits = splitEdits(s.Command, `", "`)
	case args == nil:
		fix.Edits = append(splitEdits(s.Command, `",`+gap(p.Text(), m.Key.Start)+`"args": ["`), lint.Insert(s.Command.Span.End, "]"))
	case args.Value.Kind == mcpconfig.Array && !holdsSecret(s.Command):
		items := quoteAll(words[1:])
		if len(args.Value.Items) > 0 {
			items += ", "
		}
		fix.Edits = []lint.Edit{lint.Replace(m.Value.Span, mcpconfig.Quote(words[0])), lint.Insert(args.Value.Span.Start+1, items)}
	default:
		return nil
	}
	return []lint.Fix{fix}
}

// splitEdits puts quotes and commas between the words of a text, behind the first word something else. The words
// stay where they are: they may hold a secret, which no report may repeat.
func splitEdits(n *mcpconfig.Node, first string) []lint.Edit {
	var out []lint.Edit
	between := first
	for _, at := range blanks.FindAllStringIndex(n.Text, -1) {
		switch {
		case at[0] == 0 || at[1] == len(n.Text):
			out = append(out, lint.Delete(n.Part(at[0], at[1])))
		default:
			out = append(out, lint.Replace(n.Part(at[0], at[1]), between))
			between = `", "`
		}
	}
	return out
}

var blanks = lazyregexp.New(`\s+`)

func holdsSecret(n *mcpconfig.Node) bool {
	_, found := findSecret(mcpconfig.Text{Node: n, Role: mcpconfig.Args}, "")
	return found
}

var mcpShells = []string{"sh", "bash", "zsh", "dash", "fish", "cmd", "powershell", "pwsh"}

var mcpShellSyntax = &lint.Rule{
	Name: "mcp-config/shell-syntax", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "An argument is an operator of the shell, and no shell is there.",
		Why:  "Clients start the program directly: `&&`, `|` and `>` reach it as plain arguments.",
		Bad:  mcpExample(`"command": "docs-index", "args": ["--all", "&&", "docs-mcp"]`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if slices.Contains(mcpShells, s.Program()) {
			return
		}
		for _, a := range s.Args {
			f := lint.Finding{Span: a.Span, Help: "put the line into a script and start that"}
			if shellOperator.MatchString(a.Text) {
				f.Message = fmt.Sprintf("the argument %s is an operator of the shell: no shell is there, the program gets it as it stands", a.Text)
			} else if at := substitution.FindStringIndex(a.Text); at != nil {
				f.Span = a.Part(at[0], at[1])
				f.Message = "the argument has a command for the shell to run: no shell is there, the program gets it as it stands"
			} else {
				continue
			}
			p.Report(inServer(s, f))
			return
		}
	}),
}

// shellOperator is an argument that only a shell has a use for: an operator, or a redirection with its file.
var shellOperator = lazyregexp.New(`^(?:(?:&&|\|\|?|;|&)$|(?:[0-9&]?>>?|<)(?:$|&[0-9]$|\s*[\w./~$-]+$))`)

// substitution is a command whose output a shell puts in.
var substitution = lazyregexp.New("\\$\\([^()]+\\)|^`[^`]+`$")

var mcpInlineCode = &lint.Rule{
	Name: "mcp-config/inline-code", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "The arguments hold code that an interpreter or a shell runs.",
		Why:  "A list of allowed programs that lets the interpreter pass lets everything pass (CVE-2026-30625 for `npx -c`), and code in one line is hard to review.",
		Bad:  mcpExample(`"command": "sh", "args": ["-c", "exec docs-mcp"]`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		program, _, args := s.Launched()
		flags := codeFlags[program]
		for i, a := range args {
			switch {
			case i+1 < len(args) && slices.ContainsFunc(flags, func(f string) bool { return strings.EqualFold(f, a.Text) }):
				p.Report(inServer(s, lint.Finding{
					Span: a.Span, Message: fmt.Sprintf("%s %s runs code that stands in the configuration", program, a.Text),
					Help: "put the code into a file, or start the program itself",
				}))
				return
			case !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "/"):
				return
			}
		}
	}),
}

// codeFlags are the options by which programs run code from the next argument.
var codeFlags = map[string][]string{
	"sh": {"-c", "-lc"}, "bash": {"-c", "-lc"}, "zsh": {"-c", "-lc"}, "dash": {"-c"}, "fish": {"-c"}, "powershell": {"-Command", "-c"}, "pwsh": {"-Command", "-c"},
	"python": {"-c"}, "python3": {"-c"}, "node": {"-e", "--eval", "-p"}, "ruby": {"-e"}, "perl": {"-e"}, "npx": {"-c", "--call"}, "bun": {"-e"}, "deno": {"eval"},
	"cmd": {"/c"}, // of one program and its arguments mcp-config/cmd-wrapper speaks
}

var mcpCmdWrapper = &lint.Rule{
	Name: "mcp-config/cmd-wrapper", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "The command runs on Windows only, or, in an entry with Windows paths, everywhere but there.",
		Why:  "`cmd` is not there on macOS and Linux. On Windows npx, uvx and the like are scripts (`npx.cmd`), which some clients can only start through `cmd /c` (cline/cline#902).",
		Bad:  mcpExample(`"command": "cmd", "args": ["/c", "npx", "-y", "docs-mcp@1.2.3"]`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		switch {
		case s.Program() == "cmd" && p.Config.Shared() && p.Config.Scope() == mcpconfig.Project:
			p.Report(inServer(s, lint.Finding{
				Span: s.Command.Span, Message: "cmd is there on Windows only: the server does not start on other systems",
				Help: "name the program itself, if your client starts it without cmd",
			}))
		case slices.Contains([]string{"npx", "npm", "pnpm", "yarn"}, s.Program()) && !strings.HasSuffix(s.Command.Text, ".cmd") && slices.ContainsFunc(s.Args, isWindowsPath):
			p.Report(inServer(s, lint.Finding{
				Span:    s.Command.Span,
				Message: fmt.Sprintf("on Windows %s is a script: clients that start programs without a shell do not find it", s.Program()),
				Help:    fmt.Sprintf(`write "command": "cmd" and "args": ["/c", %q, …]`, s.Program()),
			}))
		}
	}),
}

var windowsPath = lazyregexp.New(`^[A-Za-z]:[\\/]`)

func isWindowsPath(n *mcpconfig.Node) bool { return windowsPath.MatchString(n.Text) }

var mcpNpxYes = &lint.Rule{
	Name: "mcp-config/npx-yes", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "npx is started without -y.",
		Why:  "npx asks before it installs a package. Without a terminal, as under most clients, it goes on by itself; one that gives it a terminal waits for ever.",
		Bad:  mcpExample(`"command": "npx", "args": ["docs-mcp@1.2.3"]`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		yes := func(n *mcpconfig.Node) bool {
			return slices.Contains([]string{"-y", "--yes", "--no-install", "--no", "-c", "--call"}, n.Text)
		}
		program, at, args := s.Launched()
		if program != "npx" || len(args) == 0 || slices.ContainsFunc(args, yes) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: at.Span, Message: "npx without -y may ask before it installs the package, where nobody can answer",
			Help:  "add -y",
			Fixes: []lint.Fix{{Title: "add -y", Safe: true, Edits: []lint.Edit{lint.Insert(args[0].Span.Start, `"-y", `)}}},
		}))
	}),
}

var mcpUnpinned = &lint.Rule{
	Name: "mcp-config/unpinned", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A package or image is started without its version.",
		Why:  "Each start may run other code than the one that was reviewed: postmark-mcp turned malicious in an update (1.0.16, September 2025).",
		Bad:  mcpExample(`"command": "npx", "args": ["-y", "docs-mcp"]`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		program, n := packageOf(s)
		if n == nil || len(mcpconfig.Variables(n.Text)) > 0 || pinned(program, n.Text) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: n.Span, Message: fmt.Sprintf("%s is given no fixed version: each start may run other code", program),
			Help: "add the version that was reviewed",
		}))
	}),
}

// runners are programs that fetch a package and run it, with the words that have to stand before its name.
var runners = []struct {
	program string
	words   []string
}{
	{"npx", nil},
	{"bunx", nil},
	{"pnpx", nil},
	{"uvx", nil},
	{"npm", []string{"exec"}},
	{"npm", []string{"x"}},
	{"pnpm", []string{"dlx"}},
	{"yarn", []string{"dlx"}},
	{"bun", []string{"x"}},
	{"uv", []string{"tool", "run"}},
	{"pipx", []string{"run"}},
}

// packageOf returns the launcher of a package or an image, and the argument that names what it runs, nil when there is
// none.
func packageOf(s *mcpconfig.Server) (program string, name *mcpconfig.Node) {
	program, _, args := s.Launched()
	if _, args, image := dockerRun(s); image >= 0 {
		return program, args[image]
	}
	for _, r := range runners {
		if r.program == program && len(args) > len(r.words) && slices.Equal(textsOf(args[:len(r.words)]), r.words) {
			return program, firstWord(args[len(r.words):], []string{"--with", "--python", "--registry", "--index-url", "--cache", "-c", "--call"})
		}
	}
	return program, nil
}

// firstWord returns the package that an option names, else the first argument that is no option.
func firstWord(args []*mcpconfig.Node, options []string) *mcpconfig.Node {
	for i := 0; i < len(args); i++ {
		switch {
		case slices.Contains([]string{"--from", "--spec", "-p", "--package"}, args[i].Text) && i+1 < len(args):
			return args[i+1]
		case slices.Contains(options, args[i].Text):
			i++
		case !strings.HasPrefix(args[i].Text, "-"):
			return args[i]
		}
	}
	return nil
}

// pinned reports whether the name of a package or image says which version it is, or is no published one.
func pinned(program, name string) bool {
	switch {
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || windowsPath.MatchString(name):
		return true
	case program == "docker" || program == "podman":
		_, tag, ok := strings.Cut(path.Base(name), ":")
		return strings.Contains(name, "@sha256:") || ok && tag != "latest"
	case strings.Contains(name, "git+") || strings.HasPrefix(name, "github:"):
		return commitPattern.MatchString(name)
	}
	_, version, ok := strings.Cut(strings.TrimPrefix(name, "@"), "@")
	return ok && version != "latest" || strings.Contains(name, "==")
}

var commitPattern = lazyregexp.New(`[@#][0-9a-f]{7,40}\b`)

var mcpRelativePath = &lint.Rule{
	Name: "mcp-config/relative-path", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A path is relative.",
		Why: "It counts from the folder the client was started in, not from that of the file. In a project that is mostly its root; " +
			"in a user's own configuration it is a different folder each time.",
		Bad:  mcpExample(`"command": "node", "args": ["./server.js"]`),
		Good: mcpExample(`"command": "node", "args": ["${CLAUDE_PROJECT_DIR:-.}/server.js"]`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		if s.Cwd != nil || !isRelative(s, x) {
			return
		}
		f := lint.Finding{
			Span: x.Span, Message: fmt.Sprintf("the path %s counts from the folder the client was started in", x.Text),
			Help: "write it in full, or from a variable for the project's folder",
		}
		if plain, ok := strings.CutPrefix(strings.ReplaceAll(x.Text, `\`, "/"), "./"); p.Config.Scope() == mcpconfig.Project && (ok || !strings.HasPrefix(x.Text, ".")) {
			f.Fixes = fromVariable(p, x, x.Part(0, len(x.Text)-len(plain)), (*mcpconfig.Client).ProjectVariable)
		}
		if p.Config.Scope() == mcpconfig.User && p.Config.Place.Named {
			f.Severity = lint.Warning
		}
		p.Report(inServer(s, f))
	}),
}

// fromVariable offers to let a path begin with a variable for a folder, in place of what stands there. All who judge have to
// know the variable.
func fromVariable(p *lint.Pass, x mcpconfig.Text, at text.Span, variable func(*mcpconfig.Client) string) []lint.Fix {
	to := ""
	for i, c := range mcpJudges(p) {
		if v := variable(c); v == "" || i > 0 && v != to {
			return nil
		}
		to = variable(c)
	}
	if to == "" || !x.Verbatim() {
		return nil
	}
	return []lint.Fix{{Title: "begin it with " + to, Edits: []lint.Edit{lint.Replace(at, to+"/")}}}
}

// isRelative reports whether a text is certainly a relative path: it begins as one, it is the command with folders before
// it, or the script that an interpreter is given.
func isRelative(s *mcpconfig.Server, x mcpconfig.Text) bool {
	switch {
	case x.Role != mcpconfig.Command && x.Role != mcpconfig.Args:
		return false
	case strings.HasPrefix(x.Text, "./") || strings.HasPrefix(x.Text, "../") || strings.HasPrefix(x.Text, `.\`) || strings.HasPrefix(x.Text, `..\`):
		return true
	case x.Role == mcpconfig.Command:
		return commandPath.MatchString(x.Text)
	}
	_, _, args := s.Launched()
	return x.Node == firstWord(args, nil) && scriptPath.MatchString(x.Text)
}

var (
	commandPath = lazyregexp.New(`^[\w.-]+(?:[/\\][\w.-]+)+$`)
	scriptPath  = lazyregexp.New(`^[\w.-]+(?:[/\\][\w.-]+)*\.(?:[cm]?[jt]s|py|rb|sh|php|jar)$`)
)

var mcpTilde = &lint.Rule{
	Name: "mcp-config/tilde", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A path begins with ~.",
		Why:  "The shell replaces ~ by the home folder, and no shell is there: no program of that name is found. In arguments and variables some programs replace it themselves.",
		Bad:  mcpExample(`"command": "~/bin/docs-mcp"`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		at := tildePath.FindStringIndex(x.Text)
		if at == nil || isScript(s, x) {
			return
		}
		f := lint.Finding{
			Span: x.Part(at[1]-2, at[1]-1), Message: fmt.Sprintf("~ in %s stays as it is: replacing it is the work of a shell, and none is there", placeOf(x)),
			Help:  "write the path in full, or with a variable such as ${HOME} where the client knows it",
			Fixes: fromVariable(p, x, x.Part(at[1]-2, at[1]), (*mcpconfig.Client).HomeVariable),
		}
		if x.Role != mcpconfig.Command && x.Role != mcpconfig.Cwd {
			f.Severity = lint.Info
		}
		p.Report(inServer(s, f))
	}),
}

// tildePath finds a path in the user's own folder, alone or as the value of an option.
var tildePath = lazyregexp.New(`^(?:--?[\w-]+=)?~[/\\]`)

var mcpOuterSpace = &lint.Rule{
	Name: "mcp-config/outer-space", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "White space stands before or behind a value.",
		Why:  "Nobody sees it and nobody trims it: the program is not found, the token is refused. Claude Code warns of it.",
		Bad:  mcpExample(`"command": "docs-mcp "`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		if m := x.Member; m != nil && strings.TrimSpace(m.Name) != m.Name {
			p.Report(inServer(s, lint.Finding{
				Span: m.Key, Message: fmt.Sprintf("white space stands at an end of the name %q: it is part of the name", m.Name), Help: "delete it",
				Fixes: renameMember(p, m, strings.TrimSpace(m.Name), false),
			}))
		}
		trimmed := strings.TrimSpace(x.Text)
		if trimmed == x.Text || trimmed == "" || x.Role == mcpconfig.Command && isLine(s) || x.Role == mcpconfig.Args && strings.Contains(trimmed, "\n") {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: x.Span, Message: fmt.Sprintf("white space stands at an end of %s: nobody sees it, and it is not trimmed", placeOf(x)),
			Help: "delete it", Fixes: trimFix(x),
		}))
	}),
}

// trimFix offers to delete the white space at the ends. In arguments and variables it may be meant.
func trimFix(x mcpconfig.Text) []lint.Fix {
	if !x.Verbatim() {
		return nil
	}
	left := len(x.Text) - len(strings.TrimLeft(x.Text, " \t"))
	right := len(strings.TrimRight(x.Text, " \t"))
	fix := lint.Fix{Title: "delete the white space", Safe: x.Role == mcpconfig.Command || x.Role == mcpconfig.URL}
	for _, at := range []text.Span{x.Part(0, left), x.Part(right, len(x.Text))} {
		if !at.Empty() {
			fix.Edits = append(fix.Edits, lint.Delete(at))
		}
	}
	return []lint.Fix{fix}
}

var mcpMachinePath = &lint.Rule{
	Name: "mcp-config/machine-path", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A file that others get names a path of one machine.",
		Why:  "The folder is there for its author only; for everybody else the server does not start. 15 of 40 published configurations have one.",
		Bad:  mcpExample(`"command": "/Users/alex/work/docs/.venv/bin/docs-mcp"`),
		Good: mcpExample(`"command": "docs-mcp"`),
	},
	Run: eachText(func(p *lint.Pass, s *mcpconfig.Server, x mcpconfig.Text) {
		if x.Role == mcpconfig.URL || x.Role == mcpconfig.Headers || !p.Config.Shared() || p.Config.Scope() != mcpconfig.Project {
			return
		}
		at := machinePath(x.Text)
		if at.Empty() {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span:    x.Part(at.Start, at.End),
			Message: fmt.Sprintf("the machine-specific path %s in %s is there for one person only: the server does not start for others", at.In(x.Text), placeOf(x)),
			Help:    "name a program on the PATH, or begin with a variable that the client knows",
		}))
	}),
}

// homePattern finds folders of users and drives; the groups are what stands before, and the user's name.
var homePattern = lazyregexp.New(`(^|[^A-Za-z0-9._/~-]|file://)((?:/mnt/[a-z])?/(?:Users|home)/([^/\s"':;,=]+)|[A-Za-z]:[\\/]+(?:[Uu]sers[\\/]+([^\\/\s"':;,]+)|[^\\/\s"':;,]+))[^\s"':;,]*`)

// machinePath returns the span of a path that one machine alone has, or the empty one. Names that stand for a
// user, folders of containers and what Windows itself installs are none.
func machinePath(s string) text.Span {
	for _, m := range homePattern.FindAllStringSubmatchIndex(s, -1) {
		user := ""
		for _, g := range []int{6, 8} {
			if m[g] >= 0 {
				user = s[m[g]:m[g+1]]
			}
		}
		rest := s[m[4]:m[1]]
		if isStandIn(user) || redact.IsPlaceholder(rest) || windowsOwn.MatchString(rest) || m[4] > 0 && s[m[4]-1] == ':' {
			continue
		}
		return text.Span{Start: m[4], End: m[1]}
	}
	return text.Span{}
}

var windowsOwn = lazyregexp.New(`(?i)^[a-z]:[\\/]+(program|programdata|windows|nodejs|path|your)\b`)

// isStandIn reports whether the name of a user is that of nobody, or of everybody: in an example, or in a
// container.
func isStandIn(user string) bool {
	low := strings.ToLower(user)
	return slices.Contains([]string{"user", "username", "you", "yourname", "your-name", "your_name", "me", "name", "example", "shared", "public", "node", "vscode", "runner", "app"}, low) ||
		strings.ContainsAny(user, "<>${}[]%") || strings.HasPrefix(low, "your") || strings.HasPrefix(low, "xxx")
}
