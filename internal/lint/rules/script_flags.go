package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// optionParser recognises one way of reading options whose names are plain text.
type optionParser struct {
	name   string
	uses   *regexp.Regexp // the script reads its options this way
	calls  *regexp.Regexp // each definition of an option
	plain  *regexp.Regexp // a definition whose names are plain text; as many as calls must match
	beyond *regexp.Regexp // options can come from elsewhere, or unknown ones are let through
}

var optionParsers = []optionParser{
	{
		"argparse", regexp.MustCompile(`argparse\.ArgumentParser\(|\bArgumentParser\(`),
		regexp.MustCompile(`\.add_argument\(`), regexp.MustCompile(`\.add_argument\(\s*(#.*\s*)*["']`),
		regexp.MustCompile(`parse_known_args|REMAINDER|parents\s*=|prefix_chars|sys\.argv\[|\.parse_args\(\s*\[`),
	},
	{
		"click", regexp.MustCompile(`(?m)^\s*@(\w+\.)+command\(`),
		regexp.MustCompile(`\boption\(`), regexp.MustCompile(`\boption\(\s*["']`),
		regexp.MustCompile(`ignore_unknown_options|allow_extra_args|version_option\(\)|typer|sys\.argv\[`),
	},
	{
		"getopt", regexp.MustCompile(`getopt\.(gnu_)?getopt\(`),
		regexp.MustCompile(`getopt\.(gnu_)?getopt\(`), regexp.MustCompile(`getopt\.(gnu_)?getopt\([^"'\n]*["'][^"'\n]*["']`),
		regexp.MustCompile(`argparse`),
	},
	{
		"commander", regexp.MustCompile(`(from|require\()\s*["']commander["']`),
		regexp.MustCompile(`\.(requiredOption|option)\(|new Option\(`), regexp.MustCompile("(\\.(requiredOption|option)|new Option)\\(\\s*[\"'`]-"),
		regexp.MustCompile(`allowUnknownOption|passThroughOptions|process\.argv\[`),
	},
	{
		"getopts", regexp.MustCompile(`\bgetopts\s+["']?:?[\w:]+["']?\s+\w+`),
		regexp.MustCompile(`\bgetopts\s`), regexp.MustCompile(`\bgetopts\s+["']?:?[\w:]+["']?\s`),
		regexp.MustCompile(`getopts\s+["']?[\w:]*-|--[a-z]`),
	},
	{
		"flag", regexp.MustCompile(`flag\.Parse\(\)`),
		regexp.MustCompile(`flag\.(\w+)\(`), regexp.MustCompile(`flag\.(Parse|Args?|NArg|NFlag|Usage|PrintDefaults|Visit\w*|(Bool|Duration|Float64|Int|Int64|String|Uint|Uint64)(Var)?)\((\)|[^"\n]*"|[^"\n]*\))`),
		regexp.MustCompile(`os\.Args|flag\.NewFlagSet|cobra|pflag`),
	},
}

// options are what a script's parser defines.
type options struct {
	parser string
	words  []string // each word of the script that could be an option, without what it is given
}

var (
	optionWord  = regexp.MustCompile(`(^|[^\w-])(--?[A-Za-z0-9][\w-]*)`)
	getoptsText = regexp.MustCompile(`\bget(?:opts\s+|opt\([^"'\n]*)["']?:?([\w:]+)`)
	quotedList  = regexp.MustCompile(`\[((?:\s*["'][\w-]+=?["'],?)+)\s*\]`)
	goFlag      = regexp.MustCompile(`flag\.\w+\([^"\n]*"([^"]+)"`)
	quotedWord  = regexp.MustCompile(`["']([\w-]+)=?["']`)
)

// readOptions returns the options of a script, nil when they cannot be told from its text for certain.
func readOptions(src string) *options {
	for _, p := range optionParsers {
		if !p.uses.MatchString(src) {
			continue
		}
		if p.beyond.MatchString(src) || len(p.calls.FindAllString(src, -1)) != len(p.plain.FindAllString(src, -1)) || handsOn(src) {
			return nil
		}
		return &options{p.name, append([]string{"-h", "--help"}, optionWords(src)...)}
	}
	return nil
}

// optionsOf stands for the options of a script, which a skill may run many times.
type optionsOf struct{ script *skills.Document }

// optionWords returns all words of a script that could be options, more than its parser may know.
func optionWords(src string) []string {
	var out []string
	for _, m := range optionWord.FindAllStringSubmatch(src, -1) {
		out = append(out, m[2])
	}
	for _, m := range getoptsText.FindAllStringSubmatch(src, -1) {
		for _, c := range strings.ReplaceAll(m[1], ":", "") {
			out = append(out, "-"+string(c))
		}
	}
	for _, m := range quotedList.FindAllStringSubmatch(src, -1) {
		for _, q := range quotedWord.FindAllStringSubmatch(m[1], -1) {
			out = append(out, "--"+q[1])
		}
	}
	for _, m := range goFlag.FindAllStringSubmatch(src, -1) {
		out = append(out, "-"+m[1], "--"+m[1])
	}
	return out
}

var (
	parserCall = regexp.MustCompile(`\b([A-Za-z_]\w*)\(\s*(?:\w*parser|program|p)\s*[,)]`)
	pythonDef  = regexp.MustCompile(`\bdef\s+(\w+)`)
)

// handsOn reports whether a script gives its parser to a function that another file defines.
func handsOn(src string) bool {
	var own []string
	for _, m := range pythonDef.FindAllStringSubmatch(src, -1) {
		own = append(own, m[1])
	}
	for _, m := range parserCall.FindAllStringSubmatch(src, -1) {
		if !slices.Contains(own, m[1]) {
			return true
		}
	}
	return false
}

// defines reports whether the parser may take an option: one of its words, a beginning of a long one, as
// argparse and getopt allow, or letters behind a single hyphen.
func (o *options) defines(flag string) bool {
	for _, w := range o.words {
		switch {
		case w == flag, strings.HasPrefix(flag, "--") && strings.HasPrefix(w, flag):
			return true
		case !strings.HasPrefix(flag, "--") && len(w) == 2 && strings.HasPrefix(flag, w):
			return true
		case strings.HasPrefix(flag, "--no-") && w == "--"+flag[len("--no-"):]:
			return true
		}
	}
	return false
}

var realFlag = regexp.MustCompile(`^--?[A-Za-z][\w-]*$`)

// flags judges the options that a command gives to a script of the skill.
func (j *judge) flags(r run) {
	if len(r.Run.Flags) == 0 {
		return
	}
	doc := j.script(r)
	if doc == nil {
		return
	}
	known := lint.Shared(j.pass, optionsOf{doc}, func(*lint.Pass) *options { return readOptions(doc.Text) })
	if known == nil {
		return
	}
	for _, flag := range r.Run.Flags {
		if !realFlag.MatchString(flag.Text) || known.defines(flag.Text) {
			continue
		}
		f := lint.Finding{
			Span:    flag.Span,
			Message: fmt.Sprintf("%s does not define the option %s (%s)", r.rel, flag.Text, known.parser),
			Effect:  "it stops with a usage error",
			Help:    "use an option that the script has, or add this one to it",
		}
		if near := lint.Nearest(flag.Text, known.words); near != "" {
			f.Help = "did you mean " + near + "?"
			f.Fixes = []lint.Fix{{Title: "change to " + near, Edits: []lint.Edit{lint.Replace(flag.Span, near)}}}
		}
		j.report(ruleFlag, f)
	}
}
