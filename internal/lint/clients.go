package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Played is what one client makes of one skill. The other skill that an outcome speaks of is named as paths are shown.
type Played struct {
	Profile *profile.Profile
	Outcome *profile.Outcome // read-only
}

// Listing is what one client makes of all skills of a project, or of one folder, together.
type Listing struct {
	Profile *profile.Profile
	Usage   profile.Usage
	Lost    []Lost // the skills that lose text for want of room, in the order of the listing
}

// Lost is a skill whose description is cut, or left out, for want of room.
type Lost struct {
	Skill *skills.Skill
	Kept  int // how many characters of the description are left
}

// Rules that name clients: the first two are reported by the engine itself, for losses that no other finding
// explains, the third is about all skills that a client lists together.
const (
	ClientDropped = "client/dropped"
	ClientChanged = "client/changed"
	ListingBudget = "client/listing-budget"
)

// Judges returns the clients that a skill is judged by: those the user named, else those that are usual for
// its folder. The second result tells whether they were named.
func Judges(s *skills.Skill, set *Settings) ([]*profile.Profile, bool) {
	if len(set.Clients) == 0 {
		return profile.Default(path.Dir(slashed(s.Doc.Abs))), false
	}
	return Named(set), true
}

// Named returns the clients that the user named, each by its name or together as "all".
func Named(set *Settings) []*profile.Profile {
	names := set.Clients
	if slices.Contains(names, "all") {
		names = profile.Everyone()
	}
	out := make([]*profile.Profile, 0, len(names))
	for _, name := range names {
		if p, err := profile.Find(name); err == nil { // the names were checked when they were read
			out = append(out, p)
		}
	}
	return out
}

