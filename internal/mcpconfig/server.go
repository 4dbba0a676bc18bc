package mcpconfig

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Transport is how a client and a server talk.
type Transport uint8

const (
	Unknown Transport = iota
	Stdio
	HTTP // streamable HTTP
	SSE  // HTTP with server-sent events, deprecated since 2025-03-26
)

func (t Transport) String() string { return [...]string{"unknown", "stdio", "http", "sse"}[t] }

// Remote reports whether the server is reached over the network.
func (t Transport) Remote() bool { return t == HTTP || t == SSE }

// Role is what a key of a server means. Clients give one meaning different names.
type Role uint8

const (
	NoRole Role = iota
	Command
	Args
	Env
	URL
	Headers
	Cwd
	Type
	Disabled
	Enabled
	Timeout
	Include // the tools that alone are offered
	Exclude // the tools that are not
	Trust   // the tools that run without asking
)

// roles gives the meaning of the names that a client has for it, and of those that people write for them.
var roles = map[string]Role{
	"command": Command, "cmd": Command, "executable": Command,
	"args": Args, "arguments": Args,
	"env": Env, "environment": Env, "envs": Env, "envVars": Env, "environmentVariables": Env,
	"url": URL, "serverUrl": URL, "httpUrl": URL, "uri": URL, "baseUrl": URL, "link": URL, "endpoint": URL,
	"headers": Headers, "http_headers": Headers,
	"cwd": Cwd, "workingDirectory": Cwd, "working_directory": Cwd,
	"type": Type, "transportType": Type, "transport": Type,
	"disabled": Disabled, "enabled": Enabled,
	"timeout": Timeout, "tool_timeout_sec": Timeout, "startup_timeout_sec": Timeout,
	"tools": Include, "includeTools": Include, "enabled_tools": Include, "enable_tools": Include, "available_tools": Include,
	"excludeTools": Exclude, "disabled_tools": Exclude, "disable_tools": Exclude, "disabledTools": Exclude,
	"autoApprove": Trust, "alwaysAllow": Trust, "trust": Trust,
}

// RoleOf returns what a key means to the clients that know it.
func RoleOf(key string) Role { return roles[key] }

// Server is one server of a configuration, whatever the file.
type Server struct {
	File *File
	Name string
	Key  text.Span // the name as written
	Node *Node     // the entry
	In   *Node     // the object or list that holds the entry: names are unique in it
	// Around is what AgentScope keeps beside the entry: the name, and lists of tools. It is nil elsewhere.
	Around *Node
	local  string // absolute path of the one project that a user's entry is for

	Command *Node // the program, nil when there is none
	Args    []*Node
	Env     []*Member
	Headers []*Member
	URL     *Node
	Cwd     *Node
	Type    *Node
}

// Span covers the name and the entry.
func (s *Server) Span() text.Span {
	return text.Span{Start: min(s.Key.Start, s.Node.Span.Start), End: max(s.Key.End, s.Node.Span.End)}
}

// Fields returns what is said of the server, in the order of the file, Around before Node.
func (s *Server) Fields() []*Member { return slices.Concat(membersOf(s.Around), s.Node.Members) }

// Field returns the member with a role, the last when several have it, or nil.
func (s *Server) Field(role Role) *Member {
	members := s.Fields()
	for i := len(members) - 1; i >= 0; i-- {
		if roles[members[i].Name] == role {
			return members[i]
		}
	}
	return nil
}

// Disabled reports whether the entry says that the server is not to be used.
func (s *Server) Disabled() bool {
	for _, m := range s.Node.Members {
		switch roles[m.Name] {
		case Disabled:
			if m.Value.Is(Bool) && m.Value.Text == "true" {
				return true
			}
		case Enabled:
			if m.Value.Is(Bool) && m.Value.Text == "false" {
				return true
			}
		}
	}
	return false
}

// Transport returns how the server is reached, as the entry says or suggests whoever reads it. What one client
// makes of it is Client.Transport.
func (s *Server) Transport() Transport {
	if s.Type.Is(String) {
		if t, ok := transports[s.Type.Text]; ok {
			return t
		}
	}
	switch {
	case s.Command != nil:
		return Stdio
	case s.URL != nil:
		return HTTP
	}
	return Unknown
}

// transports are the values of a type that any client knows.
var transports = map[string]Transport{
	"stdio": Stdio, "local": Stdio, "stdio_mcp": Stdio,
	"http": HTTP, "streamable-http": HTTP, "streamableHttp": HTTP, "streamable_http": HTTP, "remote": HTTP, "http_mcp": HTTP,
	"sse": SSE,
	"ws":  Unknown, "builtin": Unknown, "platform": Unknown, "frontend": Unknown, "inline_python": Unknown,
}

// Text is one text that a client uses to start or reach a server.
type Text struct {
	*Node
	Role   Role    // Command, Args, Env, Headers, URL or Cwd
	Name   string  // of the variable or header
	Member *Member // that gives the variable or header its value, else nil
}

// Texts returns the texts of the entry that a client uses to start or reach the server.
func (s *Server) Texts() []Text {
	var out []Text
	add := func(role Role, n *Node) {
		if n.Is(String) {
			out = append(out, Text{Node: n, Role: role})
		}
	}
	named := func(role Role, members []*Member) {
		for _, m := range members {
			if m.Value.Is(String) {
				out = append(out, Text{m.Value, role, m.Name, m})
			}
		}
	}
	add(Command, s.Command)
	for _, n := range s.Args {
		add(Args, n)
	}
	named(Env, s.Env)
	add(URL, s.URL)
	named(Headers, s.Headers)
	add(Cwd, s.Cwd)
	return out
}

