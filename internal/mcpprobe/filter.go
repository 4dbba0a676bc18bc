package mcpprobe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Bounds of what is read from a server.
const (
	maxFrame = 16 << 20 // bytes of one message
	maxTotal = 32 << 20 // bytes of everything
	maxNoise = 20       // lines kept that are no protocol messages
	maxAsked = 1000     // requests and notifications of the server that are let through
	maxFlood = 10_000   // of those, after which it is not listened to any more
)

// filter stands between a server's standard output and the protocol library. It lets protocol messages through, one
// a line, repairs what can be repaired and keeps book of what was wrong. Its fields may be read when run is over.
type filter struct {
	noise      []string // the first lines that are no messages
	noiseLines int      // how many there were
	bom        bool
	multiLine  bool
	stringIDs  bool // answers with "1" to request 1
	tooLarge   bool
	asked      int // requests and notifications of the server

	held  []byte // lines of a message that is not complete
	depth nesting
	out   *io.PipeWriter
	done  chan struct{}
}

// stop waits for run to end, once its source has.
func (f *filter) stop() {
	_ = f.out.Close() // nobody reads any more
	<-f.done
}

// gaveUp reports whether the server was not listened to any more. It may be called when the library has seen the end
// of the messages.
func (f *filter) gaveUp() bool {
	select {
	case <-f.done:
		return f.tooLarge || f.asked > maxFlood
	default:
		return false
	}
}

// newFilter returns a filter that reads src until it ends, and what it lets through.
func newFilter(src io.Reader) (*filter, io.Reader) {
	r, w := io.Pipe()
	f := &filter{out: w, done: make(chan struct{})}
	go func() {
		f.run(src)
		close(f.done)
		_ = w.Close() // any other error than the end the library would log
	}()
	return f, r
}

var errTooLarge = errors.New("more bytes than a probe reads")

func (f *filter) run(src io.Reader) {
	r := bufio.NewReaderSize(src, 64<<10)
	for total := 0; ; {
		line, err := readLine(r)
		total += len(line)
		if errors.Is(err, errTooLarge) || total > maxTotal {
			f.tooLarge = true
			return
		}
		if err != nil && !isMessage(line) {
			break // what stands there may be half a line
		}
		if f.line(line) != nil || err != nil || f.asked > maxFlood {
			break
		}
	}
	f.giveUp()
}

// readLine returns the next line without its line break.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxFrame {
			return nil, errTooLarge
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// line takes one line. The error is that of the reader's end.
func (f *filter) line(line []byte) error {
	if rest, ok := bytes.CutPrefix(line, []byte("\ufeff")); ok {
		f.bom = true
		line = rest
	}
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) == 0 {
		return nil
	}
	if e, ok := readEnvelope(trimmed); ok {
		f.giveUp() // what was held turned out to be no message
		return f.pass(trimmed, e)
	}
	if len(f.held) == 0 && trimmed[0] != '{' {
		f.addNoise(line)
		return nil
	}
	return f.hold(line)
}

// hold collects a message that is broken over several lines.
func (f *filter) hold(line []byte) error {
	if len(f.held)+len(line) > maxFrame {
		f.giveUp()
		return nil
	}
	f.held = append(append(f.held, line...), ' ') // line breaks in JSON are white space
	f.depth.feed(line)
	if f.depth.open > 0 {
		return nil
	}
	e, ok := readEnvelope(bytes.TrimSpace(f.held))
	if !ok {
		f.giveUp()
		return nil
	}
	message := f.held
	f.held, f.depth = nil, nesting{}
	f.multiLine = true
	return f.pass(message, e)
}

// giveUp treats what was held as text.
func (f *filter) giveUp() {
	if len(f.held) > 0 {
		f.addNoise(f.held)
	}
	f.held, f.depth = nil, nesting{}
}

func (f *filter) addNoise(line []byte) {
	f.noiseLines++
	if len(f.noise) < maxNoise {
		f.noise = append(f.noise, cut(string(bytes.TrimSpace(line)), 4*maxLine))
	}
}

// envelope is what tells a message from other JSON, such as a line of a log.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
}

// readEnvelope reports whether a text is a protocol message.
func readEnvelope(text []byte) (e envelope, ok bool) {
	ok = bytes.HasPrefix(text, []byte("{")) && json.Unmarshal(text, &e) == nil && e.Version != ""
	return e, ok
}

func isMessage(text []byte) bool {
	_, ok := readEnvelope(text)
	return ok
}

// pass lets a message through, but not a flood of what is no answer: each request has to be replied to.
func (f *filter) pass(message []byte, e envelope) error {
	if e.Method != "" {
		if f.asked++; f.asked > maxAsked {
			return nil
		}
	} else {
		message = f.repairID(message, e)
	}
	_, err := f.out.Write(append(message, '\n'))
	return err
}

// repairID turns the id of an answer into the number that every request of ours has. Clients compare ids with their
// type, and wait for ever for the answer to 1 when they get one to "1".
func (f *filter) repairID(message []byte, e envelope) []byte {
	var id string
	if json.Unmarshal(e.ID, &id) != nil {
		return message
	}
	if _, err := strconv.ParseUint(id, 10, 63); err != nil {
		return message
	}
	root, err := catalog.Parse(string(message))
	if err != nil {
		return message
	}
	f.stringIDs = true
	span := root.Get("id").Span
	return append(append(bytes.Clone(message[:span.Start]), id...), message[span.End:]...)
}

// nesting counts open brackets outside strings.
type nesting struct {
	open              int
	inString, escaped bool
}

func (n *nesting) feed(line []byte) {
	for _, c := range line {
		switch {
		case n.escaped:
			n.escaped = false
		case n.inString:
			n.escaped = c == '\\'
			n.inString = c != '"'
		case c == '"':
			n.inString = true
		case c == '{' || c == '[':
			n.open++
		case c == '}' || c == ']':
			n.open--
		}
	}
}
