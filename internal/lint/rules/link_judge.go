package rules

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// The names of the rules that judge references. Their findings are made together, so that one cause has one
// finding, whatever rule it falls to.
const (
	ruleAnchor        = "link/anchor"
	ruleBackslash     = "link/backslash"
	ruleCase          = "link/case"
	ruleFromRoot      = "link/from-root"
	ruleMissing       = "link/missing"
	ruleMissingPath   = "link/missing-path"
	ruleOutside       = "link/outside"
	ruleScriptMissing = "file/script-missing"
)

// maxReferenceFiles is how many files below references/ are read for each skill.
const maxReferenceFiles = 256

// verdicts are findings by the name of the rule that reports them.
type verdicts map[string][]lint.Finding

func (v verdicts) add(rule string, f lint.Finding) { v[rule] = append(v[rule], f) }

type verdictsKey struct{}

// reportVerdicts is the Run of the rules that judge references.
func reportVerdicts(p *lint.Pass) {
	if p.Skill.Err != nil {
		return
	}
	for _, f := range lint.Shared(p, verdictsKey{}, judgeSkill)[p.Rule.Name] {
		p.Report(f)
	}
}

// judgeSkill judges what SKILL.md and the Markdown files below references/ refer to.
func judgeSkill(p *lint.Pass) verdicts {
	found := verdicts{}
	body := p.Skill.Body()
	j := newJudge(p, found, p.Doc(), body, "")
	j.all()
	j.scripts()
	read := 0
	for _, f := range p.Skill.Files {
		if strings.HasPrefix(f.Path, "references/") && path.Ext(f.Path) == ".md" && read < maxReferenceFiles {
			read++
			judgeReferenceFile(p, found, f.Path)
		}
	}
	return found
}

// judgeReferenceFile judges the links of a file below references/. One that cannot be read is passed over:
// agents will say so.
func judgeReferenceFile(p *lint.Pass, found verdicts, rel string) {
	tree := p.View.Tree()
	doc, err := tree.Document(path.Join(p.Skill.Dir, rel), filepath.Join(filepath.Dir(p.Doc().Abs), filepath.FromSlash(rel)))
	if err != nil || !strings.ContainsAny(doc.Text, "](`") {
		return
	}
	body := skills.ScanBody(doc.Text, skills.Parse(doc).Front.End(doc.Text))
	j := newJudge(p, found, doc, &body, rel)
	j.all()
	if j.reported {
		tree.Keep(doc)
	}
}

// judge judges the references of one text.
type judge struct {
	pass     *lint.Pass
	skill    *skills.Skill
	found    verdicts
	doc      *skills.Document
	body     *skills.Body
	file     string // path of the text relative to the skill's folder; "" for SKILL.md
	home     string // absolute path of the skill's folder; "" for a text that lies nowhere
	real     string // home with symbolic links followed, once asked for
	runs     []run
	asked    map[string]bool // whether what is not among the skill's files exists, by path
	absent   map[string]*absence
	order    []*absence
	made     map[string]bool // files that the text says are made at run time
	left     map[string]bool // targets outside the folder that were told already
	foreign  map[string]bool // resource folders that the text says are not the skill's; nil until asked for
	fillIns  int             // how many parts of the text wait to be filled in; 0 until counted, then one more
	reported bool
}

// run is a script of the skill that a command line runs.
type run struct {
	*skills.Reference
	rel string // path relative to the skill's folder
}

func newJudge(p *lint.Pass, found verdicts, doc *skills.Document, body *skills.Body, file string) *judge {
	j := &judge{pass: p, skill: p.Skill, found: found, doc: doc, body: body, file: file, asked: map[string]bool{}, absent: map[string]*absence{}, made: map[string]bool{}, left: map[string]bool{}}
	if p.Doc().Abs != "" {
		j.home = filepath.Dir(p.Doc().Abs)
	}
	return j
}

// all judges links first, then commands, then paths in backticks: what is absent is told once, at the
// strongest of the places that name it.
func (j *judge) all() {
	refs := skills.References(j.doc.Text, j.body)
	end := doubtful(j.doc.Text, j.body)
	for _, kind := range []skills.ReferenceKind{skills.LinkReference, skills.RunReference, skills.CodeReference} {
		for i := range refs {
			if r := &refs[i]; r.Kind == kind && r.Span.Start < end {
				j.reference(r)
			}
		}
	}
	for _, a := range j.order {
		if a.rule != ruleMissingPath || !j.made[a.rel] || j.renamedFolder(a.rel) {
			j.report(a.rule, a.finding(j))
		}
	}
}

func (j *judge) report(rule string, f lint.Finding) {
	f.File = j.doc.Path
	j.reported = true
	j.found.add(rule, f)
}

