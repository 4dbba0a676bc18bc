package agentsim

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// Activation is what a client adds to the conversation when a skill is called.
type Activation struct {
	Skill string
	File  string // "" when there is no such skill
	Via   []string
	Tool  string // the client's tool for it, or ""
	Parts []Part
	Cut   bool // a part was longer than the client allows
	Notes []string
}

// notRun stands for the output of a command that is not run.
const notRun = "[not run: "

// noSession stands in a skill's text when no session is given.
const noSession = "00000000-0000-0000-0000-000000000000"

func activate(in *Input, st *setting) (*Activation, error) {
	o, ok := findSkill(in.Profile, st.result, in.Skill)
	if !ok {
		return missing(in, st.result)
	}
	return call(in, st, o)
}

// Activations plays the client once and the activation of each skill that it finds, in their order. Skill is left out
// of account, and so are the arguments for it.
func Activations(ctx context.Context, in *Input) ([]*Activation, error) {
	st, err := set(ctx, in)
	if err != nil {
		return nil, err
	}
	var out []*Activation
	for _, o := range st.result.Skills {
		one := *in
		one.Skill, one.Args = cmp.Or(o.Name, o.Loaded.Name, path.Base(path.Dir(o.File))), ""
		a, err := call(&one, st, *o)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, ctx.Err()
}

// call is what the client adds when one of the skills that it found is called.
func call(in *Input, st *setting, o profile.Outcome) (*Activation, error) {
	p := in.Profile
	tree := diskTree{in.FS}
	src, err := tree.ReadFile(o.File)
	if err != nil {
		return nil, fmt.Errorf("read the skill to activate: %w", err)
	}
	shell := &shellCount{run: in.Shell}
	parts, loaded := p.Activate(docAt(tree, o.File, src), profile.Call{
		Args: in.Args, Session: cmp.Or(in.Session, noSession), Project: st.root, Scope: o.Scope,
		Files: filesBelow(tree, path.Dir(o.File)), Shell: shell.call,
	})
	a := &Activation{Skill: in.Skill, File: o.File, Via: p.Activation.Via, Tool: p.Activation.Tool}
	a.explain(p, o, loaded, shell.left)
	for _, part := range parts {
		a.add(in, part, shell.left)
	}
	if len(parts) == 0 && loaded.Status != profile.Dropped {
		a.Parts = []Part{{Role: "tool", Text: string(src), Tokens: in.Count(string(src))}}
		a.Notes = append(a.Notes, fmt.Sprintf("The model of %s reads the file itself; how its tool shows it is not reproduced.", p.Label))
	}
	return a, nil
}

// shellCount runs commands, or notes that some were left.
type shellCount struct {
	run  func(command string) string
	left bool
}

func (s *shellCount) call(command string) string {
	if s.run != nil {
		return s.run(command)
	}
	s.left = true
	return notRun + command + "]"
}

func (a *Activation) add(in *Input, part profile.Part, left bool) {
	tail := in.Profile.Activation.Limit.Tail
	a.Cut = a.Cut || tail != "" && strings.HasSuffix(part.Text, tail)
	a.Parts = append(a.Parts, Part{
		Role: part.Role, Text: part.Text, Tokens: in.Count(part.Text),
		Exact: exactActivation(in.Profile) && !(left && strings.Contains(part.Text, notRun)),
	})
}

// exactActivation reports whether a client was seen to activate skills so, or its code was run.
func exactActivation(p *profile.Profile) bool {
	return (p.Evidence.Level == "observed" || p.Evidence.Level == "executed") && p.Known("activation")
}

func (a *Activation) explain(p *profile.Profile, o, loaded profile.Outcome, left bool) {
	if left {
		a.Notes = append(a.Notes, "Commands in the text are not run; --run-shell runs them.")
	}
	switch {
	case !o.Listed && loaded.Status != profile.Dropped && o.Reason != "":
		a.Notes = append(a.Notes, fmt.Sprintf("The model does not see this skill: %s. A user can call it where the client lets them.", o.Reason))
	case loaded.Status == profile.Dropped:
		a.Notes = append(a.Notes, loaded.Reason+".")
	}
}

func docAt(tree profile.Tree, file string, src []byte) *profile.Doc {
	d := profile.NewDoc(file, src)
	d.Beside = func(name string) ([]byte, error) { return tree.ReadFile(path.Join(path.Dir(file), name)) }
	return d
}

// findSkill finds a skill by the name that the client calls it by; a listed one first.
func findSkill(p *profile.Profile, r *profile.Result, name string) (profile.Outcome, bool) {
	same := func(s string) bool { return s == name || p.Activation.Lookup == "fold" && strings.EqualFold(s, name) }
	var best *profile.Outcome
	for _, o := range r.Skills {
		if !same(o.Name) && !same(o.Loaded.Name) && !same(path.Base(path.Dir(o.File))) {
			continue
		}
		if best == nil || o.Listed && !best.Listed {
			best = o
		}
	}
	if best == nil {
		return profile.Outcome{}, false
	}
	return *best, true
}

// NoSkillError is the error for a skill to activate that the client does not find, as a sentence.
type NoSkillError string

func (e NoSkillError) Error() string { return string(e) }

// missing is what becomes of a call for a skill that is not there: AgentScope 2 tells the model, of the others the
// words are not known.
func missing(in *Input, r *profile.Result) (*Activation, error) {
	if in.Profile.Name == agentScope2 {
		text := "SkillNotFoundError: Skill '" + in.Skill + "' not found."
		return &Activation{
			Skill: in.Skill, Via: in.Profile.Activation.Via, Tool: in.Profile.Activation.Tool,
			Parts: []Part{{Role: "tool", Text: text, Tokens: in.Count(text), Exact: true}},
		}, nil
	}
	var known []string
	for _, o := range r.Skills {
		if o.Loaded.Name != "" && !slices.Contains(known, o.Loaded.Name) {
			known = append(known, o.Loaded.Name)
		}
	}
	if len(known) == 0 {
		return nil, NoSkillError(fmt.Sprintf("%s finds no skill, so none called %q", in.Profile.Label, in.Skill))
	}
	return nil, NoSkillError(fmt.Sprintf("%s finds no skill called %q; it finds %s", in.Profile.Label, in.Skill, strings.Join(known, ", ")))
}

// Bounds of the files of one skill.
const (
	mostFiles = 2000
	mostDepth = 16
)

// filesBelow lists the files of a skill's folder, sorted.
func filesBelow(tree profile.Tree, dir string) []string {
	var out []string
	var walk func(below string, depth int)
	walk = func(below string, depth int) {
		entries, err := tree.ReadDir(path.Join(dir, below))
		if err != nil || depth > mostDepth {
			return
		}
		for _, e := range entries {
			name := path.Join(below, e.Name())
			switch {
			case len(out) >= mostFiles || e.Name() == ".git" || e.Name() == "node_modules":
			case e.IsDir():
				walk(name, depth+1)
			default:
				out = append(out, name)
			}
		}
	}
	walk("", 0)
	slices.Sort(out)
	return out
}
