package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// Effective is the configuration that holds for a path.
type Effective struct {
	Path     string
	Config   *lint.Config
	Settings *lint.Settings
	Rules    []*lint.Rule
}

type jsonConfig struct {
	Version  int              `json:"version"`
	Path     string           `json:"path"`
	File     string           `json:"file,omitempty"`
	Clients  jsonValue        `json:"clients"`
	Exclude  []string         `json:"exclude"`
	Baseline string           `json:"baseline,omitempty"`
	Probe    string           `json:"probe,omitempty"`
	Rules    []jsonRuleConfig `json:"rules"`
}

type jsonValue struct {
	Value  []string `json:"value"`
	Source string   `json:"source"`
}

type jsonRuleConfig struct {
	Rule    string         `json:"rule"`
	Level   string         `json:"level"`
	Options map[string]int `json:"options,omitempty"`
	Source  string         `json:"source"`
}

// Config prints an effective configuration as text or json.
func Config(w io.Writer, e Effective, format string) error {
	out := jsonConfig{
		Version: 1, Path: e.Path, File: e.Config.File, Exclude: e.Config.Exclude, Baseline: e.Config.Baseline, Probe: e.Config.Probe,
		Clients: jsonValue{e.Settings.Clients, e.Settings.ClientsSource},
	}
	if len(e.Settings.Clients) == 0 {
		out.Clients = jsonValue{[]string{}, lint.DefaultSource}
	}
	if out.Exclude == nil {
		out.Exclude = []string{}
	}
	for _, r := range e.Rules {
		out.Rules = append(out.Rules, ruleConfig(r, e.Settings.Rules[r]))
	}
	if format == "json" {
		return writeJSON(w, out)
	}
	_, err := io.WriteString(w, out.text())
	return err
}

func ruleConfig(r *lint.Rule, s lint.RuleSetting) jsonRuleConfig {
	out := jsonRuleConfig{r.Name, s.Level.String(), nil, s.Source}
	for _, o := range r.Options {
		if out.Options == nil {
			out.Options = map[string]int{}
		}
		out.Options[o.Name] = o.Default
	}
	for name, v := range s.Options {
		out.Options[name] = v
	}
	return out
}

func (c *jsonConfig) text() string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "path      %s\n", clean(c.Path))
	fmt.Fprintf(&b, "file      %s\n", clean(or(c.File, "none")))
	fmt.Fprintf(&b, "clients   %s (%s)\n", or(strings.Join(c.Clients.Value, ", "), "those that read the folder"), c.Clients.Source)
	fmt.Fprintf(&b, "exclude   %s\n", clean(or(strings.Join(c.Exclude, ", "), "nothing")))
	fmt.Fprintf(&b, "baseline  %s\n", clean(or(c.Baseline, "none")))
	fmt.Fprintf(&b, "rules\n")
	for _, r := range c.Rules {
		fmt.Fprintf(&b, "  %-34s %-8s %s%s\n", r.Rule, r.Level, r.Source, optionText(r.Options))
	}
	return b.String()
}

func optionText(options map[string]int) string {
	if len(options) == 0 {
		return ""
	}
	return " " + strings.TrimPrefix(fmt.Sprint(options), "map")
}
