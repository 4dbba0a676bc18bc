package skills

import (
	"slices"
	"testing"
)

func TestAllowedTools(t *testing.T) {
	cases := []struct {
		value string
		want  []string
		form  ToolsForm
	}{
		{" Read Write", []string{"Read", "Write"}, WordTools},
		{" Read, Write,Bash", []string{"Read", "Write", "Bash"}, CommaTools},
		{" Bash(git add *) Bash(find . -maxdepth 1, x) Read", []string{"Bash(git add *)", "Bash(find . -maxdepth 1, x)", "Read"}, WordTools},
		{` "Read,Bash(npx *eas-cli@*)"`, []string{"Read", "Bash(npx *eas-cli@*)"}, CommaTools},
		{" [\"Read\", 'Bash(ls *)', Grep]", []string{"Read", "Bash(ls *)", "Grep"}, ListTools},
		{"\n  - Read\n  - Azure MCP/search", []string{"Read", "Azure MCP/search"}, ListTools},
		{" >\n  Read\n  Write", []string{"Read", "Write"}, WordTools},
		{" Bash((a) b) Read", []string{"Bash((a) b)", "Read"}, WordTools},
		{" Bash(git Read", []string{"Bash(git Read"}, WordTools},
		{"", nil, WordTools},
	}
	for _, c := range cases {
		doc := NewDocument("a/SKILL.md", "", "---\nname: a\nallowed-tools:"+c.value+"\nlicense: MIT\n---\n")
		s := Parse(doc)
		tools, form := s.Front.AllowedTools(doc.Text, s.Front.Field("allowed-tools"))
		var got []string
		for _, tool := range tools {
			if tool.Span.In(doc.Text) != tool.Text {
				t.Errorf("%q: %q stands at %q", c.value, tool.Text, tool.Span.In(doc.Text))
			}
			got = append(got, tool.Text)
		}
		if !slices.Equal(got, c.want) || form != c.form {
			t.Errorf("%q: got %q, form %d; want %q, form %d", c.value, got, form, c.want, c.form)
		}
	}
}

func TestAllowedToolParts(t *testing.T) {
	doc := NewDocument("a/SKILL.md", "", "---\nallowed-tools: Bash(git:*) Read Bash(ls\n---\n")
	s := Parse(doc)
	tools, _ := s.Front.AllowedTools(doc.Text, s.Front.Field("allowed-tools"))
	if len(tools) != 3 {
		t.Fatalf("got %d tools, want 3", len(tools))
	}
	if name, pattern := tools[0].NameIn(doc.Text), tools[0].Pattern.In(doc.Text); name != "Bash" || pattern != "git:*" || tools[0].Open {
		t.Errorf("got %q with %q, open: %v", name, pattern, tools[0].Open)
	}
	if !tools[1].Pattern.Empty() || !tools[2].Open {
		t.Errorf("Read has pattern %v; Bash(ls is open: %v", tools[1].Pattern, tools[2].Open)
	}
}

func TestSplitTools(t *testing.T) {
	if got := SplitTools("Read, Write, Bash(python3 *)"); !slices.Equal(got, []string{"Read", "Write", "Bash(python3 *)"}) {
		t.Errorf("got %q", got)
	}
}
