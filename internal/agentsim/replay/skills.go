package replay

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// thread is one conversation: that with the user, or of a subagent.
type thread struct{ active []*active }

// active is a skill that the model was given in this turn.
type active struct {
	skill *skills.Skill
	line  int // of the call that brought it; 0 when the user did
}

// skillCall looks at a call of a tool of the client: one that loads a skill, or reads one of its files.
func (p *player) skillCall(c *recording.Call) []Finding {
	if c.Result == nil || c.Result.Failed || c.Arguments == nil {
		return nil
	}
	if param, ok := p.clients().loaders[c.Name]; ok {
		if name := c.Arguments.Get(param).Text(); name != "" {
			return p.load(c, name)
		}
	}
	var out []Finding
	for _, file := range filesOf(c.Arguments) {
		out = append(out, p.read(c, file)...)
	}
	return out
}

// load notes that a skill was loaded by its name, and tells when there is none of that name.
func (p *player) load(c *recording.Call, name string) []Finding {
	if s := p.skillCalled(name); s != nil {
		p.activate(c, s)
		return nil
	}
	if strings.Contains(name, ":") || p.inHome(name) {
		return nil // of a plugin, or the user's own
	}
	var known []string
	for _, s := range p.in.Today.Skills {
		known = append(known, s.Name())
	}
	return []Finding{{
		Kind: MissingSkill, Severity: lint.Warning,
		Message: fmt.Sprintf("skill %q was loaded, and there is none of that name any more%s", name, lint.Suggest(name, known)),
		Help:    "a skill that comes with the client or with a plugin is not looked for",
	}}
}

func (p *player) skillCalled(name string) *skills.Skill {
	for _, s := range p.in.Today.Skills {
		if strings.EqualFold(s.Name(), name) || strings.EqualFold(s.Folder, name) {
			return s
		}
	}
	return nil
}

func (p *player) activate(c *recording.Call, s *skills.Skill) {
	t := p.threads[c.Thread]
	if t == nil {
		t = &thread{}
		p.threads[c.Thread] = t
	}
	if !slices.ContainsFunc(t.active, func(a *active) bool { return a.skill == s }) {
		t.active = append(t.active, &active{s, c.Line})
	}
}

