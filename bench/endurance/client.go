package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// message is one of JSON-RPC, in either direction.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// object is what parameters are made of.
type object map[string]any

// client is an editor's side of the protocol, spoken to the real program over its pipes.
type client struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	mu       sync.Mutex
	last     int
	waiting  map[string]chan message
	ended    chan struct{} // closed when the server's output has ended
	requests int
	pushed   int // notifications from the server
}

// patience is how long an answer may take before the session counts as broken.
const patience = time.Minute

func start(bin string) (*client, error) {
	c := &client{cmd: exec.Command(bin, "--stdio"), waiting: map[string]chan message{}, ended: make(chan struct{})}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go c.read(bufio.NewReader(out))
	return c, nil
}

// read takes what the server sends until its output ends.
func (c *client) read(out *bufio.Reader) {
	defer close(c.ended)
	headers := textproto.NewReader(out)
	for {
		h, err := headers.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, err := strconv.Atoi(h.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(out, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return
		}
		c.take(m)
	}
}

// take hands an answer to whoever waits for it, and answers what the server asks as an editor without opinions does.
func (c *client) take(m message) {
	switch {
	case m.Method != "" && m.ID != nil:
		result := json.RawMessage("null")
		if m.Method == "workspace/configuration" {
			result = json.RawMessage("[null]")
		}
		_ = c.send(message{ID: m.ID, Result: result}) // the session sees it when the pipe is broken
	case m.Method != "":
		c.mu.Lock()
		c.pushed++
		c.mu.Unlock()
	default:
		c.mu.Lock()
		waits := c.waiting[string(m.ID)]
		delete(c.waiting, string(m.ID))
		c.mu.Unlock()
		if waits != nil {
			waits <- m
		}
	}
}

func (c *client) send(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write %s: %w", m.Method, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return fmt.Errorf("send %s: %w", m.Method, err)
	}
	return nil
}

func (c *client) notify(method string, params any) error {
	return c.send(message{Method: method, Params: params})
}

// request sends a request and waits for its answer.
func (c *client) request(method string, params any) (json.RawMessage, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.last++
	c.requests++
	id := strconv.Itoa(c.last)
	c.waiting[id] = answer
	c.mu.Unlock()
	if err := c.send(message{ID: json.RawMessage(id), Method: method, Params: params}); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: the server answers %s", method, m.Error)
		}
		return m.Result, nil
	case <-c.ended:
		return nil, fmt.Errorf("%s: the server has ended", method)
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer in %v", method, patience)
	}
}

// stop ends the server as editors do.
func (c *client) stop() error {
	_, err := c.request("shutdown", nil)
	err = errors.Join(err, c.notify("exit", nil), c.in.Close())
	<-c.ended
	return errors.Join(err, c.cmd.Wait())
}
