// Package mcpconfig reads the files in which agent clients are told of MCP servers, whatever client and syntax,
// into one model with the place of every key and value. It starts nothing and reads no environment.
package mcpconfig

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

const bom = skills.BOM

// File is one configuration file. It never changes once it is parsed.
type File struct {
	Doc     *skills.Document
	Format  *Format
	Place   Place
	Root    *Node     // nil when nothing of it can be read
	Key     *Member   // the member that holds the servers, nil for a bare map or when there is none
	Bare    bool      // the servers stand at the top without a key around them
	Servers []*Server // in the order of the file, duplicates included
	Inputs  []*Input  // what `${input:…}` may name

	Comments       []text.Span
	TrailingCommas []text.Span // of JSON
	Faults         []Fault     // at most one SyntaxFault: what follows from it is not told
}

// Place says where a file lies, as far as its meaning depends on it.
type Place struct {
	Plugin  bool // in the folder of a Claude Code plugin
	Ignored bool // left out by .gitignore: nobody else gets the file
	Named   bool // the user named the file itself
	Home    bool // in the user's own folder, where it holds for all projects
}

// FaultKind tells faults apart.
type FaultKind uint8

const (
	SyntaxFault FaultKind = iota // not valid JSON, TOML or YAML
	ShapeFault                   // a value of another kind than every reader wants
)

// Fault is a place that cannot be read as meant. What stands around it is read all the same.
type Fault struct {
	Kind    FaultKind
	Span    text.Span
	Message string
	Edits   []text.Edit // mend it; none when it is not certain how
}

// Input is a value that VS Code asks the user for.
type Input struct {
	ID   string
	Node *Node // of the id
}

func (f *File) fault(kind FaultKind, at text.Span, message string) {
	f.Faults = append(f.Faults, Fault{Kind: kind, Span: at, Message: message})
}

// Broken reports whether the file is not valid in its syntax.
func (f *File) Broken() bool {
	for _, x := range f.Faults {
		if x.Kind == SyntaxFault {
			return true
		}
	}
	return false
}

// Scope returns whom the file is for. Many clients look for one path in the project and in the user's own folder.
func (f *File) Scope() Scope {
	if f.Place.Home {
		return User
	}
	return f.Format.Scope
}

// Shared reports whether others get the file: it lies in a project and Git does not ignore it.
func (f *File) Shared() bool {
	return !f.Place.Ignored && !f.Place.Home && (f.Format.Scope == Project || !f.Place.Named)
}

// Clients returns the clients that read the file by themselves, in the order of the table.
func (f *File) Clients() []*Client { return f.Format.Readers() }

// Parse reads a document as a configuration file. It returns nil for a document that is none: its path is not
// in the table of formats, or the table says that its content decides and that speaks against it. A JSON or TOML
// file that the user named needs no known name.
func Parse(doc *skills.Document, place Place) *File {
	format := Match(doc.Abs)
	switch {
	case format != nil || !place.Named:
	case strings.HasSuffix(doc.Abs, ".json"):
		format = &Formats[len(Formats)-1]
	case strings.HasSuffix(doc.Abs, ".toml"):
		format = &codexHome
	}
	if format == nil {
		return nil
	}
	f := &File{Doc: doc, Format: format, Place: place}
	switch format.Syntax {
	case TOML:
		parseTOML(f)
	case YAML:
		parseYAML(f)
	default:
		parseJSON(f)
	}
	if format.Syntax == TOML || format.Syntax == YAML {
		f.hashComments()
	}
	f.locate()
	if !f.counts() {
		return nil
	}
	return f
}

