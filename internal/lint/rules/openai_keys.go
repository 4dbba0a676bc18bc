package rules

import (
	"maps"
	"slices"
)

// SidecarKeys returns the keys that Codex reads in agents/openai.yaml, sorted. Nested ones are joined by ".", and "*"
// stands for an item of a list.
func SidecarKeys() []string { return slices.Sorted(maps.Keys(sidecarKeys)) }