func slashed(abs string) string { return strings.ReplaceAll(abs, `\`, "/") }

// loss names what a client's outcome takes from a skill, as the patterns of Rule.Explains are written:
// "stage/check" when the skill is not listed, "changed/field/kind" when other words are. It is "" when the
// skill is shown as written, or kept from the model because its author wants that.
func loss(o *profile.Outcome) string {
	switch o.Status {
	case profile.Dropped, profile.RootLost, profile.ClientCrash:
		return string(o.Stage) + "/" + o.Check
	case profile.Hidden:
		if o.Stage == profile.StageVisibility && (o.Check == "description" || o.Check == "name") {
			return string(o.Stage) + "/" + o.Check
		}
	case profile.Changed:
		if o.Stage != profile.StageBudget && len(o.Changes) > 0 {
			return "changed/" + o.Changes[0].Field + "/" + o.Changes[0].Kind
		}
	}
	return ""
}

// Loses reports whether a client takes a skill, or words of it, from the model against its author's wish. What
// is lost for want of room in a listing counts apart, for it is nobody's fault alone.
func Loses(o *profile.Outcome) bool { return loss(o) != "" }

// together reports whether a loss comes about only among other skills.
func together(o *profile.Outcome) bool {
	return o.Stage == profile.StageDedupe || o.Stage == profile.StageBudget || o.Check == "neighbour"
}

// Accounts reports whether the clients in a rule's findings are those that lose the skill by it.
func (r *Rule) Accounts() bool {
	return len(r.Explains) > 0 || r.Name == ClientDropped || r.Name == ClientChanged
}

// explains reports whether a rule gives the cause of a loss.
func (r *Rule) explains(loss string) bool {
	return matches(r.Explains, loss)
}

func matches(patterns []string, loss string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, loss)
		return err == nil && ok
	})
}

// groupRank orders the groups of rules by how early what they find takes effect: a byte order mark is in the
// way before the YAML is.
func groupRank(r *Rule) int {
	return slices.Index([]string{"file", "frontmatter", "yaml"}, r.Group())
}

// blame gives each client that drops or changes a skill to the one finding that explains it, and adds a
// finding where none does. Losses among other skills are left for the workspace.
func (e *Engine) blame(s *skills.Skill, set *Settings, played []Played, findings []Finding, want func(*profile.Outcome) bool) []Finding {
	losers := map[int][]Played{} // by the finding that explains it
	var rest []Played
	for _, p := range played {
		l := loss(p.Outcome)
		if l == "" || !want(p.Outcome) {
			continue
		}
		if i := cause(s, findings, l); i >= 0 {
			losers[i] = append(losers[i], p)
		} else {
			rest = append(rest, p)
		}
	}
	for i, who := range losers {
		findings[i].hurt(who, set)
	}
	return append(findings, e.unexplained(s, set, rest)...)
}

// cause returns the index of the finding that explains a loss, or -1: the one whose cause comes first.
func cause(s *skills.Skill, findings []Finding, loss string) int {
	best := -1
	for i := range findings {
		f := &findings[i]
		if !f.on(s) || !f.Rule.explains(loss) || f.Explains != nil && !matches(f.Explains, loss) {
			continue
		}
		if best < 0 || rank(f.Rule) < rank(findings[best].Rule) {
			best = i
		}
	}
	return best
}

// on reports whether a finding is about a skill: it lies there, or is one about several skills and names it.
func (f *Finding) on(s *skills.Skill) bool {
	return f.File == s.Doc.Path || f.Rule.Scope == WorkspaceScope &&
		slices.ContainsFunc(f.Related, func(r Related) bool { return r.File == s.Doc.Path })
}

func rank(r *Rule) int {
	if g := groupRank(r); g >= 0 {
		return g
	}
	return len("file frontmatter yaml")
}

// hurt names the clients in a finding and raises it to what that means.
func (f *Finding) hurt(losers []Played, set *Settings) {
	if len(losers) == 0 {
		return
	}
	for _, p := range losers {
		if id := p.Profile.ID(); !slices.Contains(f.Clients, id) {
			f.Clients = append(f.Clients, id)
		}
	}
	f.losers = append(f.losers, losers...)
	f.Effect = describe(f.losers)
	if set.configured(f.Rule) || f.Harmless {
		return
	}
	f.Severity = max(f.Severity, Warning)
	for _, p := range losers {
		o := p.Outcome.Status
		if o == profile.RootLost || o == profile.ClientCrash || f.Rule.Must && o == profile.Dropped {
			f.Severity = Error
		}
	}
}

// spare lowers the findings whose harm is to clients alone when no judged client is hurt.
func spare(findings []Finding, set *Settings, judged int) {
	for i := range findings {
		f := &findings[i]
		if judged > 0 && len(f.Clients) == 0 && f.Rule.Unhurt != Off && f.Severity > f.Rule.Unhurt && !set.configured(f.Rule) {
			f.Severity = f.Rule.Unhurt
		}
	}
}

// configured reports whether the user gave a rule its level.
func (s *Settings) configured(r *Rule) bool {
	have, ok := s.Rules[r]
	return ok && have.Source != DefaultSource && have.Level != r.Severity
}

// unexplained makes a finding of each kind of loss that no rule gives a cause for.
func (e *Engine) unexplained(s *skills.Skill, set *Settings, rest []Played) []Finding {
	var out []Finding
	byLoss := map[string]int{}
	for _, p := range rest {
		l := loss(p.Outcome)
		if i, ok := byLoss[l]; ok {
			out[i].Clients = append(out[i].Clients, p.Profile.ID())
			continue
		}
		rule := e.reg.Rule(ClientDropped)
		if p.Outcome.Status == profile.Changed {
			rule = e.reg.Rule(ClientChanged)
		}
		if rule == nil || set.Rules[rule].Level == Off || e.silenced(l, set) {
			continue
		}
		byLoss[l] = len(out)
		out = append(out, Finding{
			Rule: rule, Severity: set.Rules[rule].Level, File: s.Doc.Path, Span: lossPlace(s, p.Outcome),
			Message: p.Outcome.Reason, Clients: []string{p.Profile.ID()},
		})
	}
	for i := range out {
		if n := len(out[i].Clients); n > 1 {
			out[i].Message += fmt.Sprintf("; so does %s", labels(out[i].Clients[1:]))
		}
	}
	return out
}

// silenced reports whether the user turned off a rule that would have explained a loss.
func (e *Engine) silenced(loss string, set *Settings) bool {
	return slices.ContainsFunc(e.reg.rules, func(r *Rule) bool {
		return set.Rules[r].Level == Off && set.configured(r) && r.explains(loss)
	})
}

// lossPlace returns where a loss is shown: the key that decides, else the opening fence.
func lossPlace(s *skills.Skill, o *profile.Outcome) text.Span {
	name := o.Field
	if name == "" && len(o.Changes) > 0 {
		name = o.Changes[0].Field
	}
	name, _, _ = strings.Cut(name, ".")
	if f := s.Front.Field(name); f != nil {
		return f.Key
	}
	return s.Front.Open.Span
}

// describe says in words what clients do to a skill, those that do the same together.
func describe(losers []Played) string {
	var order []string
	who := map[string][]string{}
	for _, p := range losers {
		v := verb(p.Outcome)
		if who[v] == nil {
			order = append(order, v)
		}
		if id := p.Profile.ID(); !slices.Contains(who[v], id) {
			who[v] = append(who[v], id)
		}
	}
	var out []string
	for _, v := range order {
		one, many, _ := strings.Cut(v, "|")
		if len(who[v]) > 1 {
			one = many
		}
		out = append(out, labels(who[v])+" "+one)
	}
	return strings.Join(out, "; ")
}

// verb returns what a client does, for one client and for several.
func verb(o *profile.Outcome) string {
	if o.Stage == profile.StageDedupe {
		return "lists only one of them|list only one of them"
	}
	switch o.Status {
	case profile.ClientCrash:
		return "fails on the file and loads no skill at all|fail on the file and load no skill at all"
	case profile.RootLost:
		return "loses all skills of the folder|lose all skills of the folder"
	case profile.Hidden:
		return "does not list this skill|do not list this skill"
	case profile.Dropped:
		return "does not load this skill|do not load this skill"
	}
	c := o.Changes[0]
	switch c.Kind {
	case "cut":
		return fmt.Sprintf("cuts the %[1]s|cut the %[1]s", c.Field)
	case "body":
		return fmt.Sprintf("shows text of the body as the %[1]s|show text of the body as the %[1]s", c.Field)
	case "folder":
		return fmt.Sprintf("shows the folder's name as the %[1]s|show the folder's name as the %[1]s", c.Field)
	case "emptied":
		return fmt.Sprintf("shows no %[1]s|show no %[1]s", c.Field)
	}
	return fmt.Sprintf("shows another %[1]s than is written|show another %[1]s than is written", c.Field)
}

// mostLabels is how many clients a message names one by one.
const mostLabels = 6

// labels joins the names of clients for people, with their versions.
func labels(names []string) string {
	var out []string
	for _, name := range names {
		p, err := profile.Find(name)
		if err != nil {
			continue // the names come from profiles
		}
		out = append(out, strings.TrimSpace(p.Label+" "+ShortVersion(p.Version)))
	}
	if n := len(out) - mostLabels; n > 1 { // one more is as short as its number
		return strings.Join(out[:mostLabels], ", ") + fmt.Sprintf(" and %d others", n)
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return strings.Join(out, "")
}

// ShortVersion leaves out the last number of a version of three; a commit is cut to seven digits.
func ShortVersion(v string) string {
	if parts := strings.Split(v, "."); len(parts) == 3 {
		return parts[0] + "." + parts[1]
	}
	const digits = 7
	if len(v) > 10 && strings.Trim(v, "0123456789abcdef") == "" {
		return v[:digits]
	}
	return v
}

// Labels joins the names of clients for people, with their versions.
func Labels(profiles ...*profile.Profile) string {
	names := make([]string, 0, len(profiles))
	for _, p := range profiles {
		names = append(names, p.ID())
	}
	return labels(names)
}
