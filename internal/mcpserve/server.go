// Package mcpserve answers agents: the linter, the clients, the simulator, the router and the pages of the rules as
// tools of an MCP server on standard input and output. The tools read the folders that the user has named and nothing
// else, write nothing, start nothing and contact nobody.
package mcpserve

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/version"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// definitions are the tools as they are listed: the result of tools/list.
//
//go:embed tools.json
var definitions []byte

// instructions tell a model when to use the server.
const instructions = "Checks Agent Skills (folders with a SKILL.md) and shows what agent clients make of them. " +
	"After writing or changing a skill, call lint; when a skill is not found or does not trigger, call clients and route. Everything is read-only."

// Options say what agents may ask about, and with what.
type Options struct {
	Roots    []string // absolute paths of folders; paths in calls are relative to the first
	Registry *lint.Registry
	Clients  []string                           // that skills are for when a call names none; empty for the usual ones
	Configs  func() (*workspace.Configs, error) // the configurations that hold, read anew; nil finds them
}

// desk answers calls.
type desk struct {
	ask.Folder
	roots   *roots
	clients []string
}

// Serve answers on a pair of streams until the first ends or ctx does. What goes wrong with the protocol is logged.
func Serve(ctx context.Context, o Options, in io.Reader, out, logged io.Writer) error {
	d, err := newDesk(o)
	if err != nil {
		return err
	}
	s := server.NewMCPServer("skilllint", version.Number(), server.WithToolCapabilities(false), server.WithInstructions(instructions), server.WithTitle("Agent Skills linter"))
	tools, err := d.tools()
	if err != nil {
		return err
	}
	s.AddTools(tools...)
	stdio := server.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(logged, "skilllint mcp: ", 0))
	return stdio.Listen(ctx, in, out)
}

func newDesk(o Options) (*desk, error) {
	roots, err := newRoots(o.Roots)
	if err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	return &desk{ask.Folder{FS: roots, Base: o.Roots[0], Registry: o.Registry, Configs: o.Configs}, roots, o.Clients}, nil
}

// tools joins the definitions with what answers them.
func (d *desk) tools() ([]server.ServerTool, error) {
	var list struct {
		Tools []struct {
			Name        string             `json:"name"`
			Title       string             `json:"title"`
			Description string             `json:"description"`
			InputSchema json.RawMessage    `json:"inputSchema"`
			Annotations mcp.ToolAnnotation `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(definitions, &list); err != nil {
		return nil, fmt.Errorf("read the definitions of the tools: %w", err)
	}
	handlers := map[string]server.ToolHandlerFunc{
		"lint": handle(d.lint), "clients": handle(d.whichClients), "simulate": handle(d.simulate), "route": handle(d.route), "explain": handle(d.explain),
	}
	var out []server.ServerTool
	for _, t := range list.Tools {
		tool := mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, RawInputSchema: t.InputSchema, Annotations: t.Annotations}
		out = append(out, server.ServerTool{Tool: tool, Handler: handlers[t.Name]})
	}
	return out, nil
}

// handle turns a function of parameters into the handler of a tool. Its errors are results that the model reads, as is a
// fault of the program: the server goes on.
func handle[P any](answer func(context.Context, *P) (string, error)) server.ToolHandlerFunc {
	return func(ctx context.Context, call mcp.CallToolRequest) (result *mcp.CallToolResult, _ error) {
		defer func() {
			if v := recover(); v != nil {
				result = mcp.NewToolResultError(fmt.Sprintf("This is a fault of skilllint %s, please report it: %v\n%s", version.Text(), v, debug.Stack()))
			}
		}()
		var p P
		err := decode(call.GetRawArguments(), &p)
		text := ""
		if err == nil {
			text, err = answer(ctx, &p)
		}
		if err != nil {
			return mcp.NewToolResultError(explained(err)), nil
		}
		return mcp.NewToolResultText(text), nil
	}
}

// decode reads arguments, and refuses those that the tool does not have.
func decode(arguments any, to any) error {
	if arguments == nil {
		return nil
	}
	data, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err = dec.Decode(to)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("the argument %s cannot be a %s: it must be %s", wrong.Field, wrong.Value, kindOf(wrong))
	}
	if err != nil {
		return fmt.Errorf("the arguments do not fit the tool: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// kindOf says in the words of JSON what a value has to be.
func kindOf(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "slice":
		return "a list of texts"
	case "int":
		return "a whole number"
	case "struct":
		return "an object"
	}
	return "a text"
}

// explained puts an error into words for a model.
func explained(err error) string {
	if errors.Is(err, context.Canceled) {
		return "The call was cancelled."
	}
	return err.Error()
}

// paths returns the absolute paths of those in a call, all roots when there are none.
func (d *desk) paths(named []string) ([]string, error) {
	if len(named) == 0 {
		return d.roots.dirs, nil
	}
	out := make([]string, len(named))
	for i, name := range named {
		var err error
		if out[i], err = d.path(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// path returns the absolute path of one in a call, the first root when it is empty.
func (d *desk) path(name string) (string, error) {
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(d.Base, abs)
	}
	abs = filepath.Clean(abs)
	_, err := d.FS.Stat(abs)
	switch {
	case errors.As(err, &outsideError{}):
		return "", fmt.Errorf("the path %s lies outside the folders that may be asked about: %s", name, strings.Join(d.roots.dirs, ", "))
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file or folder %s in %s", name, d.Base)
	case err != nil:
		return "", fmt.Errorf("the path %s cannot be read: %w", name, err)
	}
	return abs, nil
}

// known returns the clients that a call names, those of the server when it names none.
func (d *desk) known(named []string) ([]string, error) {
	if len(named) == 0 {
		return d.clients, nil
	}
	for _, name := range named {
		if err := ask.KnownClient(name); err != nil {
			return nil, err
		}
	}
	return ask.Clients(named), nil
}

// mostText is how long an answer is at most, in bytes: about 10,000 tokens, from which clients begin to warn.
const mostText = 40_000

// bounded cuts an answer between two lines when it is too long, and says how to get the rest.
func bounded(text, how string) string {
	if len(text) <= mostText {
		return text
	}
	at := strings.LastIndexByte(text[:mostText], '\n') + 1
	if at == 0 {
		at = len(strings.ToValidUTF8(text[:mostText], ""))
	}
	return fmt.Sprintf("%s\n[%d more lines left out; %s]\n", text[:at], strings.Count(text[at:], "\n"), how)
}
