package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/threat"
)

type threatsKey struct{}

// reportThreats is the Run of the rules about threats, which are looked for once.
func reportThreats(p *lint.Pass) {
	for _, f := range lint.Shared(p, threatsKey{}, findThreats)[p.Rule.Name] {
		p.Report(f)
	}
}

func findThreats(p *lint.Pass) verdicts {
	found := verdicts{}
	if p.Config != nil {
		configThreats(p, found)
		return found
	}
	if p.Skill.Err != nil {
		return found
	}
	for _, x := range skillTexts(p) {
		addThreats(p, found, x)
	}
	return found
}

func addThreats(p *lint.Pass, found verdicts, x judgedText) {
	t := &threat.Text{Src: x.doc.Text, Form: x.form, Body: x.body}
	tag, tagged := promptTag(p)
	for _, h := range threat.Find(t) {
		if tagged && x.doc == p.Doc() && h.Span.Overlaps(tag) {
			continue // security/listing-tag tells it
		}
		f := threatFinding(h, x.doc.Text)
		if x.doc != p.Doc() {
			f.File = x.doc.Path
			p.View.Tree().Keep(x.doc)
		}
		found.add(lint.SecurityGroup+"/"+string(h.Kind), f)
	}
}

// judgedText is one text of a skill.
type judgedText struct {
	doc  *skills.Document
	form threat.Form
	body func() *skills.Body
}

// skillFiles is what was read of a skill's files.
type skillFiles struct {
	texts    []judgedText
	programs map[string]string // by path: what a file is whose name stands for a text
}

type skillTextsKey struct{}

// skillTexts returns the texts of a skill that are judged: its own first, then what lies in its folder.
func skillTexts(p *lint.Pass) []judgedText { return lint.Shared(p, skillTextsKey{}, readSkill).texts }

func readSkill(p *lint.Pass) skillFiles {
	out := skillFiles{texts: []judgedText{{doc: p.Doc(), form: threat.Markdown, body: p.Skill.Body}}}
	own := path.Base(p.Doc().Path)
	for _, f := range p.Skill.Files {
		form, ok := formOf(f.Path)
		if !ok || len(out.texts) == maxTexts || f.Path == own || ownedByOther(p, f.Path) || isBeside(p, f.Path) || f.Symlink && leavesProject(p, f.Path) {
			continue
		}
		doc, err := p.File(f.Path)
		switch {
		case err != nil: // what cannot be read is told elsewhere
		case strings.IndexByte(doc.Text, 0) >= 0: // no text
			if out.programs == nil {
				out.programs = map[string]string{}
			}
			out.programs[f.Path] = threat.Program([]byte(doc.Raw[:min(len(doc.Raw), 1024)]))
		default:
			out.texts = append(out.texts, judgedText{doc: doc, form: form, body: bodyOf(doc, form)})
		}
	}
	return out
}

// bodyOf returns how the blocks of a text are asked for.
func bodyOf(doc *skills.Document, form threat.Form) func() *skills.Body {
	if form != threat.Markdown {
		return nil
	}
	return func() *skills.Body {
		b := skills.ScanBody(doc.Text, skills.Parse(doc).Front.End(doc.Text))
		return &b
	}
}

// leavesProject reports whether a symbolic link leads out of the project: what lies there is not the skill's.
func leavesProject(p *lint.Pass, rel string) bool {
	_, level := escapes(p, rel)
	return level != lint.Off
}

// maxTexts is how many files are read for each skill.
const maxTexts = 256

// textForms are the extensions of the files that are judged.
var textForms = map[string]threat.Form{
	".md": threat.Markdown, ".mdc": threat.Markdown, ".txt": threat.Markdown, ".markdown": threat.Markdown,
	".py": threat.Script, ".sh": threat.Script, ".bash": threat.Script, ".zsh": threat.Script, ".js": threat.Script, ".mjs": threat.Script, ".cjs": threat.Script,
	".ts": threat.Script, ".mts": threat.Script, ".tsx": threat.Script, ".jsx": threat.Script, ".ps1": threat.Script, ".psm1": threat.Script, ".bat": threat.Script, ".cmd": threat.Script,
	".rb": threat.Script, ".pl": threat.Script, ".php": threat.Script, ".lua": threat.Script, ".go": threat.Script, ".rs": threat.Script, ".swift": threat.Script, ".applescript": threat.Script,
	".json": threat.Script, ".yaml": threat.Script, ".yml": threat.Script, ".toml": threat.Script, ".ini": threat.Script, ".cfg": threat.Script, ".conf": threat.Script, ".env": threat.Script,
	".html": threat.Markdown, ".svg": threat.Script, ".xml": threat.Script, ".plist": threat.Script, ".service": threat.Script,
}

