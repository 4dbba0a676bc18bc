package profile

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// Activation is how the text of one skill reaches the model.
type Activation struct {
	Via         []string          `yaml:"via"`         // tool, read, slash, mention
	Tool        string            `yaml:"tool"`        // the client's tool
	Param       string            `yaml:"param"`       // its parameter for the skill's name
	ArgsParam   string            `yaml:"args_param"`  // its parameter for arguments
	Lookup      string            `yaml:"lookup"`      // how a name is found: exact or fold
	Parts       []Part            `yaml:"parts"`       // what the model gets, in order; empty when it reads the file itself
	FrontMatter string            `yaml:"frontmatter"` // strip or keep
	Trim        string            `yaml:"trim"`        // ends of the body that lose white space: none (also when empty), both or start
	EscapeBody  bool              `yaml:"escape_body"` // the body is XML-escaped
	Args        Args              `yaml:"args"`
	Vars        map[string]string `yaml:"vars"`       // variables as they are written, to dir, session or project
	Shell       string            `yaml:"shell"`      // !`command`: none (also when empty), run or refuse
	ShellText   string            `yaml:"shell_text"` // refuse: what stands instead of the command
	Files       Files             `yaml:"files"`
	Limit       Limit             `yaml:"limit"`
	Keep        int               `yaml:"keep"` // tokens of the text that stay when the conversation is compacted; 0 when unknown
}

// Limit is the longest text an activation gives.
type Limit struct {
	Bytes int    `yaml:"bytes"` // 0 is unlimited
	Tail  string `yaml:"tail"`  // added to what is left of a longer text
}

// Cut shortens a text, between characters.
func (l *Limit) Cut(s string) string {
	if l.Bytes == 0 || len(s) <= l.Bytes {
		return s
	}
	return prefix(s, l.Bytes, "bytes") + l.Tail
}

// Part is one message, or one part of a message, that an activation adds.
// In a profile Text holds {name}, {description}, {body}, {dir}, {path},
// {args}, {scope}, {files} and {lines}: the body with a number before each line.
type Part struct {
	Role string `yaml:"role"` // tool or user
	Text string `yaml:"text"`
}

// Args is how arguments are put into a skill's text.
type Args struct {
	Placeholders []string `yaml:"placeholders"` // of $ARGUMENTS, $ARGUMENTS[N], $N and $name
	Base         int      `yaml:"base"`         // number of the first argument
	Missing      string   `yaml:"missing"`      // a number without an argument: verbatim (also when empty) or empty
	Append       string   `yaml:"append"`       // added, with {args}, when no placeholder stands in the text
	Escape       bool     `yaml:"escape"`       // \$ stands for a dollar
}

// Files is how an activation tells the files of a skill.
type Files struct {
	List string `yaml:"list"` // none (also when empty), paths or tree
	Item string `yaml:"item"` // one of paths, with {path}
	Max  int    `yaml:"max"`  // 0 is unlimited
	Wrap string `yaml:"wrap"` // around the list, with {items}; left out when there are no files
}

// Call is one activation.
type Call struct {
	Args    string   // as the model or user gives them
	Session string   // id of the session
	Project string   // the project root
	Scope   string   // scope of the root the skill was found in; empty is project
	Files   []string // files of the skill's folder, relative to it, sorted
	// Shell runs a command of the skill's text and returns its output; nil
	// leaves the commands as they stand.
	Shell func(command string) string
}

// Activate returns what the client adds to the conversation when a skill is
// called, and the outcome of loading it. There are no parts when the skill is
// not loaded, or when the model reads the file itself.
func (p *Profile) Activate(d *Doc, call Call) ([]Part, Outcome) {
	s := p.load(d, &content{})
	s.out.Scope = cmp.Or(call.Scope, "project")
	if s.out.Status == Dropped || s.out.Status == RootLost || s.out.Status == ClientCrash {
		return nil, *s.out
	}
	body := s.activeBody(call)
	values := map[string]string{
		"name": s.field("name").text, "description": s.field("description").text, "scope": s.out.Scope,
		"path": d.Path, "dir": path.Dir(d.Path), "args": call.Args,
		"body": body, "lines": numbered(body), "files": p.Activation.Files.render(path.Dir(d.Path), call.Files),
	}
	parts := make([]Part, len(p.Activation.Parts))
	for i, part := range p.Activation.Parts {
		text := fill(part.Text, func(key string) string { return values[key] })
		parts[i] = Part{part.Role, p.Activation.Limit.Cut(text)}
	}
	return parts, *s.out
}

// activeBody is the skill's text with arguments, variables and commands in it.
func (s *play) activeBody(call Call) string {
	a := &s.p.Activation
	body := s.body
	if a.FrontMatter == "keep" {
		if body = s.d.Src; s.p.normalizes {
			body = lineFeeds(body)
		}
	}
	switch a.Trim {
	case "both":
		body = trimJS(body)
	case "start":
		body = strings.TrimLeft(body, " \t\r\n")
	}
	body = a.Args.substitute(body, call.Args, argumentNames(s.fields))
	body = a.variables(body, map[string]string{"dir": path.Dir(s.d.Path), "session": call.Session, "project": call.Project})
	body = a.commands(body, call.Shell)
	if a.EscapeBody {
		return escape("go", body)
	}
	return body
}

