package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, limit int64) *Dir {
	t.Helper()
	d, err := OpenDir(filepath.Join(t.TempDir(), "cache"), limit)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func keyOf(fields ...string) Key {
	h := NewHasher("test")
	h.Add(fields...)
	return h.Key()
}

// Where one field ends and the next begins counts, and so does the kind of result.
func TestKeysDiffer(t *testing.T) {
	other := NewHasher("other")
	other.Add("ab", "c")
	seen := map[Key]bool{other.Key(): true}
	for _, fields := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}} {
		k := keyOf(fields...)
		if seen[k] {
			t.Errorf("%q has the key of another", fields)
		}
		seen[k] = true
	}
}

func TestDirKeeps(t *testing.T) {
	ctx, d := context.Background(), open(t, DefaultLimit)
	if _, ok := d.Get(ctx, keyOf("a")); ok {
		t.Error("an empty cache has a result")
	}
	for _, data := range []string{"one", "", strings.Repeat("x", 1<<20)} {
		d.Put(ctx, keyOf("a"), []byte(data))
		if got, ok := d.Get(ctx, keyOf("a")); !ok || string(got) != data {
			t.Errorf("%d bytes came back as %d, %v", len(data), len(got), ok)
		}
	}
	if _, ok := d.Get(ctx, keyOf("b")); ok {
		t.Error("there is a result under another key")
	}
}

// A file that is cut short, changed, or lies under another key is passed over, and replaced by the next result.
func TestDirPassesOverDamage(t *testing.T) {
	ctx, d := context.Background(), open(t, DefaultLimit)
	k := keyOf("a")
	for what, damage := range map[string]func(raw []byte) []byte{
		"empty":       func([]byte) []byte { return nil },
		"cut":         func(raw []byte) []byte { return raw[:len(raw)-1] },
		"longer":      func(raw []byte) []byte { return append(raw, 'x') },
		"changed":     func(raw []byte) []byte { raw[len(raw)-1] ^= 1; return raw },
		"other form":  func(raw []byte) []byte { return append([]byte("x"), raw...) },
		"other key's": func([]byte) []byte { return sealed(keyOf("b"), []byte("result")) },
	} {
		d.Put(ctx, k, []byte("result"))
		raw, err := os.ReadFile(d.file(k))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.file(k), damage(bytes.Clone(raw)), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := d.Get(ctx, k); ok {
			t.Errorf("%s: %q", what, got)
		}
	}
	d.Put(ctx, k, []byte("result"))
	if _, ok := d.Get(ctx, k); !ok {
		t.Error("a new result does not replace the damaged one")
	}
}

// Any number of programs may write and prune at once: a reader sees a whole result or none.
func TestDirIsSharedSafely(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "cache")
	var all sync.WaitGroup
	for program := range 4 {
		all.Go(func() {
			d, err := OpenDir(path, 64<<10)
			if err != nil {
				t.Error(err)
				return
			}
			for n := range 200 {
				k := keyOf(fmt.Sprint(n % 50))
				want := strings.Repeat(k.String(), 20)
				if got, ok := d.Get(ctx, k); ok && string(got) != want {
					t.Errorf("program %d read another result", program)
				}
				d.Put(ctx, k, []byte(want))
				if n%50 == 49 {
					if err := d.Prune(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s was left behind", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What was not used for longest goes first, and only as much as has to.
func TestPrune(t *testing.T) {
	ctx, d := context.Background(), open(t, 10*1000)
	old := time.Now().Add(-48 * time.Hour)
	size := int64(0)
	for n := range 20 {
		k := keyOf(fmt.Sprint(n))
		d.Put(ctx, k, make([]byte, 1000-len(sealed(k, nil))))
		if err := os.Chtimes(d.file(k), old.Add(time.Duration(n)*time.Minute), old.Add(time.Duration(n)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := d.Get(ctx, keyOf("0")); !ok { // is young again
		t.Fatal("a result is gone before its time")
	}
	unfinished := filepath.Join(filepath.Dir(d.file(keyOf("0"))), "x.tmp")
	if err := os.WriteFile(unfinished, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(unfinished, old, old); err != nil {
		t.Fatal(err)
	}
	if err := d.Prune(); err != nil {
		t.Fatal(err)
	}
	var left []int
	for n := range 20 {
		if info, err := os.Stat(d.file(keyOf(fmt.Sprint(n)))); err == nil {
			left, size = append(left, n), size+info.Size()
		}
	}
	if want := "[0 12 13 14 15 16 17 18 19]"; fmt.Sprint(left) != want || size != 9*1000 {
		t.Errorf("left are %v, %d bytes; want %s", left, size, want)
	}
	if _, err := os.Stat(unfinished); err == nil {
		t.Error("what was never finished is still there")
	}
}

// A program that has put little looks through the folder only when nobody has done so for long.
func TestPruneOnceInAWhile(t *testing.T) {
	ctx, d := context.Background(), open(t, 100<<10)
	old := time.Now().Add(-48 * time.Hour)
	unfinished := filepath.Join(d.path, "x.tmp")
	for _, c := range []struct {
		what   string
		put    int       // bytes
		before time.Time // when the folder was looked through
		want   bool
	}{
		{"nothing was put", 0, old, false},
		{"little was put, and it was done just now", 100, time.Now(), false},
		{"little was put", 100, old, true},
		{"that was done by the case before", 100, time.Time{}, false},
		{"much was put", 10 << 10, time.Now(), true},
	} {
		d, err := OpenDir(d.path, d.limit)
		if err != nil {
			t.Fatal(err)
		}
		if !c.before.IsZero() {
			err = os.Chtimes(filepath.Join(d.path, marker), c.before, c.before)
		}
		if err := errors.Join(err, os.WriteFile(unfinished, nil, 0o644), os.Chtimes(unfinished, old, old)); err != nil {
			t.Fatal(err)
		}
		if c.put > 0 {
			d.Put(ctx, keyOf("a"), make([]byte, c.put))
		}
		if err := d.Prune(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(unfinished); (err != nil) != c.want {
			t.Errorf("%s: looked through %v, want %v", c.what, err != nil, c.want)
		}
	}
}

// What a later store has is put into the earlier ones.
func TestChain(t *testing.T) {
	ctx, near, far := context.Background(), open(t, DefaultLimit), open(t, DefaultLimit)
	far.Put(ctx, keyOf("a"), []byte("result"))
	c := Chain{near, far}
	if got, ok := c.Get(ctx, keyOf("a")); !ok || string(got) != "result" {
		t.Errorf("%q, %v", got, ok)
	}
	if _, ok := near.Get(ctx, keyOf("a")); !ok {
		t.Error("the nearer store has not been given the result")
	}
	c.Put(ctx, keyOf("b"), []byte("both"))
	for _, d := range []*Dir{near, far} {
		if _, ok := d.Get(ctx, keyOf("b")); !ok {
			t.Error("a store has not been given a new result")
		}
	}
}
