package lint

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"
)

// ConfigNames are the names a configuration file may have, in the order they are looked for.
var ConfigNames = []string{".skilllint.yaml", ".skilllint.yml", ".skilllint.json"}

// Config is one configuration file. schemas/skilllint.schema.json describes its form.
type Config struct {
	File      string // as shown; "" for the built-in defaults
	Clients   []string
	Rules     []Setting
	Exclude   []string // globs, relative to the file's folder
	Overrides []Override
	Baseline  string // relative to the file's folder
	Probe     string // off, trusted or all
}

// Setting gives a rule or a group a level, options, or both.
type Setting struct {
	Name    string // a rule, a group or "all"
	Level   Severity
	HasLvl  bool
	Options map[string]int
	Source  string // where it is written, for `config`
}

// Override applies to the files that match.
type Override struct {
	Files   []string // globs, relative to the file's folder
	Clients []string
	Rules   []Setting
}

// ConfigError is a fault in a configuration file.
type ConfigError struct {
	File         string
	Line, Column int // from 1
	Message      string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// configReader decodes a configuration with the place of each fault.
type configReader struct {
	file   string
	reg    *Registry
	client func(string) error
	errs   []error
}

// ParseConfig reads a configuration file in YAML or JSON. All its faults are reported, each a *ConfigError.
// client says whether a client of that name is known.
func ParseConfig(file, src string, reg *Registry, client func(string) error) (*Config, error) {
	r := &configReader{file: file, reg: reg, client: client}
	c := &Config{File: file}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(src), &doc); err != nil {
		return nil, r.syntaxError(err)
	}
	if len(doc.Content) == 0 {
		return c, nil
	}
	r.keys(doc.Content[0], map[string]func(*yaml.Node){
		"$schema":   func(*yaml.Node) {},
		"clients":   func(n *yaml.Node) { c.Clients = r.clients(n) },
		"rules":     func(n *yaml.Node) { c.Rules = r.settings(n) },
		"exclude":   func(n *yaml.Node) { c.Exclude = r.globs(n) },
		"overrides": func(n *yaml.Node) { c.Overrides = r.overrides(n) },
		"baseline":  func(n *yaml.Node) { c.Baseline = r.scalar(n) },
		"probe":     func(n *yaml.Node) { c.Probe = r.oneOf(n, "off", "trusted", "all") },
	})
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return c, nil
}

func (r *configReader) syntaxError(err error) error {
	e := &ConfigError{File: r.file, Line: 1, Column: 1, Message: err.Error()}
	var le *yaml.LoadError
	if errors.As(err, &le) {
		e.Message = "is not valid YAML: " + le.Message
		if le.Mark.Line > 0 {
			e.Line, e.Column = le.Mark.Line, le.Mark.Column
		}
	}
	return e
}

func (r *configReader) fail(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, &ConfigError{r.file, max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, args...)})
}

// keys hands the value of each key of a mapping to its function.
func (r *configReader) keys(n *yaml.Node, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "must be a mapping of keys to values")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read := known[key.Value]
		switch {
		case seen[key.Value]:
			r.fail(key, "the key %q stands here twice", key.Value)
		case read == nil:
			names := slices.Sorted(maps.Keys(known))
			r.fail(key, "unknown key %q%s", key.Value, orList(Suggest(key.Value, names), names))
		default:
			read(n.Content[i+1])
		}
		seen[key.Value] = true
	}
}

func orList(suggestion string, names []string) string {
	if suggestion != "" {
		return suggestion
	}
	return "; known are " + strings.Join(slices.DeleteFunc(names, func(s string) bool { return s[0] == '$' }), ", ")
}

func (r *configReader) scalar(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		r.fail(n, "must be a text")
		return ""
	}
	return n.Value
}

