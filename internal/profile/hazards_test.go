package profile_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// TestHazards holds, for traits that many skills have, which clients drop the
// skill. The lists were measured by running the loaders or watching the
// clients, on other texts of the same kind.
func TestHazards(t *testing.T) {
	front := func(lines ...string) string {
		return skill(append([]string{"name: x", "description: Does it."}, lines...)...)
	}
	for _, c := range []struct{ trait, text, dropped string }{
		{"plain", front(), ""},
		{"blank line before the fence", "\n" + front(), "agent-framework agentskills claude-ai cline-vscode codex copilot-cli crewai deepagents gemini-cli kilo kimi-code mux opencode pi qwen-code roo-code skills-installer spring-ai"},
		{"space behind the fences", strings.ReplaceAll(front(), "---\n", "--- \n"), "claude-ai cline-vscode gemini-cli qwen-code"},
		{"duplicate description", front("description: Again."), "agentskills cline cline-vscode codex continue copilot-cli crush kilo kimi-code mux opencode pi roo-code skills-installer"},
		{"JSON between fences that say so", "---json\n{\"name\": \"x\", \"description\": \"D.\"}\n---\nBody.\n", "agent-framework agent-zero agentscope-1 agentscope-2 agentskills bub claude-ai cline-vscode codex continue copilot-cli crewai crush deepagents fast-agent gemini-cli kimi-code mistral-vibe mux pi qwen-code spring-ai"},
		{"long name", skill("name: "+strings.Repeat("n", 65), "description: D."), "agent-framework agent-zero bub claude-ai cline-vscode codex copilot-cli crewai crush mistral-vibe mux roo-code"},
		{"other name", skill("name: y", "description: D."), "agent-framework bub cline-vscode crewai crush mux roo-code"},
		{"underscore", skill("name: a_b", "description: D."), "agent-framework agent-zero bub claude-ai cline-vscode crewai crush mistral-vibe mux roo-code"},
		{"number as name", skill("name: 42", "description: D."), "agent-framework bub claude-ai cline cline-vscode continue copilot-cli crewai crush fast-agent kilo kimi-cli kimi-code mistral-vibe mux opencode roo-code skills-installer"},
		{"no description", skill("name: x"), "agent-framework agent-zero agentscope-1 agentscope-2 agentskills bub claude-ai cline-vscode codex continue crewai crush deepagents fast-agent gemini-cli kimi-code mistral-vibe mux pi qwen-code roo-code skills-installer"},
		{"long description", skill("name: x", "description: "+strings.Repeat("n", 1025)), "agent-framework agent-zero bub claude-ai copilot-cli crewai crush mistral-vibe mux roo-code"},
		{"metadata of text", front("metadata: a"), "bub codex crewai crush mistral-vibe mux"},
		{"nested metadata", front("metadata:", "  a:", "    b: c"), "bub crewai crush mux"},
		{"list as license", front("license:", "  - a"), "crewai crush mistral-vibe mux"},
		{"long compatibility", front("compatibility: " + strings.Repeat("n", 501)), "agent-framework agent-zero claude-ai crewai crush mistral-vibe mux"},
		{"yes as boolean", front("disable-model-invocation: yes"), "claude-ai copilot-cli mux"},
		{"brackets as hint", front("argument-hint: [a]"), "agentskills claude-ai copilot-cli mux"},
		{"unknown type", front("type: other"), "claude-ai kimi-cli kimi-code"},
		{"empty body", "---\nname: x\ndescription: D.\n---\n", "cline"},
	} {
		var dropped []string
		for _, p := range profile.All() {
			if level := p.Evidence.Level; level != "observed" && level != "executed" {
				continue
			}
			switch p.PlayFile(profile.NewDoc("s/x/SKILL.md", []byte(c.text))).Status {
			case profile.Dropped, profile.RootLost, profile.ClientCrash:
				dropped = append(dropped, p.Name)
			}
		}
		if got := strings.Join(dropped, " "); got != c.dropped {
			t.Errorf("%s:\n got %s\nwant %s", c.trait, got, c.dropped)
		}
	}
}
