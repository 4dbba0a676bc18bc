package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T, l Launch, timeout time.Duration) *Conversation {
	t.Helper()
	c, r := Open(context.Background(), l, Options{Mode: All, Timeout: timeout})
	if c == nil {
		t.Fatalf("no conversation: %+v", r)
	}
	return c
}

func TestConversation(t *testing.T) {
	var g groups
	c, r := Open(context.Background(), bad("good"), Options{Mode: All, started: g.add})
	if c == nil {
		t.Fatalf("no conversation: %+v", r)
	}
	if len(c.Server.Tools) != 1 || c.Server.Tools[0].Name() != "t1" {
		t.Errorf("tools: %v", c.Server.Tools)
	}
	for _, arguments := range []string{`{"a": [1]}`, `{}`} {
		result, err := c.Call(context.Background(), "t1", json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		var got json.RawMessage
		if err := json.Unmarshal([]byte(result.At("/content/0/text").Text()), &got); err != nil || !sameJSON(string(got), arguments) {
			t.Errorf("%s arrived as %s (%v)", arguments, got, err)
		}
	}
	_, err := c.Call(context.Background(), "t2", json.RawMessage(`{}`))
	if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != -32602 || refusal.Message != "Unknown tool: t2" {
		t.Errorf("got %v", err)
	}
	if r := c.Close(); r.Status != Answered || len(r.Problems) > 0 {
		t.Errorf("the end: %+v", r)
	}
	c.Close() // does no harm
	nothingLeft(t, "good", &g)
}

func sameJSON(a, b string) bool {
	strip := strings.NewReplacer(" ", "", "\n", "")
	return strip.Replace(a) == strip.Replace(b)
}

func TestConversationWithoutConsent(t *testing.T) {
	c, r := Open(context.Background(), bad("good"), Options{})
	if c != nil || kinds(r) != string(NoConsent) {
		t.Errorf("got %v, %+v", c, r)
	}
}

func TestConversationFails(t *testing.T) {
	c, r := Open(context.Background(), bad("crash"), Options{Mode: All})
	if c != nil || kinds(r) != string(Exited) {
		t.Errorf("got %v, %+v", c, r)
	}
	c = open(t, bad("hangincall"), 0)
	c.probe.options.Timeout = 500 * time.Millisecond // of the call; a busy machine takes longer to begin
	if _, err := c.Call(context.Background(), "t1", json.RawMessage(`{}`)); err == nil || err.Error() != "call t1: no answer within 500ms" {
		t.Errorf("silence: %v", err)
	}
	c.Close()
	c = open(t, bad("dieincall"), 0)
	if _, err := c.Call(context.Background(), "t1", json.RawMessage(`{}`)); err == nil || err.Error() != "call t1: the server ended" {
		t.Errorf("an end: %v", err)
	}
	c.Close()
}

// The bound on the beginning does not end a conversation that has begun.
func TestConversationOutlivesItsBeginning(t *testing.T) {
	c := open(t, bad("good"), 0)
	defer c.Close()
	if c.probe.clock.Stop() {
		t.Error("the clock of the beginning still runs")
	}
}

func TestConversationOverHTTP(t *testing.T) {
	for _, handler := range []http.HandlerFunc{works, streams} {
		s := httptest.NewServer(handler)
		c := open(t, Launch{Name: "h", URL: s.URL}, 5*time.Second)
		_, err := c.Call(context.Background(), "t1", json.RawMessage(`{}`))
		if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != -32601 {
			t.Errorf("got %v", err)
		}
		if r := c.Close(); r.Status != Answered {
			t.Errorf("the end: %+v", r)
		}
		s.Close()
	}
}
