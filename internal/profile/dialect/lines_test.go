package dialect

import (
	"fmt"
	"testing"
)

// flat writes fields as "key=text;" with the kind where it is no string.
func flat(m Map) string {
	out := ""
	for _, f := range m {
		kind := ""
		if f.Value.Kind != String {
			kind = ":" + f.Value.Kind.String()
		}
		out += fmt.Sprintf("%s%s=%s;", f.Key, kind, f.Value.Text)
	}
	return out
}

// The line scanners and fallbacks on one block each. None of them fails.
func TestLineScanners(t *testing.T) {
	tests := []struct {
		name, block, want string
	}{
		{"letta: prose", "name: x # c\nd: Use when: a \"b\"\n", `name=x # c;d=Use when: a "b";`},
		{"letta: quotes", "name: \"x\"\nd: 'say \\\"hi\\\"'\n", `name=x;d=say \"hi\";`},
		{"letta: nested keys win", "d: top\nmetadata:\n  d: nested\n", "d=nested;"},
		{"letta: block scalar", "d: >-\n  a\n  b\n", "d=>-;"},
		{"letta: list", "tags:\n  - a\n  - 'b'\nd: x\n", "tags:list=a,b;d=x;"},
		{"letta: last list", "tags:\n- a\n", "tags:list=a;"},
		{"letta: lone CR", "a: b\rc: d\r\ne: f", "a=b;c=d;e=f;"},
		{"letta: colon first", ": x\na:\n", ""},

		{"spring: all keys", "name: \"x\"\nmetadata:\n  name: y\n", "name=y;metadata=;"},
		{"spring: lone CR", "a: b\rc: d\r\n", "a=b\rc: d;"},
		{"spring: block scalar", "d: |\n  a\n", "d=|;"},

		{"qwen: kinds", "a: true\nb: null\nc: 007\nd: 1e3\ne: x\n", "a:bool=true;b:null=null;c:int=7;d:float=1000;e=x;"},
		{"qwen: quotes", `a: "say \"hi\" \u00e9"` + "\nb: 'x'\n", `a=say "hi" \u00e9;b='x';`},
		{"qwen: list", "a:\n  - x\n  - y\nb: z\n", "a:list=x,y;b=z;"},
		{"qwen: map", "a:\n  x: y\nb: z\n", "a:map=[object Object];b=z;"},
		{"qwen: unindented list", "a:\n- x\n", ""},
		{"qwen: no space", "a:b\n", "a=b;"},
		{"qwen: duplicates", "a: b\na: c\n", "a=c;"},
		{"qwen: comments", "# a: b\na: b # c\n", "a=b # c;"},

		{"gemini: continuation", "name: x\ndescription: a\n  b\n\tc\nlicense: MIT\n", "name=x;description=a b c;"},
		{"gemini: list", "name:x\ndescription:\n  - a\n  - b\n", "name=x;description=- a - b;"},
		{"gemini: byte order mark", "name: x\n\ufeffdescription: y\n", "name=x;description=y;"},
		{"gemini: a dot stands for no CR", "name: x\ndescription: y\rz\n", "name=x;"},
		{"gemini: no-break space indents nothing", "name: x\ndescription: y\n\u00a0z\n", "name=x;description=y;"},
		{"gemini: quotes stay", "name: \"x\"\ndescription: 'y'\n", `name="x";description='y';`},

		{"agent zero", "name: \"x\"\n# c\ntags:\n  - a\n- 'b'\nd: y: z\n", "name=x;tags:list=['a', 'b'];d=y: z;"},

		{"af: quotes", "Name: 'x'\nd: \"a\" # c\n", "name=x;d=\"a\" # c;"},
		{"af: comment stays", "name: x # c\n", "name=x # c;"},
		{"af: folded", "d: >\n  a\n  b\n\n  c\nname: x\n", "d=a b c;name=x;"},
		{"af: literal", "d: |\n  a\n    b\nname: x\n", "d=a\n  b\n;name=x;"},
		{"af: stripped", "d: |-\n  a\n", "d=a;"},
		{"af: empty value takes the next line", "license:\nname: x\n", "license=name: x;"},
		{"af: one line of many", "d: a\n  b\n", "d=a;"},
		{"af: metadata", "metadata:\n  a: 1\n  b: 'c'\nname: x\n", "metadata:map={'a': '1', 'b': 'c'};name=x;"},
	}
	scanners := map[string]func(string) Map{
		"letta": lettaLines, "spring": springLines, "qwen": qwenLines, "gemini": geminiLines,
		"agent zero": agentZeroLines, "af": afRegex,
	}
	for _, tt := range tests {
		scan := scanners[cutName(tt.name)]
		if got := flat(scan(tt.block)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func cutName(s string) string {
	for i := range s {
		if s[i] == ':' {
			return s[:i]
		}
	}
	return s
}

func TestRepairs(t *testing.T) {
	tests := []struct {
		name          string
		rewrite       func(string) string
		before, after string
	}{
		{"opencode: colon", colonBlocks, "a: b: c\nd: e", "a: |-\n  b: c\nd: e"},
		{"opencode: quoted", colonBlocks, "a: \"b: c\"", "a: \"b: c\""},
		{"opencode: hyphen in the key", colonBlocks, "a-b: c: d", "a-b: c: d"},
		{"opencode: nested", colonBlocks, "a:\n  b: c: d", "a:\n  b: c: d"},
		{"opencode: link", colonBlocks, "a: http://b", "a: |-\n  http://b"},

		{"codex: colon", codexQuote, "a: b: c", "a: 'b: c'"},
		{"codex: apostrophe", codexQuote, "a: it's: c", "a: 'it''s: c'"},
		{"codex: comment", codexQuote, "a: b: c # d", "a: 'b: c' # d"},
		{"codex: nested", codexQuote, "a:\n  b: c: d", "a:\n  b: 'c: d'"},
		{"codex: at sign", codexQuote, "a: @b", "a: '@b'"},
		{"codex: backtick", codexQuote, "a: `b` c", "a: '`b` c'"},
		{"codex: two brackets", codexQuote, "a: [b] [c]", "a: '[b] [c]'"},
		{"codex: list stays", codexQuote, "a: [b, c]", "a: [b, c]"},
		{"codex: star stays", codexQuote, "a: *b* c", "a: *b* c"},
		{"codex: quoted stays", codexQuote, "a: \"b\" c: d", "a: \"b\" c: d"},
		{"codex: block stays", codexQuote, "a: |\n  b: c: d\ne: f: g", "a: |\n  b: c: d\ne: 'f: g'"},
		{"codex: no space", codexQuote, "a:b: c", "a:b: c"},

		{"claude: colon", claudeQuote, "a: b: \"c\"", `a: "b: \"c\""`},
		{"claude: star", claudeQuote, "a: *b* c", `a: "*b* c"`},
		{"claude: brackets", claudeQuote, "argument-hint: [a] [b]", `argument-hint: "[a] [b]"`},
		{"claude: prose stays", claudeQuote, "a: b c", "a: b c"},
		{"claude: open quote stays", claudeQuote, "a: \"b", "a: \"b"},
	}
	for _, tt := range tests {
		if got := tt.rewrite(tt.before); got != tt.after {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.after)
		}
	}
}

// VS Code's own reader takes what YAML refuses.
func TestSubset(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"colon", "d: a: b\ne: f\n", "d=a;"},
		{"kinds", "a: true\nb: 42\nc: -1.5\nd: null\ne: yes\n", "a:bool=true;b:int=42;c:float=-1.5;d:null=null;e=yes;"},
		{"quotes", `a: "x\ty\q"` + "\nb: 'it''s'\n", "a=x\ty\\q;b=it's;"},
		{"folded quotes", "a: \"x \n  y\n\n  z\"\n", "a=x y\nz;"},
		{"open quote", "a: \"x\nb: y\n", "a=x b: y ;"},
		{"plain lines", "a: x\n  y\n\n  z\nb: c\n", "a=x y\nz;b=c;"},
		{"comment", "a: x # y\nb: x#y\n", "a=x;b=x#y;"},
		{"literal", "a: |\n  x\n    y\n\nb: c\n", "a=x\n  y\n;b=c;"},
		{"folded", "a: >-\n  x\n  y\n\n  z\n", "a=x y\nz;"},
		{"kept", "a: |+\n  x\n\n", "a=x\n\n;"},
		{"list", "a:\n  - x\n  - y: z\n    w: v\nb:\n- c\n", "a:list=x,[object Object];b:list=c;"},
		{"flow", "a: [x, 'y', {z: w}]\nb: {c: d, e}\n", "a:list=x,y,[object Object];b:map=[object Object];"},
		{"open bracket", "a: [x\nb: y\n", "a:list=x b,y;"},
		{"two brackets", "a: [x] [y]\nb: c\n", "a:list=x;"},
		{"at sign", "a: @x `y`\n", "a=@x `y`;"},
		{"star", "a: *x* y\n", "a=*x* y;"},
		{"first of two", "a: x\na: y\n", "a=x;"},
		{"empty", "a:\nb: c\n", "a=;b=c;"},
		{"no space", "a:b\n", "-"},
		{"nested", "a:\n  b:\n    c: d\n", "a:map=[object Object];"},
		{"markers", "---\na: b\n...\nc: d\n", "a=b;"},
		{"nothing", "# c\n", ""},
	}
	for _, tt := range tests {
		m, err := Parse("vscode-subset", tt.block, Options{})
		got := flat(m)
		if err != nil {
			got = "-"
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	m, err := Parse("vscode-subset", "a:\n  b: [c, {d: e}]\n", Options{})
	if err != nil || m.Get("a").Map.Get("b").Items[1].Map.Get("d").Text != "e" {
		t.Errorf("nested values: %+v, %v", m, err)
	}
}
