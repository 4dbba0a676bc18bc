package profile

import "slices"

// Results is what becomes of the result of a call of an MCP tool.
type Results struct {
	// Drop names what the model never gets: resource_link, blob, an embedded resource that is no text, and
	// structured, the structuredContent.
	Drop []string `yaml:"drop"`
	// Resource is how an embedded resource with text is shown: text (also when empty), or json, its JSON.
	Resource string `yaml:"resource"`
	// Texts is how several texts reach the model: apart (also when empty), glued or listed, each behind "- ".
	Texts string `yaml:"texts"`
	// Errors is what isError does: state (also when empty), the call counts as failed, or ignored.
	Errors string `yaml:"errors"`
	// Output says that the client's library compares structuredContent with the tool's outputSchema, and fails the
	// call where it does not fit.
	Output bool `yaml:"output"`
}

// Drops reports whether the model never gets something, by a name of Drop. Nothing is known of nil.
func (r *Results) Drops(what string) bool { return r != nil && slices.Contains(r.Drop, what) }
