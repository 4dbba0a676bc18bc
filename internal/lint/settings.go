package lint

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Flags are what the command line says of rules; they win over every configuration.
type Flags struct {
	Select  []string  // only these rules and groups run; empty for all
	Ignore  []string  // these do not
	Levels  []Setting // --severity RULE=LEVEL
	Clients []string
}

// RuleSetting is what holds for one rule and one file.
type RuleSetting struct {
	Level   Severity
	Options map[string]int
	Source  string // DefaultSource, the place in a configuration, or the flag
}

// DefaultSource is the source of a setting that nobody has configured.
const DefaultSource = "default"

// Settings is what holds for one file: the level and options of every rule, and the clients.
type Settings struct {
	Rules         map[*Rule]RuleSetting
	Clients       []string
	ClientsSource string

	once   sync.Once
	active []activeRule
}

// activeRule is a rule that runs, with what holds for it.
type activeRule struct {
	rule *Rule
	have RuleSetting
}

// runs reports whether a rule runs at all: hints are for those who ask for them.
func (s RuleSetting) runs() bool {
	return s.Level > Hint || s.Level == Hint && s.Source != DefaultSource
}

// running returns the rules of a registry that run. It looks them up once for all files that share the settings.
func (s *Settings) running(reg *Registry) []activeRule {
	s.once.Do(func() {
		for _, rule := range reg.rules {
			if have := s.Rules[rule]; rule.Run != nil && have.runs() {
				s.active = append(s.active, activeRule{rule, have})
			}
		}
	})
	return s.active
}

// Canonical returns a text that is the same for two settings by which the same is found.
func (s *Settings) Canonical() string {
	var lines []string
	for rule, have := range s.Rules {
		line := fmt.Sprintf("%s=%s", rule.Name, have.Level)
		if have.Source == DefaultSource {
			line += " by default"
		}
		for _, name := range slices.Sorted(maps.Keys(have.Options)) {
			line += fmt.Sprintf(" %s=%d", name, have.Options[name])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(append(lines, "for "+strings.Join(s.Clients, " ")), "\n")
}

// Resolver works out settings. It may be used by several goroutines at once.
type Resolver struct {
	reg   *Registry
	flags Flags
	mu    sync.Mutex
	cache map[string]*Settings
}

// NewResolver checks the names in flags and returns a resolver.
func NewResolver(reg *Registry, flags Flags) (*Resolver, error) {
	names := append(append([]string{}, flags.Select...), flags.Ignore...)
	for _, s := range flags.Levels {
		names = append(names, s.Name)
	}
	for _, name := range names {
		if _, err := reg.Match(name); err != nil {
			return nil, err
		}
	}
	return &Resolver{reg: reg, flags: flags, cache: map[string]*Settings{}}, nil
}

// Resolve returns what holds for a file. cfg is the nearest configuration, rel the file's path relative to
// the configuration's folder. Later overrides win over earlier ones, a rule's name over its group's.
func (r *Resolver) Resolve(cfg *Config, rel string) *Settings {
	key := r.key(cfg, rel)
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.cache[key]; s != nil {
		return s
	}
	s := r.resolve(cfg, rel)
	r.cache[key] = s
	return s
}

// key names the configuration and the overrides that match; files that share it share their settings.
func (r *Resolver) key(cfg *Config, rel string) string {
	var b strings.Builder
	b.WriteString(cfg.File)
	for i, o := range cfg.Overrides {
		if o.matches(rel) {
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(i))
		}
	}
	return b.String()
}

func (o *Override) matches(rel string) bool {
	for _, g := range o.Files {
		if MatchGlob(g, rel) {
			return true
		}
	}
	return false
}

func (r *Resolver) resolve(cfg *Config, rel string) *Settings {
	s := &Settings{Rules: make(map[*Rule]RuleSetting, len(r.reg.rules)), Clients: cfg.Clients, ClientsSource: cfg.File}
	for _, rule := range r.reg.rules {
		s.Rules[rule] = RuleSetting{Level: rule.Severity, Source: DefaultSource}
	}
	s.apply(r.reg, cfg.Rules)
	for _, o := range cfg.Overrides {
		if !o.matches(rel) {
			continue
		}
		s.apply(r.reg, o.Rules)
		if o.Clients != nil {
			s.Clients = o.Clients
		}
	}
	s.applyFlags(r.reg, r.flags)
	return s
}

// apply sets what holds for all rules first, then groups, then single rules, so that the narrower one wins
// whatever the order.
func (s *Settings) apply(reg *Registry, settings []Setting) {
	for breadth := range 3 {
		for _, set := range settings {
			if breadth != narrowness(reg, set.Name) {
				continue
			}
			rules, err := reg.Match(set.Name)
			if err != nil {
				continue // ParseConfig and NewResolver have refused it
			}
			for _, rule := range rules {
				s.set(rule, set)
			}
		}
	}
}

// narrowness is 0 for "all", 1 for a group and 2 for a rule.
func narrowness(reg *Registry, name string) int {
	switch {
	case name == "all":
		return 0
	case reg.Rule(name) == nil:
		return 1
	}
	return 2
}

func (s *Settings) set(rule *Rule, set Setting) {
	have := s.Rules[rule]
	if set.HasLvl {
		have.Level = set.Level
	}
	if set.Options != nil {
		merged := maps.Clone(have.Options)
		if merged == nil {
			merged = map[string]int{}
		}
		maps.Copy(merged, set.Options)
		have.Options = merged
	}
	have.Source = set.Source
	s.Rules[rule] = have
}

func (s *Settings) applyFlags(reg *Registry, flags Flags) {
	if len(flags.Select) > 0 {
		chosen := matching(reg, flags.Select)
		for rule, have := range s.Rules {
			switch {
			case !chosen[rule]:
				have.Level, have.Source = Off, "--select"
			case have.Source == DefaultSource:
				have.Source = "--select"
			}
			s.Rules[rule] = have
		}
	}
	for rule := range matching(reg, flags.Ignore) {
		s.Rules[rule] = RuleSetting{Level: Off, Source: "--ignore", Options: s.Rules[rule].Options}
	}
	s.apply(reg, flags.Levels)
	if len(flags.Clients) > 0 {
		s.Clients, s.ClientsSource = flags.Clients, "--client"
	}
}

func matching(reg *Registry, names []string) map[*Rule]bool {
	out := map[*Rule]bool{}
	for _, name := range names {
		rules, err := reg.Match(name)
		if err != nil {
			continue // NewResolver has refused it
		}
		for _, rule := range rules {
			out[rule] = true
		}
	}
	return out
}
