package profile_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// The rows repeat, on other texts, what clients were seen to do on 2026-11-30
// or what their loaders returned when run.
func TestPlayFile(t *testing.T) {
	plain := skill("name: x", "description: Plain.")
	colon := skill("name: x", "description: Do this: always")
	for _, c := range []struct {
		name, text, client string
		status             profile.Status
		check, shown       string
	}{
		{"plain", plain, "codex", profile.Listed, "", "x|Plain."},
		{"plain", plain, "qwen-code", profile.Listed, "", "x|Plain. (project)"},
		{"byte order mark", "\ufeff" + plain, "copilot-cli", profile.Listed, "", "x|Plain."},
		{"byte order mark", "\ufeff" + plain, "gemini-cli", profile.Dropped, "front-matter", "|"},
		{"byte order mark", "\ufeff" + plain, "claude-code@2.1.197", profile.Changed, "description-body", "x|---"},
		{"blank first line", "\n" + plain, "crush", profile.Listed, "", "x|Plain."},
		{"blank first line", "\n" + plain, "opencode", profile.Dropped, "front-matter", "|"},
		{"no front matter", "# Title\n\nText.\n", "claude-code", profile.Changed, "description-body", "x|Title"},
		{"no front matter", "# Title\n\nText.\n", "spring-ai", profile.ClientCrash, "front-matter", "|"},
		{"unquoted colon", colon, "codex", profile.Listed, "", "x|Do this: always"},
		{"unquoted colon", colon, "opencode", profile.Listed, "", "x|Do this: always"},
		{"unquoted colon", colon, "pi", profile.Dropped, "yaml", "|"},
		{"number", skill("name: x", "description: 42"), "gemini-cli", profile.Listed, "", "x|42"},
		{"number", skill("name: x", "description: 42"), "opencode", profile.Dropped, "description-type", "|"},
		{"number", skill("name: x", "description: 42"), "openhands", profile.RootLost, "description-type", "|"},
		{"list", skill("name: x", "description: [a, b]"), "deepagents", profile.Changed, "description-rewritten", "x|['a', 'b']"},
		{"boolean", skill("name: x", "description: yes"), "agentscope-2", profile.Changed, "description-rewritten", "x|True"},
		{"other name", skill("name: y", "description: Plain."), "crush", profile.Dropped, "name-folder", "|"},
		{"other name", skill("name: y", "description: Plain."), "vscode", profile.Changed, "name-folder", "x|Plain."},
		{"other name", skill("name: y", "description: Plain."), "claude-code", profile.Listed, "", "x (y)|Plain."},
		{"other name", skill("name: y", "description: Plain."), "claude-code@2.1.197", profile.Changed, "name-folder", "x|Plain."},
		{"dashes in a block", skill("name: x", "description: |", "  one", "  ---", "  two"), "codex", profile.Changed, "description-cut", "x|one"},
		{"dashes in a block", skill("name: x", "description: |", "  one", "  ---", "  two"), "copilot-cli", profile.Listed, "", "x|one\n---\ntwo"},
		{"name with a colon", skill(`name: "a:b"`, "description: Plain."), "gemini-cli", profile.Changed, "name-rewritten", "a-b|Plain."},
		{"name of two words", skill("name: a b", "description: Plain."), "copilot-cli", profile.Changed, "name-rewritten", "a-b|Plain."},
		{"markup", skill("name: x", "description: a <b> & c"), "claude-code", profile.Listed, "", "x|a &lt;b&gt; & c"},
		{"markup", skill("name: x", "description: a <b> & c"), "pi", profile.Listed, "", "x|a &lt;b&gt; &amp; c"},
		{"markup", skill("name: x", "description: a <b> & c"), "vscode", profile.Changed, "description-rewritten", "x|a  & c"},
		{"reserved name", skill("name: clear", "description: Plain."), "claude-code", profile.Changed, "name-folder", "x|Plain."},
		{"name that cannot be called", skill("name: a/b", "description: Plain."), "claude-code", profile.Changed, "name-folder", "x|Plain."},
		{"name of a list", skill("name: [solo]", "description: Plain."), "claude-code", profile.Listed, "", "x (solo)|Plain."},
		{"invisible", skill("name: x", "description: a\u200b\u2060b"), "claude-code", profile.Listed, "", "x|a b"},
		{"terminal codes", skill("name: x", `description: "\e[1mbold\e[0m"`), "claude-code", profile.Listed, "", "x|bold"},
		{"markup cut", skill("name: x", "description: "+strings.Repeat("<", 400)), "claude-code", profile.Changed, "description-cut", "x|" + strings.Repeat("&lt;", 383) + "&lt…"},
		{"comma first", skill("name: x", "description: , a"), "claude-code", profile.Listed, "", "x|, a"},
		{"tab in indentation", skill("name: x", "description: a", "\tb"), "claude-code", profile.Listed, "", "x|a b"},
		{"colon and CRLF", "---\r\nname: x\r\ndescription: a: b\r\n---\r\nBody.\r\n", "claude-code", profile.Changed, "description-body", "x|Body."},
		{"list beside a colon", skill("name: x", "description: [a, b]", "note: c: d"), "claude-code", profile.Changed, "description-body", "x|Body text."},
		{"when to use, a list", skill("name: x", "description: Plain.", "when_to_use: [a, b]"), "claude-code", profile.Listed, "", "x|Plain. - a,b"},
		{"when to use, hyphens", skill("name: x", "description: Plain.", "when-to-use: Often."), "claude-code", profile.Listed, "", "x|Plain."},
		{"paths of all files", skill("name: x", "description: Plain.", `paths: ["**", "**/**"]`), "claude-code", profile.Listed, "", "x|Plain."},
		{"paths of some files", skill("name: x", "description: Plain.", `paths: "**, src/*"`), "claude-code", profile.Hidden, "paths", "|"},
		{"hidden, with blanks", skill("name: x", "description: Plain.", `disable-model-invocation: " Yes "`), "claude-code", profile.Hidden, "disable-model-invocation", "|"},
		{"hidden, a list", skill("name: x", "description: Plain.", "disable-model-invocation: [true]"), "claude-code", profile.Listed, "", "x|Plain."},
		{"colon and a second line", skill("name: x", "description: a: b", "  c"), "opencode", profile.Listed, "", "x|a: b\nc"},
		{"colon and a second line", skill("name: x", "description: a: b", "  c"), "kilo", profile.Dropped, "yaml", "|"},
		{"colon", skill("name: x", `description: a: "b"`), "kilo", profile.Listed, "", `x|a: "b"`},
		{"colon behind another fence", "--- \nname: x\ndescription: a: b\n---\nBody.\n", "opencode", profile.Dropped, "yaml", "|"},
		{"colon and a byte order mark", "\ufeff---\nname: x\ndescription: a: b\n---\nBody.\n", "kilo", profile.Dropped, "yaml", "|"},
		{"front matter alone", "---\nname: x\ndescription: Plain.\n", "opencode", profile.Listed, "", "x|Plain."},
		{"five dashes at the end", "---\nname: x\ndescription: Plain.\n-----\nBody.\n", "opencode", profile.Listed, "", "x|Plain."},
		{"short name of the language", "---yml\nname: x\ndescription: Plain.\n---\nBody.\n", "opencode", profile.Listed, "", "x|Plain."},
		{"no-break space behind the dashes", "---\u00a0\nname: x\ndescription: Plain.\n---\nBody.\n", "opencode", profile.Dropped, "yaml", "|"},
		{"white space", skill("name: x", "description: |", "  one", "  two"), "codex", profile.Listed, "", "x|one two"},
		{"block scalar", skill("name: x", "description: >", "  one", "  two"), "letta-code", profile.Changed, "description-rewritten", "x|>"},
		{"hidden", skill("name: x", "description: Plain.", "disable-model-invocation: true"), "claude-code", profile.Hidden, "disable-model-invocation", "|"},
		{"hidden", skill("name: x", "description: Plain.", "disable-model-invocation: true"), "codex", profile.Listed, "", "x|Plain."},
		{"hidden by a string", skill("name: x", "description: Plain.", `disable-model-invocation: "true"`), "crush", profile.Dropped, "disable-model-invocation-kind", "|"},
		{"hidden by yes", skill("name: x", "description: Plain.", "disable-model-invocation: yes"), "claude-code@2.1.197", profile.Listed, "", "x|Plain."},
		{"no description", skill("name: x"), "opencode", profile.Hidden, "description", "|"},
		{"no description", skill("name: x"), "cursor", profile.Listed, "", "x|"},
		{"when to use", skill("name: x", "description: Plain.", "when_to_use: Often."), "claude-code", profile.Listed, "", "x|Plain. - Often."},
		{"when to use", skill("name: x", "description: Plain.", "when_to_use: Often."), "kimi-code", profile.Listed, "", "x|Plain.\n  When to use: Often."},
		{"shadowed key", skill("name: x", "description: Plain.", "metadata:", "  description: Other."), "spring-ai", profile.Changed, "description-rewritten", "x|Other."},
		{"metadata of text", skill("name: x", "description: Plain.", "metadata: text"), "codex", profile.Dropped, "metadata-kind", "|"},
		{"metadata of a struct", skill("name: x", "description: Plain.", "metadata:", "  a: b", "  a: c"), "codex", profile.Listed, "", "x|Plain."},
		{"short description of a list", skill("name: x", "description: Plain.", "metadata:", "  short-description: [a]"), "codex", profile.Dropped, "metadata.short-description-kind", "|"},
		{"map with a colon", skill("name: x", "description: {to: do}"), "codex", profile.Changed, "description-rewritten", "x|{to: do}"},
		{"list without a colon", skill("name: x", "description: [to, do]"), "codex", profile.Dropped, "description-type", "|"},
		{"blank lines", skill("name: x", "description: |-", "  one", "", "", "", "  two"), "gemini-cli", profile.Listed, "", "x|one\n\ntwo"},
		{"five dashes at the end", "---\nname: x\ndescription: Plain.\n-----\nBody.\n", "gemini-cli", profile.Listed, "", "x|Plain."},
		{"key on the line of the fence", "--- name: x\ndescription: Plain.\n---\nBody.\n", "pi", profile.Listed, "", "x|Plain."},
		{"leading zeros", skill("name: x", "description: 0123"), "copilot-cli", profile.Listed, "", "x|0123"},
		{"binary digits", skill("name: x", "description: 0b11"), "copilot-cli", profile.Dropped, "description-type", "|"},
		{"comment at a quote", skill("name: x", "description: 'Plain.'# c"), "copilot-cli", profile.Changed, "description-rewritten", "x|Plain."},
		{"block before a key", skill("name: x", "description: |", "  Plain.", "license: MIT"), "copilot-cli", profile.Listed, "", "x|Plain.\n"},
		{"yes as boolean", skill("name: x", "description: Plain.", "user-invocable: yes"), "copilot-cli", profile.Dropped, "user-invocable-kind", "|"},
		{"number as tool", skill("name: x", "description: Plain.", "allowed-tools: [Read, 5]"), "copilot-cli", profile.Dropped, "allowed-tools-items", "|"},
		{"list as hint", skill("name: x", "description: Plain.", "argument-hint: [file]"), "copilot-cli", profile.Dropped, "argument-hint-kind", "|"},
		{"text of the body", "---\nname: x\n---\n# Title\n\nOne\n  two\n\n## More\n\nthree\nfour\n", "copilot-cli", profile.Changed, "description-body", "x|One two three"},
		{"front matter indented", skill("  name: x", "  description: Plain."), "kimi-code", profile.Dropped, "yaml", "|"},
		{"first key indented", skill("  name: x", "description: Plain."), "kimi-code", profile.Listed, "", "x|Plain."},
		{"type without a value", skill("name: x", "description: Plain.", "type:"), "kimi-code", profile.Dropped, "type-kind", "|"},
		{"list with a map", skill("name: x", "description: [a, b: c]"), "qwen-code", profile.Dropped, "description-items", "|"},
		{"hidden in capitals", skill("name: x", "description: Plain.", `disable-model-invocation: "TRUE"`), "qwen-code", profile.Listed, "", "x|Plain. (project)"},
		{"empty metadata", skill("name: x", "description: Plain.", "metadata:"), "codex", profile.Listed, "", "x|Plain."},
		{"key of the parser", skill("name: x", "description: Plain.", "content: a"), "agentscope-2", profile.Dropped, "bad-key", "|"},
		{"key that is a boolean", skill("name: x", "description: Plain.", "on: a"), "agentscope-2", profile.Dropped, "key-type", "|"},
		{"JSON", "{\n\"name\": \"x\",\n\"description\": \"Plain.\"\n}\nBody.\n", "agentscope-2", profile.Listed, "", "x|Plain."},
		{"key of another client", skill("name: x", "description: Plain.", "model: opus"), "claude-ai", profile.Dropped, "unknown-key", "|"},
		{"empty body", "---\nname: x\ndescription: Plain.\n---\n", "cline", profile.Dropped, "content-body", "|"},
		{"not UTF-8", "---\nname: x\ndescription: caf\xe9\n---\nBody.\n", "crush", profile.Dropped, "encoding", "|"},
		{"not UTF-8", "---\nname: x\ndescription: caf\xe9\n---\nBody.\n", "mistral-vibe", profile.Changed, "description-rewritten", "x|café"},
	} {
		t.Run(c.client+" "+c.name, func(t *testing.T) {
			o := find(t, c.client).PlayFile(profile.NewDoc("skills/x/SKILL.md", []byte(c.text)))
			if o.Status != c.status || o.Check != c.check || o.Name+"|"+o.Description != c.shown {
				t.Errorf("got %s %q %q (%s), want %s %q %q", o.Status, o.Check, o.Name+"|"+o.Description, o.Reason, c.status, c.check, c.shown)
			}
			if o.Listed != (c.status == profile.Listed || c.status == profile.Changed) {
				t.Errorf("status %s but listed %v", o.Status, o.Listed)
			}
			if (o.Reason == "") != (c.status == profile.Listed) {
				t.Errorf("status %s with the reason %q", o.Status, o.Reason)
			}
		})
	}
}