// numbered writes each line's number before it, from 1.
func numbered(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		b.WriteString(strconv.Itoa(n) + ": " + line)
	}
	return b.String()
}

func argumentNames(m dialect.Map) []string {
	v := m.Get("arguments")
	if v.Kind == dialect.List {
		return AllowedTools{}.items(v)
	}
	return strings.Fields(v.Text)
}

func (a *Activation) variables(body string, values map[string]string) string {
	for variable, value := range a.Vars {
		body = strings.ReplaceAll(body, variable, values[value])
	}
	return body
}

// shellCommand is a command in a skill's text: at the start of a line or after
// white space.
var shellCommand = regexp.MustCompile("(^|\\s)!`([^`\n]+)`")

func (a *Activation) commands(body string, run func(string) string) string {
	if a.Shell != "refuse" && (a.Shell != "run" || run == nil) {
		return body
	}
	return shellCommand.ReplaceAllStringFunc(body, func(match string) string {
		space, command, _ := strings.Cut(match, "!`")
		if a.Shell == "refuse" {
			return space + a.ShellText
		}
		return space + run(strings.TrimSuffix(command, "`"))
	})
}

// argument is any placeholder for arguments, with the backslash before it.
var argument = regexp.MustCompile(`\\?\$(ARGUMENTS(?:\[(\d+)\])?|(\d+)|([A-Za-z_][A-Za-z0-9_-]*))`)

// substitute puts arguments in the place of the client's placeholders.
func (a *Args) substitute(body, args string, names []string) string {
	if len(a.Placeholders) == 0 {
		return body
	}
	words, used := splitWords(args), false
	body = argument.ReplaceAllStringFunc(body, func(match string) string {
		if escaped, ok := strings.CutPrefix(match, `\`); ok {
			if a.Escape {
				return escaped
			}
			match = escaped
		}
		value, ok := a.value(match, args, words, names)
		if !ok {
			return match
		}
		used = true
		return value
	})
	if !used && args != "" {
		body += fill(a.Append, func(string) string { return args })
	}
	return body
}

// value gives the text for a placeholder; false leaves it as it stands.
func (a *Args) value(match, args string, words, names []string) (string, bool) {
	m := argument.FindStringSubmatch(match)
	switch {
	case m[1] == "ARGUMENTS":
		return args, slices.Contains(a.Placeholders, "$ARGUMENTS")
	case m[2] != "":
		return a.word(m[2], words, "$ARGUMENTS[N]")
	case m[3] != "":
		return a.word(m[3], words, "$N")
	}
	i := slices.Index(names, m[4])
	if i < 0 {
		return "", false
	}
	return a.word(strconv.Itoa(i+a.Base), words, "$name")
}

func (a *Args) word(number string, words []string, form string) (string, bool) {
	if !slices.Contains(a.Placeholders, form) {
		return "", false
	}
	if i, err := strconv.Atoi(number); err == nil && i >= a.Base && i-a.Base < len(words) {
		return words[i-a.Base], true
	}
	return "", a.Missing == "empty"
}

// splitWords splits arguments at white space outside quotes, as a shell does.
func splitWords(s string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && isSpace(r):
			if open {
				words, open = append(words, word.String()), false
				word.Reset()
			}
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// render tells the files of a skill.
func (f *Files) render(dir string, files []string) string {
	var items string
	switch f.List {
	case "paths":
		items = f.paths(dir, files)
	case "tree":
		items = dir + "/\n" + strings.TrimSuffix(tree("", files), "\n")
	}
	if items == "" {
		return ""
	}
	return fill(f.Wrap, func(string) string { return items })
}

func (f *Files) paths(dir string, files []string) string {
	var b strings.Builder
	n := 0
	for _, file := range files {
		if file == "SKILL.md" || f.Max > 0 && n == f.Max {
			continue
		}
		n++
		b.WriteString(fill(f.Item, func(string) string { return path.Join(dir, file) }))
	}
	return b.String()
}

// tree draws files and then folders, as Gemini CLI does.
func tree(indent string, files []string) string {
	var names, folders []string
	inside := map[string][]string{}
	for _, file := range files {
		folder, rest, nested := strings.Cut(file, "/")
		if !nested {
			names = append(names, file)
			continue
		}
		if inside[folder] == nil {
			folders = append(folders, folder)
		}
		inside[folder] = append(inside[folder], rest)
	}
	var b strings.Builder
	for i, name := range slices.Concat(names, folders) {
		branch, below := "├───", "│   "
		if i == len(names)+len(folders)-1 {
			branch, below = "└───", "    "
		}
		b.WriteString(indent + branch + name)
		if i >= len(names) {
			b.WriteString("/")
		}
		b.WriteString("\n")
		if i >= len(names) {
			b.WriteString(tree(indent+below, inside[name]))
		}
	}
	return b.String()
}
