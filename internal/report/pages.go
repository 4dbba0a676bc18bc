package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

type jsonRule struct {
	Name     string       `json:"name"`
	Severity string       `json:"severity"`
	Scope    string       `json:"scope"`
	Since    string       `json:"since"`
	Fix      string       `json:"fix"`
	Docs     string       `json:"docs"`
	What     string       `json:"what"`
	Why      string       `json:"why"`
	Bad      string       `json:"bad"`
	Good     string       `json:"good"`
	Options  []jsonOption `json:"options,omitempty"`
}

type jsonOption struct {
	Name    string `json:"name"`
	Default int    `json:"default"`
	Doc     string `json:"doc"`
}

func ruleToJSON(r *lint.Rule) jsonRule {
	out := jsonRule{
		r.Name, r.Severity.String(), r.Scope.String(), r.Since, r.Repair.String(), r.Docs(),
		r.Page.What, r.Page.Why, r.Page.Bad, r.Page.Good, nil,
	}
	for _, o := range r.Options {
		out.Options = append(out.Options, jsonOption(o))
	}
	return out
}

// Rules prints the list of rules as text, json or markdown.
func Rules(w io.Writer, rules []*lint.Rule, format string) error {
	switch format {
	case "json":
		out := struct {
			Version int        `json:"version"`
			Rules   []jsonRule `json:"rules"`
		}{1, []jsonRule{}}
		for _, r := range rules {
			out.Rules = append(out.Rules, ruleToJSON(r))
		}
		return writeJSON(w, out)
	case "markdown":
		return ruleTable(w, rules)
	}
	width := 0
	for _, r := range rules {
		width = max(width, len(r.Name))
	}
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "%-*s  %-7s  %s\n", width, r.Name, r.Severity, r.Page.What)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func ruleTable(w io.Writer, rules []*lint.Rule) error {
	var b strings.Builder
	b.WriteString("| Rule | Severity | Fix | What it finds |\n|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s | %s |\n", r.Name, strings.TrimPrefix(r.Docs(), "docs/rules/"), r.Severity, r.Repair, strings.ReplaceAll(r.Page.What, "|", `\|`))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Rule prints the page of a rule as text, json or markdown.
func Rule(w io.Writer, r *lint.Rule, format string) error {
	var err error
	switch format {
	case "json":
		return writeJSON(w, struct {
			Version int `json:"version"`
			jsonRule
		}{1, ruleToJSON(r)})
	case "markdown":
		_, err = io.WriteString(w, Page(r))
	default:
		_, err = io.WriteString(w, plainPage(r))
	}
	return err
}

// section is a part of a rule's page.
type section struct {
	title string
	text  string
	lang  string // what the code is written in
	code  string
}

func sections(r *lint.Rule) []section {
	out := []section{{title: "Why", text: r.Page.Why}}
	if r.Page.Bad != "" {
		out = append(out, section{title: "Bad", lang: "markdown", code: r.Page.Bad})
	}
	if r.Page.Good != "" {
		out = append(out, section{title: "Good", lang: "markdown", code: r.Page.Good})
	}
	out = append(out, section{title: "Fix", text: repairText[r.Repair]})
	if len(r.Options) > 0 {
		out = append(out, optionSection(r))
	}
	return append(
		out,
		section{"How to turn it off", "Everywhere, in .skilllint.yaml:", "yaml", "rules:\n  " + r.Name + ": off\n"},
		section{"", "For one place, in front matter and in the body:", "markdown", suppressions(r)},
	)
}

var repairText = map[lint.Repair]string{
	lint.NoRepair:     "There is none: only the author knows what was meant.",
	lint.SafeRepair:   "`--fix` puts it right; nothing else changes its meaning.",
	lint.UnsafeRepair: "`--fix --unsafe` changes it; look at the result, for it may not be what was meant.",
	lint.MixedRepair:  "`--fix` puts it right where the meaning is certain, `--fix --unsafe` elsewhere too.",
}

func optionSection(r *lint.Rule) section {
	s := section{title: "Options", lang: "yaml", code: "rules:\n  " + r.Name + ":\n    level: " + r.Severity.String() + "\n"}
	var text []string
	for _, o := range r.Options {
		text = append(text, fmt.Sprintf("`%s`: %s (default %d).", o.Name, strings.TrimSuffix(o.Doc, "."), o.Default))
		s.code += fmt.Sprintf("    %s: %d\n", o.Name, o.Default)
	}
	s.text = strings.Join(text, " ")
	return s
}

func suppressions(r *lint.Rule) string {
	return "key: value # skilllint-disable-line " + r.Name + " -- reason\n" +
		"<!-- skilllint-disable-next-line " + r.Name + " -- reason -->\n"
}

// Page returns the page of a rule in Markdown.
func Page(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\nSeverity: %s. Since version %s.\n", r.Name, r.Page.What, r.Severity, r.Since)
	for _, s := range sections(r) {
		if s.title != "" {
			fmt.Fprintf(&b, "\n## %s\n", s.title)
		}
		if s.text != "" {
			fmt.Fprintf(&b, "\n%s\n", s.text)
		}
		if s.code != "" {
			b.WriteString("\n" + codeBlock(s.lang, s.code))
		}
	}
	return b.String()
}

func plainPage(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, since %s)\n\n%s\n", r.Name, r.Severity, r.Since, wrap(r.Page.What))
	for _, s := range sections(r) {
		if s.title != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.ToUpper(s.title))
		}
		if s.text != "" {
			fmt.Fprintf(&b, "%s\n", wrap(s.text))
		}
		for line := range strings.Lines(s.code) {
			fmt.Fprintf(&b, "    %s\n", clean(strings.TrimRight(line, "\r\n")))
		}
	}
	return b.String()
}

// pageWidth is the width in characters that pages are wrapped to.
const pageWidth = 100

// wrap breaks text between words.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		width := len([]rune(word))
		switch {
		case column == 0:
		case column+1+width > pageWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}
