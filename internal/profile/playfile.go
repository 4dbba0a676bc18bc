package profile

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

// play is one skill on its way through the stages that need no other skill.
type play struct {
	p *Profile
	d *Doc
	*content
	loaded []loadedField // in the order of p.fields
	out    *Outcome

	changed []Change   // the fields that hold other words than were written
	found   *candidate // nil unless a walk found it
	taken   bool
	aliased bool // the listing adds the written name to the folder's
}

// content is what the file holds. The listing needs what was loaded, not what it was loaded from.
type content struct {
	front  string
	fields dialect.Map
	body   string
}

var forgotten = &content{} // read-only

// place says where the skill was found, for one that no walk found in a folder of its own.
func (s *play) place() candidate {
	if s.found != nil {
		return *s.found
	}
	return candidate{found: found{file: s.d.Path, real: s.d.Path}, rel: path.Join(s.d.Folder(), "SKILL.md")}
}

type loadedField struct {
	text string
	from string // "front" or the Else source that gave the text; empty when the field is missing
}

func (f loadedField) present() bool { return f.from != "" }

// PlayFile plays the client on one skill in its folder, as if it were the only
// one: no walk, no duplicates, no budget.
func (p *Profile) PlayFile(d *Doc) *Outcome { return p.LoadAlone(d).Alone() }

// LoadAlone loads one skill as if it lay in a folder of its own among those the
// client reads. It no longer needs what d keeps for other clients.
func (p *Profile) LoadAlone(d *Doc) *Play {
	d.content = content{}
	s := p.load(d, &d.content)
	s.out.Scope = "project"
	if p.Listing.EveryKey == "" {
		s.content = forgotten
	} else {
		s.content = &content{fields: s.fields}
	}
	return s
}

// Alone is the outcome when there is no other skill.
func (s *play) Alone() *Outcome {
	again := s.Clone()
	if again.out.Status == "" {
		again.show(s.p.freeAlias(again, map[string]bool{s.d.Folder(): true}), s.p.location(again))
	}
	return again.out
}

// Play is one skill as one client loaded it, before it meets the others.
type Play = play

// Unreadable is a file that cannot be read.
func (p *Profile) Unreadable(file string) *Play {
	s := &play{p: p, d: NewDoc(file, ""), content: forgotten, out: &Outcome{File: file}}
	s.fail("", StageRead, "read", "", "the file cannot be read")
	return s
}

// Taken reports whether the client takes a file of that name for a skill.
func (s *play) Taken() bool { return s.p.Takes(s.d.Path) }

// NotFound is the outcome of a skill in a folder that the client reads, in a
// place or under a name where it does not look.
func (s *play) NotFound() *Outcome {
	again := s.Clone()
	check, why := "place", "it does not look for skills in this place"
	if n := s.p.Discovery.MaxDirs; n > 0 {
		why += fmt.Sprintf(", or has searched %d folders before", n)
	}
	if !s.Taken() {
		check, why = "file-name", "it does not take a file of this name"
	}
	again.fail("", StageWalk, check, "", why)
	return again.out
}

// NotRead is the outcome of a skill in a folder of another agent, such as
// ".claude/skills", that the client does not read.
func (p *Profile) NotRead(file, folder string) *Outcome {
	s := &play{p: p, content: forgotten, out: &Outcome{File: file}}
	s.stop(Dropped, StageWalk, "folder", "", "does not read "+folder)
	return s.out
}

// PlaySet plays the client on skills that lie side by side in one folder, as
// if it read that folder: no walk, but duplicates and budget. The plays are
// used up.
func (p *Profile) PlaySet(set []*Play) *Result {
	return p.together(&Workspace{OnlyFolders: true}, set)
}

// JudgeSet is PlaySet without the text of the listing.
func (p *Profile) JudgeSet(set []*Play) *Result {
	return p.together(&Workspace{OnlyFolders: true, NoListing: true}, set)
}

// Clone returns a copy that can be played while s stays as it is.
func (s *play) Clone() *Play {
	again := *s
	out := *s.out
	again.out = &out
	return &again
}

