package dialect

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// Clients that take fields from lines and know no YAML, and the line parsers
// that others fall back to. None of them refuses anything.

var oneNewline = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// unixLines splits text whose line breaks the client has made uniform.
func unixLines(s string) []string {
	return strings.Split(oneNewline.Replace(s), "\n")
}

// unquote removes one pair of equal quotes; escapes stay.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// keyValue cuts a line at its first colon, which may not come first.
func keyValue(line string) (key, value string, ok bool) {
	at := strings.IndexByte(line, ':')
	if at <= 0 {
		return "", "", false
	}
	return strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:]), true
}

// lettaLines is Letta Code's scanner (src/utils/frontmatter.ts): every line
// with a colon is a key, however deep, so nested keys replace those above.
func lettaLines(front string) Map {
	var m Map
	var items []Value
	key := "" // the key whose list may follow
	flush := func() {
		if key != "" && items != nil {
			m = m.set(key, Value{Kind: List, Items: items, Text: scriptText(Value{Items: items})})
			key, items = "", nil
		}
	}
	for _, line := range unixLines(front) {
		trimmed := strings.TrimSpace(line)
		if key != "" && strings.HasPrefix(trimmed, "-") {
			items = append(items, text(unquote(strings.TrimSpace(trimmed[1:]))))
			continue
		}
		flush()
		k, v, ok := keyValue(line)
		if !ok {
			continue
		}
		if key = k; v != "" {
			m, key = m.set(k, text(unquote(v))), ""
		}
	}
	flush()
	return m
}

// springLines is Spring AI agent utils (MarkdownParser.java), which splits at
// line feeds alone.
func springLines(front string) Map {
	var m Map
	for line := range strings.SplitSeq(strings.TrimSpace(front), "\n") {
		if k, v, ok := keyValue(strings.TrimSpace(line)); ok {
			m = m.set(k, text(unquote(v)))
		}
	}
	return m
}

// scriptSpace is white space as JavaScript sees it (ECMA-262, §12.2 and 12.3).
func scriptSpace(c rune) bool { return c == '\ufeff' || c != 0x85 && unicode.IsSpace(c) }

// scriptBreaks are the characters that a dot does not stand for in JavaScript's
// regular expressions, line feeds aside.
const scriptBreaks = "\r\u2028\u2029"

