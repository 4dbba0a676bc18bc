package skills

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/text"
)

// The tables below name the texts of spans, by which they are easier to read than by numbers;
// TestScanBodySpans has exact offsets.

func TestScanBodyBlocks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"ATX headings", "# a\n###### b ##\n####### c\n#d\n##\n", []string{`h1 "a"`, `h6 "b"`, `h2 ""`}},
		{"closing sequence", "# a #b\n# a \\#\n## #\n", []string{`h1 "a #b"`, `h1 "a \\#"`, `h2 ""`}},
		{"setext headings", "a\nb\n===\nc\n-\n", []string{`h1 "a\nb"`, `h2 "c"`}},
		{"no setext over a lazy line", "> a\n===\n", nil},
		{"no setext of definitions", "[a]: b\n===\n", []string{`def a "b"`}},
		{"heading in containers", "> - # a\n>   b\n>   -\n", []string{`h1 "a"`, `h2 "b"`}},
		{"fence", "```go x\na\n```\n", []string{`fence "go x" "a\n" closed`}},
		{"tilde fence", "~~~ a`b\n```\n~~~~ \n", []string{"fence \"a`b\" \"```\\n\" closed"}},
		{"backtick in info", "``` a`b\n", nil},
		{"short closing fence", "````\n```\n", []string{"fence \"\" \"```\\n\" open"}},
		{"closing fence has no info", "```\n``` x\n", []string{"fence \"\" \"``` x\\n\" open"}},
		{"fence ends with its container", "> ```\n> a\nb\n", []string{`fence "" "> a\n" open`}},
		{"fence interrupts", "a\n```\n```\n", []string{`fence "" "" closed`}},
		{"fence at the end", "```", []string{`fence "" "" open`}},
		{"indented code", "    a\n\n      b\n\nc\n    d\n", []string{`code "a\n\n      b"`}},
		{"indented code behind tabs", "- a\n\n\t\tb\n", []string{`code "b"`}},
		{"indented code in an item", "-     a\n", []string{`code "a"`}},
		{"item content is no code", "1.  a\n\n    # b\n", []string{`h1 "b"`}},
		{"item begins with one blank line at most", "-\n\n  # a\n      b\n", []string{`h1 "a"`, `code "b"`}},
		{"numbers interrupt only with 1", "a\n2. # b\n", nil},
		{"numbers interrupt with 1", "a\n1. # b\n", []string{`h1 "b"`}},
		{"ten digits", "1234567890. # b\n", nil},
		{"HTML kind 1", "<pre>\n\n</PRE> x\n# a\n", []string{`html "<pre>\n\n</PRE> x"`, `h1 "a"`}},
		{"HTML kind 2", "<!-- a\n\nb --> c\n`d`\n", []string{`html "<!-- a\n\nb --> c"`, `comment "<!-- a\n\nb -->"`, `span "d"`}},
		{"HTML kind 3", "<?a\n\n?>\n", []string{`html "<?a\n\n?>"`}},
		{"HTML kind 4", "<!a\n\n>\n", []string{`html "<!a\n\n>"`}},
		{"HTML kind 5", "<![CDATA[\n\n]]>\n", []string{`html "<![CDATA[\n\n]]>"`}},
		{"HTML kind 6", "a\n</DIV\n`b`\n\n`c`\n", []string{"html \"</DIV\\n`b`\"", `span "c"`}},
		{"HTML kind 7", "<x-y a='b'>\n`b`\n\na\n<x>\n", []string{"html \"<x-y a='b'>\\n`b`\"", `html "<x>"`}},
		{"comments in a block", "<div><!--a--><!-->\n<!-- `b`\n\n`c`\n", []string{
			"html \"<div><!--a--><!-->\\n<!-- `b`\"", `comment "<!--a-->"`, `comment "<!-->"`, "comment \"<!-- `b`\"", `span "c"`,
		}},
		{"definitions", "[A  b]:\n<c d>\n'title\n'\n[a B]: e (t)\n[x]: y \"z\" w\n", []string{`def a b "c d"`, `def a b "e"`}},
		{"no title on the next line", "[a]: b\n'c' d\n", []string{`def a "b"`}},
		{"definition cannot interrupt", "a\n[b]: c\n", nil},
		{"thematic breaks", "* * *\n- - -\n___\na\n***\n", nil},
		{"table cells", "|`a|b`|\n|-|-|\n|`c`|[d|](e)|\n`f` | `\\|` | `g`\n", []string{`span "c"`, `span "f"`, `span "\\|"`}},
		{"no table without all headers", "`a`\n-|-\n`b|c`\n", []string{`span "a"`, `span "b|c"`}},
		{"table cannot be underlined", "a|b\n-|-\n---\n===\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, tt.src, tt.want) })
	}
}

