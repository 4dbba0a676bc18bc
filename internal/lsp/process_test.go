package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// binary is the program under test, built once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "skill-ls")
	if err != nil {
		return "", err
	}
	leftovers = append(leftovers, dir)
	name := filepath.Join(dir, "skill-ls")
	out, err := exec.Command("go", "build", "-o", name, "github.com/skill-ls/skill-ls/cmd/skill-ls").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build skill-ls: %w\n%s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asMCPServer {
		mcpServer(os.Args[2])
		return
	}
	if len(os.Args) == 3 && os.Args[1] == asMuteServer {
		muteServer(os.Args[2])
		return
	}
	if len(os.Args) == 2 && os.Args[1] == asOldServer {
		oldServer(os.Stdin, os.Stdout)
		return
	}
	status := m.Run()
	for _, dir := range leftovers {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

// leftovers are folders that several tests share, removed at the end.
var leftovers []string

func program(t testing.TB) string {
	t.Helper()
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// process is the real program with pipes to it.
type process struct {
	*exec.Cmd
	in   io.WriteCloser
	out  io.ReadCloser
	log  *logBuffer
	done chan error
}

// logBuffer collects what a process logs.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func startProcess(t testing.TB, args ...string) *process {
	t.Helper()
	return startCommand(t, program(t), args...)
}

// startCommand starts the program by a command.
func startCommand(t testing.TB, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), log: &logBuffer{}, done: make(chan error, 1)}
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.out, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.Stderr = p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// status waits for the process to end.
func (p *process) status(t testing.TB) int {
	t.Helper()
	select {
	case err := <-p.done:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		return 0
	case <-time.After(20 * time.Second):
		t.Fatal("the process does not end")
		return -1
	}
}

// connect makes the process the server of an editor.
func (p *process) connect(t testing.TB, dir string, o editorOptions) *editor {
	if o.enc == "" {
		o.enc = protocol.PositionEncodingKindUTF16
	}
	e := dial(t, pipe{p.out, p.in}, dir, o)
	e.initialize(o)
	return e
}

func TestProcessSession(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	p := startProcess(t, "--stdio")
	e := p.connect(t, dir, editorOptions{})
	e.open("skills/alpha/SKILL.md")
	if got := rulesOf(e.waitFor(e.uri("skills/alpha/SKILL.md"), 1)); got != "yaml/unquoted-colon" {
		t.Errorf("the diagnostics are %q", got)
	}
	if err := e.Shutdown(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Hover(e.ctx(), &protocol.HoverParams{}); err == nil {
		t.Error("a request after shutdown was answered")
	}
	if err := e.Exit(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if got := p.status(t); got != 0 {
		t.Errorf("the exit status is %d, the log\n%s", got, p.log)
	}
}

func TestProcessEnds(t *testing.T) {
	for _, c := range []struct {
		name, input string
		log         string
	}{
		{"at the end of input", "", "without shutdown"},
		{"at exit without shutdown", frame(`{"jsonrpc":"2.0","method":"exit"}`), "without shutdown"},
		{"at garbage", "\x00\xff GET / HTTP/1.1\r\n\r\n{}", "the connection broke"},
		{"at a header without a body", "Content-Length: 10\r\n\r\n{", "the connection broke"},
		{"at a message too long", "Content-Length: 99999999999999\r\n\r\n{", "the connection broke"},
		{"at what is no JSON", frame(`{{{`), "the connection broke"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startProcess(t)
			if _, err := io.WriteString(p.in, c.input); err != nil {
				t.Fatal(err)
			}
			_ = p.in.Close()
			if got := p.status(t); got != 1 {
				t.Errorf("the exit status is %d", got)
			}
			if log := p.log.String(); !strings.Contains(log, c.log) || strings.Contains(log, "goroutine") {
				t.Errorf("the log is\n%s\nwant a line about %q", log, c.log)
			}
		})
	}
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// TestProcessOutlivesSilentClient sends requests and edits, answers nothing and reads nothing for a while.
func TestProcessOutlivesSilentClient(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	p := startProcess(t)
	u := string(fileURI(filepath.Join(dir, "skills/alpha/SKILL.md")))
	caps, err := protocol.Marshal(capabilitiesOf(protocol.PositionEncodingKindUTF16, false))
	if err != nil {
		t.Fatal(err)
	}
	send := func(format string, args ...any) {
		if _, err := io.WriteString(p.in, frame(fmt.Sprintf(format, args...))); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":%q,"capabilities":%s}}`, fileURI(dir), caps)
	first := make([]byte, 1)
	if _, err := io.ReadFull(p.out, first); err != nil { // the answer begins: the rest is left unread
		t.Fatal(err)
	}
	send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"skill","version":1,"text":%q}}}`, u, colonSkill)
	for i := range 5000 {
		send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":6,"character":0},"end":{"line":6,"character":0}},"text":"x"}]}}`, u, i+2)
	}
	send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	seen := make(chan bool)
	go func() {
		all, _ := io.ReadAll(p.out)
		seen <- bytes.Contains(all, []byte(`"id":2,"result":null`)) || bytes.Contains(all, []byte(`"result":null,"id":2`)) || bytes.Contains(all, []byte(`"id":2`))
	}()
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := p.status(t); got != 0 {
		t.Errorf("the exit status is %d, the log\n%s", got, p.log)
	}
	if !<-seen {
		t.Error("shutdown was not answered")
	}
}

