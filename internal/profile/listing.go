package profile

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Listing is how a client shows skills to the model. The texts hold
// placeholders in braces: {name}, {description}, {location}, {scope},
// {folder}, {dir}, and every field of the profile.
type Listing struct {
	Place       string            `yaml:"place"`       // system, developer, user, tool-description or none
	Join        string            `yaml:"join"`        // between the system prompt and the listing, when there is one
	Open        string            `yaml:"open"`        // before the items
	Close       string            `yaml:"close"`       // after the items
	Between     string            `yaml:"between"`     // between items
	Empty       string            `yaml:"empty"`       // instead of all that when no skill is listed
	Item        string            `yaml:"item"`        // one skill
	Bare        string            `yaml:"bare"`        // one skill without description; Item when empty
	Group       string            `yaml:"group"`       // heading of the skills of one scope
	GroupNames  map[string]string `yaml:"group_names"` // what {scope} is in headings and items; the scope itself when absent
	Name        Shown             `yaml:"name"`
	Description Shown             `yaml:"description"`
	Location    Shown             `yaml:"location"`
	Alias       string            `yaml:"alias"`     // added to a name whose written name differs, with {alias}
	Callable    string            `yaml:"callable"`  // a regular expression for the aliases that can be called; others are not added
	Taken       []string          `yaml:"taken"`     // names of the client's own commands, which no alias has
	Sort        []string          `yaml:"sort"`      // scope, name, path, path-fold; empty is the order of discovery
	Scopes      []string          `yaml:"scopes"`    // order of the scopes for sorting
	EveryKey    string            `yaml:"every_key"` // one front matter key, with {key} and {value}: {keys} is all of them
	Roots       Aliases           `yaml:"roots"`     // the table of roots, for {roots} in Open
	Budget      Budget            `yaml:"budget"`
	Around      Around            `yaml:"around"`

	callable *regexp.Regexp
}

// Around measures the client's own words in the messages of a request, its tools and the listing aside.
type Around struct {
	Characters int    `yaml:"characters"` // about; folders and dates are among them
	Version    string `yaml:"version"`    // in which they were counted
}

// Aliases is a table of roots that locations are relative to.
type Aliases struct {
	Own  string `yaml:"own"`  // root of the client's bundled skills
	At   int    `yaml:"at"`   // how many of the roots of Discovery stand before it
	Item string `yaml:"item"` // one root, with {alias} and {path}
}

// Shown is how one value gets into the listing.
type Shown struct {
	Form      string      `yaml:"form"`      // location: path (also when empty), dir, scope, none, or alias: below the root's alias
	Before    []string    `yaml:"before"`    // added before Transform, each if its fields have a value
	Transform []Transform `yaml:"transform"` // on the text
	Escape    string      `yaml:"escape"`    // none (also when empty), xml5, xml3, html, go or angles
	After     []string    `yaml:"after"`     // added at the end, each if its fields have a value
}

func (l *Listing) prepare() error {
	for _, s := range []*Shown{&l.Name, &l.Description, &l.Location} {
		if _, ok := escapes[s.Escape]; !ok {
			return fmt.Errorf("listing: escape %q is unknown", s.Escape)
		}
		for i := range s.Transform {
			if err := s.Transform[i].prepare(); err != nil {
				return fmt.Errorf("listing: %w", err)
			}
		}
	}
	if l.Callable != "" {
		var err error
		if l.callable, err = regexp.Compile(l.Callable); err != nil {
			return fmt.Errorf("listing.callable: %w", err)
		}
	}
	if _, ok := budgets[l.Budget.Policy]; !ok {
		return fmt.Errorf("listing.budget: policy %q is unknown", l.Budget.Policy)
	}
	return nil
}

// show fills in what stands in the prompt, before duplicates and budget.
func (s *play) show(alias, location string) {
	l := &s.p.Listing
	s.out.Listed = true
	s.out.Name = s.shown(&l.Name, s.field("name").text) + s.alias(alias)
	s.out.Description = s.shown(&l.Description, s.field("description").text)
	s.out.Location = escape(l.Location.Escape, location)
	s.judge()
}

func (s *play) alias(alias string) string {
	if alias == "" {
		return ""
	}
	s.aliased = true
	return fill(s.p.Listing.Alias, func(string) string { return escape(s.p.Listing.Name.Escape, alias) })
}