func (j *judge) reference(r *skills.Reference) {
	switch {
	case r.Path == "" && r.Kind == skills.LinkReference && r.Base == skills.HereBase:
		j.anchor(r, j.doc, j.body)
	case r.Path == "" || !plainPath(r.Path):
	case r.Kind == skills.LinkReference:
		j.link(r)
	case r.Kind == skills.RunReference:
		j.command(r)
	case r.Kind == skills.CodeReference:
		j.mention(r)
	}
}

// link judges the target of a Markdown link.
func (j *judge) link(r *skills.Reference) {
	if noLinkTarget(r.Path) {
		return
	}
	rel, ok := j.target(r)
	switch {
	case rel == "":
	case ok:
		j.outside(r, rel)
		j.anchorElsewhere(r, rel)
	case j.misspelt(r, rel):
	case j.rootPath(r) != "":
		j.fromRoot(r, j.rootPath(r))
	case j.teaches() || hiddenTarget(r.Path) || j.isTemplate() && path.Dir(path.Clean(r.Path)) == ".":
	case path.Base(rel) == skills.FileName, strings.HasPrefix(rel, "../") && (j.file != "" || path.Ext(rel) == ""):
		j.elsewhere(r, rel)
	default:
		j.missing(ruleMissing, r, rel)
	}
}

// command judges the script that a command line runs.
func (j *judge) command(r *skills.Reference) {
	rel, ok := j.target(r)
	if own := j.ownPath(r); !ok && own != "" && j.exists(own) {
		j.runs = append(j.runs, run{r, own})
		if root := j.rootPath(r); root != "" {
			j.fromRoot(r, own)
		}
		return
	}
	switch {
	case rel == "":
	case ok:
		j.runs = append(j.runs, run{r, rel})
	case j.misspelt(r, rel):
	case !r.Run.Fence || !mustRun(r) || j.file != "" || j.teaches() || j.rootPath(r) != "" || j.suppressedRun(r):
	default:
		j.missing(ruleScriptMissing, r, rel)
	}
}

// mention judges a path in backticks.
func (j *judge) mention(r *skills.Reference) {
	rel, ok := j.target(r)
	switch {
	case rel == "", ok, j.misspelt(r, rel):
	case !inResourceFolder(r.Path), j.file != "", j.teaches(), j.rootPath(r) != "":
	case j.renamedFolder(rel):
		j.missing(ruleMissingPath, r, rel)
	case madeWords.in(around(j.doc, r.Span)):
		j.made[rel] = true
	case !j.suppressedMention(r):
		j.missing(ruleMissingPath, r, rel)
	}
}

// target returns the path of what a reference means, relative to the skill's folder, and whether it exists.
// The path is empty when it cannot be told.
func (j *judge) target(r *skills.Reference) (rel string, ok bool) {
	starts := []string{""}
	here := path.Dir(j.file)
	switch {
	case j.home == "":
		return "", false
	case r.Base == skills.PluginBase:
		root := j.pass.View.Tree().PluginRoot(j.home)
		if root == "" {
			return "", false
		}
		starts[0] = slashRel(j.home, root)
	case r.Base == skills.SkillBase || j.file == "":
	case r.Kind == skills.LinkReference:
		starts[0] = here
	default:
		starts = append(starts, here)
	}
	for _, start := range starts {
		if rel := path.Join(start, r.Path); j.exists(rel) {
			return rel, true
		}
	}
	return path.Join(starts[0], r.Path), false
}

// exists reports whether a file or folder lies at a path relative to the skill's folder.
func (j *judge) exists(rel string) bool {
	inside := rel != ".." && !strings.HasPrefix(rel, "../")
	if inside && j.skill.Holds(rel) {
		return true
	}
	found, asked := j.asked[rel]
	if !asked {
		found = j.onDisk(rel, inside)
		j.asked[rel] = found
	}
	return found
}

// onDisk is exists for what the skill does not list. A path that leaves a folder reached through a symbolic
// link may start from the link or from where it leads.
func (j *judge) onDisk(rel string, inside bool) bool {
	tree := j.pass.View.Tree()
	if tree.Exists(j.home, j.abs(rel)) {
		return true
	}
	if inside {
		return false
	}
	if j.real == "" {
		j.real = j.home
		if real, err := tree.RealPath(j.home); err == nil {
			j.real = real
		}
	}
	return j.real != j.home && tree.Exists(j.real, filepath.Join(j.real, filepath.FromSlash(rel)))
}

