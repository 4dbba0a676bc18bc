package skills

import "slices"

// brands are the folders that belong to an agent: those that hold a skills folder which some agent reads.
// Origin: the skill roots of the agents' own documentation and code.
var brands = []string{
	".agent", ".agents", ".claude", ".cline", ".clinerules", ".codeium", ".codex", ".continue", ".copilot",
	".crush", ".cursor", ".deepagents", ".factory", ".fast-agent", ".gemini", ".github", ".goose", ".kilo",
	".kilocode", ".kimi", ".kimi-code", ".kiro", ".letta", ".mux", ".opencode", ".openhands", ".pi", ".qwen", ".roo",
	".vibe", ".vtcode", ".windsurf", ".xum",
}

// IsBrand reports whether a folder of that name belongs to an agent.
func IsBrand(name string) bool { return slices.Contains(brands, name) }