func TestScanBodyInlines(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"code spans", "`a` ``b`c`` `d\ne`", []string{`span "a"`, "span \"b`c\"", `span "d\ne"`}},
		{"unmatched backticks", "```a ``b`c`` `d`` e", []string{"span \"b`c\""}},
		{"no escapes in code", "`a\\`b`", []string{`span "a\\"`}},
		{"escaped backtick", "\\`a` b`", []string{`span " b"`}},
		{"code in a quote", "> `a\n> b`", []string{`span "a\n> b"`}},
		{"code binds tighter than links", "[a`](b)`", []string{`span "](b)"`}},
		{"code and tags by place", "`<a href=\"`\">`", []string{`span "<a href=\""`}},
		{"tag before code", "<a href=\"`\">`", []string{"html \"<a href=\\\"`\\\">\""}},
		{"tag before link", "[a <b c=\"](d)\">", []string{`html "<b c=\"](d)\">"`}},
		{"autolinks", "<a+b:c> <a@b.c> <a> <m:x> <http://a b>", []string{`link "a+b:c" "a+b:c" auto`, `link "a@b.c" "a@b.c" auto`, `html "<a>"`}},
		{"raw HTML", "x <a\nb=c d='e' /> </f > <!-- g --> <?h?> <!I> <![CDATA[>]]> <j =>", []string{
			`html "<a\nb=c d='e' />"`, `html "</f >"`, `html "<!-- g -->"`, `comment "<!-- g -->"`, `html "<?h?>"`, `html "<!I>"`, `html "<![CDATA[>]]>"`,
		}},
		{"unclosed comment is text", "a <!-- `b`", []string{`span "b"`}},
		{"inline links", "[a](b) [c]( <d e>\n'f' ) [g]() [h](<>) [i](j(k)\\)l \"m\")", []string{
			`link "a" "b"`, `link "c" "d e"`, `link "g" ""`, `link "h" ""`, `link "i" "j(k)\\)l"`,
		}},
		{"no links", "[a] (b) [c](d e) [f](g'h') \\[i](j) [k](<l\nm>) [n](o(p) [q](<r<s>)", []string{`link "f" "g'h'"`, `html "<l\nm>"`, `html "<s>"`}},
		{"images", "![a](b) ![c ![d](e) [f](g)](h) \\![i](j) !\\[k](l)", []string{
			`image "a" "b"`, `image "c ![d](e) [f](g)" "h"`, `image "d" "e"`, `link "f" "g"`, `link "i" "j"`,
		}},
		{"no link in a link", "[a [b](c)](d) [![e](f)](g)", []string{`link "b" "c"`, `link "![e](f)" "g"`, `image "e" "f"`}},
		{"no link around a link in an image", "[a ![b [c](d)](e)](f)", []string{`image "b [c](d)" "e"`, `link "c" "d"`}},
		{"brackets in links", "[a [b] c](d) [e](f) ]", []string{`link "a [b] c" "d"`, `link "e" "f"`}},
		{"references", "[a][B] [b][] ![b] [x][b][] [b][x] [b](\n\n[b]: c", []string{
			`link "a" "c" b`, `link "b" "c" b`, `image "b" "c" b`, `link "x" "c" b`, `link "b" "c" b`, `def b "c"`,
		}},
		{"label folding", "[Straße] [ẞ\n T]\n\n[STRASSE]: a\n\n[ß t]: b", []string{`link "Straße" "a" strasse`, `link "ẞ\n T" "b" ss t`, `def strasse "a"`, `def ss t "b"`}},
		{"link in a list in a quote", "> - [a\n>   b](c)", []string{`link "a\n>   b" "c"`}},
		{"links in headings", "# [a](b) #\n[c](d)\n---", []string{`h1 "[a](b)"`, `link "a" "b"`, `h2 "[c](d)"`, `link "c" "d"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, tt.src, tt.want) })
	}
}

// expect checks what ScanBody finds in src, in the order of the text.
func expect(t *testing.T, src string, want []string) {
	t.Helper()
	b := ScanBody(src, 0)
	checkSpans(t, src, b)
	if got := describe(src, b); !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %s\nwant %s", src, got, want)
	}
}

// describe says one line about each element of b, in the order of the text.
func describe(src string, b Body) []string {
	type item struct {
		at   int
		text string
	}
	var items []item
	add := func(at text.Span, format string, args ...any) {
		items = append(items, item{at.Start, fmt.Sprintf(format, args...)})
	}
	for _, h := range b.Headings {
		add(h.Span, "h%d %q", h.Level, h.Text.In(src))
	}
	for _, f := range b.Fences {
		add(f.Span, "fence %q %q %s", f.Info.In(src), f.Content.In(src), map[bool]string{true: "closed", false: "open"}[f.Closed])
	}
	for _, s := range b.Indented {
		add(s, "code %q", s.In(src))
	}
	for _, s := range b.HTML {
		add(s, "html %q", s.In(src))
	}
	for _, s := range b.Comments {
		add(s, "comment %q", s.In(src))
	}
	for _, l := range b.Links {
		what := map[bool]string{true: "image", false: "link"}[l.Image]
		kind := map[LinkKind]string{InlineLink: "", ReferenceLink: " " + l.Label, Autolink: " auto"}[l.Kind]
		add(l.Span, "%s %q %q%s", what, l.Text.In(src), l.Dest.In(src), kind)
	}
	for _, c := range b.CodeSpans {
		add(c.Span, "span %q", c.Content.In(src))
	}
	for _, d := range b.Definitions {
		add(d.Span, "def %s %q", d.Label, d.Dest.In(src))
	}
	slices.SortStableFunc(items, func(a, b item) int { return a.at - b.at })
	var out []string
	for _, i := range items {
		out = append(out, i.text)
	}
	return out
}

func TestScanBodySpans(t *testing.T) {
	src := "---\nname: x\n---\n> # A #\n\n```sh a \r\nb\r\n``` \r\n[`c`](<d> 'e')\n![f][G h] <hi:j>\n\n" +
		"[g  H]: k 'l' \n\n- m\n  =\n\n      n\n\n<o>\n<!-- p\n"
	// find returns the place of s within the first place of context.
	find := func(context, s string) text.Span {
		at := strings.Index(src, context) + strings.Index(context, s)
		return text.Span{Start: at, End: at + len(s)}
	}
	all := func(s string) text.Span { return find(s, s) }
	want := Body{
		Span: text.Span{Start: strings.Index(src, "> #"), End: len(src)},
		Headings: []Heading{
			{Span: all("# A #"), Level: 1, Text: all("A")},
			{Span: all("m\n  ="), Level: 1, Text: find("- m", "m")},
		},
		Fences: []Fence{{
			Span: all("```sh a \r\nb\r\n```"), Open: all("```"), Info: all("sh a"), Content: all("b\r\n"), Closed: true,
		}},
		Indented:  []text.Span{find("  n\n", "n")},
		CodeSpans: []CodeSpan{{Span: all("`c`"), Content: find("`c`", "c")}},
		Links: []Link{
			{Kind: InlineLink, Span: all("[`c`](<d> 'e')"), Text: all("`c`"), Dest: find("<d>", "d")},
			{
				Kind: ReferenceLink, Image: true, Span: all("![f][G h]"), Text: find("[f]", "f"),
				Dest: find(" k '", "k"), Label: "g h",
			},
			{Kind: Autolink, Span: all("<hi:j>"), Text: all("hi:j"), Dest: all("hi:j")},
		},
		Definitions: []Definition{{Span: all("[g  H]: k 'l'"), Label: "g h", Dest: find(" k '", "k")}},
		HTML:        []text.Span{all("<o>\n<!-- p")},
		Comments:    []text.Span{all("<!-- p")},
	}
	if got := ScanBody(src, want.Span.Start); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestScanBodyHostile gives ScanBody texts that take quadratic time where a scanner looks again at
