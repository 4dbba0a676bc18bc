package lint

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Severity tells how much a finding matters.
type Severity uint8

const (
	Off     Severity = iota // the rule does not run
	Hint                    // an opinion; shown only when asked for
	Info                    // a matter of portability
	Warning                 // an agent drops or changes the skill, or the author's intent has no effect
	Error                   // cannot be read as meant, breaks a MUST of the Agent Skills text, or hides text
)

var severityNames = [...]string{"off", "hint", "info", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a level as written in a configuration or a flag.
func ParseSeverity(s string) (Severity, error) {
	for i, name := range severityNames {
		if s == name {
			return Severity(i), nil
		}
	}
	return Off, fmt.Errorf("%q is no severity; use error, warning, info, hint or off", s)
}

// Finding is one thing a rule has to say about one place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	File     string    // as shown: relative to the working directory, with slashes; "." for the whole
	Span     text.Span // bytes of the document's text; empty at 0 for the file as a whole
	Message  string    // the cause; once reported, with what happens because of it
	Effect   string    // what happens because of it, while no client is named; may be empty
	Help     string    // what to do; may be empty
	Clients  []string  // the clients that drop or change the skill; empty when it holds whatever the client
	Harmless bool      // though clients drop the skill the model reads the same words: its level stays
	Explains []string  // the losses it gives the cause of, where that is less than its rule does
	Server   string    // the MCP server, tool and place in the tool's JSON (RFC 6901) it is about, if any
	Tool     string
	Pointer  string
	Private  bool // what stands at Span is a secret: reports leave its characters out
	Related  []Related
	Fixes    []Fix

	losers []Played // what the clients do that lose a skill by it
}

// Related is another place that a finding speaks of.
type Related struct {
	File    string
	Span    text.Span
	Message string
}

// Fix is one way to settle a finding. A safe fix leaves every other parsed value as it is and gives a new
// one that is certain.
type Fix struct {
	Title   string
	Safe    bool
	Edits   []Edit
	Renames []Rename
	Creates []Create
}

// Edit changes the text of one file.
type Edit struct {
	File string
	text.Edit
}

// Rename moves a file or a folder. Paths are as shown.
type Rename struct{ From, To string }

// Create writes a new file.
type Create struct{ File, Text string }
