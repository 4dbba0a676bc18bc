package model

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// started starts a model that first calls a tool and then says a text.
func started(t *testing.T) *Server {
	t.Helper()
	script := []Answer{{Tool: "files::read", Arguments: json.RawMessage(`{"path":"a"}`)}, {Text: "done"}}
	s, err := Start("127.0.0.1:0", script, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// say sends a request and returns the answer's type and body.
func say(t *testing.T, s *Server, path, body string) (kind, answer string) {
	t.Helper()
	r, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", path, r.Status, err, data)
	}
	return r.Header.Get("Content-Type"), string(data)
}

// forms is one conversation in each protocol: a prompt of a system and a user part, a tool, and the result of a call.
var forms = []struct {
	protocol, path, streamed string // path of a whole and of a streamed answer
	request                  string // with the member that asks for a stream in the place of %s
	stream                   string
	call, text               []string // parts of the answers
}{
	{
		"anthropic-messages", "/v1/messages", "/v1/messages",
		`{%s"system":[{"type":"text","text":"be good"}],"messages":[{"role":"user","content":"hello"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"found"}]}]}],
		"tools":[{"name":"files::read","description":"Reads.","input_schema":{"type":"object"}}]}`,
		`"stream":true,`,
		[]string{`"tool_use"`, `"name":"files::read"`},
		[]string{`"text":"done"`},
	},
	{
		"openai-chat", "/v1/chat/completions", "/v1/chat/completions",
		`{%s"messages":[{"role":"system","content":"be good"},{"role":"user","content":[{"type":"text","text":"hello"}]},{"role":"tool","tool_call_id":"c1","content":"found"}],
		"tools":[{"type":"function","function":{"name":"files::read","description":"Reads.","parameters":{"type":"object"}}}]}`,
		`"stream":true,`,
		[]string{`"name":"files::read"`, `"tool_calls"`},
		[]string{`"content":"done"`, `"stop"`},
	},
	{
		"openai-responses", "/v1/responses", "/v1/responses",
		`{%s"instructions":"be good","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]},{"type":"function_call_output","call_id":"c1","output":"found"}],
		"tools":[{"type":"namespace","name":"files","tools":[{"type":"function","name":"read","description":"Reads.","parameters":{"type":"object"}}]}]}`,
		`"stream":true,`,
		[]string{`"function_call"`, `"namespace":"files"`, `"name":"read"`},
		[]string{`"text":"done"`, `"completed"`},
	},
	{
		"gemini", "/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent",
		`{%s"systemInstruction":{"parts":[{"text":"be good"}]},"contents":[{"role":"user","parts":[{"text":"hello"}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"x","response":{"output":"found"}}}]}],
		"tools":[{"functionDeclarations":[{"name":"files::read","description":"Reads.","parametersJsonSchema":{"type":"object"}}]}]}`,
		"",
		[]string{`"functionCall"`, `"name":"files::read"`, `"args":{"path":"a"}`},
		[]string{`"text":"done"`, `"STOP"`},
	},
}

func TestProtocols(t *testing.T) {
	for _, f := range forms {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s streamed %v", f.protocol, streamed), func(t *testing.T) {
				s := started(t)
				path, request, want := f.path, fmt.Sprintf(f.request, ""), "application/json"
				if streamed {
					path, request, want = f.streamed, fmt.Sprintf(f.request, f.stream), "text/event-stream"
				}
				for _, parts := range [][]string{f.call, f.text} {
					kind, answer := say(t, s, path+"?alt=sse", request)
					if kind != want {
						t.Errorf("answered as %s, want %s", kind, want)
					}
					for _, p := range parts {
						if !strings.Contains(answer, p) {
							t.Errorf("no %s in the answer\n%s", p, answer)
						}
					}
					wellFormed(t, answer, streamed)
				}
				checkRead(t, s.Requests()[0], f.protocol)
			})
		}
	}
}

// wellFormed wants JSON in each event, or in the whole.
func wellFormed(t *testing.T, answer string, streamed bool) {
	t.Helper()
	texts := []string{answer}
	if streamed {
		texts = nil
		for line := range strings.Lines(answer) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(data) != "[DONE]" {
				texts = append(texts, data)
			}
		}
	}
	for _, text := range texts {
		if !json.Valid([]byte(text)) {
			t.Errorf("no JSON: %s", text)
		}
	}
	if len(texts) == 0 {
		t.Errorf("no event in %s", answer)
	}
}

func readsAs(r *Request) string {
	var out []string
	for _, p := range r.Parts {
		out = append(out, p.Role+" "+p.Text+p.Call)
	}
	for _, tool := range r.Tools {
		out = append(out, tool.Name+" "+tool.Description+string(tool.InputSchema))
	}
	return strings.Join(out, "|")
}

