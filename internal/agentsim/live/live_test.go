package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
)

const key = "word-of-honour-77"

// reply is what the scripted server answers with.
type reply struct {
	status int
	header string // Retry-After
	body   string
}

// exchange is what the server was sent.
type exchange struct {
	path   string
	header http.Header
	body   map[string]any
}

// scripted is a server on loopback that answers in order, the last answer again and again.
func scripted(t *testing.T, replies ...reply) (address string, seen func() []exchange) {
	t.Helper()
	var mu sync.Mutex
	var all []exchange
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		x := exchange{path: r.URL.Path, header: r.Header}
		_ = json.Unmarshal(data, &x.body)
		mu.Lock()
		now := replies[min(len(all), len(replies)-1)]
		all = append(all, x)
		mu.Unlock()
		if now.header != "" {
			w.Header().Set("Retry-After", now.header)
		}
		if now.status >= 300 && now.status < 400 {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(now.status)
		_, _ = io.WriteString(w, now.body)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []exchange { mu.Lock(); defer mu.Unlock(); return all }
}

// client asks the scripted server without waiting between tries; waited collects how long it would have.
func client(t *testing.T, spec, address string) (c *Client, waited *[]time.Duration) {
	t.Helper()
	environment := map[string]string{
		"OPENAI_BASE_URL": address + "/v1", "ANTHROPIC_BASE_URL": address, "OLLAMA_HOST": address, "OPENAI_API_KEY": key, "ANTHROPIC_API_KEY": key,
	}
	c, err := New(spec, func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	waited = new([]time.Duration)
	c.wait = func(ctx context.Context, d time.Duration) error {
		*waited = append(*waited, d)
		return ctx.Err()
	}
	return c, waited
}

// talk is a conversation with everything in it.
func talk() *turn.Request {
	return &turn.Request{
		System: "You are X.",
		Entries: []turn.Entry{
			{Kind: turn.Spoken, Text: "Fill in the form"},
			{Kind: turn.Hint, Text: "It is noon."},
			{Kind: turn.Said, Text: "I look.", Round: 1},
			{Kind: turn.Called, ID: "c1", Tool: "Skill", Arguments: `{"skill": "pdf"}`, Round: 1},
			{Kind: turn.Called, ID: "c2", Tool: "get", Arguments: "broken", Round: 1},
			{Kind: turn.Returned, ID: "c1", Tool: "Skill", Text: "# PDF", Round: 1},
			{Kind: turn.Returned, ID: "c2", Tool: "get", Text: "no", Round: 1},
			{Kind: turn.Notice, Text: "told to the user"},
		},
		Tools: []agentsim.Tool{{Name: "Skill", Description: "Loads.", InputSchema: json.RawMessage(`{"type":"object"}`)}, {Name: "get"}},
	}
}

const (
	saysOpenAI    = `{"choices": [{"message": {"content": "Done.", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "Skill", "arguments": "{\"skill\":\"pdf\"}"}}]}}]}`
	saysAnthropic = `{"content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Done."}, {"type": "tool_use", "id": "x", "name": "Skill", "input": {"skill":"pdf"}}]}`
	saysOllama    = `{"message": {"role": "assistant", "content": "Done.", "tool_calls": [{"function": {"name": "Skill", "arguments": {"skill":"pdf"}}}]}}`
)

func TestForms(t *testing.T) {
	for _, c := range []struct{ spec, says, path, header, messages, first string }{
		{
			"openai:m", saysOpenAI, "/v1/chat/completions", "Bearer " + key,
			`[{"content":"You are X.","role":"system"},{"content":"Fill in the form","role":"user"},{"content":"It is noon.","role":"user"},{"content":"I look.","role":"assistant","tool_calls":[{"function":{"arguments":"{\"skill\": \"pdf\"}","name":"Skill"},"id":"c1","type":"function"},{"function":{"arguments":"broken","name":"get"},"id":"c2","type":"function"}]},{"content":"# PDF","role":"tool","tool_call_id":"c1"},{"content":"no","role":"tool","tool_call_id":"c2"}]`,
			`{"function":{"description":"Loads.","name":"Skill","parameters":{"type":"object"}},"type":"function"}`,
		},
		{
			"anthropic:m", saysAnthropic, "/v1/messages", key,
			`[{"content":[{"text":"Fill in the form","type":"text"},{"text":"It is noon.","type":"text"}],"role":"user"},{"content":[{"text":"I look.","type":"text"},{"id":"c1","input":{"skill":"pdf"},"name":"Skill","type":"tool_use"},{"id":"c2","input":{},"name":"get","type":"tool_use"}],"role":"assistant"},{"content":[{"content":"# PDF","tool_use_id":"c1","type":"tool_result"},{"content":"no","tool_use_id":"c2","type":"tool_result"}],"role":"user"}]`,
			`{"description":"Loads.","input_schema":{"type":"object"},"name":"Skill"}`,
		},
		{
			"ollama:m:4b", saysOllama, "/api/chat", "",
			`[{"content":"You are X.","role":"system"},{"content":"Fill in the form","role":"user"},{"content":"It is noon.","role":"user"},{"content":"I look.","role":"assistant","tool_calls":[{"function":{"arguments":{"skill":"pdf"},"name":"Skill"}},{"function":{"arguments":{},"name":"get"}}]},{"content":"# PDF","role":"tool","tool_name":"Skill"},{"content":"no","role":"tool","tool_name":"get"}]`,
			`{"function":{"description":"Loads.","name":"Skill","parameters":{"type":"object"}},"type":"function"}`,
		},
	} {
		address, seen := scripted(t, reply{200, "", c.says})
		model, _ := client(t, c.spec, address)
		got, err := model.Answer(context.Background(), talk())
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != "Done." || len(got.Calls) != 1 || got.Calls[0].Tool != "Skill" || got.Calls[0].Arguments != `{"skill":"pdf"}` {
			t.Errorf("%s: got %+v", c.spec, got)
		}
		x := seen()[0]
		if sent := x.header.Get("Authorization") + x.header.Get("X-Api-Key"); x.path != c.path || sent != c.header {
			t.Errorf("%s: asked %s with %q", c.spec, x.path, sent)
		}
		if sent := encoded(t, x.body["messages"]); sent != c.messages {
			t.Errorf("%s: sent\n%s\nwant\n%s", c.spec, sent, c.messages)
		}
		if sent := encoded(t, x.body["tools"].([]any)[0]); sent != c.first {
			t.Errorf("%s: sent the tool %s", c.spec, sent)
		}
		if name := strings.SplitN(c.spec, ":", 2)[1]; x.body["model"] != name {
			t.Errorf("%s: asked for %v", c.spec, x.body["model"])
		}
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// Every error is one line and does not hold the key.
func TestErrors(t *testing.T) {
	leak := `{"error": {"message": "Incorrect API key ` + key + `,\n see https://example.com"}}`
	for _, c := range []struct {
		spec    string
		replies []reply
		want    string
		waited  string
	}{
		{"openai:m", []reply{{401, "", leak}}, "openai:m: answers 401 Unauthorized, the key in OPENAI_API_KEY is not accepted: Incorrect API key ***, see https://example.com", "[]"},
		{"anthropic:m", []reply{{403, "", `{"type":"error","error":{"type":"x","message":"no"}}`}}, "anthropic:m: answers 403 Forbidden, the key in ANTHROPIC_API_KEY is not accepted: no", "[]"},
		{"ollama:m", []reply{{404, "", `{"error": "model 'm' not found"}`}}, "ollama:m: answers 404 Not Found, there is no model m or no such address: model 'm' not found", "[]"},
		{"openai:m", []reply{{400, "", "<html>\nbad"}}, "openai:m: answers 400 Bad Request: <html> bad", "[]"},
		{"openai:m", []reply{{200, "", "<!DOCTYPE html>"}}, "openai:m: does not answer with JSON: <!DOCTYPE html>", "[]"},
		{"openai:m", []reply{{200, "", `{"choices": []}`}}, "openai:m: answers in another form: there are no choices", "[]"},
		{"anthropic:m", []reply{{200, "", `{"content": "x"}`}}, "anthropic:m: answers in another form: json: cannot unmarshal string into Go struct field", "[]"},
		{"ollama:m", []reply{{200, "", `[]`}}, "ollama:m: answers in another form: ", "[]"},
		{"openai:m", []reply{{302, "", ""}}, "openai:m: answers 302 Found, which is not followed: the address in OPENAI_BASE_URL is another one", "[]"},
		{"openai:m", []reply{{429, "7", `{"error": {"message": "slow down"}}`}}, "openai:m: answers 429 Too Many Requests after 4 tries: slow down", "[7s 7s 7s]"},
		{"openai:m", []reply{{529, "", "{}"}}, "openai:m: answers 529", "[1s 2s 4s]"},
		{"openai:m", []reply{{429, "100000", ""}}, "openai:m: answers 429", "[1m0s 1m0s 1m0s]"},
	} {
		address, _ := scripted(t, c.replies...)
		model, waited := client(t, c.spec, address)
		_, err := model.Answer(context.Background(), talk())
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: got %v, want %s", c.replies, err, c.want)
		}
		if got := fmt.Sprint(*waited); got != c.waited {
			t.Errorf("%v: waited %s, want %s", c.replies, got, c.waited)
		}
	}
}

func TestBusyThenFine(t *testing.T) {
	address, seen := scripted(t, reply{429, "1", ""}, reply{503, "", ""}, reply{200, "", saysOllama})
	model, _ := client(t, "ollama:m", address)
	if got, err := model.Answer(context.Background(), talk()); err != nil || got.Text != "Done." || len(seen()) != 3 {
		t.Errorf("got %+v, %v after %d requests", got, err, len(seen()))
	}
}

func TestSilence(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer s.Close()
	defer close(stop)
	model, _ := client(t, "ollama:m", s.URL)
	model.http.Timeout = 50 * time.Millisecond
	if _, err := model.Answer(context.Background(), talk()); err == nil || err.Error() != "ollama:m: gave no answer within 50ms" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := model.Answer(ctx, talk()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	nobody := httptest.NewServer(nil)
	nobody.Close()
	model, _ = client(t, "ollama:m", nobody.URL)
	if _, err := model.Answer(context.Background(), talk()); err == nil || !strings.HasPrefix(err.Error(), "ollama:m: cannot be reached: ") {
		t.Errorf("got %v", err)
	}
}

func TestNew(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for spec, want := range map[string]string{
		"gpt":         "write PROVIDER:MODEL, such as ollama:qwen3; providers are anthropic, ollama, openai",
		"other:m":     "write PROVIDER:MODEL",
		"openai:":     "write PROVIDER:MODEL",
		"openai:m":    "openai needs a key: set OPENAI_API_KEY",
		"anthropic:m": "anthropic needs a key: set ANTHROPIC_API_KEY",
	} {
		if _, err := New(spec, none); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", spec, err)
		}
	}
	if c, err := New("ollama:m", none); err != nil || c.url != "http://127.0.0.1:11434/api/chat" {
		t.Errorf("got %+v, %v", c, err)
	}
	host := func(string) (string, bool) { return "localhost:9", true }
	if c, err := New("ollama:m", host); err != nil || c.url != "http://localhost:9/api/chat" {
		t.Errorf("got %+v, %v", c, err)
	}
	bad := func(string) (string, bool) { return "ftp://x", true }
	if _, err := New("ollama:m", bad); err == nil || !strings.Contains(err.Error(), "OLLAMA_HOST holds no address") {
		t.Errorf("got %v", err)
	}
}

func TestTrials(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	pick := func(_ context.Context, query string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[query]++
		switch {
		case query == "sometimes" && asked[query] > 2:
			return "", nil
		case query == "never":
			return "xlsx", nil
		}
		return "pdf", nil
	}
	queries := []route.Query{
		{Text: "always", Skill: "PDF", Trigger: true},
		{Text: "sometimes", Skill: "PDF", Trigger: true},
		{Text: "never", Skill: "PDF", Trigger: true},
		{Text: "wrongly", Skill: "PDF"},
		{Text: "free"},
	}
	same := func(picked, expected string) bool { return strings.EqualFold(picked, expected) }
	out, err := Trials{Pick: pick, Same: same, Runs: 4, Threshold: 0.5, Parallel: 3}.Run(context.Background(), queries)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, trial := range out {
		got += fmt.Sprintf("%s %d %v %v; ", trial.Query.Text, trial.Triggers, trial.Pass, trial.Picked)
	}
	want := "always 4 true map[pdf:4]; sometimes 2 true map[:2 pdf:2]; never 0 false map[xlsx:4]; wrongly 4 false map[pdf:4]; free 0 true map[pdf:4]; "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if share, of := Passed(out); share != 0.5 || of != 4 {
		t.Errorf("passed %g of %d", share, of)
	}
	broken := func(context.Context, string) (string, error) { return "", errors.New("no model") }
	if _, err := (Trials{Pick: broken, Same: same, Runs: 2, Threshold: 0.5, Parallel: 2}).Run(context.Background(), queries); err == nil || err.Error() != "no model" {
		t.Errorf("got %v", err)
	}
}
