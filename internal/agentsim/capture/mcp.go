package capture

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// mcpPath is where the server of that number is reached.
func mcpPath(i int) string { return fmt.Sprintf("/mcp/%d", i+1) }

// handlers serve the tools of servers over streamable HTTP.
func handlers(servers []*catalog.Server) map[string]http.Handler {
	out := map[string]http.Handler{}
	for i, s := range servers {
		out[mcpPath(i)] = toolServer{s}
	}
	return out
}

// toolServer is an MCP server that offers the tools of another as that one sends them. A call of one is answered, and
// does nothing.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
type toolServer struct{ offer *catalog.Server }

type rpcRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
		Name            string `json:"name"`
	} `json:"params"`
}

func (s toolServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call rpcRequest
	switch {
	case r.Method == http.MethodDelete:
		return
	case r.Method != http.MethodPost: // it has nothing to say of its own accord
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
		return
	case json.NewDecoder(http.MaxBytesReader(w, r.Body, mostMessage)).Decode(&call) != nil:
		http.Error(w, "one JSON-RPC message is wanted", http.StatusBadRequest)
		return
	case call.ID == nil: // a notification
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": call.ID}
	if result := s.result(&call); result != nil {
		answer["result"] = result
	} else {
		answer["error"] = map[string]any{"code": -32601, "message": "Method not found"}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(mustJSON(answer)) // a client that has gone
}

// mostMessage bounds a message to a server of tools, in bytes.
const mostMessage = 8 << 20

func (s toolServer) result(call *rpcRequest) any {
	switch call.Method {
	case "initialize":
		return map[string]any{
			"protocolVersion": call.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": s.offer.Name, "version": "0"},
		}
	case "ping":
		return map[string]any{}
	case "tools/list":
		tools := []json.RawMessage{}
		for _, t := range s.offer.Tools {
			tools = append(tools, json.RawMessage(t.Raw()))
		}
		return map[string]any{"tools": tools}
	case "tools/call":
		text := map[string]any{"type": "text", "text": "called " + call.Params.Name}
		return map[string]any{"content": []any{text}}
	}
	return nil
}

// mustJSON encodes what is known to have a form in JSON.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