// readServers reads an object whose members are servers, or a list of them, which only a mistake brings.
func (f *File) readServers(in *Node) {
	for _, m := range in.Members {
		if m.Value.Kind == Object && !(f.Bare && !looksLikeServer(m.Value)) && !(IsComment(m.Name) && !looksLikeServer(m.Value)) {
			f.Servers = append(f.Servers, newServer(f, m.Name, m.Key, m.Value, in))
		}
	}
}

// readEach reads the servers at every place that a path with "*" stands for: the path of a project, for which alone they
// are.
func (f *File) readEach(n *Node, path []string, project string) {
	switch {
	case len(path) == 0 || n == nil:
	case path[0] == "*":
		for _, m := range n.Members {
			f.readEach(m.Value, path[1:], m.Name)
		}
	case len(path) == 1:
		if m := n.Member(path[0]); m != nil {
			before := len(f.Servers)
			f.readServers(m.Value)
			for _, s := range f.Servers[before:] {
				s.local = filepath.Clean(filepath.FromSlash(project))
			}
		}
	default:
		f.readEach(n.Get(path[0]), path[1:], project)
	}
}

// Scope returns whom the server is for.
func (s *Server) Scope() Scope {
	if s.local != "" {
		return Local
	}
	return s.File.Scope()
}

// Project returns the absolute path of the folder in which the server is used, "" for all projects.
func (s *Server) Project() string {
	switch s.Scope() {
	case Local:
		return s.local
	case Project:
		return s.File.Project()
	}
	return ""
}

// readAgentScope reads the file of an AgentScope workspace: a list of clients with a name and an mcp_config, below
// agents and sessions since version 2.
func (f *File) readAgentScope() {
	lists := []*Node{f.Root}
	if f.Root.Kind == Object {
		lists = nil
		for _, agent := range membersOf(f.Root.Get("mcps")) {
			for _, session := range agent.Value.Members {
				lists = append(lists, session.Value)
			}
		}
	}
	for _, list := range lists {
		for _, item := range list.Items {
			name, config := item.Get("name"), item.Get("mcp_config")
			if name.Is(String) && config.Is(Object) {
				s := newServer(f, name.Text, name.Span, config, list)
				s.Around = item
				f.Servers = append(f.Servers, s)
			}
		}
	}
}

func newServer(f *File, name string, key text.Span, entry, in *Node) *Server {
	s := &Server{File: f, Name: name, Key: key, Node: entry, In: in}
	fields := entry.Members
	if t := entry.Get("transport"); t.Is(Object) { // Cline's nested form
		fields = append(append([]*Member{}, fields...), t.Members...)
	}
	for _, m := range fields {
		s.set(m)
	}
	return s
}

func (s *Server) set(m *Member) {
	if m.Value.Kind == Null {
		return // as if it were not there
	}
	switch roles[m.Name] {
	case Command:
		s.setCommand(m.Value)
	case Args:
		s.Args = append(s.Args, m.Value.Items...)
	case Env:
		s.Env = append(s.Env, m.Value.Members...)
	case Headers:
		s.Headers = append(s.Headers, m.Value.Members...)
	case URL:
		s.URL = m.Value
	case Cwd:
		s.Cwd = m.Value
	case Type:
		if m.Value.Kind != Object {
			s.Type = m.Value
		}
	}
}

// setCommand takes the program from a text, from the head of OpenCode's list, or from Zed's older object.
func (s *Server) setCommand(v *Node) {
	switch {
	case v.Kind == Array && len(v.Items) > 0:
		s.Command = v.Items[0]
		s.Args = append(s.Args, v.Items[1:]...)
	case v.Kind == Object:
		s.Command = v.Get("path")
		s.Args = append(s.Args, items(v.Get("args"))...)
		s.Env = append(s.Env, membersOf(v.Get("env"))...)
	case v.Kind != Null:
		s.Command = v
	}
}

// Program returns the last part of the command without the endings of Windows, in lower case: "npx" for
// "C:\nodejs\npx.cmd".
func (s *Server) Program() string {
	if !s.Command.Is(String) {
		return ""
	}
	return ProgramName(s.Command.Text)
}

// Launched returns the program that runs in the end, as Program names it, the text that names it and its arguments:
// Windows needs "cmd /c npx docs-mcp" for npx. Without a command that is a text all are zero.
func (s *Server) Launched() (program string, at *Node, args []*Node) {
	if !s.Command.Is(String) {
		return "", nil, nil
	}
	if s.Program() == "cmd" {
		for i, a := range s.Args {
			switch low := strings.ToLower(a.Text); {
			case low == "/c" && i+1 < len(s.Args) && !strings.ContainsAny(s.Args[i+1].Text, " \t"):
				return ProgramName(s.Args[i+1].Text), s.Args[i+1], s.Args[i+2:]
			case !strings.HasPrefix(low, "/"):
				return "cmd", s.Command, s.Args
			}
		}
	}
	return s.Program(), s.Command, s.Args
}

// ProgramName returns the name of a program without folders and the endings of Windows, in lower case.
func ProgramName(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
