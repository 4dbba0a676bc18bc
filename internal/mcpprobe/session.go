package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Revisions of the protocol: https://modelcontextprotocol.io/specification/versioning
const (
	newestHandshake = "2025-11-25" // the newest with initialize
	newestStateless = "2026-07-28" // the first without
)

var handshakes = []string{newestHandshake, "2025-06-18", "2025-03-26", "2024-11-05"}

// session sends requests over a transport of the library. The library's own client is not used: it decodes results
// into structs that lose parts of a schema and reject a whole list for one odd tool, and it chooses the order in
// which old and new servers are tried.
type session struct {
	transport transport.Interface
	stateless bool // each request carries what the handshake used to settle
	requests  int64
}

// self is how the prober introduces itself.
var self = map[string]string{"name": "skilllint", "version": "1"}

// params are the parameters of a request.
type params map[string]any

// rpcError is an error that the server answered with.
type rpcError struct {
	method  string
	code    int
	message string
	data    any
}

func (e *rpcError) Error() string {
	return fmt.Sprintf("answered %s with the error %d: %s", e.method, e.code, e.message)
}

// Codes of JSON-RPC and of MCP.
const (
	methodNotFound     = -32601
	unsupportedVersion = -32022
)

// errNoResult stands for an answer with neither result nor error.
var errNoResult = errors.New("the answer holds neither a result nor an error")

// call sends a request and returns the result, byte for byte as it came. A stream that a server ends before its answer,
// once it has named an event, is resumed with a GET after the time that the server asks for (SEP-1699).
func (s *session) call(ctx context.Context, method string, p params) (*catalog.Node, error) {
	s.requests++
	request := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(s.requests), Method: method}
	if p != nil {
		request.Params = p
	}
	if s.stateless {
		s.introduce(&request, p)
	}
	response, err := s.transport.SendRequest(ctx, request)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask for %s: %w", method, err)
	case response == nil:
		return nil, fmt.Errorf("ask for %s: %w", method, errNoResult)
	case response.Error != nil:
		e := response.Error
		return nil, &rpcError{method, e.Code, e.Message, e.Data}
	case len(response.Result) == 0:
		return nil, fmt.Errorf("ask for %s: %w", method, errNoResult)
	}
	return catalog.Parse(string(response.Result))
}

// introduce adds what revision 2026-07-28 wants in every request and, over HTTP, in its headers.
func (s *session) introduce(request *transport.JSONRPCRequest, p params) {
	with := params{"_meta": map[string]any{
		mcp.MetaKeyProtocolVersion:    newestStateless,
		mcp.MetaKeyClientCapabilities: struct{}{},
		mcp.MetaKeyClientInfo:         self,
	}}
	for k, v := range p {
		with[k] = v
	}
	request.Params = with
	encoded, _ := json.Marshal(with) // maps of strings
	request.Header = http.Header{}
	for name, value := range mcp.StandardHeaders(newestStateless, mcp.MCPMethod(request.Method), encoded) {
		request.Header.Set(name, value)
	}
}

// start opens the transport. The server may ask, too: it learns that the prober is there and can do nothing.
func (s *session) start(ctx context.Context) error {
	if err := s.transport.Start(ctx); err != nil {
		return fmt.Errorf("open the connection: %w", err)
	}
	if both, ok := s.transport.(transport.BidirectionalInterface); ok {
		both.SetRequestHandler(answer)
	}
	return nil
}

func answer(_ context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if r.Method == string(mcp.MethodPing) {
		return transport.NewJSONRPCResultResponse(r.ID, json.RawMessage("{}")), nil
	}
	return transport.NewJSONRPCErrorResponse(r.ID, methodNotFound, "a probe answers ping only", nil), nil
}

// initialize asks for the handshake of a revision.
func (s *session) initialize(ctx context.Context, version string) (*catalog.Node, error) {
	return s.call(ctx, "initialize", params{"protocolVersion": version, "capabilities": struct{}{}, "clientInfo": self})
}

// initialized ends the handshake. Should the server not take that, the next request will tell.
func (s *session) initialized(ctx context.Context, version string) {
	s.useVersion(version)
	var n mcp.JSONRPCNotification
	n.JSONRPC, n.Method = mcp.JSONRPC_VERSION, "notifications/initialized"
	_ = s.transport.SendNotification(ctx, n)
}

// useVersion sets the header that repeats the version over HTTP.
func (s *session) useVersion(version string) {
	if connection, ok := s.transport.(transport.HTTPConnection); ok {
		connection.SetProtocolVersion(version)
	}
}

// discover asks as revision 2026-07-28 has it.
func (s *session) discover(ctx context.Context) (*catalog.Node, error) {
	s.stateless = true
	s.useVersion(newestStateless)
	return s.call(ctx, "server/discover", nil)
}

// forget goes back to a session that has not begun.
func (s *session) forget() {
	s.stateless = false
	s.useVersion("")
}