func TestProcessTakesLargeInput(t *testing.T) {
	racetest.Skip(t)
	if testing.Short() {
		t.Skip("large files take seconds")
	}
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill, "skills/big/SKILL.md": colonSkill})
	p := startProcess(t)
	e := p.connect(t, dir, editorOptions{})
	u := e.uri("skills/big/SKILL.md")
	for name, src := range map[string]string{
		"50 MB":           colonSkill + strings.Repeat("A line of text that goes on for a while, and then ends.\n", 50<<20/56),
		"a million lines": colonSkill + strings.Repeat("\n", 1_000_000),
		"one long line":   colonSkill + strings.Repeat("`x` [y](z) ", 200_000),
		"nested":          "---\nname: " + strings.Repeat("[", 100_000) + "\n---\n" + strings.Repeat("> ", 10_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			e.t = t
			e.openURI(u, src)
			e.waitFor(u, 1)
			v := e.replace(u, textSpan(0, 0), "x").version
			e.waitFor(u, v)
			e.close(u)
		})
	}
	e.t = t
	e.open("skills/alpha/SKILL.md")
	e.waitFor(e.uri("skills/alpha/SKILL.md"), 1)
}

func TestProcessFolderDeleted(t *testing.T) {
	dir := newFolder(t, map[string]string{"w/skills/alpha/SKILL.md": colonSkill})
	p := startProcess(t)
	e := p.connect(t, filepath.Join(dir, "w"), editorOptions{})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	e.waitFor(u, 1)
	if err := os.RemoveAll(filepath.Join(dir, "w")); err != nil {
		t.Fatal(err)
	}
	e.watched(e.uri("skills"), protocol.FileChangeTypeDeleted)
	for len(e.waitFor(u, 0)) > 0 {
	}
	v := e.replace(u, textSpan(0, 0), "").version // the user goes on typing in the editor
	if got := rulesOf(e.waitFor(u, v)); !strings.Contains(got, "yaml/unquoted-colon") {
		t.Errorf("the diagnostics of the document that is left are %q", got)
	}
}

// cpu returns how long a process has computed, and its memory in bytes. The kernel counts in hundredths of a
// second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
func (p *process) cpu(t testing.TB) (time.Duration, int64) {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		t.Skip("there is no /proc to read the time from")
	}
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+2:]))
	number := func(i int) int64 {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const userTime, systemTime, resident = 11, 12, 21
	return time.Duration(number(userTime)+number(systemTime)) * 10 * time.Millisecond, number(resident) * int64(os.Getpagesize())
}
