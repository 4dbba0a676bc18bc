package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// optionParser recognises one way of reading options whose names are plain text.
type optionParser struct {
	name   string
	marks  string             // words without which no script uses it, with blanks between; looking for them is fast
	uses   *lazyregexp.Regexp // the script reads its options this way
	calls  *lazyregexp.Regexp // each definition of an option
	plain  *lazyregexp.Regexp // a definition whose names are plain text; as many as calls must match
	beyond *lazyregexp.Regexp // options can come from elsewhere, or unknown ones are let through
	hints  string             // words of which beyond needs one
}

var optionParsers = []optionParser{
	{
		"argparse", "ArgumentParser(", lazyregexp.New(`argparse\.ArgumentParser\(|\bArgumentParser\(`),
		lazyregexp.New(`\.add_argument\(`), lazyregexp.New(`\.add_argument\(\s*(#.*\s*)*["']`),
		lazyregexp.New(`parse_known_args|REMAINDER|parents\s*=|prefix_chars|sys\.argv\[|\.parse_args\(\s*\[`),
		"parse_known_args REMAINDER parents prefix_chars sys.argv[ .parse_args(",
	},
	{
		"click", "command( @", lazyregexp.New(`(?m)^\s*@(\w+\.)+command\(`),
		lazyregexp.New(`\boption\(`), lazyregexp.New(`\boption\(\s*["']`),
		lazyregexp.New(`ignore_unknown_options|allow_extra_args|version_option\(\)|typer|sys\.argv\[`),
		"ignore_unknown_options allow_extra_args version_option() typer sys.argv[",
	},
	{
		"getopt", "getopt(", lazyregexp.New(`getopt\.(gnu_)?getopt\(`),
		lazyregexp.New(`getopt\.(gnu_)?getopt\(`), lazyregexp.New(`getopt\.(gnu_)?getopt\([^"'\n]*["'][^"'\n]*["']`),
		lazyregexp.New(`argparse`),
		"argparse",
	},
	{
		"commander", "commander", lazyregexp.New(`(from|require\()\s*["']commander["']`),
		lazyregexp.New(`\.(requiredOption|option)\(|new Option\(`), lazyregexp.New("(\\.(requiredOption|option)|new Option)\\(\\s*[\"'`]-"),
		lazyregexp.New(`allowUnknownOption|passThroughOptions|process\.argv\[`),
		"allowUnknownOption passThroughOptions process.argv[",
	},
	{
		"getopts", "getopts", lazyregexp.New(`\bgetopts\s+["']?:?[\w:]+["']?\s+\w+`),
		lazyregexp.New(`\bgetopts\s`), lazyregexp.New(`\bgetopts\s+["']?:?[\w:]+["']?\s`),
		lazyregexp.New(`getopts\s+["']?[\w:]*-|--[a-z]`),
		"-",
	},
	{
		"flag", "flag.Parse()", lazyregexp.New(`flag\.Parse\(\)`),
		lazyregexp.New(`flag\.(\w+)\(`), lazyregexp.New(`flag\.(Parse|Args?|NArg|NFlag|Usage|PrintDefaults|Visit\w*|(Bool|Duration|Float64|Int|Int64|String|Uint|Uint64)(Var)?)\((\)|[^"\n]*"|[^"\n]*\))`),
		lazyregexp.New(`os\.Args|flag\.NewFlagSet|cobra|pflag`),
		"os.Args flag.NewFlagSet cobra pflag",
	},
}

// options are what a script's parser defines.
type options struct {
	parser string
	words  []string // each word of the script that could be an option, without what it is given
}

var (
	getoptsText = lazyregexp.New(`\bget(?:opts\s+|opt\([^"'\n]*)["']?:?([\w:]+)`)
	quotedList  = lazyregexp.New(`\[((?:\s*["'][\w-]+=?["'],?)+)\s*\]`)
	goFlag      = lazyregexp.New(`flag\.\w+\([^"\n]*"([^"]+)"`)
	quotedWord  = lazyregexp.New(`["']([\w-]+)=?["']`)
)

func (p *optionParser) isUsed(src string) bool {
	for mark := range strings.FieldsSeq(p.marks) {
		if !strings.Contains(src, mark) {
			return false
		}
	}
	return p.uses.MatchString(src)
}

func (p *optionParser) goesBeyond(src string) bool {
	for hint := range strings.FieldsSeq(p.hints) {
		if strings.Contains(src, hint) {
			return p.beyond.MatchString(src)
		}
	}
	return false
}

// readOptions returns the options of a script, nil when they cannot be told from its text for certain.
func readOptions(src string) *options {
	for i := range optionParsers {
		p := &optionParsers[i]
		if !p.isUsed(src) {
			continue
		}
		if p.goesBeyond(src) || len(p.calls.FindAllString(src, -1)) != len(p.plain.FindAllString(src, -1)) || handsOn(src) {
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
	out := hyphenWords(src)
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

// hyphenWords returns the words that begin with one or two hyphens.
func hyphenWords(src string) []string {
	var out []string
	inWord := func(i int) bool { return i < len(src) && (src[i] == '-' || wordLength(src[i:i+1]) > 0) }
	for i := 0; ; {
		next := strings.IndexByte(src[i:], '-')
		if next < 0 {
			return out
		}
		start := i + next
		end, letters := start, start
		for letters < min(start+len("--"), len(src)) && src[letters] == '-' {
			letters++
		}
		for end = letters; inWord(end); {
			end++
		}
		if letters < end && src[letters] != '-' && src[letters] != '_' && (start == 0 || !inWord(start-1)) {
			out = append(out, src[start:end])
		}
		i = max(end, start+1)
	}
}

var (
	parserCall = lazyregexp.New(`\b([A-Za-z_]\w*)\(\s*(?:\w*parser|program|p)\s*[,)]`)
	pythonDef  = lazyregexp.New(`\bdef\s+(\w+)`)
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

var realFlag = lazyregexp.New(`^--?[A-Za-z][\w-]*$`)

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