func (s *play) shown(how *Shown, text string) string {
	for _, b := range how.Before {
		text += s.optional(b, "")
	}
	text = escape(how.Escape, applyAll(how.Transform, text))
	for _, a := range how.After {
		text += s.optional(a, how.Escape)
	}
	return text
}

// optional fills a text whose placeholders all have a value, else gives "".
func (s *play) optional(text, how string) string {
	complete := true
	filled := fill(text, func(key string) string {
		v := s.placeholder(key)
		complete = complete && v != ""
		return escape(how, v)
	})
	if !complete {
		return ""
	}
	return filled
}

func (s *play) placeholder(key string) string {
	switch key {
	case "scope":
		return s.p.scopeName(s.out.Scope)
	case "folder":
		return s.d.Folder()
	case "dir":
		return path.Dir(s.d.Path)
	}
	return s.field(key).text
}

func (p *Profile) scopeName(scope string) string {
	if n, ok := p.Listing.GroupNames[scope]; ok {
		return n
	}
	return scope
}

// fill replaces each {key} of a template; other braces stay.
func fill(template string, value func(key string) string) string {
	var few [16]string
	parts := few[:0]
	expand(template, value, func(part string) { parts = append(parts, part) })
	return strings.Join(parts, "")
}

// expand passes on the parts of a filled template, one after the other.
func expand(template string, value func(key string) string, write func(part string)) {
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(template[open:], '}')
		if end < 0 {
			break
		}
		key := template[open+1 : open+end]
		write(template[:open])
		if isKey(key) {
			write(value(key))
		} else {
			write(template[open : open+end+1])
		}
		template = template[open+end+1:]
	}
	write(template)
}

func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return (c < 'a' || c > 'z') && c != '_' && c != '-' })
}

// judge compares what is shown with what was written.
func (s *play) judge() {
	s.out.Status = Listed
	if !s.p.Known("fields") {
		return
	}
	for _, c := range s.changed {
		if c.Field != "name" || !s.aliased { // else the model reads the written name beside the folder's
			s.out.Changes = append(s.out.Changes, c)
		}
	}
	if cut, ok := s.cutInListing(); ok {
		s.out.Changes = append(s.out.Changes, cut)
	}
	if len(s.out.Changes) == 0 {
		return
	}
	c := s.out.Changes[0]
	s.out.Status, s.out.Field, s.out.Check = Changed, c.Field, c.Field+"-"+c.Kind
	s.out.Stage = StageCoerce
	s.out.Reason = s.p.Label + " " + c.words()
}

// cutInListing reports a description the listing shortens.
func (s *play) cutInListing() (Change, bool) {
	text := s.field("description").text
	for _, t := range s.p.Listing.Description.Transform {
		short := t.apply(text)
		if (t.Do == "cut" || t.Do == "first-of-list") && short != text {
			return Change{Field: "description", Kind: "cut", From: text, To: short}, true
		}
		text = short
	}
	return Change{}, false
}

func (c Change) words() string {
	switch c.Kind {
	case "cut":
		if n := length(c.To, ""); n != 1 {
			return fmt.Sprintf("shows only the first %d characters of the %s", n, c.Field)
		}
		return "shows only the first character of the " + c.Field
	case "emptied":
		return "shows no " + c.Field
	case "body":
		return "shows text of the body as " + c.Field
	case "folder":
		return fmt.Sprintf("shows the folder's name %q as %s", c.To, c.Field)
	case "other":
		return fmt.Sprintf("shows %q as %s", c.To, c.Field)
	}
	return fmt.Sprintf("reads the %s as %q", c.Field, c.To)
}

// itemLength is the length of an item, without making it: a budget asks for many.
func (s *play) itemLength(bare bool, unit string) int {
	n := 0
	s.writeItem(bare, func(part string) { n += length(part, unit) })
	return n
}

func (s *play) writeItem(bare bool, write func(part string)) {
	template := s.p.Listing.Item
	if (bare || s.out.Description == "") && s.p.Listing.Bare != "" {
		template = s.p.Listing.Bare
	}
	expand(template, func(key string) string {
		switch key {
		case "name":
			return s.out.Name
		case "description":
			return s.out.Description
		case "location":
			return s.out.Location
		case "keys":
			return s.everyKey()
		}
		return s.placeholder(key)
	}, write)
}

