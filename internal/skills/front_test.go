package skills

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/text"
)

// show writes down what was found, one line a field and one an error.
func show(src string, f FrontMatter) string {
	var b strings.Builder
	for _, x := range f.Fields {
		broken := ""
		if x.Broken {
			broken = " broken"
		}
		fmt.Fprintf(&b, "%s %s %q = %q%s\n", x.Name, x.Tag(), x.Value.In(src), x.Text, broken)
	}
	for _, e := range f.Errors {
		fmt.Fprintf(&b, "! %d %q in %d\n", e.Cause, e.Span.In(src), e.Field)
	}
	return b.String()
}

func TestFields(t *testing.T) {
	for name, c := range map[string]struct{ block, want string }{
		"styles": {
			"a: plain text # comment\nb: \"q \\\" x\"  # c\nc: 'it''s'\nd: >-\n  folded\n  text\n\ne: |\n  two\n  lines\n# c\nf:\n  wrapped\n  plain\n",
			`a !!str "plain text" = "plain text"
b !!str "\"q \\\" x\"" = "q \" x"
c !!str "'it''s'" = "it's"
d !!str ">-\n  folded\n  text" = "folded text"
e !!str "|\n  two\n  lines" = "two\nlines\n"
f !!str "wrapped\n  plain" = "wrapped plain"
`,
		},
		"kinds": {
			"a: 42\nb: yes\nc: true\nd: [x, \"y, z\"] # c\ne:\n  k: v\n  l: w # c\nf:\ng: {a: 1}\nh: 2024-01-02\ni: ~\n",
			`a !!int "42" = "42"
b !!str "yes" = "yes"
c !!bool "true" = "true"
d !!seq "[x, \"y, z\"]" = ""
e !!map "k: v\n  l: w # c" = ""
f !!null "" = ""
g !!map "{a: 1}" = ""
h !!timestamp "2024-01-02" = "2024-01-02"
i !!null "~" = "~"
`,
		},
		"beyond the basic plane": {
			"é: ü # c\n\"k\": \"\\ud83d\\udee1 \\\\ud83d\"\n😀: 😀 x\n",
			`é !!str "ü" = "ü"
k !!str "\"\\ud83d\\udee1 \\\\ud83d\"" = "🛡 \\ud83d"
😀 !!str "😀 x" = "😀 x"
`,
		},
		"colon": {
			"name: a\ndescription: one: two\nlicense: MIT\n",
			`name !!str "a" = "a"
description !!str "one: two" = "one: two" broken
license !!str "MIT" = "MIT"
! 1 ":" in 1
`,
		},
		"several causes, each found": {
			"name: @x\ndescription: \"a\" b\nargument-hint: [a] [b]\nlicense: 'open\n",
			`name !!str "@x" = "@x" broken
description !!str "\"a\" b" = "\"a\" b" broken
argument-hint !!str "[a] [b]" = "[a] [b]" broken
license !!str "'open" = "open" broken
! 2 "@" in 0
! 3 "b" in 1
! 3 "[b]" in 2
! 4 "'" in 3
`,
		},
		"escape": {
			"a: \"D:\\Temp\"\n",
			"a !!str \"\\\"D:\\\\Temp\\\"\" = \"D:\\\\Temp\" broken\n! 5 \"\\\\T\" in 0\n",
		},
		"tab": {
			"a:\n\tb: c\nd: e\n",
			"a !!str \"b: c\" = \"b: c\" broken\nd !!str \"e\" = \"e\"\n! 6 \"\\t\" in 0\n",
		},
		"pasted lines": {
			"a: one\ntwo three\nb: c\n",
			"a !!str \"one\" = \"one\"\nb !!str \"c\" = \"c\"\n! 7 \"two three\" in 0\n",
		},
		"no space": {
			"name:x\nb: c\n",
			"name !!str \"x\" = \"x\" broken\nb !!str \"c\" = \"c\"\n! 8 \":\" in 0\n",
		},
		"control character": {
			"a: b\x01c\nd: e\n",
			"a !!str \"b\\x01c\" = \"b\\x01c\" broken\nd !!str \"e\" = \"e\"\n! 9 \"\\x01\" in -1\n",
		},
		"uneven": {
			" a: b\nc: d\n",
			"c !!str \"d\" = \"d\"\n! 10 \" a: b\" in -1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			src := "---\n" + c.block + "---\nbody\n"
			if got := show(src, parseFront(src)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestFences(t *testing.T) {
	const keys = "name: a\ndescription: b\n"
	for name, c := range map[string]struct {
		src         string
		open, close FenceKind
		lead, block string
	}{
		"exact":              {"---\n" + keys + "---\nx\n", ExactFence, ExactFence, "", keys},
		"no last line break": {"---\n" + keys + "---", ExactFence, ExactFence, "", keys},
		"crlf":               {"---\r\nname: a\r\n---\r\nx", ExactFence, ExactFence, "", "name: a\r\n"},
		"lone cr":            {"---\rname: a\r---\rx", ExactFence, ExactFence, "", "name: a\r"},
		"mark":               {BOM + "---\n" + keys + "---\n", ExactFence, ExactFence, "", keys},
		"blanks":             {"--- \n" + keys + "---\t\n", SpacedFence, SpacedFence, "", keys},
		"long":               {"-----\n" + keys + "-----\n", LongFence, LongFence, "", keys},
		"dots":               {"---\n" + keys + "...\nx\n", ExactFence, DotsFence, "", keys},
		"indented":           {"---\n" + keys + "  ---\n# T\n\ntext: y z\n", ExactFence, IndentedFence, "", keys},
		"comment above":      {"<!-- c -->\n---\n" + keys + "---\n", ExactFence, ExactFence, "<!-- c -->\n", keys},
		"blank above":        {"\n\n---\n" + keys + "---\n", ExactFence, ExactFence, "\n\n", keys},
		"in a code fence":    {"```yaml\n---\n" + keys + "---\n```\n", ExactFence, ExactFence, "```yaml\n", keys},
		"open":               {"---\n" + keys + "\n# T\n\ntext\n", ExactFence, NoFence, "", keys},
		"open, rule below":   {"---\n" + keys + "\n# T\n\ntext\n\n---\n\nmore\n", ExactFence, NoFence, "", keys},
		"keys alone":         {keys + "---\nx\n", NoFence, ExactFence, "", keys},
		"rule in a body":     {"# T\n\n---\n\nNote: this is text\n\n---\n", NoFence, NoFence, "", ""},
		"rule in a value":    {"---\nname: a\ndescription: |\n  b\n  ---\n  c\n---\nx\n", ExactFence, ExactFence, "", "name: a\ndescription: |\n  b\n  ---\n  c\n"},
		"empty":              {"", NoFence, NoFence, "", ""},
		"empty block":        {"---\n---\n", ExactFence, ExactFence, "", ""},
		"text behind":        {"--- yaml\n" + keys + "---\n", TextFence, ExactFence, "", keys},
		"mark below a blank": {"\n" + BOM + "---\n" + keys + "---\n", HiddenFence, ExactFence, "\n", keys},
		"unseen around":      {"\u200b---\u00a0\n" + keys + "\u00a0---\n", HiddenFence, HiddenFence, "", keys},
		"long dashes":        {"\u2014\n" + keys + "\u2014-\n", DashFence, DashFence, "", keys},
		"dash in a body":     {"---\n" + keys + "---\n\u2014\ntext: y\n", ExactFence, ExactFence, "", keys},
		"dash in a value":    {"---\nname: a\ndescription: |\n  b\n  \u2014\n  c\n---\nx\n", ExactFence, ExactFence, "", "name: a\ndescription: |\n  b\n  \u2014\n  c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := parseFront(c.src)
			if f.Open.Kind != c.open || f.Close.Kind != c.close || f.Lead.In(c.src) != c.lead || f.Block.In(c.src) != c.block {
				t.Errorf("open %d close %d lead %q block %q", f.Open.Kind, f.Close.Kind, f.Lead.In(c.src), f.Block.In(c.src))
			}
		})
	}
}

func TestOtherFormats(t *testing.T) {
	for src, want := range map[string]Format{
		"+++\nname = \"x\"\n+++\nbody\n":          TOML,
		"---toml\nname = \"x\"\n---\nbody\n":      TOML,
		"---json\n{\"name\": \"x\"}\n---\nbody\n": JSON,
		"{\n\"name\": \"x\"\n}\n\nbody\n":         JSON,
		"{ braces }\n":                            NoFormat,
		"+++\n":                                   NoFormat,
	} {
		f := parseFront(src)
		if f.Format != want {
			t.Errorf("%q: format %d, want %d", src, f.Format, want)
		}
		if want != NoFormat && (f.Field("name") == nil || f.Field("name").Text != "x" || !strings.HasPrefix(strings.TrimSpace(src[f.End(src):]), "body")) {
			t.Errorf("%q: fields %v, body at %q", src, f.Fields, src[f.End(src):])
		}
	}
}

func TestDecode(t *testing.T) {
	for raw, want := range map[string]struct {
		text string
		enc  Encoding
	}{
		"h\xe9 \x96":                    {"hé –", Windows1252},
		"\xff\xfea\x00\x3d\xd8\x00\xde": {BOM + "a😀", UTF16LE},
		"\xfe\xff\x00a":                 {BOM + "a", UTF16BE},
		"é":                             {"é", UTF8},
		"\xff\xfea":                     {BOM + "\uFFFD", UTF16LE},
	} {
		d := NewDocument("x", "x", raw)
		if d.Text != want.text || d.Encoding != want.enc {
			t.Errorf("%q: %q %v", raw, d.Text, d.Encoding)
		}
		if got := d.RawOffset(len(d.Text)); got != len(raw) {
			t.Errorf("%q: the end is at raw offset %d, want %d", raw, got, len(raw))
		}
	}
}

// FuzzFront holds the promises about spans for any text.
func FuzzFront(f *testing.F) {
	for _, s := range []string{
		"---\nname: a\ndescription: b: c\n---\n", "---\n- a\n---\n", "---\n? a\n: b\n---\n", "---\na: &x [1, {b: 'c'}]\nd: *x\n---\n",
		"---\na: \"\n\tb\n", "+++\na = 1\n+++\n", "---\n\u0085a: b\n---", "----\nname: x", BOM + "---\r\na: |+\r\n  b\r\n---", "---\n<<: {a: b}\n---\n",
		"---\na: !!str 5\nb: >2-\n   x\n---\n", "\n---\nname: x\n...\n", "---\n{a: b, c: [d]}\n---\n", "---\n'a' : b\n\"c\": d\n---\n",
		"---\na:\n  # c\n    b: c: d\n   e:f\n---\n", "---\na:\n  - b: c\n    d:\n    - e: f: g\n  - h\n---\n", "---\nn: x\n name: y\nz: \"\\q\"\n---\n", "---\na:\n- \"b\" c\n---\n", "---\n- : 0\n0000:",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		front := parseFront(src)
		inside := func(what string, s, outer text.Span) {
			if s.Start > s.End || !outer.Covers(s) {
				t.Fatalf("%q: %s %v lies outside %v", src, what, s, outer)
			}
		}
		all := text.Span{End: len(src)}
		for _, s := range []text.Span{front.Lead, front.Open.Span, front.Close.Span, front.Block} {
			inside("part", s, all)
		}
		if end := front.End(src); end < front.Block.End || end > len(src) {
			t.Fatalf("%q: body at %d", src, end)
		}
		for i := range front.Fields {
			x := &front.Fields[i]
			inside("key", x.Key, all)
			inside("value", x.Value, all)
			if x.Plain() && !strings.ContainsAny(x.Value.In(src), "\r\n&!\u0085\u2028\u2029") && x.Tag() != "!!null" && front.Format == YAML {
				if got := x.Value.In(src); got != x.Text {
					t.Fatalf("%q: plain value %q is written %q", src, x.Text, got)
				}
			}
			front.Repeated(src, x, func(_ string, first, again text.Span) {
				inside("first key", first, all)
				inside("second key", again, all)
			})
			front.Nodes(src, x, func(_, _ *yaml.Node, at text.Span) { inside("node", at, all) })
		}
		for _, e := range front.Errors {
			inside("error", e.Span, all)
			if e.Entry != nil {
				inside("entry", e.Entry.Value, all)
			}
			if e.Field >= len(front.Fields) {
				t.Fatalf("%q: error in field %d of %d", src, e.Field, len(front.Fields))
			}
		}
	})
}
