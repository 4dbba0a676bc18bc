package rerun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// here is a machine with some variables and programs. later is by how much its clock is ahead: with an hour, stamps tell
// from the first run on.
func here(set map[string]bool, later time.Duration) *Machine {
	return &Machine{
		FS: skills.Disk{}, HasEnv: func(name string) bool { return set[name] },
		HasProgram: func(command, path string) bool { return set[path+command] },
		clock:      func() time.Time { return time.Now().Add(later) },
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func openStore(t *testing.T) *cache.Dir {
	t.Helper()
	store, err := cache.OpenDir(filepath.Join(t.TempDir(), "kept"), cache.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// survey asks all kinds of questions about a folder, and returns all that it learns.
func survey(m *Machine, dir string) string {
	var out strings.Builder
	look := func(name string) {
		info, err := m.FS.Stat(name)
		fmt.Fprintln(&out, name, err)
		if err == nil {
			fmt.Fprintln(&out, info.Mode())
		}
		real, err := m.FS.RealPath(name)
		fmt.Fprintln(&out, real, err)
		if err == nil && info.Mode().IsRegular() {
			fmt.Fprintln(&out, info.Size())
			data, err := m.FS.ReadFile(name)
			fmt.Fprintf(&out, "%q %v\n", data, err)
		}
	}
	entries, err := m.FS.ReadDir(dir)
	fmt.Fprintln(&out, err)
	for _, e := range entries {
		fmt.Fprintln(&out, e.Name(), e.Type())
		look(filepath.Join(dir, e.Name()))
	}
	look(filepath.Join(dir, "sought"))
	head, err := skills.ReadHead(m.FS, filepath.Join(dir, "long"), 3)
	fmt.Fprintf(&out, "%q %v %v %v\n", head, err, m.HasEnv("HOME"), m.HasProgram("docs", "/bin"))
	return out.String()
}

// tick waits until the clock of the file system has gone on: the change that follows has another time than those before.
func tick(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, "tick")
	write(t, name, "")
	first := changeTime(t, name)
	for changeTime(t, name) == first {
		write(t, name, "")
	}
}

func changeTime(t *testing.T, name string) any {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := systemStamp(info); ok {
		return s.changed
	}
	return info.ModTime()
}

// Whatever happens to the files, a result that counts is the one that a run would have now.
func TestNeverWrong(t *testing.T) {
	for _, later := range []time.Duration{0, time.Hour} {
		dir, aside, store, set := t.TempDir(), t.TempDir(), openStore(t), map[string]bool{}
		ctx, key, r := context.Background(), Key("survey"), rand.New(rand.NewPCG(5, 6))
		hits, changes := 0, 0
		for step := range 300 {
			m := here(set, later)
			want := survey(m, dir)
			got, ok := Last(ctx, store, key, m)
			switch {
			case ok && string(got) != want:
				t.Fatalf("step %d, %v: got\n%s\nwant\n%s", step, later, got, want)
			case !ok:
				changes++
				w := NewWatch(m)
				w.Keep(ctx, store, key, []byte(survey(w.Machine(), dir)))
				got, ok := Last(ctx, store, key, m)
				if !ok || string(got) != want {
					t.Fatalf("step %d, %v: nothing has changed, but the result is %v, %q", step, later, ok, got)
				}
			}
			if ok {
				hits++
			}
			tick(t, aside)
			upset(t, r, dir, set)
		}
		if hits < 30 || changes < 100 {
			t.Errorf("%v: %d hits, %d changes", later, hits, changes)
		}
	}
}

// upset changes something, or nothing.
func upset(t *testing.T, r *rand.Rand, dir string, set map[string]bool) {
	t.Helper()
	some := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	name, other := filepath.Join(dir, some("a", "b", "long", "sought")), filepath.Join(dir, some("a", "b", "c"))
	switch r.IntN(10) {
	case 0:
		_ = os.RemoveAll(name)
	case 1:
		_ = os.Rename(name, other)
	case 2:
		_ = os.Chmod(name, fs.FileMode(r.IntN(2))*0o111+0o600)
	case 3:
		_ = os.Symlink(other, name)
	case 4:
		_ = os.Mkdir(name, 0o755)
	case 5:
		v := some("HOME", "/bindocs")
		set[v] = !set[v]
	case 6: // nothing
	case 7: // other bytes, and the size and time of before
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			data := []byte(strings.Repeat(some("x", "y"), int(info.Size())))
			_ = os.WriteFile(name, data, 0o644)
			_ = os.Chtimes(name, info.ModTime(), info.ModTime())
		}
	default:
		_ = os.WriteFile(name, []byte(some("", "one", "two", "three", "threes")), 0o644)
	}
}

// What is asked and not noted spoils a record: a time, what a folder's size is, and two answers to one question.
func TestUnsure(t *testing.T) {
	for what, ask := range map[string]func(m *Machine, dir string){
		"a time":          func(m *Machine, dir string) { info, _ := m.FS.Stat(dir); _ = info.ModTime() },
		"a folder's size": func(m *Machine, dir string) { info, _ := m.FS.Stat(dir); _ = info.Size() },
		"the system":      func(m *Machine, dir string) { info, _ := m.FS.Stat(dir); _ = info.Sys() },
		"an entry":        func(m *Machine, dir string) { entries, _ := m.FS.ReadDir(dir); _, _ = entries[0].Info() },
		"two answers": func(m *Machine, dir string) {
			_, _ = m.FS.ReadFile(filepath.Join(dir, "a"))
			_ = os.Remove(filepath.Join(dir, "a"))
			_, _ = m.FS.ReadFile(filepath.Join(dir, "a"))
		},
	} {
		dir, store := t.TempDir(), openStore(t)
		write(t, filepath.Join(dir, "a"), "one")
		w := NewWatch(here(nil, 0))
		ask(w.Machine(), dir)
		w.Keep(context.Background(), store, Key(), nil)
		if _, ok := store.Get(context.Background(), Key()); ok {
			t.Errorf("%s: is kept", what)
		}
	}
}

// counting counts how often files are read.
type counting struct {
	skills.Disk
	mu    *sync.Mutex
	reads *int
}

func (c counting) ReadFile(name string) ([]byte, error) {
	c.mu.Lock()
	*c.reads++
	c.mu.Unlock()
	return c.Disk.ReadFile(name)
}

// A file that was just written is read again the next time, and not any more once its change is old enough to be told from
// another; nor is one that was written anew with what it held, but for once.
func TestReadsNoMoreThanItMust(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skipf("on %s every file is read", runtime.GOOS)
	}
	dir, store, ctx := t.TempDir(), openStore(t), context.Background()
	name, reads := filepath.Join(dir, "a"), 0
	write(t, name, "one")
	m := here(nil, 0)
	m.FS = counting{mu: &sync.Mutex{}, reads: &reads}
	w := NewWatch(m)
	if _, err := w.Machine().FS.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	w.Keep(ctx, store, Key(), nil)
	check := func(what string, later time.Duration, want int) {
		t.Helper()
		reads = 0
		m.clock = func() time.Time { return time.Now().Add(later) }
		if _, ok := Last(ctx, store, Key(), m); !ok || reads != want {
			t.Errorf("%s: %v with %d reads, want %d", what, ok, reads, want)
		}
	}
	check("just written", 0, 1)
	check("an hour later", time.Hour, 1)
	check("then", time.Hour, 0)
	tick(t, t.TempDir())
	write(t, name, "one")
	check("written anew", time.Hour, 1)
	check("then", time.Hour, 0)
}

// A pipe in the place of a file is not waited for.
func TestPipe(t *testing.T) {
	name, store, ctx := filepath.Join(t.TempDir(), "a"), openStore(t), context.Background()
	write(t, name, "one")
	w := NewWatch(here(nil, 0))
	if _, err := w.Machine().FS.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	w.Keep(ctx, store, Key(), nil)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := makePipe(name); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if _, ok := Last(ctx, store, Key(), here(nil, 0)); ok {
		t.Error("a pipe passes for a file")
	}
}

// Data that are no record, or that of another form, are no result; a record that was cut in the middle is none either.
func TestDecode(t *testing.T) {
	notes := []note{
		{question{"/a", askStat, ""}, yes(true), stamp{}},
		{question{"/a", askHead, "12"}, yes(false), stamp{1, 2, 3, 4, 5, 6, 1 << 31}},
		{question{"/ab/ü", askProgram, "/bin"}, yes(true), stamp{}},
	}
	data := encode(notes, []byte("result"))
	got, result, ok := decode(data)
	if !ok || string(result) != "result" || fmt.Sprint(got) != fmt.Sprint(notes) {
		t.Errorf("got %v, %q, %v", got, result, ok)
	}
	for n := range len(data) - len("result") {
		if _, _, ok := decode(data[:n]); ok {
			t.Errorf("%d of %d bytes are a record", n, len(data))
		}
	}
	store, ctx := openStore(t), context.Background()
	for _, foreign := range []string{"", "{}", "\x05", strings.Repeat("\xff", 1000), strings.Repeat("\x01", 1000)} {
		store.Put(ctx, Key(), []byte(foreign))
		if _, ok := Last(ctx, store, Key(), here(nil, 0)); ok {
			t.Errorf("%.20q has a result", foreign)
		}
	}
}

// Whatever lies in the place of a record, reading it does not fail, and what is read is what would be kept.
func FuzzDecode(f *testing.F) {
	f.Add(encode([]note{{question{"/a", askHead, "12"}, yes(true), stamp{1, 2, 3, 4, 5, 6, 7}}}, []byte("result")))
	f.Add([]byte("\x01\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		notes, result, ok := decode(data)
		if !ok {
			return
		}
		again, same, ok := decode(encode(notes, result))
		if !ok || !slices.Equal(again, notes) || string(same) != string(result) {
			t.Errorf("%v, %q become %v, %q, %v", notes, result, again, same, ok)
		}
	})
}

// Who runs, where the user's folder is and what was given make another run.
func TestKey(t *testing.T) {
	seen := map[cache.Key]bool{}
	for _, given := range [][]string{{}, {"a", "b"}, {"ab"}, {"a", "b", ""}} {
		seen[Key(given...)] = true
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", os.Getenv("HOME"))
	seen[Key()] = true
	if len(seen) != 5 {
		t.Errorf("%d keys of 5", len(seen))
	}
}
