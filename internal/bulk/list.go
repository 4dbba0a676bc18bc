package bulk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// List is a list of paths, read as they are asked for: it may be longer than fits into memory, or not be finished yet.
type List struct {
	name string
	in   *bufio.Reader
	end  byte
}

// NewList returns the list that in holds, a path a line or, with null, each ended by a NUL, as `find -print0` writes them.
// name is what errors call it.
func NewList(name string, in io.Reader, null bool) *List {
	l := &List{name, bufio.NewReader(in), '\n'}
	if null {
		l.end = 0
	}
	return l
}

// Next returns the next path, io.EOF behind the last. Empty lines are passed over.
func (l *List) Next() (string, error) {
	for {
		text, err := l.in.ReadString(l.end)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the list %s: %w", l.name, err)
		}
		text = strings.TrimSuffix(text, string(l.end))
		if l.end == '\n' {
			text = strings.TrimSuffix(text, "\r")
		}
		if text != "" || err != nil {
			return text, endOf(text, err)
		}
	}
}

// endOf is the end of the list unless a last path was not ended.
func endOf(text string, err error) error {
	if text != "" {
		return nil
	}
	return err
}