// TestLengths checks each client's bound in the unit it counts: a text at the
// bound passes, one above does not.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		client, char string
		max          int // of char
		above        string
	}{
		{"codex", "x", 1024, "description-cut"},
		{"codex", "é", 1024, "description-cut"},
		{"crush", "x", 1024, "description-max"},
		{"crush", "é", 512, "description-max"}, // bytes
		{"copilot-cli", "x", 1024, "description-max"},
		{"mux", "😀", 512, "description-max"}, // UTF-16 units
		{"kimi-code", "x", 250, "description-cut"},
		{"claude-code", "x", 1536, "description-cut"},
		{"vt-code", "x", 32, "description-cut"},
	} {
		p := find(t, c.client)
		for extra, want := range []string{"", c.above} {
			text := skill("name: x", "description: "+strings.Repeat(c.char, c.max+extra))
			if o := p.PlayFile(profile.NewDoc("x/SKILL.md", []byte(text))); o.Check != want {
				t.Errorf("%s, %d %s: got %q, want %q", c.client, c.max+extra, c.char, o.Check, want)
			}
		}
	}
}

// TestUnknown holds that no outcome rests on what nobody verified: Cursor
// shows every skill that it is not told to hide, as written.
func TestUnknown(t *testing.T) {
	p := find(t, "cursor")
	for _, text := range []string{"", "no front matter", skill("name: other"), skill("name: [", "description: 1"), skill("description: x")} {
		if o := p.PlayFile(profile.NewDoc("x/SKILL.md", []byte(text))); o.Status != profile.Listed {
			t.Errorf("%q: got %s, %s", text, o.Status, o.Reason)
		}
	}
	if p.Known("parse.dialect") || !p.Known("discovery.roots") {
		t.Error("parsing is not published, the folders are")
	}
}

// FuzzPlayFile plays every client on any bytes: it must not panic, and its
// outcome must be complete.
func FuzzPlayFile(f *testing.F) {
	f.Add([]byte(skill("name: x", "description: Plain.")))
	f.Add([]byte("{\n}\n"))
	f.Add([]byte("---\ndescription: &a [*a]\n---\n"))
	f.Add([]byte("\xff\xfe-\x00"))
	all := profile.All()
	f.Fuzz(func(t *testing.T, src []byte) {
		d := profile.NewDoc("x/SKILL.md", src)
		for _, p := range all {
			o := p.PlayFile(d)
			if o.Listed != (o.Status == profile.Listed || o.Status == profile.Changed) {
				t.Errorf("%s: status %q, listed %v", p.Name, o.Status, o.Listed)
			}
			if o.Status != profile.Listed && (o.Stage == "" || o.Check == "" || o.Reason == "") {
				t.Errorf("%s: %s without a cause: %+v", p.Name, o.Status, o)
			}
		}
	})
}
