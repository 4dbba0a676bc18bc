package cache

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// DefaultLimit is how many bytes of results a folder keeps.
const DefaultLimit = 256 << 20

const (
	tag       = "skilllint cache 1\n" // begins every file; another form has another one
	extension = ".entry"
	marker    = "CACHEDIR.TAG"
	// used is how old the time of a file may be before a look at it makes it young again: not every look is worth a write.
	used = time.Hour
	// abandoned is how old a file that was never finished must be before it is removed.
	abandoned = time.Hour
	// pruned is how often a folder that grows slowly is looked through, and slow is the part of the limit by which one program
	// may let it grow unseen: there may be as many files as skills.
	pruned = time.Hour
	slow   = 64
)

// The text that programs for backups know a cache by: https://bford.info/cachedir/
const markerText = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of skilllint; all of it may be deleted at any time.\n"

// Dir is a store in a folder, with one file a result. Files appear whole, by renaming, so that any number of programs may use it at
// once; each file has the hash of its content, and one that does not fit is passed over.
type Dir struct {
	path  string
	limit int64
	grown atomic.Int64 // bytes, by this program
}

// OpenDir returns the store in a folder, which is made when it is not there. limit is in bytes.
func OpenDir(path string, limit int64) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("make the cache: %w", err)
	}
	file := filepath.Join(path, marker)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(file, []byte(markerText), 0o644); err != nil {
			return nil, fmt.Errorf("make the cache: %w", err)
		}
	}
	return &Dir{path: path, limit: limit}, nil
}

func (d *Dir) file(k Key) string {
	name := k.String()
	return filepath.Join(d.path, name[:2], name[2:]+extension)
}

// Get implements Store.
func (d *Dir) Get(_ context.Context, k Key) ([]byte, bool) {
	name := d.file(k)
	file, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, false
	}
	raw := make([]byte, info.Size())
	if _, err := io.ReadFull(file, raw); err != nil {
		return nil, false
	}
	data, ok := opened(k, raw)
	if ok && time.Since(info.ModTime()) > used {
		now := time.Now()
		_ = os.Chtimes(name, now, now) // it only decides on what is removed first
	}
	return data, ok
}

// sealed is what the file of a result holds.
func sealed(k Key, data []byte) []byte {
	sum := sealOf(k, data)
	return slices.Concat([]byte(tag), sum[:], data)
}

func opened(k Key, raw []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(tag))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	data := rest[sha256.Size:]
	return data, sealOf(k, data) == [sha256.Size]byte(rest)
}

// sealOf is the hash of the key too, so that no file passes for another one.
func sealOf(k Key, data []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(k[:])
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

// Put implements Store.
func (d *Dir) Put(_ context.Context, k Key, data []byte) {
	name := d.file(k)
	file, err := os.CreateTemp(filepath.Dir(name), "*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
			return
		}
		file, err = os.CreateTemp(filepath.Dir(name), "*.tmp")
	}
	if err != nil {
		return
	}
	raw := sealed(k, data)
	d.grown.Add(int64(len(raw)))
	_, err = file.Write(raw)
	if errors.Join(err, file.Close()) != nil || os.Rename(file.Name(), name) != nil {
		_ = os.Remove(file.Name()) // another program may have pruned it
	}
}

// kept is a file of the store.
type kept struct {
	name string
	size int64
	time time.Time
}

// Prune removes the results that were not used for longest until the rest fits into nine tenths of the limit, when all do not
// fit into it; so the next run need not prune again. What was never finished goes too. Where nothing was put there is nothing
// to prune, and where little was put it is done once in a while.
func (d *Dir) Prune() error {
	if !d.due() {
		return nil
	}
	var all []kept
	total := int64(0)
	err := filepath.WalkDir(d.path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return gone(err)
		}
		info, err := e.Info()
		if err != nil {
			return gone(err)
		}
		switch {
		case strings.HasSuffix(name, extension):
			all = append(all, kept{name, info.Size(), info.ModTime()})
			total += info.Size()
		case strings.HasSuffix(name, ".tmp") && time.Since(info.ModTime()) > abandoned:
			return gone(os.Remove(name))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("prune the cache: %w", err)
	}
	if total <= d.limit {
		return nil
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.time.Compare(b.time), cmp.Compare(a.name, b.name)) })
	for _, k := range all {
		if total <= d.limit/10*9 {
			break
		}
		if err := gone(os.Remove(k.name)); err != nil {
			return fmt.Errorf("prune the cache: %w", err)
		}
		total -= k.size
	}
	return nil
}

// due reports whether to look through the folder. The time of the marker says when that was done last.
func (d *Dir) due() bool {
	grown, file, now := d.grown.Load(), filepath.Join(d.path, marker), time.Now()
	if grown == 0 {
		return false
	}
	if info, err := os.Stat(file); err == nil && grown < d.limit/slow && now.Sub(info.ModTime()).Abs() < pruned {
		return false
	}
	_ = os.Chtimes(file, now, now) // without the time it is done more often
	return true
}

// gone makes nothing of an error that says that a file is not there: another program has removed it.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