// what it has seen. A fair limit would depend on the machine, so the time of a text is set against
// that of one four times as long: linear is a factor of 4, quadratic one of 16.
func TestScanBodyHostile(t *testing.T) {
	racetest.Skip(t)
	if testing.Short() {
		t.Skip("takes seconds")
	}
	half := func(a, b string) func(n int) string {
		return func(n int) string {
			return strings.Repeat(a, n/2/len(a)) + strings.Repeat(b, n/2/len(b))
		}
	}
	repeat := func(s string) func(n int) string {
		return func(n int) string { return strings.Repeat(s, n/len(s)) }
	}
	texts := map[string]func(n int) string{
		"open brackets":        repeat("["),
		"brackets":             half("[", "]"),
		"image brackets":       half("![", "[a](b)"),
		"defined brackets":     func(n int) string { return "[a]: b\n\n" + half("[a", "]")(n) },
		"nested destinations":  repeat("[a](b"),
		"titles":               repeat("[a](b \""),
		"angle destinations":   repeat("[a](<b"),
		"quotes":               repeat("> "),
		"quotes and lines":     half("> ", "a\n"),
		"items":                repeat("- "),
		"items then blank":     half("- ", "\n"),
		"items with breaks":    repeat("* * a "),
		"items then white":     half("- ", " "),
		"numbers":              repeat("1. "),
		"backtick runs":        func(n int) string { return backtickRuns(n) },
		"open code":            repeat("`a``b"),
		"comments":             repeat("a <!--"),
		"comment blocks":       repeat("<!--\n\n"),
		"instructions":         repeat("a <?"),
		"declarations":         repeat("a <!A"),
		"character data":       repeat("a <![CDATA["),
		"tags":                 repeat("a <a b=\"' c='"),
		"closing tags":         repeat("<pre>\n</"),
		"definitions":          repeat("[a]: b\n"),
		"definitions by title": repeat("[a]: b 'c\n"),
		"carriage returns":     repeat("a\r"),
		"tables":               func(n int) string { return "a|b\n-|-\n" + repeat("`a|`b\n===\n")(n) },
		"delimiter rows":       repeat("a\n|-|-|\n"),
		"long paragraph":       repeat("[a](b) `c`\n"),
		"addresses":            repeat("<a@b.c.d.e-"),
	}
	for name, make := range texts {
		t.Run(name, func(t *testing.T) { checkLinear(t, make) })
	}
}

