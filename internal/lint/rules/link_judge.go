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
	doc, err := p.File(rel)
	if err != nil || !strings.ContainsAny(doc.Text, "](`") {
		return
	}
	body := skills.ScanBody(doc.Text, skills.Parse(doc).Front.End(doc.Text))
	j := newJudge(p, found, doc, &body, rel)
	j.all()
	if j.reported {
		p.View.Tree().Keep(doc)
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

// slashed reports whether a link to a file of the skill begins with a slash, and so at the root of the file system.
func (j *judge) slashed(r *skills.Reference) bool {
	rel, ok := strings.CutPrefix(r.Path, "/")
	return ok && r.Kind == skills.LinkReference && r.Base == skills.HereBase && rel != "" && plainPath(rel) && j.skill.Holds(path.Clean(rel))
}

func (j *judge) reference(r *skills.Reference) {
	switch {
	case r.Path == "" && r.Kind == skills.LinkReference && r.Base == skills.HereBase:
		j.anchor(r, j.doc, j.body)
	case j.slashed(r):
		j.fromRoot(r, path.Clean(r.Path[1:]))
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
	case !mustRun(r) || j.file != "" || j.teaches() || j.rootPath(r) != "" || j.suppressedRun(r):
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
