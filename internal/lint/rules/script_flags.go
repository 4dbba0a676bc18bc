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
	uses   *lazyregexp.Keyed // the script reads its options this way
	calls  *lazyregexp.Keyed // each definition of an option
	plain  *lazyregexp.Keyed // a definition whose names are plain text, as each has to be
	beyond *lazyregexp.Keyed // options can come from elsewhere, or unknown ones are let through
}

var optionParsers = []optionParser{
	{
		name:   "argparse",
		uses:   lazyregexp.NewKeyed("ArgumentParser(", ``),
		calls:  lazyregexp.NewKeyed(".add_argument(", ``),
		plain:  lazyregexp.NewKeyed(".add_argument(", `\.add_argument\(\s*(?:#.*\s*)*["']`),
		beyond: lazyregexp.NewKeyed("parse_known_args REMAINDER parents prefix_chars sys.argv[ .parse_args(", `parse_known_args|REMAINDER|parents\s*=|prefix_chars|sys\.argv\[|\.parse_args\(\s*\[`),
	},
	{
		name:   "click",
		uses:   lazyregexp.NewKeyed("@", `@(?:\w+\.)+command\(`),
		calls:  lazyregexp.NewKeyed("option(", ``),
		plain:  lazyregexp.NewKeyed("option(", `option\(\s*["']`),
		beyond: lazyregexp.NewKeyed("ignore_unknown_options allow_extra_args version_option() typer sys.argv[", ``),
	},
	{
		name:   "getopt",
		uses:   lazyregexp.NewKeyed("getopt.getopt( getopt.gnu_getopt(", ``),
		calls:  lazyregexp.NewKeyed("getopt.getopt( getopt.gnu_getopt(", ``),
		plain:  lazyregexp.NewKeyed("getopt.getopt( getopt.gnu_getopt(", `getopt\.(?:gnu_)?getopt\([^"'\n]*["'][^"'\n]*["']`),
		beyond: lazyregexp.NewKeyed("argparse", ``),
	},
	{
		name:   "commander",
		uses:   lazyregexp.NewKeyed("from require(", `(?:from|require\()\s*["']commander["']`),
		calls:  lazyregexp.NewKeyed(".requiredOption( .option( Option(", ``),
		plain:  lazyregexp.NewKeyed(".requiredOption( .option( Option(", "(?:\\.(?:requiredOption|option)|Option)\\(\\s*[\"'`]-"),
		beyond: lazyregexp.NewKeyed("allowUnknownOption passThroughOptions process.argv[", ``),
	},
	{
		name:   "getopts",
		uses:   lazyregexp.NewKeyed("getopts", `getopts\s+["']?:?[\w:]+["']?\s+\w+`),
		calls:  lazyregexp.NewKeyed("getopts", `getopts\s`),
		plain:  lazyregexp.NewKeyed("getopts", `getopts\s+["']?:?[\w:]+["']?\s`),
		beyond: lazyregexp.NewKeyed("getopts --", `getopts\s+["']?[\w:]*-|--[a-z]`),
	},
	{
		name:   "flag",
		uses:   lazyregexp.NewKeyed("flag.Parse()", ``),
		calls:  lazyregexp.NewKeyed("flag.", `flag\.\w+\(`),
		plain:  lazyregexp.NewKeyed("flag.", `flag\.(?:Parse|Args?|NArg|NFlag|Usage|PrintDefaults|Visit\w*|(?:Bool|Duration|Float64|Int|Int64|String|Uint|Uint64)(?:Var)?)\((?:\)|[^"\n]*"|[^"\n]*\))`),
		beyond: lazyregexp.NewKeyed("os.Args flag.NewFlagSet cobra pflag", ``),
	},
}

// options are what a script's parser defines.
type options struct {
	parser string
	words  []string // each word of the script that could be an option, without what it is given
}

var (
	getoptsText = lazyregexp.NewKeyed("getopts getopt(", `get(?:opts\s+|opt\([^"'\n]*)["']?:?([\w:]+)`)
	quotedList  = lazyregexp.New(`\[((?:\s*["'][\w-]+=?["'],?)+)\s*\]`)
	goFlag      = lazyregexp.New(`flag\.\w+\([^"\n]*"([^"]+)"`)
	quotedWord  = lazyregexp.New(`["']([\w-]+)=?["']`)
)

// allPlain reports whether each definition of an option has its names in plain text.
func (p *optionParser) allPlain(src string) bool {
	for at := range p.calls.All(src) {
		if !p.plain.MatchAt(src, at[0]) {
			return false
		}
	}
	return true
}

// readOptions returns the options of a script, nil when they cannot be told from its text for certain.
func readOptions(src string) *options {
	for i := range optionParsers {
		p := &optionParsers[i]
		if !p.uses.MatchString(src) {
			continue
		}
		if p.beyond.MatchString(src) || !p.allPlain(src) || handsOn(src) {
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
	for at := range getoptsText.All(src) {
		for _, c := range strings.ReplaceAll(src[at[2]:at[3]], ":", "") {
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
	givenParser = lazyregexp.NewKeyed("(", `\(\s*(?:\w*parser|program|p)\s*[,)]`)
	lastName    = lazyregexp.New(`[A-Za-z_]\w*$`)
	pythonDef   = lazyregexp.NewKeyed("def", `def\s+(\w+)`)
)

// handsOn reports whether a script gives its parser to a function that another file defines.
func handsOn(src string) bool {
	var own []string
	for at := range pythonDef.All(src) {
		own = append(own, src[at[2]:at[3]])
	}
	for at := range givenParser.All(src) {
		name := lastName.FindString(src[max(0, at[0]-longestName):at[0]])
		if name != "" && !slices.Contains(own, name) {
			return true
		}
	}
	return false
}

// longestName is how much of a name before a parenthesis is looked at.
const longestName = 80

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