// load runs the stages from reading to visibility, and notes in c what it reads.
// The status is empty when the skill is to be listed.
func (p *Profile) load(d *Doc, c *content) *play {
	s := &play{p: p, d: d, content: c, out: &Outcome{File: d.Path}}
	if s.read() && s.coerce() && s.check() && s.visibility() && p.Known("fields") {
		s.changed = s.changes()
	}
	s.keepLoaded()
	return s
}

func (s *play) stop(status Status, stage Stage, check, field, reason string) bool {
	s.out.Status, s.out.Stage, s.out.Check, s.out.Field = status, stage, check, field
	s.out.Reason = s.p.Label + " " + reason
	return false
}

// actions maps the action a profile names to the status it leads to.
var actions = map[string]Status{"": Dropped, "drop": Dropped, "crash": ClientCrash, "root": RootLost}

// verbs begin a reason after the client's label.
var verbs = map[Status]string{
	Dropped:     "does not load the skill: ",
	ClientCrash: "fails on this file and loads no skill at all: ",
	RootLost:    "loses every skill of the folder: ",
}

func (s *play) fail(action string, stage Stage, check, field, why string) bool {
	status := actions[action]
	return s.stop(status, stage, check, field, verbs[status]+why)
}

func (s *play) read() bool {
	if n := s.p.Parse.MaxBytes; n > 0 && len(s.d.Src) > n {
		return s.fail("", StageRead, "size", "", fmt.Sprintf("the file has more than %d bytes", n))
	}
	split, err := s.d.split(&s.p.Fence, s.p.fenceID)
	if err != nil {
		return s.fail(s.p.Parse.Encoding, StageRead, "encoding", "", "the file is not valid UTF-8")
	}
	s.front, s.body = split.Front, split.Body
	if s.p.Parse.BOM == "text" && strings.HasPrefix(s.d.Src, bom) {
		split.Found, split.Reason, s.body = false, "a byte order mark stands before the fence", s.d.Src
	}
	if s.p.normalizes {
		s.front, s.body = lineFeeds(s.front), lineFeeds(s.body)
	}
	if !split.Found && s.p.Parse.JSON {
		s.front, s.body, split.Found = jsonFront(s.body)
	}
	if !split.Found {
		missing := s.p.Parse.Missing
		if s.d.Name != "" {
			missing = cmp.Or(s.p.Parse.FlatMissing, missing)
		}
		if missing == "body" {
			return true
		}
		return s.fail(missing, StageFence, "front-matter", "", split.Reason)
	}
	return s.parse()
}

const bom = "\ufeff"