// checkLinear measures up to ten times, for other processes may get in between.
func checkLinear(t *testing.T, text func(n int) string) {
	t.Helper()
	const n = 1 << 16
	short, long := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 10 {
		short, long = min(short, scanTime(text(n))), min(long, scanTime(text(4*n)))
		if long <= 10*short || long <= 200*time.Millisecond {
			return
		}
	}
	t.Errorf("%v for %d KB, %v for %d KB", short, n>>10, long, 4*n>>10)
}

func scanTime(src string) time.Duration {
	begin := time.Now()
	ScanBody(src, 0)
	return time.Since(begin)
}

// backtickRuns returns about n bytes of runs of backticks of which no two are equally long.
func backtickRuns(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

// TestScanBodySpecification compares with goldmark on the examples of the specification.
func TestScanBodySpecification(t *testing.T) {
	examples := specExamples(t)
	if len(examples) == 0 {
		t.Skip("the module cache holds no examples of the specification")
	}
	for _, src := range examples {
		compare(t, src)
	}
}

// specExamples returns the examples of the CommonMark specification that come with goldmark's source,
// none if that cannot be found.
func specExamples(t testing.TB) []string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Logf("finding goldmark: %v", err)
		return nil
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Logf("reading the examples of the specification: %v", err)
		return nil
	}
	var examples []struct{ Markdown string }
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(examples))
	for i, e := range examples {
		texts[i] = e.Markdown
	}
	return texts
}

// TestScanBodyCorpus compares with goldmark on real skills.
func TestScanBodyCorpus(t *testing.T) {
	racetest.Skip(t)
	root := sharedDir()
	if root == "" {
		t.Skip("no shared directory beside the repository and no SKILLLINT_SHARED")
	}
	files := 0
	err := filepath.WalkDir(filepath.Join(root, "corpus", "dev"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isSkillText(path) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if diff := disagreements(string(data)); len(diff) > 0 {
			t.Errorf("%s:\n%s", path, strings.Join(diff, "\n"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Errorf("no skills in %s", root)
	}
	t.Logf("%d files agree", files)
}

// isSkillText reports whether path is a SKILL.md or a reference of one.
func isSkillText(path string) bool {
	return strings.EqualFold(filepath.Base(path), "skill.md") ||
		filepath.Base(filepath.Dir(path)) == "references" && filepath.Ext(path) == ".md"
}

// sharedDir returns the directory of reference material, "" if there is none.
func sharedDir() string {
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus", "dev")); err != nil {
		return ""
	}
	return dir
}

// compare checks that goldmark sees the same in src.
func compare(t *testing.T, src string) {
	t.Helper()
	if diff := disagreements(src); len(diff) > 0 {
		t.Errorf("%q:\n%s", src, strings.Join(diff, "\n"))
	}
}
