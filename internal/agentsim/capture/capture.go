// Package capture runs an installed agent client against a model on this machine, and holds what it really sends beside
// what package agentsim predicts.
//
// The client runs on a copy of the user's project, with an empty home folder, a small environment without credentials,
// telemetry turned off, and the model as its proxy, so that it reaches nothing else. When it is done, or out of time,
// it is ended with everything it started, and what it wrote is removed. How each client is started is data of package
// profile.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// Options say what is run, and on what.
type Options struct {
	Profile *profile.Profile
	Exactly bool   // the prediction is that of Profile, whatever version is installed
	Program string // the client; empty looks for it in PATH
	Dir     string // that the client is started in, absolute

	Prompt  string            // what the user says; empty is "say ok"
	Script  []Step            // what the model answers
	Servers []*catalog.Server // their tools are offered to the client by servers on this machine
	Listen  string            // an address of this machine; empty is any free port of 127.0.0.1
	Temp    string            // the folder for what the client is given; empty is the system's for temporary files
	Timeout time.Duration     // for the client to be done

	Count tokens.Counter
}

// Capture is what a client sent, and what was expected of it.
type Capture struct {
	Profile   *profile.Profile // of the prediction
	Installed string           // the client's version as it says itself; "" when it does not
	Protocol  string
	Prompt    []agentsim.Part // of the request that holds the most
	Requests  int             // that the model was asked
	Skills    []Skill         // in the order they were sent, then those that were not
	Tools     []Tool          // in the order they were sent, then those that were not
	Steps     []Played        // of the script
	Place     string          // the role of the part with the listing of skills; "" when none was found
	Reordered bool            // the listing has another order than predicted
	Refused   []string        // hosts that the client wanted to reach, and was not let
	Notes     []string        // what the reader should know, as sentences
}

// Verdict compares one thing that was sent with its prediction.
type Verdict string

// The verdicts.
const (
	Same       Verdict = "same"
	Differs    Verdict = "differs"
	Missing    Verdict = "missing"    // predicted, not sent
	Unexpected Verdict = "unexpected" // sent, and predicted not to be
	Own        Verdict = "own"        // the client's own: not predicted
)

// Skill is one entry of the listing.
type Skill struct {
	Verdict   Verdict
	Name      string
	File      string // "" for one of the client's own
	Sent      string // the entry as it was sent
	Predicted string // the entry as it was predicted
	Reason    string // why it was predicted not to be listed
}

// Tool is one tool.
type Tool struct {
	Verdict   Verdict
	Name      string // as it was sent; of one that was not, as predicted
	Server    string // "" for one of the client's own
	Sent      *model.Tool
	Predicted *agentsim.Tool
	Differs   []string // in what, such as description
}

// Agrees reports whether all that was predicted was sent so.
func (c *Capture) Agrees() bool {
	bad := func(v Verdict) bool { return v != Same && v != Own }
	return !c.Reordered && !slices.ContainsFunc(c.Skills, func(s Skill) bool { return bad(s.Verdict) }) &&
		!slices.ContainsFunc(c.Tools, func(t Tool) bool { return bad(t.Verdict) }) &&
		!slices.ContainsFunc(c.Steps, func(p Played) bool { return p.Failed })
}

// ErrNoCapture is wrapped by the error for a client that nobody knows how to capture.
var ErrNoCapture = errors.New("nobody knows how to run it against a model on this machine")

// Run captures what a client sends. It fails with one message when the client is not installed, asks for a login,
// hangs or ends before it asks its model; the message holds the last that the client said.
func Run(ctx context.Context, o Options) (*Capture, error) {
	if o.Profile.Run == nil {
		return nil, fmt.Errorf("%s: %w; it is known for %s", o.Profile.Label, ErrNoCapture, strings.Join(Clients(), ", "))
	}
	program, err := find(&o)
	if err != nil {
		return nil, err
	}
	server, err := model.Start(cmp.Or(o.Listen, anyPort), answers(o.Script), handlers(o.Servers))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	box, err := newSandbox(o.Dir, o.Temp)
	if err != nil {
		return nil, err
	}
	c, err := box.run(ctx, &o, program, server)
	if err = errors.Join(err, box.remove()); err != nil {
		return nil, err
	}
	return c, nil
}

