package profile

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

//go:embed clients/*.yaml
var clientFiles embed.FS

// firstTier lists the clients a skill is judged by when nothing names others,
// in the order they are reported.
var firstTier = []string{"claude-code", "codex", "copilot-cli", "vscode", "cursor", "gemini-cli", "opencode"}

// fallbackClient reads folders that no client owns.
const fallbackClient = "agentscope-2"

// loaded holds the profiles parsed so far: parsing all of them would cost
// more than a linter's start may take.
var loaded struct {
	sync.Mutex
	clients map[string][]*Profile // the newest, then the older versions
}

// Names lists the clients, sorted.
func Names() []string {
	entries, err := clientFiles.ReadDir("clients")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	slices.Sort(names)
	return names
}

// All returns the newest profile of every client, sorted by name.
func All() []*Profile { return mustFind(Names()) }

// FirstTier returns the clients a skill is judged by when nothing names others.
func FirstTier() []*Profile { return slices.Clone(firstProfiles()) }

var firstProfiles = sync.OnceValue(func() []*Profile { return mustFind(firstTier) })

func mustFind(names []string) []*Profile {
	out := make([]*Profile, len(names))
	for i, name := range names {
		p, err := Find(name)
		if err != nil {
			panic(err) // the embedded files are tested
		}
		out[i] = p
	}
	return out
}

// Find returns the profile for "NAME", the newest version, or
// "NAME@VERSION". The error for an unknown name suggests the nearest one, that
// for an unknown version lists the known ones.
func Find(spec string) (*Profile, error) {
	name, version, versioned := strings.Cut(spec, "@")
	versions, err := client(name)
	if err != nil {
		return nil, err
	}
	if !versioned {
		return versions[0], nil
	}
	known := make([]string, len(versions))
	for i, p := range versions {
		if p.Version == version {
			return p, nil
		}
		known[i] = p.Version
	}
	return nil, fmt.Errorf("client %s: version %q is not known; known: %s", name, version, strings.Join(known, ", "))
}

// Versions returns the profiles of one client, newest first.
func Versions(name string) ([]*Profile, error) {
	v, err := client(name)
	return slices.Clone(v), err
}

func client(name string) ([]*Profile, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if p := loaded.clients[name]; p != nil {
		return p, nil
	}
	src, err := clientFiles.ReadFile(path.Join("clients", name+".yaml"))
	if err != nil {
		return nil, unknownClient(name)
	}
	versions, err := Load(src)
	if err != nil {
		return nil, fmt.Errorf("client %s: %w", name, err)
	}
	if loaded.clients == nil {
		loaded.clients = map[string][]*Profile{}
	}
	loaded.clients[name] = versions
	return versions, nil
}

func unknownClient(name string) error {
	if near := nearest(name, Names()); near != "" {
		return fmt.Errorf("unknown client %q, did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown client %q; known: %s", name, strings.Join(Names(), ", "))
}

// Load reads one client file: the newest profile, then its older versions.
// Errors name the part of the file that is wrong.
func Load(src []byte) ([]*Profile, error) {
	newest, err := decode(src)
	if err != nil {
		return nil, err
	}
	out := []*Profile{newest}
	if len(newest.Versions) == 0 {
		return out, nil
	}
	var base map[string]any
	if err := yaml.Unmarshal(src, &base); err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	delete(base, "versions")
	for _, o := range newest.Versions {
		base = mergePatch(base, o.Patch)
		base["version"] = o.Version
		patched, err := yaml.Marshal(base)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", o.Version, err)
		}
		p, err := decode(patched)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", o.Version, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func decode(src []byte) (*Profile, error) {
	p := new(Profile)
	dec := yaml.NewDecoder(bytes.NewReader(src))
	dec.KnownFields(true)
	if err := dec.Decode(p); err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	return p, p.prepare()
}

// mergePatch applies an RFC 7396 patch and leaves both arguments as they are.
func mergePatch(target, patch map[string]any) map[string]any {
	out := maps.Clone(target)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(out, k)
		case map[string]any:
			old, _ := out[k].(map[string]any)
			out[k] = mergePatch(old, v)
		default:
			out[k] = v
		}
	}
	return out
}

// prepare compiles what a profile names and reports names no table holds.
func (p *Profile) prepare() error {
	if !slices.Contains(dialect.Names(), p.Parse.Dialect) {
		return fmt.Errorf("parse.dialect %q is unknown", p.Parse.Dialect)
	}
	p.fenceID = fmt.Sprintf("%+v", p.Fence)
	p.parseID = parseID(p.Parse.Dialect, p.Parse.Options)
	p.plainID = parseID(p.Parse.Dialect, p.Parse.withoutFallback())
	p.normalizes = slices.Contains(p.Fence.Newlines, "cr")
	for _, name := range fieldOrder(p.Fields) {
		f := p.Fields[name]
		for i := range f.Transform {
			if err := f.Transform[i].prepare(); err != nil {
				return fmt.Errorf("fields.%s: %w", name, err)
			}
		}
		p.fields = append(p.fields, namedField{name, f})
	}
	for i := range p.Checks {
		if err := p.Checks[i].prepare(); err != nil {
			return fmt.Errorf("checks[%d]: %w", i, err)
		}
	}
	if err := p.Tools.prepare(); err != nil {
		return err
	}
	if p.Schema != nil {
		if err := p.Schema.Check(); err != nil {
			return err
		}
	}
	return p.Listing.prepare()
}

// fieldOrder puts name first, since other fields may fall back to it.
func fieldOrder(fields map[string]Field) []string {
	names := slices.Sorted(maps.Keys(fields))
	slices.SortStableFunc(names, func(a, b string) int { return fieldRank(a) - fieldRank(b) })
	return names
}

func fieldRank(name string) int {
	switch name {
	case "name":
		return 0
	case "description":
		return 1
	}
	return 2
}

func (t *Transform) prepare() (err error) {
	if _, ok := transforms[t.Do]; !ok {
		return fmt.Errorf("transform %q is unknown", t.Do)
	}
	if _, ok := escapes[t.With]; t.Do == "escape" && !ok {
		return fmt.Errorf("escape %q is unknown", t.With)
	}
	if t.Chars != "" {
		t.re, err = regexp.Compile(t.Chars)
	}
	return err
}

func (c *Check) prepare() (err error) {
	if _, ok := rules[c.Rule]; !ok {
		return fmt.Errorf("rule %q is unknown", c.Rule)
	}
	if c.Match != "" {
		c.re, err = regexp.Compile(c.Match)
	}
	return err
}

// nearest returns the name that differs least from s, or "" when none is near.
func nearest(s string, names []string) string {
	best, bestDistance := "", len(s)/2+1
	for _, n := range names {
		if strings.HasPrefix(n, s) && s != "" {
			return n
		}
		if d := editDistance(s, n); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
