package skills

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// showReference writes a reference as "kind base path#fragment | text it stands for | program flags".
func showReference(src string, r Reference) string {
	out := fmt.Sprintf("%s%s %s", [...]string{"link", "code", "run"}[r.Kind], [...]string{"", " skill", " plugin"}[r.Base], r.Path)
	if r.Fragment != "" {
		out += "#" + r.Fragment
	}
	out += " | " + r.Span.In(src)
	if r.Run != nil {
		out += " | " + r.Run.Program
		for _, f := range r.Run.Flags {
			out += " " + f.Text
			if f.Span.In(src) != f.Text {
				out += " (written " + f.Span.In(src) + ")"
			}
		}
	}
	return out
}

func TestReferences(t *testing.T) {
	cases := map[string]struct {
		src  string
		want []string
	}{
		"link":             {"[a](b/c.md)", []string{"link b/c.md | b/c.md"}},
		"fragment":         {"[a](b.md#c%20d) [e](#f)", []string{"link b.md#c d | b.md", "link #f | "}},
		"decoded":          {`[a](<b c.md>) [d](e%20f.md) [g](h\(i\).md) [j](k&#46;md)`, []string{"link b c.md | b c.md", "link e f.md | e%20f.md", `link h(i).md | h\(i\).md`, "link k.md | k&#46;md"}},
		"broken encoding":  {"[a](100%.md)", []string{"link 100%.md | 100%.md"}},
		"reference":        {"[a][b]\n\n[b]: c.md\n[d]: e.md", []string{"link c.md | c.md"}},
		"addresses":        {"[a](https://b.c) <https://d.e> [f](//g.h) [i]()", nil},
		"variables":        {"[a](${CLAUDE_SKILL_DIR}/b.md) [c]({baseDir}/d.md) [e]($SKILL_DIR/f.md) [g](${CLAUDE_PLUGIN_ROOT}/h.md)", []string{"link skill b.md | ${CLAUDE_SKILL_DIR}/b.md", "link skill d.md | {baseDir}/d.md", "link skill f.md | $SKILL_DIR/f.md", "link plugin h.md | ${CLAUDE_PLUGIN_ROOT}/h.md"}},
		"other variables":  {"[a](${HOME}/b.md) [c](${SKILL_DIRECTORY_X}/d.md)", []string{"link ${HOME}/b.md | ${HOME}/b.md", "link ${SKILL_DIRECTORY_X}/d.md | ${SKILL_DIRECTORY_X}/d.md"}},
		"backticks":        {"`a/b.md` `` c/d.md `` `e.md` `<skill_path>/f.md` `a/b.md#c`", []string{"code a/b.md | a/b.md", "code c/d.md | c/d.md", "code skill f.md | <skill_path>/f.md", "code a/b.md#c | a/b.md"}},
		"text of a link":   {"[`a/b.md`](c.md)", []string{"link c.md | c.md"}},
		"command":          {"`python3 a/b.py --c=1 -d`", []string{"run a/b.py | a/b.py | python --c -d"}},
		"fence":            {"```sh\nnode ./a/b.mjs --c \"d e\" | f --g\n```", []string{"run ./a/b.mjs | ./a/b.mjs | node --c"}},
		"quoted":           {"```sh\nbash \"a/b c.sh\" 'x'\n```", []string{"run a/b c.sh | a/b c.sh | bash"}},
		"not a shell":      {"```py\nbash a/b.sh\n```", nil},
		"in a list":        {"- x\n\n  ```sh\n  bash a/b.sh\n  ```\n", []string{"run a/b.sh | a/b.sh | bash"}},
		"in a quotation":   {"> ```sh\n> bash a/b.sh\n> ```\n", []string{"run a/b.sh | a/b.sh | bash"}},
		"crlf":             {"```sh\r\nbash a/b.sh \\\r\n  --c\r\n```\r\n", []string{"run a/b.sh | a/b.sh | bash --c"}},
		"changed folder":   {"```sh\ncd ${SKILL_DIR}\nbash a/b.sh\ncd x\nbash a/c.sh\n```", []string{"run skill a/b.sh | a/b.sh | bash"}},
		"text in commands": {"```sh\ncat <<EOF >x\nbash a/b.sh\nEOF\nbash a/c.sh # bash a/d.sh\n```", []string{"run a/c.sh | a/c.sh | bash"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			body := ScanBody(c.src, 0)
			var got []string
			for _, r := range References(c.src, &body) {
				got = append(got, showReference(c.src, r))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// FuzzReferences holds that references lie inside the text, in its order, whatever the text is.
func FuzzReferences(f *testing.F) {
	for _, seed := range []string{
		"[a](b.md#c) `d/e.md`", "```sh\nbash \"$SKILL_DIR\"/a.sh <x >y\n```", "`a <b c/d` `<<` `<<'`", "```\ncat <<\n```", "`python \\`", "`a/b \"c`",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		body := ScanBody(src, 0)
		at := 0
		for _, r := range References(src, &body) {
			if r.Span.Start < at || r.Span.End < r.Span.Start || r.Span.End > len(src) {
				t.Fatalf("reference %v of %q after offset %d", r.Span, src, at)
			}
			at = r.Span.Start
			if r.Run == nil {
				continue
			}
			for _, flag := range r.Run.Flags {
				if !strings.HasPrefix(flag.Text, "-") || flag.Span.Start < r.Span.Start || flag.Span.End > len(src) {
					t.Fatalf("flag %q at %v of %q", flag.Text, flag.Span, src)
				}
			}
		}
	})
}
