package badserver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// latest is the revision without a handshake.
const latest = "2026-07-28"

var modes = map[string]mode{
	"good": {},

	// Starting and ending.
	"crash":    {begin: func(*server) { exit(3, "Error: Cannot find module 'foo'") }},
	"slow":     {begin: func(*server) { time.Sleep(time.Second) }},
	"hang":     {begin: func(*server) { fmt.Fprintln(os.Stderr, "caching channels"); wait() }},
	"deaf":     {begin: func(*server) { signal.Ignore(syscall.SIGTERM) }, end: wait},
	"lingers":  {end: wait},
	"sulks":    {end: func() { os.Exit(7) }},
	"sleeper":  {begin: func(*server) { signal.Ignore(syscall.SIGTERM); wait() }},
	"napper":   {begin: func(*server) { wait() }},
	"env":      {begin: func(*server) { fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n")) }},
	"mute":     {begin: func(s *server) { _ = s.out.Close() }},
	"leaky":    {begin: func(*server) { exit(1, "refused: token "+os.Getenv("API_TOKEN")+" \x1b[31mis wrong\x1b[0m") }},
	"canary":   {begin: func(*server) { _ = os.WriteFile(os.Getenv("CANARY"), nil, 0o600) }},
	"stubborn": {begin: func(*server) { signal.Ignore(syscall.SIGTERM); child("sleeper") }, end: wait},
	// Descendants that outlive the server, the first even a polite request to end.
	"grandchild":       {begin: func(*server) { child("sleeper") }},
	"grandchild-clean": {begin: func(*server) { child("napper") }},

	// Output.
	"noise":       {begin: func(s *server) { s.print("Server v1.2 starting on stdio...\n\x1b[32mready\x1b[0m\n\n[info] loaded\n") }},
	"jsonnoise":   {begin: func(s *server) { s.print("{\"level\":\"info\"}\n{ not json\n") }},
	"bom":         {begin: func(s *server) { s.print("\ufeff") }},
	"stderrflood": {begin: func(*server) { fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("x", 1000)+"\n", 4000)) }},
	"endless":     {begin: func(s *server) { flood(s, strings.Repeat("z", 1<<20)) }},
	"chatty":      {begin: func(s *server) { flood(s, strings.Repeat(encode(ping)+"\n", 1000)) }},
	"requests":    {begin: func(s *server) { s.print(strings.Repeat(encode(ping)+"\n", 3000)) }},
	"pingfirst":   {initialize: func(s *server, m *message) any { s.send(ping); return welcome(m.Params.Version) }},
	"crlf":        {encode: func(_ *server, a list) string { return encode(a) + "\r\n" }},
	"trailing":    {encode: func(_ *server, a list) string { return encode(a) + " \n" }},
	"dotenv":      {begin: func(s *server) { s.print("[dotenv@17.2.1] injecting env (3) from .env\n") }},
	"inlinenoise": {encode: func(_ *server, a list) string { return "DEBUG response: " + encode(a) + "\n" + encode(a) + "\n" }},
	"pretty": {encode: func(_ *server, a list) string {
		data, _ := json.MarshalIndent(a, "", " ")
		return string(data) + "\n"
	}},
	"stringid": {encode: func(_ *server, a list) string {
		a["id"] = string(a["id"].(json.RawMessage))
		return encode(a) + "\n"
	}},

	// Versions.
	"silentdiscover": {discover: silent},
	"exitondiscover": {discover: func(*server, *message) any { exit(1, "received request before initialization"); return nil }},
	"supportslegacy": {discover: func(*server, *message) any {
		return failure{-32022, "Unsupported protocol version", list{"supported": []string{"2025-11-25"}, "requested": latest}}
	}},
	"modernonly": {
		initialize: func(*server, *message) any { return failure{Code: -32601, Message: "unsupported; supports " + latest} },
		discover:   discovered, tools: modernTools,
	},
	"modernsilent": {initialize: silent, discover: discovered, tools: modernTools},
	"modernexits":  {initialize: func(*server, *message) any { exit(1, "no such method"); return nil }, discover: discovered, tools: modernTools},
	"futureproto":  {initialize: func(*server, *message) any { return welcome("2099-01-01") }},
	"oldproto":     {initialize: func(*server, *message) any { return welcome("2024-10-07") }},
	"noproto":      {initialize: func(*server, *message) any { return list{"capabilities": list{"tools": list{}}} }},
	"picky": {initialize: func(_ *server, m *message) any {
		if m.Params.Version != "2025-03-26" {
			return failure{-32602, "Unsupported protocol version", list{"supported": []string{"2025-03-26"}, "requested": m.Params.Version}}
		}
		return welcome(m.Params.Version)
	}},
	"refuses": {initialize: func(*server, *message) any { return failure{Code: -32000, Message: "License expired"} }},

	// Lists.
	"dieafterinit": {initialize: func(s *server, m *message) any {
		s.send(list{"jsonrpc": "2.0", "id": m.ID, "result": welcome(m.Params.Version)})
		exit(9, "fatal: boom")
		return nil
	}},
	"hanginlist": {tools: silent},
	"listerror":  {tools: func(*server, *message) any { return failure{Code: -32603, Message: "database is locked"} }},
	"nolist":     {tools: func(*server, *message) any { return list{"items": []any{}} }},
	"undeclared": {initialize: func(_ *server, m *message) any {
		return list{"protocolVersion": m.Params.Version, "capabilities": list{}}
	}},
	"cursorsame": {tools: func(*server, *message) any { return page("t1", "x") }},
	"cursorinf": {tools: func(s *server, _ *message) any {
		s.pages++
		return page(fmt.Sprint("t", s.pages), fmt.Sprint("c", s.pages))
	}},
	"cursornumber": {tools: func(*server, *message) any { return page("t1", 5) }},
	"cursorempty": {tools: func(s *server, _ *message) any {
		if s.pages++; s.pages == 1 {
			return page("t1", "")
		}
		return list{"tools": []any{tool("t2")}}
	}},
	"cursorignored": {tools: func(*server, *message) any { return page("t1", "") }},
	"hangincall":    {call: silent},
	"dieincall":     {call: func(*server, *message) any { exit(4, "out of memory"); return nil }},
	"many": {tools: func(s *server, _ *message) any {
		var all []any
		for i := range 2500 {
			all = append(all, tool(fmt.Sprint("t", i)))
		}
		return list{"tools": all}
	}},
	"paged": {tools: func(_ *server, m *message) any {
		if m.Params.Cursor == "" {
			return page("t1", "2")
		}
		return list{"tools": []any{tool("t2")}}
	}},
	"shuffled": {tools: func(s *server, _ *message) any {
		s.pages++
		return list{"tools": []any{tool(fmt.Sprint("t", s.pages%2)), tool(fmt.Sprint("t", (s.pages+1)%2))}}
	}},
	"moody": {tools: func(s *server, _ *message) any {
		s.pages++
		return list{"tools": []any{tool("t1"), tool(fmt.Sprint("t", s.pages+1))}}
	}},
	"huge":  {tools: described(200)},
	"large": {tools: described(12)},
}

