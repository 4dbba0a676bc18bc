package dialect

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests of this file compare with what clients did: observed in their
// prompts, or returned by their own loaders. The records lie outside the
// repository, in a folder named shared beside it or in $SKILLLINT_SHARED.

func oracle(t *testing.T, name string) string {
	t.Helper()
	dirs := []string{os.Getenv("SKILLLINT_SHARED")}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, filepath.Join(dir, "shared"))
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, "oracle", name)
		if _, err := os.Stat(path); dir != "" && err == nil {
			return path
		}
	}
	t.Skipf("no oracle/%s in a folder shared beside the repository or in $SKILLLINT_SHARED", name)
	return ""
}

// client is as much of a client as fences and dialect decide.
type client struct {
	fence   Fence
	dialect string
	opt     Options
	// nameless: a missing name is the folder's.
	nameless bool
	// accepts lists the kinds a name or description may have; what is not
	// there drops the skill.
	accepts []Kind
	// noBlock and noYAML: a file without a block, or whose block the dialect
	// refuses, is listed, with other text.
	noBlock, noYAML bool
	// scalarOK: a block that is no mapping counts as an empty one.
	scalarOK bool
	// second: the fallback also reads blocks whose name or description is of
	// another kind.
	second bool
}

var (
	anyEnd   = []string{"lf", "crlf", "cr"}
	rtrim    = Mark{Match: "rtrim"}
	trim     = Mark{Match: "trim"}
	longer   = Mark{Match: "rtrim", MaxDashes: -1}
	prefixed = Mark{Match: "prefix", MaxDashes: -1}
	inside   = Mark{Match: "substring", MaxDashes: -1}

	grayMatter = Fence{BOM: "strip", Open: Mark{Match: "prefix"}, Close: prefixed, LangSuffix: true, Unclosed: "rest"}

	onlyText   = []Kind{String}
	scalars    = []Kind{String, Int, Float, Bool, Date}
	anything   = []Kind{String, Int, Float, Bool, Date, List, Mapping}
	withNull   = []Kind{String, Int, Float, Bool, Date, List, Mapping, Null}
	textOrNot  = []Kind{String, Missing}
	everything = append([]Kind{Missing}, withNull...)
)

// seen are the clients whose prompts were captured, by name@version or name.
var seen = map[string]client{
	"claude-code": {fence: Fence{BOM: "strip", Open: rtrim, Close: inside}, dialect: "bun-yaml", opt: Options{Fallback: "claude-quote"}, nameless: true, accepts: everything, noBlock: true, noYAML: true, scalarOK: true},
	"codex": {
		fence: Fence{Encoding: "utf8-strict", Open: trim, Close: trim, Empty: "reject"}, dialect: "serde-yaml-typed",
		opt: Options{Fallback: "codex-quote", Known: []string{"name", "description", "metadata"}}, nameless: true, accepts: scalars,
	},
	"copilot-cli": {fence: Fence{BOM: "strip", Open: rtrim, Close: rtrim}, dialect: "yaml12-core", nameless: true, accepts: textOrNot, scalarOK: true},
	"gemini-cli":  {fence: Fence{Close: prefixed, Empty: "reject"}, dialect: "js-yaml4", opt: Options{Fallback: "gemini-lines"}, accepts: onlyText, second: true},
	"opencode":    {fence: grayMatter, dialect: "js-yaml3", opt: Options{Fallback: "opencode-colon-block"}, accepts: onlyText},
	"kilo":        {fence: grayMatter, dialect: "js-yaml3", opt: Options{Fallback: "opencode-colon-block"}, accepts: onlyText},
	"pi":          {fence: Fence{Newlines: anyEnd, BOM: "strip", Open: prefixed, Close: prefixed}, dialect: "yaml12-core", nameless: true, accepts: onlyText},
	"crush":       {fence: Fence{Encoding: "utf8-strict", BOM: "strip", Newlines: anyEnd, Leading: "blank-lines", Open: trim, Close: trim}, dialect: "go-yaml3-typed", accepts: scalars},
	"continue":    {fence: Fence{Leading: "any-text", Open: rtrim, Close: rtrim, KeepNewline: true}, dialect: "yaml12-core", accepts: onlyText},
	"kimi-code":   {fence: Fence{BOM: "strip", Open: trim, Close: trim}, dialect: "js-yaml4", accepts: onlyText},

	"qwen-code@0.15.10": {fence: Fence{BOM: "strip", Newlines: anyEnd}, dialect: "line-kv-qwen", accepts: anything},
	"qwen-code":         {fence: Fence{BOM: "strip", Newlines: anyEnd}, dialect: "yaml12-core", opt: Options{Fallback: "qwen-lines"}, accepts: anything},
}

