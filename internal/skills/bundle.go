package skills

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bundle is a skill's folder by itself: the files in it, as they were read at one moment, and nothing of what lies around
// them. It is the file system of a machine that holds this folder alone, at a place that tells of the real one only what
// clients go by: the folder's name and, where there is one, the folder of skills it lies in. Whatever a path outside of
// the folder leads to counts as a file that is there and cannot be read, so that nothing is said about it.
//
// It never changes and may be used by several goroutines at once.
type Bundle struct {
	home  string // absolute path at which the folder appears
	file  string // the skill's file, relative to the folder
	real  string // absolute path of that file on disk
	files map[string]*bundled
	dirs  map[string][]fs.DirEntry // by path relative to the folder, "." for itself
	hash  string
}

// keptSize is the size in bytes up to which the text of a file is kept: no rule reads more, archives and the SKILL.md
// itself aside.
const keptSize = maxReferenceSize

// Sources of the modes: https://git-scm.com/docs/git-fast-import#_filemodify
const (
	plainMode      = "100644"
	executableMode = "100755"
	linkMode       = "120000"
)

// ReadBundle reads the folder of a skill from disk. name is the absolute path of the folder or of its SKILL.md; a Markdown
// file by another name is taken for a skill without a folder, of which the bundle holds that file alone. The error is
// ErrNoSkill when there is neither.
func ReadBundle(name string) (*Bundle, error) {
	name = filepath.Clean(name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		if name, err = fileIn(name); err != nil {
			return nil, err
		}
	}
	base := filepath.Base(name)
	if !IsSkillFile(base) && filepath.Ext(base) != ".md" {
		return nil, ErrNoSkill
	}
	b := &Bundle{home: apparent(filepath.Dir(name)), file: base, real: name, files: map[string]*bundled{}, dirs: map[string][]fs.DirEntry{}}
	if IsSkillFile(base) {
		err = b.readFolder(filepath.Dir(name), ".")
	} else {
		err = b.readAlone(name)
	}
	if err != nil {
		return nil, err
	}
	b.hash = b.digest()
	return b, nil
}

// fileIn returns the absolute path of the skill's file in a folder: SKILL.md, else the first that differs in case.
func fileIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	found := ""
	for _, e := range entries {
		if IsSkillFile(e.Name()) && !e.IsDir() && (found == "" || e.Name() == FileName) {
			found = e.Name()
		}
	}
	if found == "" {
		return "", fmt.Errorf("there is no %s in the folder", FileName)
	}
	return filepath.Join(dir, found), nil
}

// apparent returns where a folder appears to lie: below the root, what lies above the folder that clients know the skill
// by left out.
func apparent(dir string) string {
	parts := strings.Split(filepath.ToSlash(dir), "/")
	kept := 1
	if root, brand, depth := rootOf(filepath.ToSlash(dir), "."); root != "" {
		kept = depth + 1
		if brand != "" {
			kept++
		}
	}
	top := filepath.VolumeName(dir) + string(filepath.Separator)
	return filepath.Join(top, filepath.Join(parts[max(0, len(parts)-kept):]...))
}