// shapes are tools that are not what the protocol wants.
var shapes = map[string]any{
	"noschema":     list{"name": "a"},
	"nullschema":   list{"name": "a", "inputSchema": nil},
	"typearray":    list{"name": "a", "inputSchema": list{"type": []string{"object", "null"}}},
	"propsarray":   list{"name": "a", "inputSchema": list{"type": "object", "properties": []any{}}},
	"requiredbool": list{"name": "a", "inputSchema": list{"type": "object", "required": true}},
	"boolschema":   list{"name": "a", "inputSchema": true},
	"nullname":     list{"name": nil, "inputSchema": list{"type": "object"}},
	"numname":      list{"name": 5, "inputSchema": list{"type": "object"}},
	"descobj":      list{"name": "a", "description": list{"x": 1}, "inputSchema": list{"type": "object"}},
	"annstr":       list{"name": "a", "inputSchema": list{"type": "object"}, "annotations": list{"readOnlyHint": "true"}},
	"iconobj":      list{"name": "a", "inputSchema": list{"type": "object"}, "icons": list{}},
	"topanyof":     list{"name": "a", "inputSchema": list{"$schema": "http://json-schema.org/draft-07/schema#", "anyOf": []any{list{"type": "object"}}, "title": "X"}},
	"outarray":     list{"name": "a", "inputSchema": list{"type": "object"}, "outputSchema": list{"type": "array"}},
	"hdr":          list{"name": "a", "inputSchema": list{"type": "object", "properties": list{"x": list{"type": "number", "x-mcp-header": "bad header"}}}},
	"nulltool":     nil,
}

var ping = list{"jsonrpc": "2.0", "id": "s1", "method": "ping"}

func silent(*server, *message) any { return silence{} }

// flood writes text again and again until nobody reads it any more.
func flood(s *server, text string) {
	for {
		if _, err := s.out.WriteString(text); err != nil {
			os.Exit(1)
		}
	}
}

func page(name string, next any) list { return list{"tools": []any{tool(name)}, "nextCursor": next} }

// described answers with a tool whose description has that many MiB, without holding them in memory.
func described(mib int) func(*server, *message) any {
	return func(s *server, m *message) any {
		s.print(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"tools":[{"name":"t1","inputSchema":{"type":"object"},"description":"`)
		for range mib {
			s.print(strings.Repeat("z", 1<<20))
		}
		s.print("\"}]}}\n")
		return silence{}
	}
}

func discovered(*server, *message) any {
	return list{
		"resultType": "complete", "supportedVersions": []string{latest}, "capabilities": list{"tools": list{}},
		"_meta": list{"io.modelcontextprotocol/serverInfo": list{"name": "modern", "version": "1"}}, "ttlMs": 1000, "cacheScope": "public",
	}
}

func modernTools(*server, *message) any {
	return list{"resultType": "complete", "tools": []any{tool("t1")}, "ttlMs": 1, "cacheScope": "public"}
}
