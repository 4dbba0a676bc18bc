package dialect

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// PyYAML's SafeLoader (YAML 1.1), facts from lib/yaml/resolver.py and
// constructor.py of PyYAML 6.0.3. The two differ where the parser written in
// Python is stricter than libyaml, the C parser behind CSafeLoader:
// python-frontmatter, and so AgentScope, takes the C one when it is there.
var (
	pyyaml = &schema{
		grammar: libyaml, plain: pythonPlain, tagged: pythonTagged, prints: inPython,
		accept: controls(yaml11Printable), admit: pythonAdmit, layout: both(oneAnchor, tabOutside),
		dup: DupLast, merge: true,
	}
	cyaml = &schema{
		grammar: libyaml, plain: pythonPlain, tagged: pythonTagged, prints: inPython,
		accept: controls(yaml11Printable), admit: pythonAdmit, layout: both(oneAnchor, tabAfterPlain),
		dup: DupLast, merge: true,
	}
)

// yaml11Printable is c-printable of YAML 1.1: no DEL and no C1 but NEL.
func yaml11Printable(c rune) bool {
	switch {
	case c == '\t', c == '\n', c == '\r', c == 0x85:
		return true
	case c < 0x20, c >= 0x7f && c < 0xa0, c == 0xfffe, c == 0xffff:
		return false
	}
	return true
}