func checkRead(t *testing.T, r *Request, protocol string) {
	t.Helper()
	if want := `system be good|user hello|tool foundc1|files::read Reads.{"type":"object"}`; r.Protocol != protocol || readsAs(r) != want {
		t.Errorf("%s: read %s\nwant %s", r.Protocol, readsAs(r), want)
	}
}

func TestRequestsWithoutToolsDoNotUseUpTheScript(t *testing.T) {
	s := started(t)
	if _, answer := say(t, s, "/v1/chat/completions", `{"messages":[{"role":"user","content":"a title, please"}]}`); !strings.Contains(answer, `"content":"ok"`) {
		t.Errorf("answered %s", answer)
	}
	if s.Played() != 0 {
		t.Errorf("%d answers were given", s.Played())
	}
}

func TestFreeTextTool(t *testing.T) {
	s, err := Start("127.0.0.1:0", []Answer{{Tool: "patch", Arguments: json.RawMessage(`{"input":"*** Begin"}`)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, answer := say(t, s, "/responses", `{"input":"hello","tools":[{"type":"custom","name":"patch"}]}`)
	if !strings.Contains(answer, `"custom_tool_call"`) || !strings.Contains(answer, `"input":"*** Begin"`) {
		t.Errorf("answered %s", answer)
	}
}

func TestWhatElseIsAsked(t *testing.T) {
	s := started(t)
	for path, want := range map[string]string{
		"/v1/models": `"object":"list"`, "/v1/messages/count_tokens": "input_tokens", "/v1beta/models/m:countTokens": "totalTokens", "/telemetry": "{}",
	} {
		if _, answer := say(t, s, path, "{}"); !strings.Contains(answer, want) {
			t.Errorf("%s: answered %s", path, answer)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d of them count as requests", n)
	}
}

func TestPackedRequests(t *testing.T) {
	s := started(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, `{"messages":[{"role":"user","content":"packed"}]}`)
	_ = w.Close()
	for encoding, want := range map[string]int{"gzip": http.StatusOK, "zstd": http.StatusBadRequest} {
		r, err := http.NewRequest(http.MethodPost, s.URL()+"/chat/completions", bytes.NewReader(packed.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Encoding", encoding)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = got.Body.Close()
		if got.StatusCode != want {
			t.Errorf("%s: %s", encoding, got.Status)
		}
	}
	if faults := s.Faults(); len(faults) != 1 || !strings.Contains(faults[0], `"zstd"`) {
		t.Errorf("faults: %q", faults)
	}
	if r := s.Requests(); len(r) != 1 || readsAs(r[0]) != "user packed" {
		t.Errorf("requests: %+v", r)
	}
}

// A client that uses the server as its proxy reaches the model and nobody else.
func TestProxy(t *testing.T) {
	s := started(t)
	proxy, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if r, err := client.Get("http://elsewhere.example/x"); err != nil || r.StatusCode != http.StatusForbidden {
		t.Errorf("%v %v", r, err)
	}
	if _, err := client.Get("https://elsewhere.example/x"); err == nil {
		t.Error("a tunnel to elsewhere was made")
	}
	if r, err := client.Post(s.URL()+"/v1/models", "application/json", strings.NewReader("{}")); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%v %v", r, err)
	}
	if want := []string{"elsewhere.example", "elsewhere.example:443"}; !slices.Equal(s.Refused(), want) {
		t.Errorf("refused %q", s.Refused())
	}
	tunnelled(t, s)
}

// tunnelled asks the model through a tunnel to itself, as some clients do.
func tunnelled(t *testing.T, s *Server) {
	t.Helper()
	address := strings.TrimPrefix(s.URL(), "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", address, address, address)
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), "200 Connection established") || !strings.Contains(string(answer), `"object":"list"`) {
		t.Errorf("%v\n%s", err, answer)
	}
}

// Whatever a client sends, the model neither falls over nor says something that is no JSON.
func FuzzRequests(f *testing.F) {
	for i, form := range forms {
		f.Add(uint8(i), []byte(fmt.Sprintf(form.request, "")))
	}
	f.Add(uint8(0), []byte(`{"system":null,"messages":[{"content":null},{"content":[null,{"type":"tool_result","content":3}]}],"tools":[null]}`))
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		p := protocols[int(which)%len(protocols)]
		r, err := p.read("/x:streamGenerateContent", body)
		if err != nil {
			return
		}
		for _, a := range []Answer{{Text: "ok", id: "1"}, {Tool: "a::b", id: "2"}} {
			p.write(&writer{w: discard{http.Header{}}}, r, a)
		}
	})
}

// discard throws an answer away.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