// executed are the clients whose loaders were run.
var executed = map[string]client{
	"skills-ref":            {fence: Fence{Encoding: "utf8-strict", Newlines: anyEnd, Open: Mark{Match: "substring", MaxDashes: -1}, Close: inside}, dialect: "strictyaml", accepts: onlyText},
	"mistral-vibe":          {fence: Fence{Encoding: "detect", Newlines: anyEnd, Leading: "blank-lines", Open: longer, Close: longer, KeepNewline: true}, dialect: "yaml11-pyyaml", accepts: onlyText},
	"bub":                   {fence: Fence{Encoding: "utf8-strict", Newlines: anyEnd, Leading: "blank-lines", Open: trim, Close: trim}, dialect: "yaml11-pyyaml", opt: Options{KeyCase: "fold"}, accepts: onlyText},
	"agent-zero":            {fence: Fence{Newlines: anyEnd, Leading: "blank-lines", Open: trim, Close: trim}, dialect: "yaml11-pyyaml", opt: Options{Fallback: "agentzero-lines"}, accepts: anything},
	"deepagents":            {fence: Fence{Encoding: "utf8-strict", Open: rtrim, Close: Mark{Match: "rtrim", NeedsNewline: true}, Empty: "reject"}, dialect: "yaml11-pyyaml", accepts: withNull},
	"agent-framework":       {fence: Fence{Encoding: "utf8-strict", BOM: "strip", Newlines: anyEnd, Open: rtrim, Close: rtrim}, dialect: "regex-kv-af", accepts: onlyText},
	"fast-agent":            {fence: Fence{Encoding: "utf8-strict", Newlines: anyEnd, Leading: "whitespace", Open: longer, Close: longer, KeepNewline: true}, dialect: "yaml11-libyaml", accepts: onlyText},
	"crewAI":                {fence: Fence{Encoding: "utf8-strict", Newlines: anyEnd, Open: rtrim, Close: rtrim}, dialect: "yaml11-pyyaml", accepts: onlyText},
	"kimi-cli":              {fence: Fence{Encoding: "utf8-strict", Newlines: anyEnd, Open: trim, Close: trim}, dialect: "yaml11-pyyaml", nameless: true, accepts: []Kind{String, Missing, Null}, noBlock: true},
	"pi":                    {fence: Fence{Newlines: anyEnd, Open: prefixed, Close: prefixed}, dialect: "yaml12-core", nameless: true, accepts: onlyText},
	"gemini-cli":            seen["gemini-cli"],
	"kimi-code":             seen["kimi-code"],
	"continue":              seen["continue"],
	"crush":                 seen["crush"],
	"letta-code":            {fence: Fence{BOM: "strip", Newlines: anyEnd}, dialect: "line-kv-letta", accepts: everything, nameless: true, noBlock: true},
	"mux":                   {fence: Fence{BOM: "strip", Newlines: anyEnd, Open: trim, Close: trim}, dialect: "yaml12-core", accepts: onlyText},
	"cline-sdk":             {fence: Fence{BOM: "strip"}, dialect: "yaml12-core", nameless: true, accepts: []Kind{String, Missing, Null}, noBlock: true, scalarOK: true},
	"cline-vscode-ui":       {fence: Fence{BOM: "strip", Close: prefixed}, dialect: "js-yaml-json", accepts: onlyText},
	"vercel-skills":         {fence: grayMatter, dialect: "js-yaml3", accepts: onlyText},
	"roo-code":              {fence: grayMatter, dialect: "js-yaml3", accepts: onlyText},
	"spring-ai-agent-utils": {fence: Fence{Encoding: "utf8-strict", Open: inside, Close: inside}, dialect: "line-kv-spring", accepts: onlyText},
}