func (r *configReader) oneOf(n *yaml.Node, allowed ...string) string {
	s := r.scalar(n)
	if s == "false" {
		s = "off" // YAML 1.1 reads a bare off as a boolean
	}
	if !slices.Contains(allowed, s) {
		r.fail(n, "%q is not one of %s", s, strings.Join(allowed, ", "))
	}
	return s
}

func (r *configReader) list(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "must be a list")
		return nil
	}
	var out []string
	for _, item := range n.Content {
		out = append(out, r.scalar(item))
	}
	return out
}

func (r *configReader) clients(n *yaml.Node) []string {
	names := r.list(n)
	for i, name := range names {
		if err := r.client(name); err != nil {
			r.fail(n.Content[i], "%v", err)
		}
	}
	return names
}

func (r *configReader) globs(n *yaml.Node) []string {
	globs := r.list(n)
	for i, g := range globs {
		if !doublestar.ValidatePattern(g) {
			r.fail(n.Content[i], "%q is not a valid glob", g)
		}
	}
	return globs
}

func (r *configReader) overrides(n *yaml.Node) []Override {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "must be a list")
		return nil
	}
	var out []Override
	for _, item := range n.Content {
		var o Override
		r.keys(item, map[string]func(*yaml.Node){
			"files":   func(n *yaml.Node) { o.Files = r.globs(n) },
			"clients": func(n *yaml.Node) { o.Clients = r.clients(n) },
			"rules":   func(n *yaml.Node) { o.Rules = r.settings(n) },
		})
		if len(o.Files) == 0 {
			r.fail(item, "an override needs files, the globs it holds for")
		}
		out = append(out, o)
	}
	return out
}

func (r *configReader) settings(n *yaml.Node) []Setting {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "must map rules or groups to levels")
		return nil
	}
	var out []Setting
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		rules, err := r.reg.Match(key.Value)
		if err != nil {
			r.fail(key, "%v", err)
			continue
		}
		s := Setting{Name: key.Value, Source: fmt.Sprintf("%s:%d", r.file, key.Line)}
		r.setting(n.Content[i+1], rules, &s)
		out = append(out, s)
	}
	return out
}

// setting reads a level, or a mapping of level and options.
func (r *configReader) setting(n *yaml.Node, rules []*Rule, s *Setting) {
	if n.Kind == yaml.ScalarNode {
		r.level(n, s)
		return
	}
	known := map[string]func(*yaml.Node){"level": func(n *yaml.Node) { r.level(n, s) }}
	if len(rules) == 1 {
		for _, o := range rules[0].Options {
			known[o.Name] = func(n *yaml.Node) { r.option(n, o.Name, s) }
		}
	}
	r.keys(n, known)
}

func (r *configReader) level(n *yaml.Node, s *Setting) {
	v := n.Value
	if v == "false" || v == "False" {
		v = "off"
	}
	level, err := ParseSeverity(v)
	if err != nil {
		r.fail(n, "%v", err)
		return
	}
	s.Level, s.HasLvl = level, true
}

func (r *configReader) option(n *yaml.Node, name string, s *Setting) {
	var v int
	if err := n.Decode(&v); err != nil || v < 0 {
		r.fail(n, "%s must be a whole number, 0 or more", name)
		return
	}
	if s.Options == nil {
		s.Options = map[string]int{}
	}
	s.Options[name] = v
}

// Excludes reports whether a file or folder, relative to the configuration's folder, is left out.
func (c *Config) Excludes(rel string) bool {
	return slices.ContainsFunc(c.Exclude, func(g string) bool { return MatchGlob(g, rel) })
}

// MatchGlob matches a path, or a folder above it, against a glob. A glob without a slash matches at any
// depth, as in .gitignore.
func MatchGlob(glob, rel string) bool {
	glob = strings.TrimSuffix(strings.TrimPrefix(glob, "./"), "/")
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	for ; rel != "." && rel != "/" && rel != ""; rel = path.Dir(rel) {
		if doublestar.MatchUnvalidated(glob, rel) {
			return true
		}
	}
	return false
}
