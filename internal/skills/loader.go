package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sync/errgroup"
)

// Loader finds skills.
type Loader interface {
	// List returns the skills it finds, sorted by path. A skill that cannot be read is listed with its
	// Err set. List fails when it cannot look at all, or when ctx ends.
	List(ctx context.Context) ([]*Skill, error)
}

// LocalLoader finds the skills below folders of a file system.
type LocalLoader struct {
	FS      FS
	Base    string                  // paths are shown relative to it; absolute
	Paths   []string                // absolute paths of folders, of SKILL.md files, or of files in a skill's folder
	Exclude func(shown string) bool // leaves out files and folders; nil excludes nothing
	Workers int                     // 0 for one a core
	// Visit, when set, is shown every folder that is searched, by several goroutines at once: one walk finds
	// what else lies there.
	Visit func(Folder)
}

// ErrNoSkill tells that a file named by the user is neither a skill nor part of one.
var ErrNoSkill = errors.New("neither a skill nor a file in a skill's folder")

// MaxFileSize is the size in bytes from which a SKILL.md is not read. It is far above what any agent takes.
const MaxFileSize = 64 << 20

// List implements Loader.
func (l *LocalLoader) List(ctx context.Context) ([]*Skill, error) {
	found, err := l.find(ctx)
	if err != nil {
		return nil, err
	}
	skills := make([]*Skill, len(found))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(l.workers())
	const batch = 32 // a file takes microseconds: hand out many at once
	for from := 0; from < len(found); from += batch {
		g.Go(func() error {
			for i := from; i < min(from+batch, len(found)); i++ {
				skills[i] = l.read(found[i])
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	skills = slices.DeleteFunc(skills, func(s *Skill) bool { return s == nil })
	return place(skills), nil
}

// find searches the paths for files that may be skills.
func (l *LocalLoader) find(ctx context.Context) ([]candidate, error) {
	w := newWalker(l)
	for _, p := range l.Paths {
		if err := w.start(ctx, filepath.Clean(p)); err != nil {
			return nil, err
		}
	}
	if err := w.wait(); err != nil {
		return nil, fmt.Errorf("search for skills: %w", err)
	}
	return w.candidates(), nil
}

func (l *LocalLoader) workers() int {
	if l.Workers > 0 {
		return l.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// read loads one candidate. It returns nil for a file that turns out to be no skill.
func (l *LocalLoader) read(c candidate) *Skill {
	shown := relPath(l.Base, c.abs)
	raw, err := l.readFile(c.abs, c.regular)
	if c.astray {
		err = errAstray
	}
	if err != nil {
		return l.unreadable(c, shown, err)
	}
	doc := NewDocument(shown, c.abs, raw)
	if path.Base(shown) != FileName && !c.named && !opensAsSkill(doc.Text, c.layout, IsSkillFile(path.Base(shown))) {
		return nil
	}
	s := Parse(doc)
	s.locate(c)
	if slices.ContainsFunc(s.Files, func(f File) bool { return f.Path == SidecarPath }) {
		abs := filepath.Join(filepath.Dir(c.abs), filepath.FromSlash(SidecarPath))
		if raw, err := l.readFile(abs, false); err == nil {
			s.Sidecar = NewDocument(relPath(l.Base, abs), abs, raw)
		}
	}
	return s
}

var errAstray = errors.New("the symbolic link of its folder leads nowhere")

func (l *LocalLoader) unreadable(c candidate, shown string, err error) *Skill {
	if path.Base(shown) != FileName && !c.named {
		return nil
	}
	s := Parse(NewDocument(shown, c.abs, ""))
	s.Err = err
	s.locate(c)
	return s
}

// readFile reads a text. regular says that its folder lists it as a regular file.
func (l *LocalLoader) readFile(abs string, regular bool) (string, error) {
	if !regular {
		info, err := l.FS.Stat(abs)
		if err != nil {
			return "", err
		}
		if info.IsDir() {
			return "", errors.New("is a folder")
		}
		if !info.Mode().IsRegular() {
			return "", errors.New("is not a regular file") // reading a pipe would wait
		}
	}
	b, err := ReadHead(l.FS, abs, MaxFileSize+1)
	if len(b) > MaxFileSize {
		return "", fmt.Errorf("has more than %d MB, which are not read", MaxFileSize>>20)
	}
	return unsafe.String(unsafe.SliceData(b), len(b)), err // nobody else holds b, and it is most of what a run allocates
}

// opensAsSkill reports whether a file that is not called SKILL.md is meant as one: skill.md must open with
// front matter, and a loose file, or one of another name, must have both keys. Prompts and notes by these names exist too.
func opensAsSkill(src string, layout Layout, named bool) bool {
	if layout != Flat && named {
		return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(src, BOM), " \t\r\n"), "---")
	}
	f := parseFront(src)
	return f.Open.Kind != NoFence && f.Field("name") != nil && f.Field("description") != nil
}

// locate fills in where the skill lies.
func (s *Skill) locate(c candidate) {
	dir := filepath.Dir(c.abs)
	s.Folder, s.Layout, s.Files = filepath.Base(dir), c.layout, c.files
	s.Root, s.Brand, s.Depth = rootOf(filepath.ToSlash(dir), s.Dir)
}

// rootOf finds the folder of skills that a folder lies in: that of an agent, else the nearest one called
// "skills". The first argument is the absolute path, the second the shown one.
func rootOf(abs, shown string) (root, brand string, depth int) {
	parts := strings.Split(abs, "/")
	at := -1
	for i := len(parts) - 1; i > 0; i-- {
		if parts[i] != "skills" {
			continue
		}
		if at < 0 {
			at = i
		}
		if IsBrand(parts[i-1]) {
			at, brand = i, parts[i-1]
		}
	}
	if at < 0 {
		return "", "", 0
	}
	depth = len(parts) - 1 - at
	root = shown
	for range depth {
		root = path.Join(root, "..")
	}
	return root, brand, depth
}

// place sorts skills, finds the ones inside another skill's folder, and tells a folder of skills with a
// SKILL.md of its own from a skill that happens to be called "skills".
func place(all []*Skill) []*Skill {
	slices.SortFunc(all, func(a, b *Skill) int { return cmp.Compare(a.Doc.Path, b.Doc.Path) })
	byDir := make(map[string]*Skill, len(all))
	holds := map[string]bool{} // folders of skills that hold a skill in a folder of its own
	for _, s := range all {
		if s.Layout != Flat {
			byDir[s.Dir] = s
		}
		if s.Root != "" && s.Depth > 0 {
			holds[s.Root] = true
		}
	}
	for _, s := range all {
		if s.Layout == InFolder && s.Root == s.Dir && (s.Brand != "" || holds[s.Dir]) {
			s.Layout = InRoot
		}
	}
	for _, s := range all {
		s.Parent = parentOf(s, byDir)
	}
	return all
}

// parentOf looks for a skill above s, up to the folder of skills that s lies in.
func parentOf(s *Skill, byDir map[string]*Skill) string {
	for dir := s.Dir; dir != s.Root && dir != "." && dir != "/" && !strings.HasSuffix(dir, ".."); {
		dir = path.Dir(dir)
		if p := byDir[dir]; p != nil && p.Layout == InFolder {
			return p.Doc.Path
		}
	}
	return ""
}