// lineFeeds does what clients do that accept a lone carriage return: they turn
// every line break into a line feed before they look at the text.
func lineFeeds(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return newlines.Replace(text)
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// bareFences reports whether a text starts with a line "---" and has another that starts so.
func bareFences(text string) bool {
	rest, ok := strings.CutPrefix(text, "---")
	rest = strings.TrimPrefix(rest, "\r")
	return ok && strings.HasPrefix(rest, "\n") && strings.Contains(rest[1:], "\n---")
}

func (p *Parse) withoutFallback() dialect.Options {
	options := p.Options
	options.Fallback = ""
	return options
}

func (s *play) parse() bool {
	if s.p.Parse.Trim {
		s.front = trimJS(s.front)
	}
	id, options := s.p.parseID, s.p.Parse.Options
	if s.p.Parse.Bare && !bareFences(s.d.Src) {
		id, options = s.p.plainID, s.p.Parse.withoutFallback()
	}
	m, err := s.d.parse(s.front, id, s.p.Parse.Dialect, options)
	if err != nil {
		return s.refuse(err)
	}
	s.fields = s.second(m)
	return s.keys()
}

// refuse does what the client does with front matter that its parser refuses.
func (s *play) refuse(err error) bool {
	var refused *dialect.Error
	if !errors.As(err, &refused) {
		panic(err) // the dialect's name was checked when the profile was loaded
	}
	action, check := s.p.Parse.Error, "yaml"
	if errors.Is(err, dialect.ErrNotMapping) {
		check = "not-a-map"
		if s.p.Parse.NotMap != "" {
			action = s.p.Parse.NotMap
		}
	}
	if action == "empty" {
		return true
	}
	return s.fail(action, StageParse, check, "", "its front matter cannot be read, "+refused.Error())
}

// jsonFront cuts a text at a JSON object whose braces stand alone on their
// lines, as python-frontmatter does.
func jsonFront(text string) (front, body string, found bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{\n")
	if !ok {
		return "", text, false
	}
	end := strings.Index("\n"+rest, "\n}\n")
	if end < 0 {
		return "", text, false
	}
	return "{\n" + rest[:end] + "}", rest[end+len("}\n"):], true
}

func (s *play) keys() bool {
	for _, f := range s.fields {
		if s.p.Parse.StringKeys && f.KeyKind != dialect.String {
			return s.fail("", StageParse, "key-type", f.Key, fmt.Sprintf("the key %q is a %s, not a string", f.Key, kindWord(f.KeyKind)))
		}
		if slices.Contains(s.p.Parse.BadKeys, f.Key) {
			return s.fail("", StageParse, "bad-key", f.Key, fmt.Sprintf("the key %q breaks its loader", f.Key))
		}
		if k := s.p.Parse.KnownKeys; k != nil && !slices.Contains(k, f.Key) {
			return s.fail("", StageParse, "unknown-key", f.Key, fmt.Sprintf("the key %q is not allowed", f.Key))
		}
	}
	return true
}

func (s *play) coerce() bool {
	s.loaded = make([]loadedField, len(s.p.fields))
	for i, f := range s.p.fields {
		v, ok := s.take(f)
		if !ok {
			return false
		}
		s.loaded[i] = v
	}
	for i, f := range s.p.fields {
		if !s.loaded[i].present() {
			s.loaded[i] = s.instead(f)
		}
	}
	for i, f := range s.p.fields {
		if f.Append != "" && s.loaded[i].present() {
			s.loaded[i].text += s.optional(f.Append, "none")
		}
	}
	return true
}

// take reads a field from the front matter.
func (s *play) take(f namedField) (loadedField, bool) {
	for _, key := range f.Keys {
		v := lookup(s.fields, key)
		if v.Kind == dialect.Missing || f.Blank == "falsy" && falsy(v) {
			continue
		}
		switch action := f.typeAction(v.Kind); action {
		case "missing":
			continue
		case "text":
		default:
			return loadedField{}, s.fail(action, StageCoerce, f.name+"-type", key, fmt.Sprintf("%s is a %s", key, kindWord(v.Kind)))
		}
		if text := applyAll(f.Transform, v.Text); !f.blank(text) && v.Kind != dialect.Missing {
			return loadedField{text: text, from: "front"}, true
		}
	}
	return loadedField{}, true
}

// second reads the block with the fallback alone when a key that must be a
// string, or a scalar, is none.
func (s *play) second(m dialect.Map) dialect.Map {
	parse := &s.p.Parse
	noString := func(key string) bool { return m.Get(key).Kind != dialect.String }
	noScalar := func(key string) bool {
		kind := lookup(m, key).Kind
		return kind == dialect.List || kind == dialect.Mapping
	}
	if !slices.ContainsFunc(parse.Strings, noString) && !slices.ContainsFunc(parse.Scalars, noScalar) {
		return m
	}
	if again, err := s.d.source(s.front).Fallback(parse.Fallback, parse.Dialect, parse.Options); err == nil {
		return again
	}
	return m
}

// lookup finds a key, or follows a dotted path such as "metadata.x".
func lookup(m dialect.Map, key string) dialect.Value {
	if v := m.Get(key); v.Kind != dialect.Missing {
		return v
	}
	if parent, rest, ok := strings.Cut(key, "."); ok {
		return lookup(m.Get(parent).Map, rest)
	}
	return dialect.Value{}
}

func (f Field) typeAction(k dialect.Kind) string {
	if a, ok := f.Types[k.String()]; ok {
		return a
	}
	if k == dialect.String {
		return "text"
	}
	return f.Types["other"]
}

func (f Field) blank(s string) bool {
	switch f.Blank {
	case "none":
		return false
	case "blank":
		return strings.TrimSpace(s) == ""
	}
	return s == ""
}

// falsy reports what Python counts as false.
func falsy(v dialect.Value) bool {
	switch v.Kind {
	case dialect.Null:
		return true
	case dialect.Bool:
		return v.Text == "False"
	case dialect.Int, dialect.Float:
		return strings.Trim(v.Text, "-0.") == ""
	case dialect.List, dialect.Mapping:
		return len(v.Items)+len(v.Map) == 0
	}
	return v.Text == ""
}

func kindWord(k dialect.Kind) string {
	switch k {
	case dialect.Null:
		return "null value"
	case dialect.Mapping:
		return "mapping"
	case dialect.Int, dialect.Float:
		return "number"
	case dialect.Bool:
		return "boolean"
	}
	return k.String()
}

// instead gives the text a client puts in the place of a missing field.
func (s *play) instead(f namedField) loadedField {
	sources := f.Else
	if s.d.Name != "" && f.Flat != nil {
		sources = f.Flat
	}
	for _, source := range sources {
		if text := s.source(source); text != "" {
			return loadedField{text: f.Cap.cut(text), from: source}
		}
	}
	return loadedField{}
}

func (s *play) source(name string) string {
	if text, ok := strings.CutPrefix(name, "="); ok {
		return text
	}
	switch name {
	case "folder":
		return s.d.Folder()
	case "parent":
		return path.Base(path.Dir(s.d.Path))
	case "body-line":
		return firstLine(s.body)
	case "body-content":
		return firstLine(strings.TrimPrefix(s.body, "---\n"))
	case "body-heading":
		return heading(firstLine(strings.TrimLeft(s.body, "\uFEFF")))
	case "body-text":
		return firstTexts(s.body, 1)
	case "body-texts":
		return firstTexts(s.body, 3)
	case "body-paragraph":
		return firstParagraph(s.body)
	}
	return s.field(name).text
}

// field returns a loaded field of the profile.
func (s *play) field(name string) loadedField {
	for i, f := range s.p.fields {
		if f.name == name && i < len(s.loaded) {
			return s.loaded[i]
		}
	}
	return loadedField{}
}

func (s *play) keepLoaded() {
	for i, v := range s.loaded {
		if !v.present() {
			continue
		}
		switch name := s.p.fields[i].name; name {
		case "name":
			s.out.Loaded.Name = v.text
		case "description":
			s.out.Loaded.Description = v.text
		default:
			if s.out.Loaded.Fields == nil {
				s.out.Loaded.Fields = map[string]string{}
			}
			s.out.Loaded.Fields[name] = v.text
		}
	}
	s.out.Loaded.Tools = s.p.AllowedTools.split(s.fields, s.d)
}

// firstLine is the first line of a body that is not blank, trimmed.
func firstLine(body string) string {
	for line := range strings.SplitSeq(body, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// heading is a line without the marks of a Markdown heading.
func heading(line string) string {
	text := strings.TrimLeft(line, "#")
	if len(text) == len(line) || strings.TrimLeft(text, " \t") == text {
		return line
	}
	return strings.TrimSpace(text)
}

// firstTexts joins the first lines that are neither blank nor headings.
func firstTexts(body string, most int) string {
	var lines []string
	for line := range strings.SplitSeq(body, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && len(lines) < most {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// firstParagraph is the text up to the first blank line.
func firstParagraph(body string) string {
	body = strings.TrimSpace(body)
	for i := 0; ; {
		end := strings.IndexByte(body[i:], '\n')
		if end < 0 {
			return body
		}
		i += end + 1
		next, _, _ := strings.Cut(body[i:], "\n")
		if strings.TrimSpace(next) == "" {
			return strings.TrimSpace(body[:i])
		}
	}
}

// base is the name shown for a file that is a skill of its own.
func base(file string) string {
	name := path.Base(file)
	return strings.TrimSuffix(name, path.Ext(name))
}