// The rows that more than fences and dialect decide: rules for names, lengths
// and other fields, and what stands in place of a description. Two are not
// explained: qwen-code@0.24.4 shows the first line alone of g04 and g07.
var (
	beyondSeen = map[string]string{
		"claude-code@2.1.197": "b03-list b04-map b07-null b09-blank",
		"claude-code@2.1.332": "b03-list b04-map b07-null b09-blank",
		"codex@0.171.0":       "b09-blank d06-long",
		"copilot-cli@1.0.102": "c15-1025 d06-long d07-hyphen d09-accent d10-cjk",
		"crush@37f36e93824e":  "c15-1025 d03-space d04-mismatch d06-long d07-hyphen d09-accent d10-cjk d12-colon d13-reserved d15-number",
		"kimi-code@2.1.0":     "b09-blank",
		"pi@0.73.1":           "b09-blank",
		"pi@1.6.0":            "b09-blank d15-number",
		"qwen-code@0.15.10":   "b09-blank d03-space g03-quoted-name",
		"qwen-code@0.24.4":    "b04-map b09-blank d03-space g04-rule-in-block g07-nl-escape",
	}
	beyondRun = map[string]string{
		"agent-framework":       nameRules + "name_comment name_upper",
		"agent-zero":            nameRules + "desc_empty_quoted name_upper name_yes",
		"bub":                   nameRules + "desc_empty_quoted metadata_bool metadata_list metadata_number name_upper",
		"cline-sdk":             "closing_eof_no_nl disabled_string empty_file",
		"cline-vscode-ui":       "desc_empty_quoted",
		"continue":              "desc_empty_quoted",
		"crewAI":                nameRules + "compat_list compat_number desc_empty_quoted license_number metadata_bool metadata_list metadata_number name_upper tools_empty",
		"crush":                 nameRules + "compat_list desc_1024 desc_600_utf8 desc_empty_quoted dmi_string metadata_list ui_string",
		"deepagents":            "desc_empty_quoted",
		"fast-agent":            "desc_empty_quoted",
		"gemini-cli":            "name_colon",
		"kimi-cli":              "desc_empty desc_null",
		"kimi-code":             "desc_empty_quoted",
		"letta-code":            "desc_list when_to_use",
		"mistral-vibe":          nameRules + "compat_list compat_number desc_empty_quoted license_number metadata_list name_upper",
		"mux":                   nameRules + "compat_list compat_number desc_empty_quoted dmi_string license_number metadata_bool metadata_list metadata_null metadata_number name_upper ui_string",
		"pi":                    "desc_empty_quoted",
		"roo-code":              nameRules + "desc_empty_quoted name_upper",
		"skills-ref":            "desc_empty desc_empty_quoted",
		"spring-ai-agent-utils": "lone_cr",
		"vercel-skills":         "desc_empty_quoted metadata_bool",
	}
	beyondScope = "key content:|key handler:|key on:|key null ~:|key date|name: no|name: 0|description false"
)

const nameRules = "name_colon name_dot name_double_hyphen name_space name_trailing_hyphen name_unicode "

// verdict is what fences and dialect say about a skill.
type verdict struct {
	listed     bool
	name, desc string
}

func (c client) play(src []byte) verdict {
	cut, err := c.fence.Split(string(src))
	if err != nil || !cut.Found {
		return verdict{listed: err == nil && c.noBlock}
	}
	block := NewSource(cut.Front)
	m, err := block.Parse(c.dialect, c.opt)
	if err == nil && c.second && !(m.Get("name").Kind == String && m.Get("description").Kind == String) {
		m, err = block.Fallback(c.opt.Fallback, c.dialect, c.opt)
	}
	if err != nil && !(c.scalarOK && errors.Is(err, ErrNotMapping)) {
		return verdict{listed: c.noYAML}
	}
	name, desc := m.Get("name"), m.Get("description")
	if c.nameless && (name.Kind == Missing || name.Kind == Null) {
		name = text("")
	}
	if !c.takes(name) || !c.takes(desc) {
		return verdict{}
	}
	return verdict{true, name.Text, desc.Text}
}

func (c client) takes(v Value) bool {
	for _, k := range c.accepts {
		if k == v.Kind {
			return true
		}
	}
	return false
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&amp;", "&")

// sameText compares a text with the listing's, which may be escaped, on one
// line, cut, or followed by a scope.
func sameText(got, want string) bool {
	got = strings.Join(strings.Fields(got), " ")
	want = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(want), "(project)")), " ")
	if head, _, cut := strings.Cut(want, "…["); cut {
		return strings.HasPrefix(got, head)
	}
	return got == want || got == entities.Replace(want) || len(want) > 200 && strings.HasPrefix(got, want[:200])
}

