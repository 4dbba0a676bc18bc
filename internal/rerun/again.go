package rerun

import (
	"io/fs"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// batch is how many questions a goroutine asks in a row: one takes microseconds.
const batch = 64

// stillSame reports whether a machine answers as noted. renewed tells that a file with another stamp has the content it
// had; its note has the new stamp then.
func stillSame(notes []note, m *Machine) (same, renewed bool) {
	var changed, fresh atomic.Bool
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			a := asker{m: m}
			for !changed.Load() {
				from := int(next.Add(batch)) - batch
				if from >= len(notes) {
					break
				}
				if !a.hold(notes[from:min(from+batch, len(notes))]) {
					changed.Store(true)
				}
			}
			if a.renewed {
				fresh.Store(true)
			}
		})
	}
	all.Wait()
	return !changed.Load(), fresh.Load()
}

// asker asks a machine again. It remembers what the file it looked at last is.
type asker struct {
	m       *Machine
	renewed bool

	path  string
	info  fs.FileInfo
	err   error
	stamp stamp
}

// stat looks at a file.
func (a *asker) stat(path string) {
	if a.path == path && (a.info != nil || a.err != nil) {
		return
	}
	now := a.m.now()
	a.path = path
	a.info, a.err = a.m.FS.Stat(path)
	a.stamp = sureStamp(a.info, a.err, now)
}

// hold asks questions again, up to the first with another answer.
func (a *asker) hold(notes []note) bool {
	for i := range notes {
		if !a.holds(&notes[i]) {
			return false
		}
	}
	return true
}

// holds asks a question again.
func (a *asker) holds(n *note) bool {
	switch n.kind {
	case askStat:
		a.stat(n.path)
		return described(a.info, a.err) == n.answer
	case askRead, askHead:
		return a.holdsText(n)
	case askList:
		return listed(a.m.FS.ReadDir(n.path)) == n.answer
	case askReal:
		return resolved(a.m.FS.RealPath(n.path)) == n.answer
	case askEnv:
		return yes(a.m.HasEnv(n.path)) == n.answer
	default:
		return yes(a.m.HasProgram(n.path, n.more)) == n.answer
	}
}

// holdsText reports whether a file has the content that it had.
func (a *asker) holdsText(n *note) bool {
	a.stat(n.path)
	if a.stamp != (stamp{}) && a.stamp == n.stamp {
		return true
	}
	if a.err == nil && !a.info.IsDir() && !a.info.Mode().IsRegular() {
		return false // reading a pipe would wait
	}
	data, size, err := a.read(n)
	if content(data, err) != n.answer {
		return false
	}
	if s := a.stamp.of(data, err, size); s != (stamp{}) {
		n.stamp, a.renewed = s, true
	}
	return true
}

// read reads of a file what was read of it, and tells how much that is when the file is as its stamp says.
func (a *asker) read(n *note) (data []byte, size int64, err error) {
	if n.kind == askRead {
		data, err = a.m.FS.ReadFile(n.path)
		return data, a.stamp.size, err
	}
	most, err := strconv.Atoi(n.more)
	if err != nil {
		return nil, 0, err
	}
	data, err = skills.ReadHead(a.m.FS, n.path, most)
	return data, min(a.stamp.size, int64(most)), err
}
