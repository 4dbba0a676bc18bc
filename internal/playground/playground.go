// Package playground answers the page in a browser: the linter, the table of clients, the simulator and the router over
// files that the page has in memory. It reads nothing else, and the program around it has no code for a network.
package playground

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/version"
)

// Base is the folder that the files of the page lie in.
var Base = filepath.FromSlash("/project")

// Playground holds the files. It is for one caller at a time.
type Playground struct {
	folder  ask.Folder
	offers  []*lint.Offers // of the servers in the files; nil until they are asked for
	answers map[string]func(context.Context, []byte) ([]byte, error)
}

// New returns a playground without files.
func New() *Playground {
	p := &Playground{folder: ask.Folder{
		FS: newMemory(nil), Base: Base, Registry: rules.Registry(),
		HasEnv: func(string) bool { return true }, // that of whoever runs the server, which nobody knows here
	}}
	p.answers = map[string]func(context.Context, []byte) ([]byte, error){
		"about": answer(p.about), "files": answer(p.files), "lint": answer(p.lint), "clients": answer(p.clients),
		"simulate": answer(p.simulate), "route": answer(p.route), "explain": answer(p.explain),
	}
	return p
}

// Answer answers a question with its parameters as JSON. Forms of answers are those of `--format json`.
func (p *Playground) Answer(ctx context.Context, question string, params []byte) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("this is a fault of skilllint %s, please report it: %v\n%s", version.Text(), v, debug.Stack())
		}
	}()
	known := p.answers[question]
	if known == nil {
		return nil, fmt.Errorf("nobody answers %q: there are %s", question, strings.Join(slices.Sorted(maps.Keys(p.answers)), ", "))
	}
	return known(ctx, params)
}

// answer reads the parameters of a question.
func answer[P any](f func(context.Context, *P) ([]byte, error)) func(context.Context, []byte) ([]byte, error) {
	return func(ctx context.Context, params []byte) ([]byte, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, fmt.Errorf("read the parameters: %w", err)
		}
		return f(ctx, &p)
	}
}

// written returns what a report writes.
func written(write func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := write(&b)
	return b.Bytes(), err
}

type aboutClient struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	Version  string `json:"version"`
	Evidence string `json:"evidence"`
	Usual    bool   `json:"usual"` // of the first tier
}

// about tells which program this is and which clients it knows, the usual ones first.
func (p *Playground) about(context.Context, *struct{}) ([]byte, error) {
	out := struct {
		Version string        `json:"version"`
		Rules   int           `json:"rules"`
		Clients []aboutClient `json:"clients"`
	}{version.Text(), len(p.folder.Registry.Rules()), nil}
	usual := profile.FirstTier()
	add := func(c *profile.Profile, first bool) {
		out.Clients = append(out.Clients, aboutClient{c.Name, c.Label, c.Version, c.Evidence.Level, first})
	}
	for _, c := range usual {
		add(c, true)
	}
	for _, name := range profile.Everyone() {
		c, err := profile.Find(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(usual, c) {
			add(c, false)
		}
	}
	return json.Marshal(out)
}

type filesParams struct {
	Files map[string]string `json:"files"` // texts by path, relative to Base, with slashes
	Bytes map[string][]byte `json:"bytes"` // what is no UTF-8, by path
}

// files takes the files in the place of those there were.
func (p *Playground) files(_ context.Context, in *filesParams) ([]byte, error) {
	all := map[string]string{}
	maps.Copy(all, in.Files)
	for name, data := range in.Bytes {
		all[name] = string(data)
	}
	texts := map[string]string{}
	for name, text := range all {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the path %q leads out of the folder", name)
		}
		texts[filepath.Join(Base, filepath.FromSlash(name))] = text
	}
	p.folder.FS, p.offers = newMemory(texts), nil
	return []byte("null"), nil
}

type clientsParams struct {
	Clients []string `json:"clients"` // as --client
}

