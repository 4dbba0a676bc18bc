// Package profile knows how each agent client finds, reads, judges and lists
// Agent Skills, and plays it: roots, walk, read, fences, dialect, fields,
// checks, duplicates, visibility, listing.
//
// A client is data: one YAML file in clients, valid against
// schemas/profile.schema.json. Go code holds only the closed sets of policies
// those files name, so a new client needs no change here.
package profile

import (
	"regexp"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/profile/toolschema"
)

// Profile describes one version of one client. Treat it as read-only; it is
// safe for concurrent use.
type Profile struct {
	Name     string   `yaml:"name"`    // key used on the command line and by rules, such as "codex"
	Label    string   `yaml:"label"`   // name for people, such as "Codex CLI"
	Kind     string   `yaml:"kind"`    // agent, ide, sdk, installer or validator
	Tier     int      `yaml:"tier"`    // 1: linted by default; 2 and 3: only when named or by brand folder
	Version  string   `yaml:"version"` // the version the facts were taken from
	Evidence Evidence `yaml:"evidence"`
	Unknown  []string `yaml:"unknown"` // what nobody could verify, as words; no rule may fire from it
	Visible  string   `yaml:"visible"` // what its user learns of a skill it does not load: ui, log, debug or none; empty when unknown
	// Tokenizer names the encoding of the models it is used with, such as o200k_base; empty when they differ or
	// nobody publishes it.
	Tokenizer string   `yaml:"tokenizer"`
	Brand     []string `yaml:"brand"` // folders that belong to this client alone, such as ".claude/skills"

	Discovery    Discovery        `yaml:"discovery"`
	Fence        dialect.Fence    `yaml:"fence"`
	Parse        Parse            `yaml:"parse"`
	Fields       map[string]Field `yaml:"fields"` // name and description always; others that reach the prompt or the loader's result
	Checks       []Check          `yaml:"checks"` // in order; the first that drops ends the play
	Dedupe       Dedupe           `yaml:"dedupe"`
	Hide         []Condition      `yaml:"hide"` // any that holds keeps the skill out of the listing
	Listing      Listing          `yaml:"listing"`
	AllowedTools AllowedTools     `yaml:"allowed_tools"`
	Activation   Activation       `yaml:"activation"`
	Tools        ToolNaming       `yaml:"tools"`
	// Schema is what the client does to the tools of MCP servers, names aside; nil when nobody knows.
	Schema *toolschema.Rules `yaml:"schema"`
	// FirstPage says that the client asks a server for the first page of its tools and for no other.
	FirstPage bool `yaml:"first_page"`
	// Results is what it does to the results of those tools; nil when nobody knows.
	Results *Results `yaml:"results"`
	// MaxTools is how many tools a request may hold; 0 is unlimited, or not known.
	MaxTools int `yaml:"max_tools"`
	// Run is how the installed client is started to see what it sends; nil when nobody knows.
	Run      *Run      `yaml:"run"`
	Versions []Overlay `yaml:"versions"` // older versions, newest first

	fields  []namedField // Fields in the order they are played
	fenceID string       // equal for equal fences
	parseID string       // equal for equal dialects and options
	plainID string       // the same without a fallback

	normalizes bool // line breaks become line feeds before anything else
}

// Evidence says how the facts of a profile are known.
type Evidence struct {
	Level   string   `yaml:"level"`   // observed, executed, source or documented
	Date    string   `yaml:"date"`    // yyyy-mm-dd of the observation or reading
	Source  string   `yaml:"source"`  // repository and commit, or how it was captured
	URLs    []string `yaml:"urls"`    // documentation
	Comment string   `yaml:"comment"` // what the level does not cover
}

// Overlay is an older version of a client: a JSON merge patch (RFC 7396) on
// the profile it stands in.
type Overlay struct {
	Version string         `yaml:"version"`
	Patch   map[string]any `yaml:"patch"`
}

// Discovery is where a client looks for skills and which files it takes.
type Discovery struct {
	Roots []Root `yaml:"roots"` // in the order the client reads them
	Walk  `yaml:",inline"`
}