// Entry is the text of a skill in the listing, by its outcome; "" when it is
// not listed. Where the client shows all of the front matter, its keys are
// left out.
func (p *Profile) Entry(o *Outcome) string {
	if !o.Listed {
		return ""
	}
	if p.Listing.Budget.Policy == "described-first" && o.Check == "bare" {
		return o.Name // among the names at the end
	}
	template := p.Listing.Item
	if o.Description == "" && p.Listing.Bare != "" {
		template = p.Listing.Bare
	}
	return fill(template, func(key string) string {
		switch key {
		case "name":
			return o.Name
		case "description":
			return o.Description
		case "location":
			return o.Location
		case "scope":
			return p.scopeName(o.Scope)
		case "dir":
			return path.Dir(o.File)
		case "folder":
			return path.Base(path.Dir(o.File))
		case "keys":
			return ""
		}
		return o.Loaded.Fields[key]
	})
}

// everyKey renders the whole front matter, for clients that show all of it.
func (s *play) everyKey() string {
	var b strings.Builder
	for _, f := range s.fields {
		b.WriteString(fill(s.p.Listing.EveryKey, func(key string) string {
			if key == "key" {
				return f.Key
			}
			return f.Value.Text
		}))
	}
	return b.String()
}

// render puts the items between the listing's opening and closing text.
func (l *Listing) render(p *Profile, w *Workspace, shown []*play, bare func(int) bool, tail string) string {
	if len(shown) == 0 && tail == "" {
		return l.Empty
	}
	size := 0
	for _, s := range shown {
		size += len(l.Item) + len(l.Between) + len(s.out.Name) + len(s.out.Description) + len(s.out.Location)
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(fill(l.Open, func(string) string { return l.roots(p, w) }))
	scope := ""
	for i, s := range shown {
		if i > 0 {
			b.WriteString(l.Between)
		}
		if l.Group != "" && s.out.Scope != scope {
			scope = s.out.Scope
			b.WriteString(fill(l.Group, func(string) string { return p.scopeName(scope) }))
		}
		s.writeItem(bare(i), func(part string) { b.WriteString(part) })
	}
	b.WriteString(tail)
	b.WriteString(l.Close)
	return b.String()
}

// order sorts skills as the listing does; equal ones keep their order.
func (l *Listing) order(shown []*play) {
	slices.SortStableFunc(shown, func(a, b *play) int {
		for _, key := range l.Sort {
			if c := l.compare(key, a, b); c != 0 {
				return c
			}
		}
		return 0
	})
}

func (l *Listing) compare(key string, a, b *play) int {
	switch key {
	case "scope":
		return slices.Index(l.Scopes, a.out.Scope) - slices.Index(l.Scopes, b.out.Scope)
	case "name":
		return cmp.Compare(a.field("name").text, b.field("name").text)
	case "name-fold":
		return cmp.Compare(strings.ToLower(a.field("name").text), strings.ToLower(b.field("name").text))
	case "path-fold":
		return cmp.Compare(strings.ToLower(a.d.Path), strings.ToLower(b.d.Path))
	}
	return cmp.Compare(a.d.Path, b.d.Path)
}

// roots renders the table of roots that aliases stand for.
func (l *Listing) roots(p *Profile, w *Workspace) string {
	var paths, behind []string
	for _, f := range p.Roots(w) {
		if p.beforeOwn(f) {
			paths = append(paths, f.Path)
		} else {
			behind = append(behind, f.Path)
		}
	}
	paths = append(append(paths, l.Roots.Own), behind...)
	lines := make([]string, len(paths))
	for i, root := range paths {
		lines[i] = fill(l.Roots.Item, func(key string) string {
			if key == "alias" {
				return rootAlias(i)
			}
			return root
		})
	}
	return strings.Join(lines, "\n")
}

// beforeOwn reports whether a root stands before that of the bundled skills.
func (p *Profile) beforeOwn(f Folder) bool { return f.root < p.Listing.Roots.At }

func rootAlias(i int) string { return fmt.Sprintf("r%d", i) }
