package tokens

import "sync"

// Memo remembers counts of short texts, for who counts nearly the same ones at every keystroke with a counter that takes
// its time. The zero value is ready for use, by several goroutines.
type Memo struct {
	mu     sync.Mutex
	counts map[memoKey]int
}

type memoKey struct{ counter, text string }

const (
	longestKept = 4 << 10 // bytes; longer texts are few, and seldom the same
	mostKept    = 20_000  // then all is forgotten
)

// Counter returns what counts as count does, which has a name among those that the memo is used with.
func (m *Memo) Counter(name string, count Counter) Counter {
	return func(text string) int {
		if len(text) > longestKept {
			return count(text)
		}
		key := memoKey{name, text}
		m.mu.Lock()
		n, known := m.counts[key]
		m.mu.Unlock()
		if !known {
			n = count(text)
			m.keep(key, n)
		}
		return n
	}
}

func (m *Memo) keep(key memoKey, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil || len(m.counts) == mostKept {
		m.counts = map[memoKey]int{}
	}
	m.counts[key] = n
}
