package capture

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asClient is the first argument with which the test program is an agent client.
const asClient = "fake-client"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asClient {
		syscall.Exit(fakeClient(os.Args[2:])) // os.Exit would wait a second for the race detector
	}
	os.Exit(m.Run())
}

// fakeClient does what the prompt says. A prompt that it does not know is sent to the model, with the system prompt
// in the file prompt.txt.
func fakeClient(args []string) int {
	if args[0] == "--version" {
		fmt.Println("fake client v2.1.0-beta (test)")
		return 0
	}
	word, rest, _ := strings.Cut(args[0], " ")
	switch word {
	case "crash":
		fmt.Fprintln(os.Stderr, "\x1b[31mpanic:\x1b[0m no such luck\nAPI_TOKEN="+strings.Repeat("k3Y9", 8))
		return 7
	case "login":
		fmt.Println("Please log in to go on.")
		return 1
	case "hang":
		fmt.Println("thinking")
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "silent":
		return 0
	case "garbage":
		post("/v1/chat/completions", "{")
		return 1
	case "orphan":
		return orphan(rest)
	case "outside":
		client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}
		_, _ = client.Get("https://telemetry.example/collect")
		_, _ = client.Get("http://updates.example/latest")
	case "spoil":
		_ = os.WriteFile("prompt.txt", []byte("spoilt"), 0o600)
		_ = os.MkdirAll("locked/inside", 0o700)
		_ = os.Chmod("locked", 0o500)
	}
	converse(args[0])
	if word == "late" {
		fmt.Fprintln(os.Stderr, "could not save the session")
		return 3
	}
	return 0
}

// orphan starts a process that outlives its parent, and notes the group of both.
func orphan(note string) int {
	child := exec.Command(os.Args[0], asClient, "hang")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := os.WriteFile(note, []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
		fmt.Println(err)
		return 1
	}
	converse("orphan")
	return 0
}

// converse asks the model until it no longer wants a tool called, and answers calls with what they were.
func converse(prompt string) {
	system, err := os.ReadFile("prompt.txt")
	if err != nil {
		system = []byte("nothing")
	}
	messages := []any{map[string]any{"role": "system", "content": string(system)}, map[string]any{"role": "user", "content": prompt}}
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "read", "description": "Reads.", "parameters": map[string]any{"type": "object"}}}}
	for {
		answer := post("/v1/chat/completions", string(mustJSON(map[string]any{"messages": messages, "tools": tools})))
		_, after, called := strings.Cut(answer, `"function":{"arguments":"`)
		if !called {
			return
		}
		messages = append(messages, map[string]any{"role": "tool", "tool_call_id": "x", "content": "result of " + strings.SplitN(after, `","`, 2)[0]})
	}
}

// post asks the model directly.
func post(path, body string) string {
	r, err := http.Post(os.Getenv("FAKE_URL")+path, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		fmt.Println(err)
		return ""
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err != nil {
		fmt.Println(err)
	}
	return string(answer)
}