// hashComments notes the comments of TOML or YAML: from a "#" that is no part of a text to the end of the line.
func (f *File) hashComments() {
	if f.Root == nil {
		return
	}
	var texts []text.Span
	f.Root.each(func(n *Node) {
		if n.Kind == String {
			texts = append(texts, n.Span)
		}
	})
	slices.SortFunc(texts, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
	inText := func(at int) bool {
		i, _ := slices.BinarySearchFunc(texts, at+1, func(t text.Span, at int) int { return cmp.Compare(t.Start, at) })
		return i > 0 && texts[i-1].Contains(at)
	}
	lines, src := f.Doc.Lines(), f.Doc.Text
	for i := range lines.Lines() {
		line := lines.Line(i)
		for at := line.Start; at < line.End; at++ {
			begins := at == line.Start || src[at-1] == ' ' || src[at-1] == '\t' || f.Format.Syntax == TOML
			if src[at] == '#' && begins && !inText(at) {
				f.Comments = append(f.Comments, text.Span{Start: at, End: line.End})
				break
			}
		}
	}
}

// counts reports whether the file has to do with MCP. Of settings and of files whose name alone says nothing
// only the content tells: translations are called mcp.json too.
func (f *File) counts() bool {
	switch {
	case f.Format.ByShape:
		return f.Bare || f.Key != nil && (holdsServers(f.Key.Value) || f.Key.Value.Kind == Object && len(f.Key.Value.Members) == 0)
	case f.Format.Settings:
		extra := slices.ContainsFunc(f.Format.Extra, func(name string) bool { return f.Root.Member(name) != nil })
		return f.Key != nil || len(f.Servers) > 0 || extra
	}
	return true
}

// locate finds the servers and the inputs.
func (f *File) locate() {
	if f.Root == nil {
		return
	}
	if f.Format.AgentScope {
		f.readAgentScope()
		return
	}
	if f.Root.Kind != Object {
		if !f.Format.ByShape && !f.Format.Settings {
			f.fault(ShapeFault, f.Root.Span, "the top of the file must be an object, not "+f.Root.Kind.String())
		}
		return
	}
	f.Key = f.findKey()
	switch {
	case f.Key != nil:
		f.readServers(f.Key.Value)
	case !f.Format.Settings && looksBare(f.Root):
		f.Bare = true
		f.readServers(f.Root)
	}
	f.readEach(f.Root, f.Format.Each, "")
	for _, item := range items(f.Root.Get(f.Format.inputs()...)) {
		if id := item.Get("id"); id.Is(String) {
			f.Inputs = append(f.Inputs, &Input{id.Text, id})
		}
	}
}

// findKey returns the member that holds the servers: the one that belongs into the file, else one by which
// another client calls it, else one that has the name with dots, as in settings of VS Code.
func (f *File) findKey() *Member {
	for _, path := range append([][]string{f.Format.Key}, f.Format.Also...) {
		if m := memberAt(f.Root, path); m != nil {
			return m
		}
	}
	for _, name := range rootKeys {
		if m := memberAt(f.Root, strings.Split(name, ".")); m != nil && holdsServers(m.Value) {
			return m
		}
		if m := f.Root.Member(name); m != nil && holdsServers(m.Value) {
			return m
		}
	}
	for _, m := range f.Root.Members {
		if likeRootKey(m.Name) && holdsServers(m.Value) {
			return m
		}
	}
	return nil
}

// Main returns the object whose members are the file's servers, nil when they stand in other places.
func (f *File) Main() *Node {
	switch {
	case f.Key != nil:
		return f.Key.Value
	case f.Bare:
		return f.Root
	}
	return nil
}

// RightKey reports whether the servers stand under the key by which the file's clients look for them.
func (f *File) RightKey() bool {
	if f.Key == nil {
		return false
	}
	for _, path := range append([][]string{f.Format.Key}, f.Format.Also...) {
		if memberAt(f.Root, path) == f.Key {
			return true
		}
	}
	return false
}

// rootKeys are the names under which clients keep their servers.
var rootKeys = []string{"mcpServers", "servers", "mcp_servers", "mcp.servers", "context_servers", "mcp"}

func memberAt(n *Node, path []string) *Member {
	return n.Get(path[:len(path)-1]...).Member(path[len(path)-1])
}

// holdsServers reports whether a value is an object of which some entry looks like a server.
func holdsServers(n *Node) bool {
	for _, m := range membersOf(n) {
		if looksLikeServer(m.Value) {
			return true
		}
	}
	return false
}

// looksBare reports whether the top of a file is itself a map of servers: all its entries look like one, those
// left out that are comments or a schema.
func looksBare(n *Node) bool {
	found := false
	for _, m := range n.Members {
		switch {
		case looksLikeServer(m.Value):
			found = true
		case !IsComment(m.Name):
			return false
		}
	}
	return found
}

// looksLikeServer reports whether a value has the keys that only a server has.
func looksLikeServer(n *Node) bool {
	for _, m := range membersOf(n) {
		switch m.Name {
		case "command", "cmd":
			if m.Value.Is(String) || m.Value.Is(Array) || m.Value.Is(Object) {
				return true
			}
		case "url", "serverUrl", "httpUrl", "uri":
			if m.Value.Is(String) {
				return true
			}
		}
	}
	return false
}

func membersOf(n *Node) []*Member {
	if n == nil {
		return nil
	}
	return n.Members
}

func items(n *Node) []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// IsComment reports whether a key stands for a comment, as people write them in JSON, or for a schema.
func IsComment(key string) bool {
	return strings.HasPrefix(key, "_") || strings.HasPrefix(key, "$") || strings.HasPrefix(key, "//") || key == "comment"
}

// OtherKey reports whether a member at the top of the file holds servers under a name that the file's own clients
// do not read.
func (f *File) OtherKey(m *Member) bool {
	paths := append([][]string{f.Format.Key}, f.Format.Also...)
	known := f.Format.AgentScope || slices.ContainsFunc(paths, func(path []string) bool { return path[0] == m.Name })
	return !known && likeRootKey(m.Name) && (holdsServers(m.Value) || holdsServers(m.Value.Get("servers")))
}

// likeRootKey reports whether a key is one of rootKeys but for its case and hyphens.
func likeRootKey(key string) bool {
	return slices.ContainsFunc(rootKeys, func(k string) bool { return foldKey(k) == foldKey(key) })
}

var foldMarks = strings.NewReplacer("-", "", "_", "")

func foldKey(s string) string { return strings.ToLower(foldMarks.Replace(s)) }

// Project returns the absolute path of the folder that the file is for: the one its place counts from, such as the
// parent of .vscode. Clients start servers there.
func (f *File) Project() string { return f.Format.project(f.Doc.Abs) }

// project returns the folder that the path of the format counts from, for the file at a path.
func (f *Format) project(abs string) string {
	dir := filepath.Dir(abs)
	for range strings.Count(f.Path, "/") {
		dir = filepath.Dir(dir)
	}
	return dir
}