// inHome reports whether the user has a skill of that name.
func (p *player) inHome(name string) bool {
	home := p.in.Today.Home
	if home == "" || strings.ContainsAny(name, `/\`) {
		return false
	}
	for _, c := range profile.All() {
		for _, r := range c.Discovery.Roots {
			if r.Base != "home" {
				continue
			}
			if _, err := p.in.Today.FS.Stat(filepath.Join(home, filepath.FromSlash(r.Path), name)); err == nil {
				return true
			}
		}
	}
	return false
}

// command is how a user calls a skill by its name, as Claude Code records it.
var command = lazyregexp.New(`<command-name>/?([^<]+)</command-name>`)

// slash returns the skill that the user called, if any.
func (p *player) slash(text string) []*active {
	m := command.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	if s := p.skillCalled(strings.TrimSpace(m[1])); s != nil {
		return []*active{{skill: s}}
	}
	return nil
}

// permitted tells when the skills that are active grant other tools and not this one.
func (p *player) permitted(s *state) []Finding {
	if !s.target.found {
		return nil
	}
	var last *active
	for _, a := range s.active {
		entries := allowedTools(a.skill)
		if len(entries) == 0 {
			continue
		}
		last = a
		for _, e := range entries {
			if profile.Covers(e, s.target.server.Name, s.target.name) {
				return nil
			}
		}
	}
	if last == nil {
		return nil
	}
	since := ""
	if last.line > 0 {
		since = fmt.Sprintf(", active since line %d,", last.line)
	}
	return []Finding{{
		Kind: NotAllowed, Severity: lint.Info,
		Message: fmt.Sprintf("skill %q%s does not allow tool %q of server %q: the client asks the user for it", last.skill.Name(), since, s.target.name, s.target.server.Name),
		Help:    "allowed-tools of " + last.skill.Doc.Path,
	}}
}

// allowedTools returns the entries of a skill's allowed-tools, without what stands in their parentheses.
func allowedTools(s *skills.Skill) []string {
	f := s.Front.Field("allowed-tools")
	if f == nil || f.Value.Empty() || len(s.Front.Errors) > 0 {
		return nil
	}
	tools, _ := s.Front.AllowedTools(s.Doc.Text, f)
	var out []string
	for i := range tools {
		out = append(out, tools[i].NameIn(s.Doc.Text))
	}
	return out
}

// fileKeys are the parameters by which tools of clients are given a file.
var fileKeys = []string{"file_path", "filePath", "path", "absolute_path", "file", "filename", "AbsolutePath", "target_file"}

// commandKeys are those for a command of a shell.
var commandKeys = []string{"command", "cmd", "script"}

// skillPath finds paths in a command that lead into a folder of skills, or to a SKILL.md.
var skillPath = lazyregexp.New(`[^\s"'` + "`" + `;|&<>()]*(?:/skills/[^\s"'` + "`" + `;|&<>()]+|SKILL\.md)`)

// filesOf returns the files that a call of a client's own tool may read.
func filesOf(arguments *catalog.Node) []string {
	var out []string
	for _, k := range fileKeys {
		if v := arguments.Get(k).Text(); v != "" {
			out = append(out, v)
		}
	}
	for _, k := range commandKeys {
		text := arguments.Get(k).Text()
		for _, word := range arguments.Get(k).List() {
			text += " " + word.Text()
		}
		out = append(out, skillPath.FindAllString(text, -1)...)
	}
	return out
}

// read looks at a file that was read: that of a skill makes it active, and one that is not there any more is told.
func (p *player) read(c *recording.Call, file string) []Finding {
	rel, ok := p.inProject(file)
	if !ok {
		return nil
	}
	dir, name := skillDir(rel)
	if dir == "" || strings.ContainsAny(rel, "*?[") {
		return nil
	}
	t := p.in.Today
	for _, s := range t.Skills {
		if sameFile(s.Doc.Abs, filepath.Join(t.Root, filepath.FromSlash(dir), skills.FileName)) {
			if skills.IsSkillFile(path.Base(rel)) {
				p.activate(c, s)
			}
			break
		}
	}
	if p.exists(rel) {
		return nil
	}
	if !p.exists(dir) {
		return []Finding{{Kind: MissingSkill, Severity: lint.Warning, Message: fmt.Sprintf("skill %q, of which %s was read, is not there any more", name, rel)}}
	}
	return []Finding{{Kind: MissingFile, Severity: lint.Warning, Message: fmt.Sprintf("%s of skill %q was read, and is not there any more", rel, name)}}
}

func sameFile(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }

func (p *player) exists(rel string) bool {
	_, err := p.in.Today.FS.Stat(filepath.Join(p.in.Today.Root, filepath.FromSlash(rel)))
	return err == nil
}

// inProject returns a recorded path relative to the folder that calls were recorded in, with slashes.
func (p *player) inProject(file string) (string, bool) {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	for _, root := range []string{p.recording.Folder, p.in.Today.Root} {
		root = path.Clean(strings.ReplaceAll(root, `\`, "/"))
		if rest, ok := strings.CutPrefix(file, root+"/"); ok && root != "." {
			return rest, true
		}
	}
	if path.IsAbs(file) || strings.HasPrefix(file, "..") || strings.HasPrefix(file, "~") || len(file) > 1 && file[1] == ':' {
		return "", false
	}
	return file, true
}

// skillDir returns the folder of the skill that a file belongs to by its path, and the skill's name; "" when it looks
// like no file of a skill.
func skillDir(rel string) (dir, name string) {
	if skills.IsSkillFile(path.Base(rel)) && path.Dir(rel) != "." {
		return path.Dir(rel), path.Base(path.Dir(rel))
	}
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if part == "skills" && i > 0 && skills.IsBrand(parts[i-1]) && i+2 < len(parts) {
			return strings.Join(parts[:i+2], "/"), parts[i+1]
		}
	}
	return "", ""
}