var (
	licenceName = lazyregexp.New(`(?i)^(?:licen[cs]e|notice|copying|third[-_ ]?party|authors|contributors|package-lock|yarn|pnpm-lock|uv|cargo|poetry)(?:[-_.].*)?$`)
	scriptName  = lazyregexp.New(`(?i)^(?:makefile|dockerfile|containerfile|justfile|procfile|\.env(?:\..*)?|\.npmrc|\.bashrc|\.zshrc|\.profile)$`)
)

// formOf returns how a file is judged, false when it is not.
func formOf(rel string) (threat.Form, bool) {
	base := path.Base(rel)
	if licenceName.MatchString(base) {
		return 0, false
	}
	if form, ok := textForms[strings.ToLower(path.Ext(base))]; ok {
		return form, true
	}
	return threat.Script, path.Ext(base) == "" && strings.HasPrefix(rel, "scripts/") || path.Ext(base) == "" && strings.HasPrefix(rel, "bin/") || scriptName.MatchString(base)
}

// ownedByOther reports whether a file belongs to a skill further down.
func ownedByOther(p *lint.Pass, rel string) bool {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if p.Skill.Holds(path.Join(dir, skills.FileName)) {
			return true
		}
	}
	return false
}

// besideFolders are where tests, examples and other people's code lie.
var besideFolders = []string{
	"node_modules", "vendor", "site-packages", ".venv", "venv", "eval", "evals", "test", "tests", "__tests__", "fixture", "fixtures", "testdata", "example", "examples",
}

// isBeside reports whether a file lies where tests and examples lie and the skill's text does not name it. A name in the text
// is enough: a folder that is never looked at would be a place to hide.
func isBeside(p *lint.Pass, rel string) bool {
	return isBesideFolder(path.Dir(rel)) && !strings.Contains(p.Text(), path.Base(rel))
}

func isBesideFolder(dir string) bool {
	for name := range strings.SplitSeq(dir, "/") {
		if slices.ContainsFunc(besideFolders, func(f string) bool { return strings.EqualFold(f, name) }) {
			return true
		}
	}
	return false
}

// configThreats judges what a configuration starts: the command line of each server, and in settings every other text.
func configThreats(p *lint.Pass, found verdicts) {
	inServers := map[*mcpconfig.Node]bool{}
	for _, s := range p.Config.Servers {
		inServers[s.Node] = true
		commandThreats(p, found, s)
	}
	if !p.Config.Format.Settings || p.Config.Root == nil {
		return
	}
	eachSetting(p.Config.Root, "", inServers, func(name string, n *mcpconfig.Node) {
		src := n.Text
		if name != "" {
			src = name + "=" + n.Text
		}
		for _, h := range threat.Find(&threat.Text{Src: src, Form: threat.Script}) {
			if h.Kind != threat.SkippedConsent && (h.Kind != threat.LiteralSecret || p.Config.Shared()) {
				f := threatFinding(h, src)
				f.Span = n.Span
				found.add(lint.SecurityGroup+"/"+string(h.Kind), f)
				return
			}
		}
	})
}

// eachSetting visits the texts of settings, those of servers left out.
func eachSetting(n *mcpconfig.Node, name string, skip map[*mcpconfig.Node]bool, visit func(name string, n *mcpconfig.Node)) {
	switch {
	case skip[n]:
	case n.Kind == mcpconfig.String:
		visit(name, n)
	default:
		for _, m := range n.Members {
			eachSetting(m.Value, m.Name, skip, visit)
		}
		for _, x := range n.Items {
			eachSetting(x, "", skip, visit)
		}
	}
}

// commandThreats judges the command line of a server as one line. Credentials in it are another rule's.
func commandThreats(p *lint.Pass, found verdicts, s *mcpconfig.Server) {
	var line strings.Builder
	type part struct {
		end int
		x   mcpconfig.Text
	}
	var parts []part
	for _, x := range s.Texts() {
		switch x.Role {
		case mcpconfig.Env:
			line.WriteString(x.Name + "=")
		case mcpconfig.Command, mcpconfig.Args, mcpconfig.URL:
		default:
			continue
		}
		line.WriteString(x.Text)
		parts = append(parts, part{line.Len(), x})
		line.WriteByte(map[bool]byte{true: '\n', false: ' '}[x.Role == mcpconfig.Env || x.Role == mcpconfig.URL])
	}
	src := line.String()
	for _, h := range threat.Find(&threat.Text{Src: src, Form: threat.Script}) {
		if h.Kind == threat.LiteralSecret {
			continue
		}
		f := threatFinding(h, src)
		f.Message = redact.Text(f.Message)
		for _, x := range parts {
			if h.Span.Start < x.end {
				f.Span = x.x.Span
				break
			}
		}
		found.add(lint.SecurityGroup+"/"+string(h.Kind), inServer(s, f))
	}
}

// excerpt is the part of a text that a message shows, without the credentials that may stand beside.
func excerpt(s string) string { return shortened(redact.Text(strings.Join(strings.Fields(s), " "))) }
