package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxValue bounds one value that is looked at, in bytes: a line, or an element of a list.
const maxValue = 16 << 20

// record is one JSON value of a recording, or why there is none.
type record struct {
	data  []byte // valid until the next one is read
	line  int    // it starts on
	list  string // of a document: the member whose list it is an element of; "" for one at the top
	fault string
}

// splitter cuts a recording into values: its lines or, where the whole is one document, the elements of its lists.
// Either way no more than one value is in memory.
type splitter struct {
	in       *bufio.Reader
	line     int // of the next byte
	value    []byte
	document bool
	begun    bool
	open     []byte // of a document: the brackets around the next value, at most two
	list     string // of a document: the member whose list is being read
	trailing bool   // the last byte read was no line break
}

const bufferSize = 256 << 10

func newSplitter(r io.Reader) *splitter {
	return &splitter{in: bufio.NewReaderSize(r, bufferSize), line: 1}
}

// lines returns how many lines were read.
func (s *splitter) lines() int {
	if s.trailing {
		return s.line
	}
	return s.line - 1
}

// next returns the next value. The error is io.EOF at the end.
func (s *splitter) next() (record, error) {
	if !s.begun {
		s.begun = true
		s.begin()
	}
	if s.document {
		return s.element()
	}
	return s.nextLine()
}

// begin decides how the recording is cut: a first line that is no whole value starts a document, unless it breaks off in
// the middle and the next one starts a value of its own, as in a log whose first line is broken.
func (s *splitter) begin() {
	head := s.firstLine()
	next, _ := s.in.Peek(1 << 10) // there may be less
	s.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), s.in), bufferSize)
	if bytes.HasPrefix(head, byteOrderMark) {
		_, _ = s.in.Discard(len(byteOrderMark)) // it is there
	}
	first := bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))
	switch {
	case len(first) == 0 || isJSON(first):
	case first[0] == '[':
		s.document = true
	case first[0] == '{':
		s.document = bytes.IndexByte([]byte("[{,"), first[len(first)-1]) >= 0 || !bytes.HasPrefix(bytes.TrimSpace(next), []byte("{"))
	}
}

var byteOrderMark = []byte("\ufeff")

// firstLine takes what there is up to the end of the first line that is not empty, or a little more than a value may
// have.
func (s *splitter) firstLine() []byte {
	var head []byte
	for len(head) <= maxValue {
		part, err := s.in.ReadSlice('\n')
		head = append(head, part...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) || err == nil && len(bytes.TrimSpace(head)) > 0 {
			break // an error comes again when the rest is read
		}
	}
	return head
}

func isJSON(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// nextLine returns the next line that is not empty.
func (s *splitter) nextLine() (record, error) {
	for {
		s.value = s.value[:0]
		at, size := s.line, 0
		for {
			part, err := s.in.ReadSlice('\n')
			if size += len(part); size <= maxValue {
				s.value = append(s.value, part...)
			}
			s.count(part)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && (err != io.EOF || size == 0) {
				return record{}, err
			}
			break
		}
		if size > maxValue {
			return record{line: at, fault: tooLong}, nil
		}
		if line := bytes.TrimSpace(s.value); len(line) > 0 {
			return record{data: line, line: at}, nil
		}
	}
}

var tooLong = fmt.Sprintf("this value is longer than %d MiB; it was not read", maxValue>>20)

const cutShort = "the recording ends inside this value"

func (s *splitter) count(part []byte) {
	if len(part) > 0 {
		s.line += bytes.Count(part, []byte("\n"))
		s.trailing = part[len(part)-1] != '\n'
	}
}

// readByte takes one byte.
func (s *splitter) readByte() (byte, error) {
	c, err := s.in.ReadByte()
	if err != nil {
		return 0, err
	}
	if s.trailing = c != '\n'; !s.trailing {
		s.line++
	}
	return c, nil
}

// readSolid takes one byte that is no blank.
func (s *splitter) readSolid() (byte, error) {
	for {
		c, err := s.readByte()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, nil
		}
	}
}