// misspelt reports a path that differs from that of a file only in case or in backslashes.
func (j *judge) misspelt(r *skills.Reference, rel string) bool {
	if strings.IndexByte(rel, '\\') >= 0 {
		slashed := path.Clean(strings.ReplaceAll(rel, `\`, "/"))
		if strings.IndexByte(slashed, '/') < 1 || !j.skill.Holds(slashed) {
			return false
		}
		j.backslash(r)
		return true
	}
	if other := j.otherCase(rel); other != "" {
		j.wrongCase(r, other)
		return true
	}
	return false
}

// otherCase returns the path of a file whose path differs only in case, or "".
func (j *judge) otherCase(rel string) string {
	if other := j.index().folded[strings.ToLower(rel)]; other != "" && other != rel {
		return other
	}
	if len(j.skill.Files) > 0 && !strings.HasPrefix(rel, "../") {
		return ""
	}
	if other := j.pass.View.Tree().OtherCase(j.abs(rel)); other != "" {
		return slashRel(j.home, other)
	}
	return ""
}

// fileIndex finds files of a skill by parts of their paths.
type fileIndex struct {
	folded   map[string]string   // by the path in lower case
	byName   map[string][]string // by the name without the folder
	byExt    map[string][]string // by the extension
	compared int                 // how many paths were compared to find what an absent file may be
}

type fileIndexKey struct{}

// index returns the index of the skill's files, which is made when the first reference is not found.
func (j *judge) index() *fileIndex {
	return lint.Shared(j.pass, fileIndexKey{}, func(p *lint.Pass) *fileIndex {
		n := len(p.Skill.Files)
		x := &fileIndex{folded: make(map[string]string, n), byName: make(map[string][]string, n), byExt: map[string][]string{}}
		for _, f := range p.Skill.Files {
			x.folded[strings.ToLower(f.Path)] = f.Path
			name, ext := path.Base(f.Path), path.Ext(f.Path)
			x.byName[name] = append(x.byName[name], f.Path)
			x.byExt[ext] = append(x.byExt[ext], f.Path)
		}
		return x
	})
}

// abs returns the absolute path of a path relative to the skill's folder.
func (j *judge) abs(rel string) string { return filepath.Join(j.home, filepath.FromSlash(rel)) }

// rootPath returns the path, relative to the skill's folder, of what a reference means when it starts from
// a folder above, up to the root of the project, or "".
func (j *judge) rootPath(r *skills.Reference) string {
	if r.Base != skills.HereBase || strings.HasPrefix(r.Path, "../") {
		return ""
	}
	if j.file != "" && r.Kind == skills.LinkReference && j.exists(path.Clean(r.Path)) {
		return path.Clean(r.Path)
	}
	tree := j.pass.View.Tree()
	root := tree.Root(j.home)
	for dir := j.home; root != "" && dir != root; {
		dir = filepath.Dir(dir)
		if abs := filepath.Join(dir, filepath.FromSlash(r.Path)); tree.Exists(dir, abs) {
			return slashRel(j.home, abs)
		}
	}
	return ""
}

// ownPath returns the path relative to the skill's folder of a path that names that folder, such as
// skills/NAME/scripts/x.py, or "".
func (j *judge) ownPath(r *skills.Reference) string {
	_, rest, ok := strings.Cut("/"+r.Path, "/skills/")
	if !ok || r.Base != skills.HereBase {
		return ""
	}
	folder, rest, ok := strings.Cut(rest, "/")
	if !ok || folder != j.skill.Folder && folder != j.skill.Name() {
		return ""
	}
	return path.Clean(rest)
}

// written returns how the text would write a path that is relative to the skill's folder.
func (j *judge) written(r *skills.Reference, rel string) string {
	if r.Base == skills.HereBase && r.Kind == skills.LinkReference && j.file != "" {
		return relSlash(path.Dir(j.file), rel)
	}
	return rel
}

// rewrite returns a fix that makes references name a path that is relative to the skill's folder.
func (j *judge) rewrite(rel string, safe bool, refs ...*skills.Reference) []lint.Fix {
	fix := lint.Fix{Title: "change to " + j.written(refs[0], rel), Safe: safe}
	for _, r := range refs {
		to := j.written(r, rel)
		if r.Kind == skills.LinkReference {
			to = encodeDestination(to)
		}
		if r.Base != skills.HereBase {
			variable, ok := strings.CutSuffix(r.Span.In(j.doc.Text), r.Path)
			if !ok {
				return nil
			}
			to = variable + to
		}
		fix.Edits = append(fix.Edits, lint.Replace(r.Span, to))
	}
	return []lint.Fix{fix}
}

// encodeDestination writes a path so that a link without angle brackets can hold it.
func encodeDestination(s string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F").Replace(s)
}

// slashRel returns the path from one absolute path to another, with slashes.
func slashRel(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to) // another drive
	}
	return filepath.ToSlash(rel)
}

// relSlash is slashRel for paths that start from the same folder.
func relSlash(from, to string) string {
	return slashRel(filepath.FromSlash("/"+from), filepath.FromSlash("/"+to))
}
