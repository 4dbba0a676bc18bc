package procgroup

import (
	"bytes"
	"strings"
	"sync"
	"time"
)

// tailSize is how much of standard error is kept.
const tailSize = 64 << 10

// Tail keeps the end of what is written to it.
type Tail struct {
	mu     sync.Mutex
	buf    []byte
	cut    bool // the beginning is gone
	once   sync.Once
	closed chan struct{}
}

func (t *Tail) done() chan struct{} {
	t.once.Do(func() { t.closed = make(chan struct{}) })
	return t.closed
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// Close says that nothing more is written. It is called once.
func (t *Tail) Close() { close(t.done()) }

// Wait waits for the writer to end, at most d.
func (t *Tail) Wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done():
	case <-timer.C:
	}
}

// Lines returns the last n lines that hold something.
func (t *Tail) Lines(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.buf
	if t.cut {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(len(lines)-n, 0):]
}