var (
	pyInt   = lazyregexp.New(`^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	pyFloat = lazyregexp.New(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	pyTime  = lazyregexp.New(`^([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)(?:(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(?:(Z)|([-+])([0-9][0-9]?)(?::([0-9]{2}))?))?)?$`)
	pyDate  = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

func pythonPlain(s string) (Kind, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, "None"
	case "=", "<<": // tags without a constructor
		return Missing, ""
	}
	if b, ok := yaml11Bool(s); ok {
		return Bool, pythonBool(b)
	}
	if !numeric(s) {
		return String, s
	}
	switch {
	case pyFloat.MatchString(s):
		return Float, PythonFloat(yaml11Float(s))
	case pyInt.MatchString(s):
		return pythonInt(s)
	case pyTime.MatchString(s):
		return pythonTime(s)
	}
	return String, s
}

// yaml11Bool reads the words of YAML 1.1 in the three spellings that count.
func yaml11Bool(s string) (value, ok bool) {
	switch s {
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func yaml11Float(s string) float64 {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	digits, negative := cutSign(s)
	f := 0.0
	switch {
	case digits == ".inf":
		f = float("inf")
	case digits == ".nan":
		f = float("nan")
	case strings.Contains(digits, ":"):
		f = base60(digits)
	default:
		f = float(digits)
	}
	if negative {
		f = -f
	}
	return f
}

func pythonInt(s string) (Kind, string) {
	digits, negative := cutSign(strings.ReplaceAll(s, "_", ""))
	base := 10
	switch {
	case strings.Contains(digits, ":"):
		return Int, pythonSexagesimal(digits, negative)
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		base = 8
	}
	n, ok := bigInt(digits, base, negative)
	if !ok { // as "0x_": int() raises ValueError
		return Missing, ""
	}
	return Int, n.String()
}

func pythonSexagesimal(digits string, negative bool) string {
	total := 0.0
	if total = base60(digits); negative {
		total = -total
	}
	return fmt.Sprintf("%.0f", total)
}

// pythonTime gives str() of the date or datetime; impossible dates raise.
func pythonTime(s string) (Kind, string) {
	m := pyTime.FindStringSubmatch(s)
	if m[4] == "" {
		if !pyDate.MatchString(s) {
			return String, s
		}
		if _, err := time.Parse(time.DateOnly, s); err != nil || m[1] == "0000" {
			return Missing, ""
		}
		return Date, s
	}
	at, err := time.Parse("2006-1-2 15:4:5", fmt.Sprintf("%s-%s-%s %s:%s:%s", m[1], m[2], m[3], m[4], m[5], m[6]))
	if err != nil || m[1] == "0000" {
		return Missing, ""
	}
	out := at.Format(time.DateTime)
	if fraction := (m[7] + "000000")[:6]; fraction != "000000" {
		out += "." + fraction
	}
	return Date, out + pythonZone(m[8], m[9], m[10], m[11])
}

func pythonZone(z, sign, hours, minutes string) string {
	switch {
	case z != "":
		return "+00:00"
	case sign == "":
		return ""
	}
	if minutes == "" {
		minutes = "00"
	}
	if hours+minutes == "0000" || hours+minutes == "000" {
		sign = "+"
	}
	return fmt.Sprintf("%s%02s:%s", sign, hours, minutes)
}

// pythonTagged applies an explicit tag. Only SafeLoader's constructors count.
func pythonTagged(tag, s string, isPlain bool) (Value, bool) {
	kind, shown := String, s
	switch tag {
	case "!!str":
	case "!":
		if isPlain && s != "" {
			kind, shown = pythonPlain(s)
		}
	case "!!null":
		kind, shown = Null, "None"
	case "!!bool":
		b, ok := yaml11Bool(strings.ToLower(s))
		if !ok {
			return Value{}, false
		}
		kind, shown = Bool, pythonBool(b)
	case "!!int":
		if !pyInt.MatchString(s) {
			return Value{}, false
		}
		kind, shown = pythonInt(s)
	case "!!float":
		return pythonTaggedFloat(s)
	case "!!timestamp":
		if !pyTime.MatchString(s) {
			return Value{}, false
		}
		kind, shown = pythonTime(s)
	case "!!set", "!!omap", "!!pairs", "!!binary":
	default:
		return Value{}, false
	}
	return Value{Kind: kind, Text: shown}, kind != Missing
}

func pythonTaggedFloat(s string) (Value, bool) {
	if pyInt.MatchString(s) || pyFloat.MatchString(s) {
		return Value{Kind: Float, Text: PythonFloat(yaml11Float(s))}, true
	}
	return Value{}, false
}

// pythonRepr is str() of a list or dict: repr() of what is inside.
func pythonRepr(v Value) string {
	var out strings.Builder
	switch v.Kind {
	case List:
		for i, item := range v.Items {
			out.WriteString(separator(i))
			out.WriteString(pythonItem(item.Kind, item.Text))
		}
		return "[" + out.String() + "]"
	case Mapping:
		for i, f := range v.Map {
			out.WriteString(separator(i))
			out.WriteString(pythonItem(f.KeyKind, f.Key) + ": " + pythonItem(f.Value.Kind, f.Value.Text))
		}
		return "{" + out.String() + "}"
	}
	return v.Text
}

func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

func pythonItem(k Kind, s string) string {
	switch k {
	case String:
		return PythonQuote(s)
	case Date:
		return pythonDateRepr(s)
	}
	return s
}

// pythonDateRepr is repr() of what str() shows as s; zones are left out.
func pythonDateRepr(s string) string {
	var y, mo, d, h, mi, sec int
	if n, _ := fmt.Sscanf(s, "%d-%d-%d %d:%d:%d", &y, &mo, &d, &h, &mi, &sec); n < 6 {
		return fmt.Sprintf("datetime.date(%d, %d, %d)", y, mo, d)
	}
	if sec == 0 {
		return fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d)", y, mo, d, h, mi)
	}
	return fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d, %d)", y, mo, d, h, mi, sec)
}

// PythonQuote is repr() of a str.
func PythonQuote(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var out strings.Builder
	out.WriteByte(quote)
	for _, c := range s {
		switch {
		case c == rune(quote), c == '\\':
			out.WriteString(`\` + string(c))
		case c == '\n':
			out.WriteString(`\n`)
		case c == '\r':
			out.WriteString(`\r`)
		case c == '\t':
			out.WriteString(`\t`)
		case c == ' ' || unicode.IsPrint(c):
			out.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&out, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			fmt.Fprintf(&out, `\U%08x`, c)
		}
	}
	out.WriteByte(quote)
	return out.String()
}

// pythonAdmit refuses empty keys, and lists and mappings as keys, which cannot
// be hashed.
func pythonAdmit(n *yaml.Node) *Error {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if k := n.Content[i].Kind; k == yaml.MappingNode || k == yaml.SequenceNode {
			return refuse(n.Content[i].Line, "a list or mapping cannot be a key")
		}
	}
	return libyamlAdmit(n)
}