func TestObservedPrompts(t *testing.T) {
	root := oracle(t, "skills")
	files, err := filepath.Glob(filepath.Join(root, "observed", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no observations: %v", err)
	}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".json")
		name, _, _ := strings.Cut(id, "@")
		c, ok := seen[id]
		if !ok {
			c, ok = seen[name]
		}
		if !ok {
			continue
		}
		t.Run(id, func(t *testing.T) { compareObserved(t, root, file, c) })
	}
}

func compareObserved(t *testing.T, root, file string, c client) {
	var record struct {
		Skills map[string]struct {
			Workspace, Dir, File string
			Listed               bool
			Name, Description    string
		}
	}
	readJSON(t, file, &record)
	tally := tally{t: t, beyond: strings.Fields(beyondSeen[filepath.Base(strings.TrimSuffix(file, ".json"))])}
	for id, want := range record.Skills {
		if !strings.Contains("ABCDG", want.Workspace) {
			continue // discovery and visibility decide the other groups
		}
		src, err := os.ReadFile(filepath.Join(root, "workspaces", want.Workspace, ".agents/skills", want.Dir, "SKILL.md"))
		if err != nil {
			t.Fatal(err)
		}
		got := c.play(src)
		same := got.listed == want.Listed
		if same && got.listed && got.desc != "" {
			same = sameText(got.desc, want.Description)
		}
		tally.add(id, same, got, want)
	}
	tally.report()
}

// tally compares rows and counts them.
type tally struct {
	t          *testing.T
	beyond     []string
	agree, all int
}

func (c *tally) add(row string, same bool, got verdict, want any) {
	c.t.Helper()
	c.all++
	beyond := slices.Contains(c.beyond, row)
	switch {
	case same && beyond:
		c.t.Errorf("%s agrees and need not be excepted", row)
	case same:
		c.agree++
	case !beyond:
		c.t.Errorf("%s: %+v, the client: %+v", row, got, want)
	}
}

func (c *tally) report() {
	c.t.Logf("%d of %d rows agree, %d are decided by more than fences and dialect", c.agree, c.all, len(c.beyond))
}

func TestExecutedLoaders(t *testing.T) {
	root := oracle(t, "executed")
	var outcomes map[string]map[string]struct{ R, Name, Desc, Fm any }
	readJSON(t, filepath.Join(root, "outcomes.json"), &outcomes)
	for id, rows := range outcomes {
		c, ok := executed[id]
		if !ok {
			continue
		}
		t.Run(id, func(t *testing.T) {
			tally := tally{t: t, beyond: strings.Fields(beyondRun[id])}
			for row, want := range rows {
				files, _ := filepath.Glob(filepath.Join(root, "fixtures", row, "*", "SKILL.md"))
				if len(files) != 1 {
					continue // not kept
				}
				src, err := os.ReadFile(files[0])
				if err != nil {
					t.Fatal(err)
				}
				got := c.play(src)
				tally.add(row, sameOutcome(c, got, want.R, want.Name, want.Desc), got, want)
			}
			tally.report()
		})
	}
}

func sameOutcome(c client, got verdict, result, name, desc any) bool {
	if got.listed != (result == "load") {
		return false
	}
	if s, ok := desc.(string); ok && got.listed && got.desc != "" && !sameText(got.desc, s) {
		return false
	}
	s, ok := name.(string)
	return !ok || !got.listed || got.name == "" || c.noBlock || sameText(got.name, s)
}

func TestAgentScope(t *testing.T) {
	var rows []struct {
		Label   string
		Content string `json:"content_b64"`
		V2, V1  string
	}
	readJSON(t, oracle(t, "agentscope/acceptance.json"), &rows)
	tally := tally{t: t, beyond: strings.Split(beyondScope, "|")}
	for _, row := range rows {
		src, err := base64.StdEncoding.DecodeString(row.Content)
		if err != nil {
			t.Fatal(err)
		}
		got := agentScope.play(src)
		tally.add(row.Label, got.listed == strings.HasPrefix(row.V2, "OK"), got, row.V2)
	}
	tally.report()
}

// agentScope reads with python-frontmatter. Beyond that it refuses
// keys that are no texts or clash with Python names, and falsy values.
var agentScope = client{
	fence: Fence{
		Encoding: "utf8-strict", Newlines: anyEnd, Leading: "whitespace", Open: longer, Close: longer,
		KeepNewline: true, Braces: true,
	},
	dialect: "yaml11-libyaml", accepts: anything,
}
