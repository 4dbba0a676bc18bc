package rules

import (
	"slices"
	"strings"
	"testing"
)

func TestPatternsOfTools(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		want    []string
	}{
		"allow in settings":       {"-- .claude/settings.json --\n{\"permissions\": {\n\"allow\": [\"Read\", \"mcp__doc*__find\"]}}\n", []string{"tool-pattern:2 warning"}},
		"allow a server":          {"-- .claude/settings.json --\n{\"permissions\": {\"allow\": [\"mcp__docs\", \"mcp__docs__*\", \"mcp__docs__get_*\"], \"ask\": [\"mcp__*\"], \"deny\": [\"mcp__*\"]}}\n", nil},
		"hook for a server":       {"-- .claude/settings.local.json --\n{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Edit|mcp__docs\", \"hooks\": []}]}}\n", []string{"tool-pattern:1 warning"}},
		"hooks that fit":          {"-- .claude/settings.json --\n{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"mcp__docs__.*|mcp__docs__find\", \"hooks\": []}, {\"matcher\": \"mcp__.*\"}, {\"matcher\": \"*\"}, {}]}}\n", nil},
		"hooks that are no list":  {"-- .claude/settings.json --\n{\"permissions\": [\"mcp__*\"], \"hooks\": {\"PreToolUse\": \"mcp__docs\"}}\n", nil},
		"hooks of Gemini CLI":     {"-- .gemini/settings.json --\n{\"hooks\": {\"BeforeTool\": [{\"matcher\": \"mcp__docs\", \"hooks\": []}]}}\n", nil},
		"hooks of a plugin":       {"-- .claude-plugin/plugin.json --\n{\"name\": \"x\"}\n-- hooks/hooks.json --\n{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"mcp__docs\", \"hooks\": []}]}}\n", []string{"tool-pattern:1 warning"}},
		"settings without tools":  {"-- .claude/settings.json --\n{\"permissions\": {\"allow\": [\"*\"]}}\n", nil},
		"a skill's own hooks":     {"-- .claude/skills/demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nhooks:\n  PreToolUse:\n    - matcher: mcp__photos\n      hooks: []\n    - matcher: edit|Write|mcp__photos__.*\n      hooks: []\n---\n\n# Steps\n", []string{"tools/mcp-pattern:6 warning", "tools/mcp-pattern:8 warning"}},
		"a skill, part of a name": {"-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "Read mcp__photo*__get" + toolsTail, []string{"tools/mcp-pattern:4 warning"}},
	} {
		got := slices.DeleteFunc(found(t, c.archive), func(f string) bool { return !strings.Contains(f, "-pattern:") })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}
