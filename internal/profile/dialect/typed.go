package dialect

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// Decoders into typed structs, where a text field takes any scalar as it is
// written, and strictyaml, where every scalar is text.
var (
	// goYAML3 is gopkg.in/yaml.v3: resolve.go, and decode.go for booleans of
	// YAML 1.1, which a bool field accepts.
	goYAML3 = &schema{
		grammar: libyaml, plain: goPlain, tagged: goTagged, prints: inScript,
		accept: controls(yaml11Printable), admit: libyamlAdmit, layout: both(noSlashEscape, tabAfterPlain),
		dup: DupError, merge: true, several: true, typed: true,
	}
	// serde is serde_yaml 0.9 (Rust), de.rs.
	serde = &schema{
		grammar: libyaml, plain: serdePlain, tagged: serdeTagged, prints: inScript,
		accept: controls(yaml11Printable), admit: libyamlAdmit, layout: both(markIsBlank, tabAfterPlain),
		dup: DupError, typed: true, looseTop: true,
	}
	// serdeValue is serde_yaml into a Value, which knows the types.
	serdeValue = &schema{
		grammar: libyaml, plain: serdePlain, tagged: serdeValueTagged, prints: inScript,
		accept: controls(yaml11Printable), admit: libyamlAdmit, layout: both(markIsBlank, tabAfterPlain), dup: DupError,
	}
	strict = &schema{
		grammar: libyaml, plain: func(s string) (Kind, string) { return String, s }, prints: inPython,
		accept: controls(yaml11Printable), admit: strictAdmit, layout: tabOutside, dup: DupError,
	}
)

var goFloat = lazyregexp.New(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)

func goPlain(s string) (Kind, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, s
	case "y", "Y", "n", "N":
		return Bool, s
	}
	if _, ok := yaml11Bool(s); ok {
		return Bool, s
	}
	if !numeric(s) {
		return String, s
	}
	digits := strings.ReplaceAll(s, "_", "")
	if _, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return Int, s
	}
	if _, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return Int, s
	}
	if goFloat.MatchString(digits) || infinite(s) {
		return Float, s
	}
	return String, s
}

// goTagged: a standard tag must fit the value, and others do not matter.
func goTagged(tag, s string, _ bool) (Value, bool) {
	kind, shown := goPlain(s)
	want, standard := map[string]Kind{"!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float}[tag]
	switch {
	case tag == "!!str":
		return text(s), true
	case standard && kind == Int && want == Float:
		kind = Float
	}
	return Value{Kind: kind, Text: shown}, !standard || kind == want
}

func infinite(s string) bool {
	digits, _ := cutSign(s)
	switch digits {
	case ".inf", ".Inf", ".INF":
		return true
	}
	return s == ".nan" || s == ".NaN" || s == ".NAN"
}

func serdePlain(s string) (Kind, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, s
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool, s
	}
	if !numeric(s) {
		return String, s
	}
	digits, _ := cutSign(s)
	for prefix, set := range map[string]string{"0x": "0123456789abcdefABCDEF", "0o": "01234567", "0b": "01"} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok && onlyDigits(rest, set) {
			return Int, s
		}
	}
	switch {
	case len(digits) > 1 && digits[0] == '0' && onlyDigits(digits, "0123456789"):
		return String, s // leading zeros make a text
	case onlyDigits(digits, "0123456789"):
		return Int, s
	case goFloat.MatchString(s) && !math.IsInf(float(s), 0), infinite(s):
		return Float, s
	}
	return String, s
}

// serdeTagged: a text field takes a scalar of any tag as it is written, but an
// option looks whether it is null.
func serdeTagged(tag, s string, isPlain bool) (Value, bool) {
	if tag != "!!null" || !isPlain {
		return text(s), true
	}
	kind, shown := serdePlain(s)
	return Value{Kind: kind, Text: shown, Raw: s}, kind == Null
}

// serdeValueTagged: a standard tag gives its type and must fit, whatever the
// quotes; one of the file's own wraps a value, and shows it.
func serdeValueTagged(tag, s string, isPlain bool) (Value, bool) {
	kind, shown := serdePlain(s)
	want, standard := map[string]Kind{"!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float}[tag]
	switch {
	case standard && want == Float && kind == Int:
		kind = Float
	case !standard && (strings.HasPrefix(tag, "!!") || !isPlain):
		return text(s), true
	}
	return Value{Kind: kind, Text: shown, Raw: s}, !standard || kind == want
}

// libyamlAdmit is what libyaml refuses and the parser here does not.
func libyamlAdmit(n *yaml.Node) *Error {
	name := n.Anchor
	if n.Kind == yaml.AliasNode {
		name = n.Value
	}
	if strings.ContainsFunc(name, func(c rune) bool { return !anchorRune(c) }) {
		return refuse(n.Line, "%q cannot name an anchor", name)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Column == 1 && k.Style == 0 && strings.HasPrefix(k.Value, byteOrderMark) {
			return refuse(k.Line, "a byte order mark stands before a key")
		}
	}
	if err := fullKeys(n); err != nil {
		return err
	}
	return shortKeys(n)
}

func anchorRune(c rune) bool {
	return c == '-' || c == '_' || c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// strictAdmit refuses what strictyaml leaves out of YAML on purpose
// (https://hitchdev.com/strictyaml/features-removed/).
func strictAdmit(n *yaml.Node) *Error {
	switch {
	case n.Style&yaml.FlowStyle != 0:
		return refuse(n.Line, "flow style is not allowed")
	case n.Anchor != "" || n.Kind == yaml.AliasNode:
		return refuse(n.Line, "anchors are not allowed")
	case n.Style&yaml.TaggedStyle != 0:
		return refuse(n.Line, "tags are not allowed")
	case n.Kind == yaml.MappingNode:
		return fullKeys(n)
	}
	return nil
}