func (p *Playground) lint(ctx context.Context, in *clientsParams) ([]byte, error) {
	r, err := p.folder.Lint(ctx, []string{Base}, lint.Flags{Clients: ask.Clients(in.Clients)})
	if err != nil {
		return nil, err
	}
	return written(func(w io.Writer) error { return report.JSON(w, r, report.Options{Version: version.Number()}) })
}

func (p *Playground) clients(ctx context.Context, in *clientsParams) ([]byte, error) {
	r, err := p.folder.Roster(ctx, []string{Base}, ask.Clients(in.Clients))
	if err != nil {
		return nil, err
	}
	return written(func(w io.Writer) error { return report.Clients(w, r, "json", report.ClientsOptions{}) })
}

type simulateParams struct {
	Client string `json:"client"`
	Skill  string `json:"skill"` // the file of the one to activate; "" for none
	Args   string `json:"args"`
	Format string `json:"format"` // json or markdown
	About  string `json:"about"`  // the only one of agentsim.Parts to tell of, in JSON; "" for all
}

// simulate plays a client. A skill that it does not find is not activated.
func (p *Playground) simulate(ctx context.Context, in *simulateParams) ([]byte, error) {
	client, err := agentsim.Client([]string{in.Client}, Base)
	if err != nil {
		return nil, err
	}
	input := &agentsim.Input{Profile: client, FS: p.folder.FS, Paths: []string{Base}, Skill: folderName(in.Skill), Args: in.Args}
	if err := input.CountWith(agentsim.AutoTokens); err != nil {
		return nil, err
	}
	if p.offers == nil { // they do not depend on the client, and looking takes as long as linting
		found, err := p.folder.Offers(ctx, input.Paths, nil, nil)
		if err != nil {
			return nil, err
		}
		p.offers = append([]*lint.Offers{}, found...)
	}
	var unread error // of the lock file, whose fault must not hide the rest
	input.Servers, unread = lint.OfferedTo(client.Name, p.offers)
	sim, err := agentsim.Simulate(ctx, input)
	if _, missing := errors.AsType[agentsim.NoSkillError](err); missing {
		input.Skill = ""
		sim, err = agentsim.Simulate(ctx, input)
	}
	if err != nil {
		return nil, err
	}
	if unread != nil {
		sim.Notes = append(sim.Notes, "The tools of MCP servers are left out: "+unread.Error())
	}
	o := report.SimulateOptions{Base: Base, About: in.About, Skill: path.Join(filepath.ToSlash(Base), in.Skill)}
	text, err := written(func(w io.Writer) error {
		return report.Simulate(w, sim, cmp.Or(in.Format, "json"), o)
	})
	if in.Format == "markdown" && err == nil {
		return json.Marshal(string(text))
	}
	return text, err
}

// folderName is the name of the folder that a file lies in, which clients take a skill by as well as by its own; "" for
// no file.
func folderName(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(path.Dir(file))
}

type routeParams struct {
	Client string `json:"client"`
	Query  string `json:"query"`
}

// mostRanked is how many skills of a ranking the page gets.
const mostRanked = 20

func (p *Playground) route(ctx context.Context, in *routeParams) ([]byte, error) {
	client, err := agentsim.Client([]string{in.Client}, Base)
	if err != nil {
		return nil, err
	}
	sim, err := p.folder.Listing(ctx, client, []string{Base})
	if err != nil {
		return nil, err
	}
	result := route.New(route.Listed(sim, Base)).Run([]route.Query{{Text: in.Query}})
	return written(func(w io.Writer) error { return report.Route(w, result, "json", report.RouteOptions{Top: mostRanked}) })
}

type explainParams struct {
	Rule string `json:"rule"`
}

// explain returns the page of a rule as Markdown.
func (p *Playground) explain(_ context.Context, in *explainParams) ([]byte, error) {
	rule, err := p.folder.Rule(in.Rule)
	if err != nil {
		return nil, err
	}
	text, err := written(func(w io.Writer) error { return report.Rule(w, rule, "markdown") })
	if err != nil {
		return nil, err
	}
	return json.Marshal(string(text))
}
