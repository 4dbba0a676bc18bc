package dialect

import (
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// The parsers written in JavaScript. Facts: the package yaml 2.x (core schema
// of YAML 1.2), js-yaml 3.14 (under gray-matter), js-yaml 4.1, and Bun.YAML 1.4,
// which follows the core schema, merges, and lets the last duplicate win.
var (
	core12 = &schema{
		grammar: eemeli, plain: corePlain, tagged: coreTagged, prints: inScript, keyText: coreKey,
		layout: indentedFlow, admit: shortKeys, dup: DupError, cycles: true,
	}
	bun = &schema{
		grammar: bunYAML, plain: bunPlain, tagged: bunTagged, prints: inScript, keyText: scriptKey,
		accept: noNUL, layout: indentedFlow, dup: DupLast, merge: true, mergeAny: true,
	}
	jsYAML4 = &schema{
		grammar: jsYAMLv4, plain: jsYAML4Plain, tagged: jsYAMLTagged(jsYAML4Plain), prints: inScript,
		accept: noNUL, admit: jsYAMLAdmit, keyText: scriptKey, dup: DupError, merge: true, cycles: true,
	}
	jsYAML3 = &schema{
		grammar: jsYAMLv3, plain: jsYAML3Plain, tagged: jsYAMLTagged(jsYAML3Plain), prints: inScript,
		accept: noNUL, admit: jsYAMLAdmit, keyText: scriptKey, dup: DupError, merge: true, cycles: true,
	}
	jsYAMLJSON = &schema{
		grammar: jsYAMLv4, plain: jsYAMLJSONPlain, tagged: jsYAMLTagged(jsYAMLJSONPlain), prints: inScript,
		accept: noNUL, admit: jsYAMLAdmit, keyText: scriptKey, dup: DupError, cycles: true,
	}
)

var (
	coreFloat   = lazyregexp.New(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	js4Float    = lazyregexp.New(`^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	js3Float    = lazyregexp.New(`^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	base64Text  = lazyregexp.New(`^(?:[A-Za-z0-9+/=\r\n]{4})*$`)
	jsDate      = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	jsTimestamp = lazyregexp.New(`^([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(Z|([-+])([0-9][0-9]?)(?::([0-9]{2}))?))?$`)
)

// coreWord reads the words of the YAML 1.2 core schema (§10.3.2).
func coreWord(s string) (Kind, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, "null"
	case "true", "True", "TRUE":
		return Bool, "true"
	case "false", "False", "FALSE":
		return Bool, "false"
	}
	return String, s
}

func corePlain(s string) (Kind, string) {
	if kind, shown := coreWord(s); kind != String || !numeric(s) {
		return kind, shown
	}
	digits, negative := cutSign(s)
	switch {
	case digits == ".inf", digits == ".Inf", digits == ".INF":
		return Float, scriptNumber(signed(float("inf"), negative))
	case s == ".nan", s == ".NaN", s == ".NAN":
		return Float, "NaN"
	case onlyDigits(digits, "0123456789"):
		return Int, scriptInt(digits, 10, negative)
	case strings.HasPrefix(s, "0o") && onlyDigits(s[2:], "01234567"):
		return Int, scriptInt(s[2:], 8, false)
	case strings.HasPrefix(s, "0x") && onlyDigits(s[2:], "0123456789abcdefABCDEF"):
		return Int, scriptInt(s[2:], 16, false)
	case coreFloat.MatchString(s):
		return Float, scriptNumber(float(s))
	}
	return String, s
}

func signed(f float64, negative bool) float64 {
	if negative {
		return -f
	}
	return f
}

// onlyDigits reports whether s is one or more of the digits.
func onlyDigits(s, digits string) bool {
	return s != "" && strings.Trim(s, digits) == ""
}

// coreTagged: a tag that does not fit is a warning, and the value a string.
func coreTagged(tag, s string, _ bool) (Value, bool) {
	if tag == "!" {
		return text(s), true
	}
	if tag == "!!timestamp" && (jsDate.MatchString(s) || jsTimestamp.MatchString(s)) {
		return Value{Kind: Date, Text: scriptDate(s)}, true
	}
	if tag == "!!binary" || tag == "!!merge" && s == "<<" { // an array of bytes, and a symbol
		return Value{Kind: Mapping, Text: s}, true
	}
	kind, shown := corePlain(s)
	want := map[string][]Kind{"!!null": {Null}, "!!bool": {Bool}, "!!int": {Int}, "!!float": {Float}}[tag]
	for _, k := range want {
		if k == kind {
			return Value{Kind: want[0], Text: shown}, true
		}
	}
	return text(s), true
}

// bunPlain is the core schema with signs before hexadecimal digits.
func bunPlain(s string) (Kind, string) {
	kind, shown := corePlain(s)
	if digits, negative := cutSign(s); kind == String && strings.HasPrefix(digits, "0x") {
		if digits = digits[2:]; onlyDigits(digits, "0123456789abcdefABCDEF") {
			return Int, scriptInt(digits, 16, negative)
		}
	}
	return kind, shown
}

// bunTagged applies standard tags to plain scalars alone.
func bunTagged(tag, s string, isPlain bool) (Value, bool) {
	kind, shown := bunPlain(s)
	switch {
	case !isPlain:
	case s == "" && tag != "!!str" && tag != "!":
		return Value{Kind: Null, Text: "null"}, true
	case tag == "!!float" && (kind == Int || kind == Float):
		return Value{Kind: Float, Text: shown}, true
	case tag == "!!int" && kind == Int, tag == "!!bool" && kind == Bool, tag == "!!null" && kind == Null:
		return Value{Kind: kind, Text: shown}, true
	}
	return text(s), true
}

func jsYAML4Plain(s string) (Kind, string) {
	if kind, shown := coreWord(s); kind != String || !numeric(s) {
		return kind, shown
	}
	if shown, ok := jsYAMLInt(s, map[string]int{"0b": 2, "0x": 16, "0o": 8}); ok {
		return Int, shown
	}
	return jsYAMLRest(s, js4Float)
}

func jsYAML3Plain(s string) (Kind, string) {
	if kind, shown := coreWord(s); kind != String || !numeric(s) {
		return kind, shown
	}
	if shown, ok := jsYAMLInt(s, map[string]int{"0b": 2, "0x": 16, "0": 8}); ok {
		return Int, shown
	}
	if shown, ok := jsYAMLSexagesimal(s); ok {
		return Int, shown
	}
	return jsYAMLRest(s, js3Float)
}

// jsYAMLJSONPlain is JSON_SCHEMA: as the default schema, without timestamps.
func jsYAMLJSONPlain(s string) (Kind, string) {
	kind, shown := jsYAML4Plain(s)
	if kind == Date {
		return String, s
	}
	return kind, shown
}

// jsYAMLInt reads an integer; underscores may stand between and not after the
// digits. prefixes gives the base that a prefix announces; "0" is the octal
// of YAML 1.1.
func jsYAMLInt(s string, prefixes map[string]int) (string, bool) {
	digits, negative := cutSign(s)
	base := 10
	if len(digits) > 1 && digits[0] == '0' {
		if b, ok := prefixes[digits[:2]]; ok {
			digits, base = digits[2:], b
		} else if b, ok := prefixes["0"]; ok {
			digits, base = digits[1:], b
		}
	}
	if digits == "" || digits[0] == '_' && base == 10 || strings.HasSuffix(digits, "_") {
		return "", false
	}
	digits = strings.ReplaceAll(digits, "_", "")
	if !onlyDigits(strings.ToLower(digits), "0123456789abcdef"[:base]) {
		return "", false
	}
	return scriptInt(digits, base, negative), true
}

var js3Base60 = lazyregexp.New(`^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$`)

func jsYAMLSexagesimal(s string) (string, bool) {
	if !js3Base60.MatchString(s) {
		return "", false
	}
	digits, negative := cutSign(strings.ReplaceAll(s, "_", ""))
	return scriptNumber(signed(base60(digits), negative)), true
}

func jsYAMLRest(s string, floats *lazyregexp.Regexp) (Kind, string) {
	switch {
	case floats.MatchString(s) && !strings.HasSuffix(s, "_"):
		return Float, scriptNumber(yaml11Float(s))
	case jsDate.MatchString(s), jsTimestamp.MatchString(s):
		return Date, scriptDate(s)
	}
	return String, s
}

// scriptDate is String() of the Date that js-yaml makes, where the time zone is
// UTC. Impossible dates roll over, and years below 100 are of the last century.
func scriptDate(s string) string {
	m := jsTimestamp.FindStringSubmatch(s)
	if m == nil {
		m = []string{"", s[:4], s[5:7], s[8:10], "0", "0", "0", "", "", "", "", ""}
	}
	n := make([]int, len(m))
	for i, part := range m {
		n[i], _ = strconv.Atoi(part)
	}
	millis, _ := strconv.Atoi((m[7] + "000")[:3])
	if n[1] < 100 {
		n[1] += 1900
	}
	at := time.Date(n[1], time.Month(n[2]), n[3], n[4], n[5], n[6], millis*1e6, time.UTC)
	offset := time.Duration(n[10])*time.Hour + time.Duration(n[11])*time.Minute
	if m[9] == "+" {
		offset = -offset
	}
	return at.Add(offset).Format("Mon Jan 02 2006 15:04:05") + " GMT+0000 (Coordinated Universal Time)"
}

// jsYAMLTagged applies an explicit tag; js-yaml refuses those it does not
// know and those whose value does not resolve.
func jsYAMLTagged(plain func(string) (Kind, string)) func(string, string, bool) (Value, bool) {
	kinds := map[string]Kind{"!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float, "!!timestamp": Date}
	return func(tag, s string, isPlain bool) (Value, bool) {
		switch {
		case tag == "!" && s == "" && isPlain:
			return Value{Kind: Null, Text: "null"}, true
		case tag == "!!str", tag == "!", tag == "!!merge" && s == "<<":
			return text(s), true
		case tag == "!!binary": // an array of bytes
			return Value{Kind: Mapping, Text: s}, base64Text.MatchString(s)
		}
		want, known := kinds[tag]
		if !known {
			return Value{}, tag == "!!set" || tag == "!!omap" || tag == "!!pairs"
		}
		kind, shown := plain(s)
		if want == Float && kind == Int {
			kind = Float
		}
		return Value{Kind: kind, Text: shown}, kind == want
	}
}

// scriptText is String() of an array or object.
func scriptText(v Value) string {
	if v.Kind == Mapping {
		return "[object Object]"
	}
	parts := make([]string, len(v.Items))
	for i, item := range v.Items {
		if item.Kind != Null {
			parts[i] = item.Text
		}
	}
	return strings.Join(parts, ",")
}

func noNUL(text string) *Error {
	if at := strings.IndexByte(text, 0); at >= 0 {
		return refuse(1+strings.Count(text[:at], "\n"), "the character U+0000 is not allowed")
	}
	return nil
}

// jsYAMLAdmit refuses block mappings with an empty key, and control characters
// in scalars: comments may hold them, escapes may name any, and double quotes
// may hold those beyond ASCII.
func jsYAMLAdmit(n *yaml.Node) *Error {
	if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 {
		return fullKeys(n)
	}
	if n.Kind != yaml.ScalarNode {
		return nil
	}
	quoted := n.Style&yaml.DoubleQuotedStyle != 0
	for _, c := range n.Value {
		hidden := show(c) != c
		if !yaml11Printable(show(c)) && (hidden || !quoted) {
			return refuse(n.Line, "the character U+%04X is not allowed", show(c))
		}
	}
	return nil
}

// fullKeys refuses a key of no characters at all.
func fullKeys(n *yaml.Node) *Error {
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Style == 0 && k.Value == "" && k.Anchor == "" {
			return refuse(k.Line, "a key is missed before the colon")
		}
	}
	return nil
}

// shortKeys refuses a key beyond 1024 characters (YAML 1.2.2, §7.4.2).
func shortKeys(n *yaml.Node) *Error {
	if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle != 0 {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; len(k.Value) > 1024 && k.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			return refuse(k.Line, "a key is longer than 1024 characters")
		}
	}
	return nil
}

// Keys of JavaScript objects are texts. The package yaml writes an empty text
// for null and collections as YAML.
func scriptKey(v Value) string { return v.Text }

func coreKey(v Value) string {
	switch v.Kind {
	case Null:
		return ""
	case List, Mapping:
		return flowText(v)
	}
	return v.Text
}

func flowText(v Value) string {
	var parts []string
	for _, item := range v.Items {
		parts = append(parts, flowText(item))
	}
	for _, f := range v.Map {
		part := f.Key
		if f.Value.Kind != Null {
			part += ": " + flowText(f.Value)
		}
		parts = append(parts, part)
	}
	switch v.Kind {
	case List:
		return "[ " + strings.Join(parts, ", ") + " ]"
	case Mapping:
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return v.Text
}
