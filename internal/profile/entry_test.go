package profile_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile/dialect"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// The entries of a listing stand in it, for each client, in its order.
func TestEntries(t *testing.T) {
	for _, p := range profile.All() {
		r := p.PlaySet([]*profile.Play{
			p.LoadAlone(profile.NewDoc("s/one/SKILL.md", []byte(skill("name: one", "description: First <skill>.", "when_to_use: Always.")))),
			p.LoadAlone(profile.NewDoc("s/two/SKILL.md", []byte(skill("name: two", "description: Second.")))),
		})
		at := 0
		for _, o := range r.Skills {
			entry := p.Entry(o)
			if (entry != "") != o.Listed {
				t.Errorf("%s: %s has the entry %q", p.Name, o.Name, entry)
			}
			if strings.Contains(p.Listing.Item, "{keys}") || p.Listing.Place == "none" {
				continue
			}
			i := strings.Index(r.Listing[at:], entry)
			if i < 0 {
				t.Fatalf("%s: %q is not in\n%s", p.Name, entry, r.Listing)
			}
			at += i
		}
	}
}

func TestLongActivation(t *testing.T) {
	p := find(t, "agentscope-2")
	body := func(n int) string {
		parts, _ := p.Activate(profile.NewDoc("x/SKILL.md", []byte("---\nname: x\ndescription: D.\n---\n"+strings.Repeat("é", n))), profile.Call{})
		return parts[0].Text
	}
	if got := body(100000); strings.Contains(got, "TRUNCATED") || len(got) != 200000 {
		t.Errorf("a text that fits has %d bytes", len(got))
	}
	if got := body(100001); !strings.HasPrefix(got, strings.Repeat("é", 100000)+"\n<<<TRUNCATED>>>\n") {
		t.Errorf("a longer one ends with %q", got[len(got)-100:])
	}
}

// AgentScope 1's own tool for files numbers the lines.
func TestFileTool(t *testing.T) {
	parts, _ := find(t, "agentscope-1").Activate(profile.NewDoc("/s/x/SKILL.md", []byte("---\nname: x\ndescription: D.\n---\nDo it.\n")), profile.Call{})
	want := "The content of /s/x/SKILL.md:\n```\n1: ---\n2: name: x\n3: description: D.\n4: ---\n5: Do it.\n```"
	if len(parts) != 1 || parts[0].Text != want {
		t.Errorf("got %q, want %q", parts, want)
	}
}

// AgentScope 2 keeps the last of several skills of one name, where the first
// stood.
func TestPlaceOfWinner(t *testing.T) {
	p := find(t, "agentscope-2")
	load := func(file, name, description string) *profile.Play {
		return p.LoadAlone(profile.NewDoc(file, []byte(skill("name: "+name, "description: "+description))))
	}
	r := p.PlaySet([]*profile.Play{load("a/x/SKILL.md", "x", "First."), load("b/y/SKILL.md", "y", "Other."), load("c/x/SKILL.md", "x", "Last.")})
	var got []string
	for _, o := range r.Skills {
		got = append(got, o.Description)
	}
	if s := strings.Join(got, " "); s != "Last. Other. " {
		t.Errorf("listed: %q", s)
	}
}

// TestPlainCuts: what all clients cut alike is cut as each of them would by itself.
func TestPlainCuts(t *testing.T) {
	for _, text := range []string{"---\nname: a\n---\n", "---\n\n  a: b\n\n---\n\n\nBody --- of\n---\nwords.", "---\na: b--\n---\n---\n"} {
		start, end, ok := dialect.PlainBlock(text)
		if !ok {
			t.Errorf("%q has no plain block", text)
			continue
		}
		for _, p := range profile.All() {
			if got, ok := p.Fence.CutPlain(text, start, end); !ok || got != p.Fence.SplitText(text) {
				t.Errorf("%s cuts %q as %+v, as a plain block as %+v", p.Name, text, p.Fence.SplitText(text), got)
			}
		}
	}
	for _, text := range []string{"", "---", "---\n---\n", "---\n\n---\n", "---\r\na: b\r\n---\r\n", "---\na: b\n--- \n---\n", "---\na: b\n----\n", "---\na: ---\n---\n", "---\na: b\n---", " ---\na: b\n---\n"} {
		if _, _, ok := dialect.PlainBlock(text); ok {
			t.Errorf("%q has a plain block", text)
		}
	}
}