// Root is one place skills are read from.
type Root struct {
	Scope string `yaml:"scope"`      // project, user, admin
	Path  string `yaml:"path"`       // relative to Base, with "/"
	Base  string `yaml:"base"`       // root: the project root; cwd; ancestors: each folder from cwd up to the root; trail: the same from the root down; home; abs
	Group string `yaml:"group"`      // of the roots of one group only the first that exists is read
	Gate  string `yaml:"gate"`       // what must hold first, as words, such as "trusted folder"
	Flat  *bool  `yaml:"flat"`       // overrides Walk.Flat
	Below *bool  `yaml:"flat_below"` // overrides Walk.FlatBelow
}

// Walk is how a root is searched.
type Walk struct {
	Depth       int      `yaml:"depth"`        // levels of folders below the root that may be skills; 0 is unlimited
	Fold        bool     `yaml:"fold"`         // SKILL.md in any letter case
	RootSkill   bool     `yaml:"root_skill"`   // a SKILL.md right in the root is a skill
	Stop        bool     `yaml:"stop"`         // no skills below a skill
	Flat        bool     `yaml:"flat"`         // NAME.md right in the root is a skill
	FlatYields  bool     `yaml:"flat_yields"`  // unless a folder NAME beside it is one
	FlatBelow   bool     `yaml:"flat_below"`   // each file .md in a folder below the root that holds no SKILL.md is a skill
	DirLinks    bool     `yaml:"dir_links"`    // symbolic links to folders are followed
	FileLinks   bool     `yaml:"file_links"`   // a SKILL.md that is a symbolic link is read
	Hidden      bool     `yaml:"hidden"`       // folders whose name starts with "." are searched
	Exclude     []string `yaml:"exclude"`      // names of folders not searched; * stands for any characters
	Leaves      bool     `yaml:"leaves"`       // a folder that is not searched may be a skill
	IgnoreFiles []string `yaml:"ignore_files"` // names of ignore files honoured inside the root, in gitignore syntax
	MaxDirs     int      `yaml:"max_dirs"`     // folders searched per root; 0 is unlimited
	Reverse     bool     `yaml:"reverse"`      // entries are met in reverse order of name
}

// Parse is how the front matter becomes fields.
type Parse struct {
	Dialect         string `yaml:"dialect"`
	dialect.Options `yaml:",inline"`
	Encoding        string   `yaml:"encoding"`     // undecodable bytes: drop (also when empty), crash or root
	BOM             string   `yaml:"bom"`          // text: a byte order mark that is not stripped is text before the fence
	Missing         string   `yaml:"missing"`      // no front matter: drop (also when empty), body: all is body, or crash
	FlatMissing     string   `yaml:"flat_missing"` // the same for a file that is a skill of its own; as Missing when empty
	Error           string   `yaml:"error"`        // front matter refused: drop (also when empty) or empty: no fields
	NotMap          string   `yaml:"not_map"`      // front matter that is no mapping: as Error when empty, drop or empty
	BadKeys         []string `yaml:"bad_keys"`     // top-level keys that make the loader fail
	KnownKeys       []string `yaml:"known_keys"`   // any other top-level key makes the loader fail
	Strings         []string `yaml:"strings"`      // keys that must be strings, else the fallback reads the block
	Bare            bool     `yaml:"bare"`         // the fallback reads only what stands between lines "---" of which the first begins the file
	Scalars         []string `yaml:"scalars"`      // keys that may be no list or mapping, else the fallback reads the block
	StringKeys      bool     `yaml:"string_keys"`  // a top-level key that is no string makes the loader fail
	JSON            bool     `yaml:"json"`         // a JSON object whose braces stand alone on their lines is front matter too
	Trim            bool     `yaml:"trim"`         // white space around the front matter goes, the indentation of its first line too
	MaxBytes        int      `yaml:"max_bytes"`    // a longer file is refused; 0 is unlimited
}

