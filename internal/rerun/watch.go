package rerun

import (
	"cmp"
	"io/fs"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// question is something that a run asked of the machine.
type question struct {
	path string // of a file or folder, else the name of a variable or a command
	kind byte
	more string // how much of a file is read, or the folders a program is looked for in
}

// The kinds of questions. Those about one file stand together, so that the system is asked once for both.
const (
	askStat = iota
	askRead
	askHead
	askList
	askReal
	askEnv
	askProgram
	kinds
)

func (q question) compare(o question) int {
	return cmp.Or(cmp.Compare(q.path, o.path), cmp.Compare(q.kind, o.kind), cmp.Compare(q.more, o.more))
}

// note is a question with its answer.
type note struct {
	question
	answer cache.Key // two are equal when whoever asked learns the same
	stamp  stamp     // of the file that was read, from before; zero when it does not tell whether the file changes
}

// Watch is a machine that notes what it is asked. It may be used by several goroutines at once.
type Watch struct {
	m  *Machine
	mu sync.Mutex
	// unsure is set when one question had two answers, or what was asked is not noted.
	unsure bool
	notes  map[question]note
}

// NewWatch returns a watch over a machine.
func NewWatch(m *Machine) *Watch { return &Watch{m: m, notes: map[question]note{}} }

// Machine returns the machine that is watched, for the run to ask.
func (w *Watch) Machine() *Machine {
	return &Machine{FS: watched{w}, HasEnv: w.hasEnv, HasProgram: w.hasProgram}
}

func (w *Watch) add(n note) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.notes[n.question]; ok {
		w.unsure = w.unsure || before.answer != n.answer
		return // the first stamp is from before both answers
	}
	w.notes[n.question] = n
}

func (w *Watch) doubt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsure = true
}

func (w *Watch) hasEnv(name string) bool {
	set := w.m.HasEnv(name)
	w.add(note{question: question{path: name, kind: askEnv}, answer: yes(set)})
	return set
}

func (w *Watch) hasProgram(command, path string) bool {
	there := w.m.HasProgram(command, path)
	w.add(note{question: question{path: command, kind: askProgram, more: path}, answer: yes(there)})
	return there
}

// watched is the file system of a watch.
type watched struct{ w *Watch }

// ReadFile implements skills.FS.
func (f watched) ReadFile(name string) ([]byte, error) {
	before := f.w.m.stampOf(name)
	data, err := f.w.m.FS.ReadFile(name)
	f.w.add(note{question{path: name, kind: askRead}, content(data, err), before.of(data, err, before.size)})
	return data, err
}

// ReadHead reads the start of a file; see skills.ReadHead.
func (f watched) ReadHead(name string, n int) ([]byte, error) {
	before := f.w.m.stampOf(name)
	data, err := skills.ReadHead(f.w.m.FS, name, n)
	q := question{path: name, kind: askHead, more: strconv.Itoa(n)}
	f.w.add(note{q, content(data, err), before.of(data, err, min(before.size, int64(n)))})
	return data, err
}

// ReadDir implements skills.FS.
func (f watched) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := f.w.m.FS.ReadDir(name)
	f.w.add(note{question: question{path: name, kind: askList}, answer: listed(entries, err)})
	for i, e := range entries {
		entries[i] = entry{e, f.w}
	}
	return entries, err
}

// Stat implements skills.FS.
func (f watched) Stat(name string) (fs.FileInfo, error) {
	info, err := f.w.m.FS.Stat(name)
	f.w.add(note{question: question{path: name, kind: askStat}, answer: described(info, err)})
	if err != nil {
		return nil, err
	}
	return fileInfo{info, f.w}, nil
}

// RealPath implements skills.FS.
func (f watched) RealPath(name string) (string, error) {
	real, err := f.w.m.FS.RealPath(name)
	f.w.add(note{question: question{path: name, kind: askReal}, answer: resolved(real, err)})
	return real, err
}

// entry is an entry of a folder, of which name and type are noted.
type entry struct {
	fs.DirEntry
	w *Watch
}

// Info implements fs.DirEntry.
func (e entry) Info() (fs.FileInfo, error) {
	e.w.doubt()
	return e.DirEntry.Info()
}

// fileInfo describes a file, of which mode and size are noted.
type fileInfo struct {
	fs.FileInfo
	w *Watch
}

// Size implements fs.FileInfo.
func (i fileInfo) Size() int64 {
	if i.IsDir() {
		i.w.doubt()
	}
	return i.FileInfo.Size()
}

// ModTime implements fs.FileInfo.
func (i fileInfo) ModTime() time.Time {
	i.w.doubt()
	return i.FileInfo.ModTime()
}

// Sys implements fs.FileInfo.
func (i fileInfo) Sys() any {
	i.w.doubt()
	return i.FileInfo.Sys()
}

func yes(b bool) cache.Key { return answer(strconv.FormatBool(b)) }

func content(data []byte, err error) cache.Key {
	return answer(unsafe.String(unsafe.SliceData(data), len(data)), failed(err)) // a whole file needs no copy to be hashed
}

// described leaves out the size of a folder, which nobody asks for and which grows with what others put in.
func described(info fs.FileInfo, err error) cache.Key {
	switch {
	case err != nil:
		return answer(failed(err))
	case info.IsDir():
		return answer("", info.Mode().String())
	}
	return answer("", info.Mode().String(), strconv.FormatInt(info.Size(), 10))
}

func listed(entries []fs.DirEntry, err error) cache.Key {
	h := cache.NewHasher("answer")
	h.Add(failed(err))
	for _, e := range entries {
		h.Add(e.Name(), e.Type().String())
	}
	return h.Key()
}

func resolved(real string, err error) cache.Key { return answer(failed(err), real) }

func answer(fields ...string) cache.Key {
	h := cache.NewHasher("answer")
	h.Add(fields...)
	return h.Key()
}

func failed(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}