// Clients names the clients that can be captured.
func Clients() []string {
	return slices.DeleteFunc(profile.Names(), func(name string) bool {
		p, err := profile.Find(name)
		return err != nil || p.Run == nil
	})
}

// run does the work inside a sandbox.
func (b *sandbox) run(ctx context.Context, o *Options, program string, server *model.Server) (*Capture, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, defaultTimeout))
	defer cancel()
	installed, err := b.version(ctx, o, program, server.URL())
	if err != nil {
		return nil, err
	}
	c := &Capture{Installed: installed}
	if err := c.chooseProfile(o); err != nil {
		return nil, err
	}
	in := &agentsim.Input{
		Profile: c.Profile, FS: skills.Disk{}, Paths: []string{b.work}, Home: b.home, Count: o.Count,
	}
	if c.Profile.Run.Server != "" {
		in.Servers = o.Servers
	} else if len(o.Servers) > 0 {
		c.note("%s is given no MCP servers: nobody knows how.", c.Profile.Label)
	}
	predicted, err := agentsim.Simulate(ctx, in)
	if err != nil {
		return nil, err
	}
	return c, b.ask(ctx, o, program, server, c, predicted)
}

// chooseProfile takes the profile of the installed version, or of the newest that is not newer.
func (c *Capture) chooseProfile(o *Options) error {
	c.Profile = o.Profile
	if o.Exactly || c.Installed == "" {
		return nil
	}
	versions, err := profile.Versions(o.Profile.Name)
	if err != nil {
		return err
	}
	c.Profile = versions[len(versions)-1]
	for _, p := range versions { // newest first
		if !newer(p.Version, c.Installed) {
			c.Profile = p
			break
		}
	}
	if c.Profile.Version != c.Installed {
		c.note("%s %s is installed; the prediction is that for %s.", c.Profile.Label, c.Installed, c.Profile.Version)
	}
	return nil
}

// newer reports whether version a is newer than b, by their numbers.
func newer(a, b string) bool {
	return slices.Compare(numbersOf(a), numbersOf(b)) > 0
}

var number = lazyregexp.New(`\d+`)

func numbersOf(version string) []int {
	var out []int
	for _, digits := range number.FindAllString(version, 3) {
		n, err := strconv.Atoi(digits)
		if err != nil {
			n = 0 // a number that long is no part of a version
		}
		out = append(out, n)
	}
	return out
}

// ask runs the client, and compares what it sends with the prediction.
func (b *sandbox) ask(ctx context.Context, o *Options, program string, server *model.Server, c *Capture, predicted *agentsim.Simulation) error {
	run := c.Profile.Run
	b.setValues(o, run, server.URL())
	if err := b.write(run); err != nil {
		return err
	}
	end, err := b.start(ctx, program, b.filled(run, run.Command[1:]), b.environment(run))
	if err != nil {
		return err
	}
	requests := server.Requests()
	if len(requests) == 0 {
		return end.failure(c.Profile.Label, server.Faults())
	}
	if !end.well() {
		c.note("%s", end.describe(c.Profile.Label))
	}
	for _, fault := range server.Faults() {
		c.note("A request was not understood: %s.", fault)
	}
	c.Refused, c.Requests = server.Refused(), len(requests)
	mask := b.mask(run)
	c.Steps = played(o.Script, requests, server.Played(), mask)
	c.compare(fullest(requests), predicted, mask, o.Count)
	return nil
}

func (c *Capture) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// fullest is the first request that offers tools, for it holds the whole prompt; clients ask for titles and the like
// without any. Where none does, it is the longest.
func fullest(requests []*model.Request) *model.Request {
	for _, r := range requests {
		if len(r.Tools) > 0 {
			return r
		}
	}
	return slices.MaxFunc(requests, func(a, b *model.Request) int { return len(a.Body) - len(b.Body) })
}
