// Package badserver is an MCP server on standard input and output that misbehaves in one chosen way. Tests run it as
// a process of their own, by starting themselves anew.
package badserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Modes lists the misbehaviours, those of the shape of tools included.
func Modes() []string {
	var all []string
	for mode := range modes {
		all = append(all, mode)
	}
	for shape := range shapes {
		all = append(all, "shape-"+shape)
	}
	return all
}

// Longest is when a server ends by itself, so that nothing stays behind should a prober fail to stop it.
const longest = 2 * time.Minute

// Main serves until standard input ends, with the misbehaviour named.
func Main(mode string) {
	time.AfterFunc(longest, func() { os.Exit(70) })
	s := &server{mode: modes[mode], out: os.Stdout}
	if shape, ok := strings.CutPrefix(mode, "shape-"); ok {
		s.mode.tools = func(*server, *message) any { return list{"tools": []any{shapes[shape], tool("t1")}} }
	} else if _, known := modes[mode]; !known {
		fmt.Fprintf(os.Stderr, "no mode %q\n", mode)
		os.Exit(2)
	}
	if s.mode.begin != nil {
		s.mode.begin(s)
	}
	s.serve()
	if s.mode.end != nil {
		s.mode.end()
	}
}

type (
	list = map[string]any

	// message is what a client sends.
	message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Version string `json:"protocolVersion"`
			Cursor  string `json:"cursor"`

			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}

	// failure is an answer that is an error.
	failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}

	// silence is no answer.
	silence struct{}

	// mode overrides parts of a server that behaves. A handler returns a result, a failure or silence.
	mode struct {
		begin      func(*server)
		initialize func(*server, *message) any
		discover   func(*server, *message) any
		tools      func(*server, *message) any
		call       func(*server, *message) any
		encode     func(*server, list) string // of answers
		end        func()                     // when standard input has ended
	}

	server struct {
		mode  mode
		out   *os.File
		pages int // of tools/list, served so far
	}
)

func (s *server) serve() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var m message
		if json.Unmarshal(in.Bytes(), &m) != nil || m.Method == "" || m.ID == nil {
			continue
		}
		switch result := s.handle(&m).(type) {
		case silence:
		case failure:
			s.send(list{"jsonrpc": "2.0", "id": m.ID, "error": result})
		default:
			s.send(list{"jsonrpc": "2.0", "id": m.ID, "result": result})
		}
	}
}

func (s *server) handle(m *message) any {
	handler := map[string]func(*server, *message) any{
		"initialize": s.mode.initialize, "server/discover": s.mode.discover, "tools/list": s.mode.tools,
		"tools/call": s.mode.call,
	}[m.Method]
	switch {
	case handler != nil:
		return handler(s, m)
	case m.Method == "initialize":
		return welcome(m.Params.Version)
	case m.Method == "tools/list":
		return list{"tools": []any{tool("t1")}}
	case m.Method == "tools/call" && m.Params.Name == "t1":
		return list{"content": []any{list{"type": "text", "text": string(m.Params.Arguments)}}}
	case m.Method == "tools/call":
		return failure{Code: -32602, Message: "Unknown tool: " + m.Params.Name}
	}
	return failure{Code: -32601, Message: "Method not found"}
}

func (s *server) send(answer list) {
	if s.mode.encode != nil {
		s.print(s.mode.encode(s, answer))
		return
	}
	s.print(encode(answer) + "\n")
}

func (s *server) print(text string) { fmt.Fprint(s.out, text) }

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func welcome(version string) list {
	return list{"protocolVersion": version, "capabilities": list{"tools": list{}}, "serverInfo": list{"name": "bad", "version": "0"}}
}

func tool(name string) list {
	return list{"name": name, "description": "d", "inputSchema": list{"type": "object", "properties": list{}}}
}

// child starts another process of the same program that lives on its own in the same group.
func child(mode string) {
	cmd := exec.Command(os.Args[0], os.Args[1], mode)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr // it keeps the pipes open, as descendants do
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// exit ends the process, as if it had crashed.
func exit(code int, lastWords string) {
	fmt.Fprintln(os.Stderr, lastWords)
	os.Exit(code)
}

// wait does nothing until the process is killed or its time is over.
func wait() { time.Sleep(longest) }
