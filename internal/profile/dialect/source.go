package dialect

import (
	"errors"
	"fmt"
	"strings"
)

// Source is a front matter block that several dialects read. It keeps the
// parsed YAML, which they share; it is not safe for concurrent use.
type Source struct {
	front  string
	plain  *plain
	parsed *parsed // nil until a parser is needed
}

// parsed is a block in the grammars that were asked for.
type parsed struct {
	odd   bool // the block has characters beyond printable ASCII, tabs and line feeds
	trees [grammars]*tree
}

// NewSource returns a Source for the text between the fences.
func NewSource(front string) *Source { return &Source{front: front, plain: &plain{}} }

// Around returns a Source for the same block with other line breaks before or behind it, which clients cut so: what is
// plain in one is so in the other.
func (s *Source) Around(front string) (*Source, bool) {
	if strings.Trim(front, "\n") != strings.Trim(s.front, "\n") {
		return nil, false
	}
	again := &Source{front: front, plain: s.plain}
	if s.sameTrees(front) {
		again.parsed = s.parser()
	}
	return again, true
}

// sameTrees reports whether parsers make the same of another text that is longer or shorter by the last line break. It
// counts in block scalars, and behind an escaped quote.
func (s *Source) sameTrees(front string) bool {
	block := strings.TrimSuffix(s.front, "\n")
	if block != strings.TrimSuffix(front, "\n") || s.Plain() || strings.Contains(block, "\r") || mayEndInBlock(block) || endsInQuote(block) {
		return false
	}
	t := s.parse(libyaml)
	return t.err == nil && !t.mended // an error tells its line
}

// Plain reports whether all parsers of YAML read the block alike, so that reading it costs next to nothing.
func (s *Source) Plain() bool {
	_, ok := s.plain.read(s.front, inScript)
	return ok
}

// mayEndInBlock reports whether the last line may be one of a block scalar; no line with a key at its start is.
func mayEndInBlock(block string) bool {
	const header = "|>"
	if !strings.ContainsAny(block, header) {
		return false
	}
	last := block[strings.LastIndexByte(block, '\n')+1:]
	return last == "" || !isKeyStart(last[0]) || !isKeyStart(block[0]) || !strings.Contains(last, ": ") || strings.ContainsAny(last, header)
}

func isKeyStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// parser returns what parsers have made of the block so far.
func (s *Source) parser() *parsed {
	if s.parsed == nil {
		s.parsed = &parsed{odd: odd(s.front)}
	}
	return s.parsed
}

func odd(front string) bool {
	for i := range len(front) {
		if c := front[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			return true
		}
	}
	return false
}

// dialect reads a block.
type dialect func(*Source, Options) (Map, error)

// fallback reads a block that the dialect refused.
type fallback func(*Source, dialect, Options) (Map, error)

// The tables of names. The comments name parsers; the profiles say who uses them.
var (
	dialects = map[string]dialect{
		"yaml11-pyyaml":    pyyaml.read,        // yaml.safe_load
		"yaml11-libyaml":   cyaml.read,         // CSafeLoader, as in python-frontmatter
		"yaml12-core":      core12.read,        // the npm package yaml
		"bun-yaml":         bun.read,           // Bun.YAML.parse
		"js-yaml3":         jsYAML3.read,       // gray-matter
		"js-yaml4":         jsYAML4.read,       // js-yaml 4, default schema
		"js-yaml-json":     jsYAMLJSON.read,    // js-yaml 4, JSON_SCHEMA
		"go-yaml3-typed":   goYAML3.read,       // yaml.v3 into a struct
		"serde-yaml-typed": serde.read,         // serde_yaml into a struct
		"serde-yaml":       serdeValue.read,    // serde_yaml into a Value
		"strictyaml":       strict.read,        // StrictYAML
		"line-kv-letta":    lines(lettaLines),  // Letta Code
		"line-kv-spring":   lines(springLines), // Spring AI agent utils
		"line-kv-qwen":     lines(qwenLines),   // Qwen Code to 0.15
		"regex-kv-af":      lines(afRegex),     // Microsoft agent-framework
		"vscode-subset":    vscode,             // VS Code
	}
	fallbacks = map[string]fallback{
		"gemini-lines":         reread(geminiLines),
		"qwen-lines":           reread(qwenLines),
		"agentzero-lines":      reread(agentZeroLines),
		"opencode-colon-block": repair(colonBlocks),
		"kilo-colon-quote":     repair(colonQuotes),
		"codex-quote":          repair(codexQuote),
		"claude-quote":         repair(claudeQuote),
	}
)

// Parse reads the block as the named dialect does, and with opt.Fallback what
// the dialect refuses. The error is an *Error when the client refuses the
// block, and wraps ErrUnknown when name or opt.Fallback is unknown.
// An empty block is an empty Map.
func (s *Source) Parse(name string, opt Options) (Map, error) {
	read, ok := dialects[name]
	if !ok {
		return nil, fmt.Errorf("dialect %q: %w", name, ErrUnknown)
	}
	m, err := read(s, opt)
	if err != nil && opt.Fallback != "" && opt.Fallback != "none" {
		m, err = s.second(read, opt, err)
	}
	if err == nil && opt.KeyCase == "fold" {
		m = m.lowerKeys()
	}
	return m, err
}

// Fallback reads the block with the named fallback alone, as Gemini CLI does
// when YAML succeeds but name or description is no string. The dialect counts
// only for fallbacks that repair the text and parse again.
func (s *Source) Fallback(name, dialect string, opt Options) (Map, error) {
	read, ok := dialects[dialect]
	if !ok {
		return nil, fmt.Errorf("dialect %q: %w", dialect, ErrUnknown)
	}
	opt.Fallback = name
	return s.second(read, opt, refuse(0, "the fallback does not apply"))
}

// second runs opt.Fallback and returns first, the dialect's own error, when
// that fails as well.
func (s *Source) second(read dialect, opt Options, first error) (Map, error) {
	second, ok := fallbacks[opt.Fallback]
	if !ok {
		return nil, fmt.Errorf("fallback %q: %w", opt.Fallback, ErrUnknown)
	}
	m, err := second(s, read, opt)
	if err != nil {
		return nil, first
	}
	return m, nil
}

// errNoRepair says that a repairing fallback found nothing to change.
var errNoRepair = errors.New("nothing to repair")

// repair makes a fallback of a function that rewrites the text; the rewritten
// text is read in the same dialect.
func repair(rewrite func(string) string) fallback {
	return func(s *Source, read dialect, opt Options) (Map, error) {
		fixed := rewrite(s.front)
		if fixed == s.front {
			return nil, errNoRepair
		}
		return read(NewSource(fixed), opt)
	}
}

// lines makes a dialect, and reread a fallback, of a function that takes
// fields from the text without YAML.
func lines(scan func(string) Map) dialect {
	return func(s *Source, _ Options) (Map, error) { return scan(s.front), nil }
}

func reread(scan func(string) Map) fallback {
	return func(s *Source, _ dialect, _ Options) (Map, error) { return scan(s.front), nil }
}