// element returns the next value of a document: an element of a list, at the top or in a member of the object at the
// top, or such a member that is no list, as an object of its own.
func (s *splitter) element() (record, error) {
	for {
		c, err := s.readSolid()
		if err != nil {
			return s.ended(err)
		}
		depth := len(s.open)
		switch {
		case c == ',':
		case c == ']' || c == '}':
			s.open, s.list = s.open[:max(depth-1, 0)], ""
		case c == '[' && depth == 0, c == '{' && depth == 0:
			s.open = append(s.open, c)
		case depth == 1 && s.open[0] == '{':
			if rec, done, err := s.member(c); done || err != nil {
				return rec, err
			}
		default:
			s.value = s.value[:0]
			rec, err := s.read(c, s.line)
			rec.list = s.list
			return rec, err
		}
	}
}

// ended tells at the end of the document when it is not complete.
func (s *splitter) ended(err error) (record, error) {
	if err == io.EOF && len(s.open) > 0 {
		s.open = nil
		return record{line: s.lines(), fault: "the recording ends before its last bracket is closed"}, nil
	}
	return record{}, err
}

// member reads a member of the object at the top. A list is opened, and its elements are values of their own.
func (s *splitter) member(c byte) (rec record, done bool, err error) {
	at := s.line
	s.value = append(s.value[:0], '{')
	if c != '"' {
		rec, err = s.read(c, at)
		return rec, true, err
	}
	if rec, err = s.read(c, at); err != nil || rec.fault != "" {
		return rec, true, err
	}
	colon, err := s.readSolid()
	if err != nil {
		return record{line: at, fault: cutShort}, true, nil
	}
	if colon != ':' {
		rec, err = s.read(colon, at)
		return rec, true, err
	}
	first, err := s.readSolid()
	if err != nil {
		return record{line: at, fault: cutShort}, true, nil
	}
	if first == '[' {
		s.open, s.list = append(s.open, '['), strings.Trim(string(rec.data), `{"`)
		return record{}, false, nil
	}
	s.value = append(s.value, ':')
	rec, err = s.read(first, at)
	if err == nil && rec.fault == "" {
		s.value = append(s.value, '}')
		rec.data = s.value
	}
	return rec, true, err
}

// read appends a whole value that begins with c. It goes by brackets and quotes alone; what reads the value finds out
// whether it is good.
func (s *splitter) read(c byte, at int) (record, error) {
	depth, size := 0, len(s.value)
	for {
		size++
		s.keep(size, c)
		switch c {
		case '"':
			n, err := s.readString(size)
			if err != nil {
				return s.broken(at, err)
			}
			size = n
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth <= 0 && s.complete(c) {
			break
		}
		var err error
		if c, err = s.readByte(); err != nil {
			return s.broken(at, err)
		}
	}
	if size > maxValue {
		return record{line: at, fault: tooLong}, nil
	}
	return record{data: s.value, line: at}, nil
}

// complete reports whether a value outside all brackets ends with c.
func (s *splitter) complete(c byte) bool {
	if c == '"' || c == '}' || c == ']' {
		return true
	}
	next, err := s.in.Peek(1)
	return err != nil || endsScalar(next[0])
}

func endsScalar(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n,:]}"), c) >= 0 }

func (s *splitter) keep(size int, c ...byte) {
	if size <= maxValue {
		s.value = append(s.value, c...)
	}
}

// readString takes the rest of a string, from behind its first quote, and returns the size of the value so far.
func (s *splitter) readString(size int) (int, error) {
	escaped := false
	for {
		part, err := s.in.ReadSlice('"')
		size += len(part)
		s.keep(size, part...)
		s.count(part)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return size, err
		}
		body := bytes.TrimSuffix(part, []byte(`"`))
		open := oddBackslashes(body, escaped)
		if err == nil && !open {
			return size, nil
		}
		escaped = err != nil && open
	}
}

// oddBackslashes reports whether a part of a string leaves the byte behind it escaped. before tells whether the part
// itself begins escaped.
func oddBackslashes(part []byte, before bool) bool {
	n := 0
	for n < len(part) && part[len(part)-1-n] == '\\' {
		n++
	}
	odd := n%2 == 1
	if n == len(part) && before {
		return !odd
	}
	return odd
}

// broken returns what was read up to an error: at the end of the recording a value that is cut short.
func (s *splitter) broken(at int, err error) (record, error) {
	if err != io.EOF {
		return record{}, err
	}
	s.open = nil
	return record{line: at, fault: cutShort}, nil
}