// Field is how one value is taken from the front matter.
//
// Else names what stands in for it: folder, the name of the skill's folder, or
// of a file that is a skill of its own; parent, the folder in any case; another field; body-line, the first line of the body that is not blank;
// body-content, the same behind an opening fence that is never closed;
// body-heading, the same without the marks of a heading; body-text, the first
// line that is no heading; body-texts, the first three of those; body-paragraph; or ="a fixed text".
type Field struct {
	Keys      []string          `yaml:"keys"`      // the first that has a value
	Types     map[string]string `yaml:"types"`     // kind or "other" to text, missing, drop, crash or root; string is text
	Blank     string            `yaml:"blank"`     // which text counts as missing: none, empty (also when empty), blank: white space too, or falsy: what Python counts as false
	Transform []Transform       `yaml:"transform"` // on text from the front matter
	Else      []string          `yaml:"else"`      // taken, the first that is not empty, when no key has a value: see Field
	Flat      []string          `yaml:"flat_else"` // instead of Else for a file that is a skill of its own
	Cap       Transform         `yaml:"else_cap"`  // cut of what Else gave
	Append    string            `yaml:"append"`    // added when the fields in its braces have a value
}

// Transform is one step on a text; Do is its name in the table of transforms.
type Transform struct {
	Do       string `yaml:"do"`
	Chars    string `yaml:"chars"`    // replace: a regular expression
	With     string `yaml:"with"`     // replace: what stands instead; escape: how, by a name of Shown.Escape
	Max      int    `yaml:"max"`      // cut: the longest text, with the ellipsis
	Unit     string `yaml:"unit"`     // cut: codepoints (also when empty), utf16 or bytes
	Ellipsis string `yaml:"ellipsis"` // cut: the end of a cut text, counted in Max

	re *regexp.Regexp
}

// Check is one condition a skill must meet.
type Check struct {
	On     string   `yaml:"on"`     // a field of Fields (its loaded value), else a key of the front matter
	Rule   string   `yaml:"rule"`   // required, kind, items, max, min, pattern, folder, folder-fold, one-of, deny, body
	Kinds  []string `yaml:"kinds"`  // kind, items: the kinds accepted; a missing key always is
	Max    int      `yaml:"max"`    // max, min: the bound
	Unit   string   `yaml:"unit"`   // max, min: codepoints, utf16 or bytes
	Match  string   `yaml:"match"`  // pattern, deny: a regular expression
	Values []string `yaml:"values"` // one-of: the texts; kind: plain words accepted as well
	Action string   `yaml:"action"` // drop (also when empty), warn, crash: the client loses all skills, root: all skills of the root

	re *regexp.Regexp
}

// Dedupe says which of several skills with one key survives.
type Dedupe struct {
	Key    string `yaml:"key"`    // name, fold: the name in lower case, path: the resolved folder, none
	Winner string `yaml:"winner"` // first, last, or last-path: the last by the lower-cased path
	Place  string `yaml:"place"`  // own (also when empty), or first: a winner stands where the first stood
}

// Condition holds for a skill when the value of Key, or of a file beside the
// skill, is one of Is. Without Is any value that is not empty holds.
type Condition struct {
	Keys    []string `yaml:"keys"`
	Kinds   []string `yaml:"kinds"`   // kinds that count; empty is all
	Is      []string `yaml:"is"`      // texts in lower case
	Exact   bool     `yaml:"exact"`   // letter case counts, and white space around
	Except  []string `yaml:"except"`  // holds if one of the texts, parted by commas, is none of these
	Sidecar string   `yaml:"sidecar"` // a YAML file in the skill's folder; Keys is then one path such as "policy.x"
	Field   string   `yaml:"missing"` // holds when this loaded field is empty
}

type namedField struct {
	name string
	Field
}

// Known reports whether the fact named by path, such as "listing" or
// "fields.name", was verified.
func (p *Profile) Known(path string) bool {
	for _, u := range p.Unknown {
		if u == path || hasPathPrefix(path, u) {
			return false
		}
	}
	return true
}

func hasPathPrefix(path, prefix string) bool {
	return len(path) > len(prefix) && path[:len(prefix)] == prefix && path[len(prefix)] == '.'
}

// ID is the profile's name, with "@VERSION" unless it is the newest.
func (p *Profile) ID() string {
	if newest, err := Find(p.Name); err == nil && newest.Version == p.Version {
		return p.Name
	}
	return p.Name + "@" + p.Version
}