// geminiLines is Gemini CLI's second reading (skillLoader.ts): name, and
// description with its indented lines, quotes kept.
func geminiLines(front string) Map {
	var m Map
	lines := strings.Split(strings.ReplaceAll(front, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if v, ok := geminiField(lines[i], "name:"); ok {
			m = m.set("name", text(v))
			continue
		}
		v, ok := geminiField(lines[i], "description:")
		if !ok {
			continue
		}
		parts := nonEmpty(nil, v)
		for i+1 < len(lines) && indented(lines[i+1]) {
			i++
			parts = nonEmpty(parts, lines[i])
		}
		m = m.set("description", text(strings.Join(parts, " ")))
	}
	return m
}

// geminiField is the value on a line that starts with a key.
func geminiField(line, key string) (string, bool) {
	v, ok := strings.CutPrefix(strings.TrimLeftFunc(line, scriptSpace), key)
	v = strings.TrimLeftFunc(v, scriptSpace)
	return strings.TrimRightFunc(v, scriptSpace), ok && !strings.ContainsAny(v, scriptBreaks)
}

func nonEmpty(parts []string, s string) []string {
	if s = strings.TrimFunc(s, scriptSpace); s != "" {
		return append(parts, s)
	}
	return parts
}

// indented reports whether a line has text after spaces or tabs.
func indented(line string) bool {
	rest := strings.TrimLeft(line, " \t")
	return rest != line && rest != "" && strings.TrimLeftFunc(rest, scriptSpace) == rest
}

// qwenLines is Qwen Code's own parser (yaml-parser.ts), the only one up to
// 0.15 and the second reading since: two levels, lists two spaces deep.
func qwenLines(front string) Map {
	q := qwenScan{lines: qwenRelevant(front)}
	for i, line := range q.lines {
		q.line(i, line)
	}
	q.endList()
	q.endObject()
	return q.out
}

func qwenRelevant(front string) []string {
	var lines []string
	for _, line := range unixLines(front) {
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

type qwenScan struct {
	lines  []string
	out    Map
	key    string // the key that waits for a list
	items  []Value
	inList bool
	object string // the key of the object being read
	fields Map
	inMap  bool
}

func (q *qwenScan) line(i int, line string) {
	if item, ok := strings.CutPrefix(line, "  - "); ok {
		q.items, q.inList = append(q.items, qwenScalar(strings.TrimSpace(item))), true
		return
	}
	q.endList()
	deep := strings.HasPrefix(line, "  ")
	if deep && q.inMap {
		k, v, _ := strings.Cut(strings.TrimSpace(line), ":")
		q.fields = q.fields.set(strings.TrimSpace(k), qwenScalar(strings.TrimSpace(v)))
		return
	}
	q.endObject()
	k, v, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	if k, v = strings.TrimSpace(k), strings.TrimSpace(v); v != "" {
		q.out = q.out.set(k, qwenScalar(v))
		return
	}
	q.open(k, i)
}

// open looks at the line after an empty value to see what it starts.
func (q *qwenScan) open(key string, i int) {
	q.key = key
	if i+1 >= len(q.lines) || strings.HasPrefix(q.lines[i+1], "  - ") {
		return
	}
	if strings.HasPrefix(q.lines[i+1], "  ") {
		q.inMap, q.object, q.fields, q.key = true, key, Map{}, ""
	}
}

func (q *qwenScan) endList() {
	if q.inList {
		v := Value{Kind: List, Items: q.items}
		v.Text = scriptText(v)
		q.out = q.out.set(q.key, v)
		q.key, q.items, q.inList = "", nil, false
	}
}

func (q *qwenScan) endObject() {
	if q.inMap {
		v := Value{Kind: Mapping, Map: q.fields}
		v.Text = scriptText(v)
		q.out = q.out.set(q.object, v)
		q.inMap, q.object, q.fields = false, "", nil
	}
}

var qwenUnescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

func qwenScalar(s string) Value {
	switch s {
	case "true", "false":
		return Value{Kind: Bool, Text: s, Raw: s}
	case "null":
		return Value{Kind: Null, Text: s, Raw: s}
	}
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return text(qwenUnescape.Replace(s[1 : len(s)-1]))
	}
	if kind, shown := scriptToNumber(s); kind != String {
		return Value{Kind: kind, Text: shown, Raw: s}
	}
	return Value{Kind: String, Text: s, Raw: s}
}

// scriptToNumber is Number(s) of JavaScript for finite results.
func scriptToNumber(s string) (Kind, string) {
	if !numeric(s) {
		return String, s
	}
	lower := strings.ToLower(s)
	for prefix, base := range map[string]int{"0x": 16, "0o": 8, "0b": 2} {
		if digits, ok := strings.CutPrefix(lower, prefix); ok && onlyDigits(digits, "0123456789abcdef"[:base]) {
			return Int, scriptInt(digits, base, false)
		}
	}
	if !coreFloat.MatchString(s) {
		return String, s
	}
	f, err := strconv.ParseFloat(s, 64)
	digits, _ := cutSign(s)
	switch {
	case err != nil: // infinite
		return String, s
	case onlyDigits(digits, "0123456789"):
		return Int, scriptNumber(f)
	}
	return Float, scriptNumber(f)
}

var agentZeroKey = lazyregexp.New(`^([A-Za-z0-9_.-]+)\s*:\s*(.*)$`)

// agentZeroLines is Agent Zero's second reading (helpers/skills.py): keys in
// the first column and `- item` lists.
func agentZeroLines(front string) Map {
	var m Map
	key := ""
	for _, line := range unixLines(front) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if kv := agentZeroKey.FindStringSubmatch(line); kv != nil {
			key = kv[1]
			v := text(unquote(strings.TrimSpace(kv[2])))
			if strings.TrimSpace(kv[2]) == "" {
				v = Value{Kind: List, Items: []Value{}, Text: "[]"}
			}
			m = m.set(key, v)
			continue
		}
		if item, ok := strings.CutPrefix(trimmed, "-"); ok && key != "" {
			v := Value{Kind: List, Items: append(m.Get(key).Items, text(unquote(strings.TrimSpace(item))))}
			v.Text = pythonRepr(v)
			m = m.set(key, v)
		}
	}
	return m
}

// Microsoft agent-framework reads fields with regular expressions
// (_skills.py). White space may span lines there, so an empty value takes the
// next line; quotes are cut without looking for escapes.
var (
	afKey      = lazyregexp.New(`(?m)^([\p{L}\p{N}_-]+)[\s\v]*:[\s\v]*(?:["'](.+?)["']|(.+?))[\s\v]*$`)
	afMetadata = lazyregexp.New(`(?m)^metadata[\s\v]*:[\s\v]*$\n((?:[ \t]+\S.*\n?)+)`)
	afNested   = lazyregexp.New(`(?m)^[\s\v]+([\p{L}\p{N}_-]+)[\s\v]*:[\s\v]*(?:["'](.+?)["']|(.+?))[\s\v]*$`)
)

func afRegex(front string) Map {
	front = oneNewline.Replace(front)
	var m Map
	for _, at := range afKey.FindAllStringSubmatchIndex(front, -1) {
		key := strings.ToLower(front[at[2]:at[3]])
		if at[4] >= 0 {
			m = m.set(key, text(front[at[4]:at[5]]))
			continue
		}
		m = m.set(key, text(afBlock(front[at[6]:at[7]], front[at[1]:])))
	}
	if block := afMetadata.FindStringSubmatch(front); block != nil {
		nested := Map{}
		for _, kv := range afNested.FindAllStringSubmatch(block[1], -1) {
			nested = nested.set(kv[1], text(kv[2]+kv[3]))
		}
		m = m.set("metadata", Value{Kind: Mapping, Map: nested, Text: pythonRepr(Value{Kind: Mapping, Map: nested})})
	}
	return m
}

// afBlock gives the text of a block scalar that starts with value and goes on
// in rest; other values are themselves.
func afBlock(value, rest string) string {
	if value[0] != '|' && value[0] != '>' {
		return value
	}
	_, rest, ok := strings.Cut(rest, "\n")
	if !ok {
		return value
	}
	lines := afIndented(rest)
	joined := strings.Join(lines, "\n")
	if value[0] == '>' {
		joined = strings.Join(nonBlank(lines), " ")
	}
	switch {
	case len(lines) == 0, strings.HasPrefix(value[1:], "-"):
		return joined
	case strings.HasPrefix(value[1:], "+"), value[0] == '|':
		return joined + "\n"
	}
	return joined
}

// afIndented takes the indented lines, without their common indent.
func afIndented(rest string) []string {
	var lines []string
	indent := -1
	for line := range strings.SplitSeq(rest, "\n") {
		body := strings.TrimLeft(line, " \t")
		width := len(line) - len(body)
		if strings.TrimSpace(body) == "" {
			lines = append(lines, "")
			continue
		}
		if width == 0 {
			break
		}
		if indent < 0 || width < indent {
			indent = width
		}
		lines = append(lines, line)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, line := range lines {
		if line != "" {
			lines[i] = line[indent:]
		}
	}
	return lines
}

func nonBlank(lines []string) []string {
	var out []string
	for _, line := range lines {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
