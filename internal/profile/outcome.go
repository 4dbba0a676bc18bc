package profile

import (
	"maps"
	"slices"
)

// Status is what a client makes of a skill.
type Status string

// The statuses, from best to worst.
const (
	Listed      Status = "listed"       // shown with the words that were written
	Changed     Status = "changed"      // shown, but the model reads other words
	Hidden      Status = "hidden"       // loaded, but kept from the model
	Dropped     Status = "dropped"      // not loaded
	RootLost    Status = "root-lost"    // not loaded, nor is any other skill of that root
	ClientCrash Status = "client-crash" // the client fails, or loses all skills
)

// Stage is a step of the pipeline.
type Stage string

// The stages, in order.
const (
	StageWalk       Stage = "walk"
	StageRead       Stage = "read"
	StageFence      Stage = "fence"
	StageParse      Stage = "parse"
	StageCoerce     Stage = "coerce"
	StageCheck      Stage = "check"
	StageDedupe     Stage = "dedupe"
	StageVisibility Stage = "visibility"
	StageListing    Stage = "listing"
	StageBudget     Stage = "budget"
)

// Outcome is what one client makes of one skill.
//
// Check is, by stage: walk: place, file-name, folder; read: size, encoding,
// read; fence: front-matter; parse:
// yaml, not-a-map, bad-key, key-type, unknown-key; coerce: FIELD-type, or for
// a change FIELD-cut, FIELD-emptied, FIELD-body, FIELD-folder, FIELD-other,
// FIELD-rewritten; check: KEY-RULE with the rules of Check; dedupe: duplicate;
// visibility: the key that hides, or the field that is missing; budget: bare,
// cut, omitted. A skill lost because of another one has neighbour.
type Outcome struct {
	File     string // as the workspace or Doc names it
	Scope    string // scope of the root it was found in, such as "project"
	Status   Status
	Listed   bool
	Stage    Stage  // what decided, empty when listed as written
	Check    string // what decided within the stage, such as "description-max"
	Field    string // the front matter key that decided, if one did
	Reason   string // plain words, empty when listed as written
	By       string // the file of the other skill it is lost to, if one decided
	Changes  []Change
	Warnings []string // checks that failed without dropping

	// Name, Description and Location are exactly the characters that stand in
	// the prompt; empty when the skill is not listed.
	Name, Description, Location string

	Loaded Loaded
}

// Loaded is what the client's loader holds before the listing is made. It is
// set for hidden skills too, and for dropped ones as far as the play went.
type Loaded struct {
	Name, Description string
	Tools             []string          // allowed tools, as the client splits them
	Fields            map[string]string // the other fields of the profile that have a value
}

// Equal reports whether two outcomes tell the same.
func (o *Outcome) Equal(other *Outcome) bool {
	a, b := o, other
	return a.File == b.File && a.Scope == b.Scope && a.Status == b.Status && a.Listed == b.Listed &&
		a.Stage == b.Stage && a.Check == b.Check && a.Field == b.Field && a.Reason == b.Reason && a.By == b.By &&
		a.Name == b.Name && a.Description == b.Description && a.Location == b.Location &&
		slices.Equal(a.Changes, b.Changes) && slices.Equal(a.Warnings, b.Warnings) && a.Loaded.equal(&b.Loaded)
}

func (l *Loaded) equal(other *Loaded) bool {
	return l.Name == other.Name && l.Description == other.Description &&
		slices.Equal(l.Tools, other.Tools) && maps.Equal(l.Fields, other.Fields)
}

// Change says that the model reads other words than were written.
type Change struct {
	Field string // name or description
	Kind  string // cut, emptied, body, folder, other (from another field or a fixed text), or rewritten
	From  string // as written, "" when the field is absent
	To    string // as loaded
}

// Result is one client played on a workspace.
type Result struct {
	Profile *Profile
	Skills  []*Outcome // in the order of the listing, then those not listed
	Listing string     // as it stands in the prompt; the client's own sentences are given as their length in brackets
	Budget  Usage
}

// Usage is how far a listing fills the room the client gives it.
type Usage struct {
	Limit   int      // 0 is no limit
	Used    int      // of the listed skills
	Unit    string   // characters or tokens
	Bare    []string // names of skills listed without their description
	Omitted []string // names of skills not listed for want of room
}
