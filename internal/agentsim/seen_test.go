package agentsim_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// TestSeenIsWhatIsThere plays every client on files as a snapshot has them, and on those where a skill was edited with what
// the client had loaded before: no answer may differ from that on the disk.
func TestSeenIsWhatIsThere(t *testing.T) {
	racetest.Skip(t)
	dirs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "lint", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(dirs, crooked(t)) {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			dir, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			resolver, err := lint.NewResolver(lint.NewRegistry(nil), lint.Flags{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := workspace.Load(t.Context(), workspace.Options{FS: skills.Disk{}, Base: dir, Paths: []string{dir}, Configs: workspace.NoConfig(dir), Resolver: resolver})
			if err != nil {
				t.Fatal(err)
			}
			files, snapshot := edited(s)
			for _, p := range profile.All() {
				var loads workspace.Loads
				playedAlike(t, p, skills.Disk{}, s, nil)
				playedAlike(t, p, skills.Disk{}, s, &loads)
				playedAlike(t, p, files, snapshot, &loads)
				playedAlike(t, p, skills.Disk{}, s, &loads)
			}
		})
	}
}

// edited returns a snapshot in which the first skill has another text, and its files.
func edited(s *workspace.Snapshot) (skills.FS, *workspace.Snapshot) {
	if len(s.Skills()) == 0 {
		return skills.Disk{}, s
	}
	doc := s.Skills()[0].Doc
	text := strings.Replace(doc.Raw, "description:", "description: Edited", 1) + "\nedited\n"
	files := workspace.NewOverlay(skills.Disk{}, map[string]string{doc.Abs: text})
	if next, ok := s.With(files, skills.NewDocument(doc.Path, doc.Abs, text)); ok {
		return files, next
	}
	return skills.Disk{}, s
}

// playedAlike plays a client on a snapshot, with what it has loaded before unless that is nil, and on the files.
func playedAlike(t *testing.T, p *profile.Profile, files skills.FS, s *workspace.Snapshot, loads *workspace.Loads) {
	t.Helper()
	in := agentsim.Input{Profile: p, FS: files, Paths: []string{s.Base()}, Count: tokens.Estimate}
	want, wantErr := agentsim.Simulate(t.Context(), &in)
	in.FS, in.Skills = s.Seen(), s.SkillsBelow(s.Base())
	if loads != nil {
		var done func()
		in.Loaded, done = loads.For(s, p)
		defer done()
	}
	got, err := agentsim.Simulate(t.Context(), &in)
	if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
		t.Errorf("%s: %+v, %v; on the disk %+v, %v", p.Name, got, err, want, wantErr)
	}
}

// crooked returns a folder with a link to a skill, a skill that cannot be read, one that is no text, and one where no
// client looks.
func crooked(t *testing.T) string {
	dir := t.TempDir()
	for file, text := range map[string]string{
		".agents/skills/one/SKILL.md":       skillText("one", "Sorts photos.", "Sort."),
		".claude/skills/plain/SKILL.md":     "No front matter.",
		".claude/skills/bytes/SKILL.md":     "---\nname: bytes\ndescription: \xff\xfe\n---\n",
		".claude/skills/folder/SKILL.md/x":  "",
		".claude/skills/hidden/.git/a.md":   "",
		"somewhere/else/lost/SKILL.md":      skillText("lost", "Where nobody looks.", "Find."),
		"somewhere/else/lost/deep/SKILL.md": skillText("deep", "Deeper.", "Find."),
	} {
		file = filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"one": "../../.agents/skills/one", "gone": "../nowhere"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, ".claude", "skills", link)); err != nil {
			t.Logf("without links: %v", err)
		}
	}
	return dir
}
