package profile

import "strings"

// Run is how the installed client is started against a model on the same machine, to see what it really sends. Its
// texts hold placeholders: {url}, the model's address; {prompt}, what the user says; {key}, a key that opens nothing;
// {home}, an empty home folder; {work}, the folder the client is started in; {servers}, the entries of MCP servers.
type Run struct {
	Package  string            `yaml:"package"`  // of npm, which holds the client; empty when it comes another way
	Command  []string          `yaml:"command"`  // program and arguments
	Version  []string          `yaml:"version"`  // arguments with which it tells its version; --version when empty
	Env      map[string]string `yaml:"env"`      // variables beside those that every program gets
	Files    map[string]string `yaml:"files"`    // written below the home folder, by path, before the client starts
	Server   string            `yaml:"server"`   // one MCP server, with {name} and {address}; empty when the client has none, or nobody knows
	Between  string            `yaml:"between"`  // between two of those
	Protocol string            `yaml:"protocol"` // that it speaks: anthropic-messages, openai-chat, openai-responses or gemini
	Date     string            `yaml:"date"`     // when it was last seen to work: yyyy-mm-dd
}

// Fill puts values in place of the placeholders of a text.
func (r *Run) Fill(text string, values map[string]string) string {
	var pairs []string
	for key, value := range values {
		pairs = append(pairs, "{"+key+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