// readFolder reads what lies in a folder; rel is its path relative to the bundle's.
func (b *Bundle) readFolder(dir, rel string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	b.dirs[rel] = []fs.DirEntry{}
	for _, e := range entries {
		sub, inside := filepath.Join(dir, e.Name()), path.Join(rel, e.Name())
		switch {
		case e.IsDir() && skipped(e.Name()):
			continue
		case e.IsDir():
			if err := b.readFolder(sub, inside); err != nil {
				return err
			}
			b.dirs[rel] = append(b.dirs[rel], &bundled{name: e.Name(), mode: fs.ModeDir | 0o755})
		case e.Type() == 0, e.Type() == fs.ModeSymlink: // sockets and devices come with no skill
			if err := b.readFile(sub, inside, rel); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAlone reads a skill that is one file.
func (b *Bundle) readAlone(name string) error {
	b.dirs["."] = nil
	return b.readFile(name, b.file, ".")
}

func (b *Bundle) readFile(abs, rel, dir string) error {
	f, err := readBundled(abs)
	if err != nil {
		return err
	}
	b.files[rel] = f
	b.dirs[dir] = append(b.dirs[dir], f)
	return nil
}

func readBundled(abs string) (*bundled, error) {
	info, err := os.Lstat(abs)
	if err != nil {
		return nil, err
	}
	f := &bundled{name: filepath.Base(abs), size: info.Size(), mode: info.Mode().Type() | 0o644, abs: abs}
	if info.Mode()&fs.ModeSymlink != 0 {
		if f.link, err = os.Readlink(abs); err != nil {
			return nil, err
		}
		f.link = filepath.ToSlash(f.link)
		f.sum = sha256.Sum256([]byte(f.link))
		return f, nil
	}
	if info.Mode()&0o111 != 0 {
		f.mode |= 0o111
	}
	if info.Size() <= keptSize {
		if f.text, err = os.ReadFile(abs); err != nil {
			return nil, err
		}
		f.size, f.sum = int64(len(f.text)), sha256.Sum256(f.text)
		return f, nil
	}
	return f, f.measure()
}

// measure takes the hash of a file whose text is not kept.
func (f *bundled) measure() error {
	file, err := os.Open(f.abs)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if f.size, err = io.Copy(h, file); err != nil {
		return err
	}
	h.Sum(f.sum[:0])
	return nil
}

// Hash returns the SHA-256, in hexadecimal digits, of the list of all files by path, each with its mode as Git knows it
// and the SHA-256 of its content, or of the target of a link:
//
//	100644 e3b0c442…  SKILL.md NUL
//
// Folders that tools make, such as .git and node_modules, are left out.
func (b *Bundle) Hash() string { return b.hash }

func (b *Bundle) digest() string {
	var list bytes.Buffer
	paths := make([]string, 0, len(b.files))
	for p := range b.files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		f := b.files[p]
		fmt.Fprintf(&list, "%s %x  %s\x00", f.gitMode(), f.sum, p)
	}
	sum := sha256.Sum256(list.Bytes())
	return hex.EncodeToString(sum[:])
}

// Home returns the absolute path at which the folder appears to lie.
func (b *Bundle) Home() string { return b.home }

// File returns the absolute path at which the skill's file appears to lie.
func (b *Bundle) File() string { return filepath.Join(b.home, b.file) }

// Source returns the absolute path of the skill's file on disk.
func (b *Bundle) Source() string { return b.real }

// inside returns a path relative to the folder, with slashes; false for one outside.
func (b *Bundle) inside(name string) (string, bool) {
	rel, err := filepath.Rel(b.home, filepath.Clean(name))
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// maxHops is how many links one path may lead over; Linux allows as many.
const maxHops = 40

// resolve follows all links in a path and returns where it leads: what lies there, or nil for a place outside of the
// folder.
func (b *Bundle) resolve(name string) (string, *bundled, error) {
	for range maxHops {
		rel, ok := b.inside(name)
		if !ok {
			return filepath.Clean(name), nil, nil
		}
		next, found, err := b.hop(rel)
		if err != nil || next == "" {
			return filepath.Join(b.home, filepath.FromSlash(rel)), found, err
		}
		name = next
	}
	return "", nil, fmt.Errorf("%s: too many links", name)
}

// hop returns what lies at a path in the folder or, when the path leads over a link, where that leads.
func (b *Bundle) hop(rel string) (next string, found *bundled, err error) {
	at := ""
	for part := range strings.SplitSeq(rel, "/") {
		at = path.Join(at, part)
		f := b.files[at]
		if f != nil && f.link != "" {
			target := filepath.FromSlash(f.link)
			if !filepath.IsAbs(target) {
				target = filepath.Join(b.home, filepath.FromSlash(path.Dir(at)), target)
			}
			return filepath.Join(target, filepath.FromSlash(strings.TrimPrefix(rel[len(at):], "/"))), nil, nil
		}
		if f == nil && b.dirs[at] == nil || f != nil && at != rel {
			return "", nil, &fs.PathError{Op: "open", Path: rel, Err: fs.ErrNotExist}
		}
		found = f
	}
	if found == nil {
		found = &bundled{name: path.Base(rel), mode: fs.ModeDir | 0o755}
	}
	return "", found, nil
}

var errOutside = errors.New("lies outside of the skill's folder")

// ReadFile implements FS.
func (b *Bundle) ReadFile(name string) ([]byte, error) {
	_, f, err := b.resolve(name)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return nil, fmt.Errorf("%s: %w", name, errOutside)
	}
	return f.read()
}

// ReadHead reads the start of a file; see ReadHead.
func (b *Bundle) ReadHead(name string, n int) ([]byte, error) {
	_, f, err := b.resolve(name)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return nil, fmt.Errorf("%s: %w", name, errOutside)
	case f.text == nil && f.size > int64(n):
		return Disk{}.ReadHead(f.abs, n)
	}
	data, err := f.read()
	return data[:min(n, len(data))], err
}

// ReadDir implements FS.
func (b *Bundle) ReadDir(name string) ([]fs.DirEntry, error) {
	at, _, err := b.resolve(name)
	if err != nil {
		return nil, err
	}
	if rel, ok := b.inside(at); ok && b.dirs[rel] != nil {
		return slices.Clone(b.dirs[rel]), nil
	}
	return nil, fmt.Errorf("%s: %w", name, errOutside)
}

// Stat implements FS.
func (b *Bundle) Stat(name string) (fs.FileInfo, error) {
	at, f, err := b.resolve(name)
	switch {
	case err != nil:
		return nil, err
	case f != nil:
		return f, nil
	case b.encloses(at):
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return &bundled{name: filepath.Base(at), mode: 0o755}, nil
}

// encloses reports whether a file outside would make the folder a part of something larger: of another skill, or of a
// repository.
func (b *Bundle) encloses(outside string) bool {
	dir, base := filepath.Split(outside)
	rel, err := filepath.Rel(dir, b.home)
	above := err == nil && rel != ".." && !strings.HasPrefix(filepath.ToSlash(rel), "../")
	return above && (base == ".git" || IsSkillFile(base))
}

// RealPath implements FS.
func (b *Bundle) RealPath(name string) (string, error) {
	at, _, err := b.resolve(name)
	return at, err
}

// bundled is a file, link or folder of a bundle. It describes itself as a system does.
type bundled struct {
	name string
	abs  string // where it really lies
	size int64
	mode fs.FileMode
	link string // where a link leads, with slashes
	sum  [sha256.Size]byte
	text []byte // nil for a file of more than keptSize
}

// read returns the content, which must still be the one that the hash is of.
func (f *bundled) read() ([]byte, error) {
	if f.size <= keptSize || f.mode.IsDir() {
		return slices.Clone(f.text), nil
	}
	data, err := os.ReadFile(f.abs)
	if err == nil && sha256.Sum256(data) != f.sum {
		err = fmt.Errorf("%s has changed while it was read", f.abs)
	}
	return data, err
}

func (f *bundled) gitMode() string {
	switch {
	case f.link != "":
		return linkMode
	case f.mode&0o111 != 0:
		return executableMode
	}
	return plainMode
}

func (f *bundled) Name() string               { return f.name }
func (f *bundled) Size() int64                { return f.size }
func (f *bundled) Mode() fs.FileMode          { return f.mode }
func (f *bundled) Type() fs.FileMode          { return f.mode.Type() }
func (f *bundled) ModTime() time.Time         { return time.Time{} }
func (f *bundled) IsDir() bool                { return f.mode.IsDir() }
func (f *bundled) Sys() any                   { return nil }
func (f *bundled) Info() (fs.FileInfo, error) { return f, nil }
