package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Memo remembers counts of short texts and of lines, for who counts nearly the same ones at every keystroke with a counter that takes
// its time. The zero value is ready for use, by several goroutines.
type Memo struct {
	mu     sync.Mutex
	counts map[memoKey]int
}

type memoKey struct{ counter, text string }

const (
	longestKept = 4 << 10 // bytes; longer lines are few, and seldom the same
	mostKept    = 20_000  // then all is forgotten
)

// Counter returns what counts as count does, which has a name among those that the memo is used with. A longer text is
// counted line by line, so that no token of count may reach from one line into a next one that begins as begins says.
func (m *Memo) Counter(name string, count Counter) Counter {
	one := func(text string) int { return m.count(memoKey{name, text}, count) }
	return func(text string) int {
		if len(text) <= longestKept {
			return one(text)
		}
		n, start := 0, 0
		for i := 1; i < len(text); i++ {
			if text[i-1] == '\n' && begins(text[i]) {
				n += one(text[start:i])
				start = i
			}
		}
		return n + one(text[start:])
	}
}

// begins reports whether a byte behind a line break begins a token in the vocabularies of OpenAI: runs of spaces and
// line breaks are one token, and so may be punctuation with the line breaks and slashes behind it.
// https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
func begins(c byte) bool { return c > ' ' && c < utf8.RuneSelf && c != '/' }

func (m *Memo) count(key memoKey, count Counter) int {
	if len(key.text) > longestKept {
		return count(key.text)
	}
	m.mu.Lock()
	n, known := m.counts[key]
	m.mu.Unlock()
	if !known {
		n = count(key.text)
		key.text = strings.Clone(key.text) // which may be part of a text that is not to be kept
		m.keep(key, n)
	}
	return n
}

func (m *Memo) keep(key memoKey, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil || len(m.counts) == mostKept {
		m.counts = map[memoKey]int{}
	}
	m.counts[key] = n
}
