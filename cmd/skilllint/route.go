package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/agentsim/live"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/report"
)

// routeCommand is one call of the route command.
type routeCommand struct {
	*app
	queries   []string
	evals     []string
	failUnder []string
	top       int
	vectors   string
	live      string
	runs      int
	threshold float64
}

func newRoute(a *app) *cobra.Command {
	r := &routeCommand{app: a}
	c := &cobra.Command{
		Use: "route [flags] [PATH]", Short: "Ranks skills for a query by the words a client shows", Args: arguments(0, 1, "route takes one PATH; what a user says goes into --query"), RunE: r.run,
		Long: "route compares queries with the names and descriptions of skills as a client lists them: which would be picked, by how\n" +
			"much, and which words decide. No model is asked, unless --live names one. PATH is a folder, or a JSON file with skills\n" +
			"and queries.",
	}
	f := c.Flags()
	f.StringArrayVar(&r.queries, "query", nil, "what a user might say: `TEXT`")
	f.StringArrayVar(&r.evals, "evals", nil, "queries with the skill that should trigger: a JSON, YAML or CSV `FILE`")
	f.StringSliceVar(&r.failUnder, "fail-under", nil, "exit 1 when a figure is lower: `NAME=NUMBER,…` of top1, top3, mrr and, with --live, passed")
	f.StringVar(&r.vectors, "embeddings", "", "also compare meanings, with word vectors from a `FILE` in the text form of word2vec, GloVe or fastText")
	f.IntVar(&r.top, "top", 10, "show the best `N` skills of each ranking")
	f.StringVar(&r.live, "live", "", "also ask `PROVIDER:MODEL` which skill it loads; providers: anthropic, ollama, openai; keys come from the environment")
	f.IntVar(&r.runs, "tries", 3, "with --live: ask each query `N` times")
	f.Float64Var(&r.threshold, "threshold", 0.5, "with --live: a skill triggers from this `SHARE` of the tries on")
	return c
}

func (r *routeCommand) run(cmd *cobra.Command, args []string) error {
	if err := r.formatIn("text", "json", "junit", "markdown"); err != nil {
		return err
	}
	if r.top < 1 {
		return fmt.Errorf("--top %d: must be 1 or more", r.top)
	}
	gates, err := r.gates()
	if err != nil {
		return err
	}
	paths, err := r.paths(cmd, args)
	if err != nil && len(r.queries) == 0 && strings.Contains(args[0], " ") {
		return fmt.Errorf("%w; what a user says goes into --query", err)
	}
	if err != nil {
		return err
	}
	e, err := r.load(cmd.Context(), paths[0])
	if err != nil {
		return err
	}
	done := r.progress("ranking skills")
	index, err := r.index(e)
	if err != nil {
		done()
		return err
	}
	result := index.Run(e.Queries)
	done()
	var trials *report.LiveTrials
	if r.live != "" {
		if trials, err = r.ask(cmd.Context(), paths[0], e); err != nil {
			return err
		}
	}
	return r.report(result, trials, gates)
}

func (r *routeCommand) report(result *route.Report, trials *report.LiveTrials, gates []report.Gate) error {
	have := map[string]float64{"top1": result.Top1, "top3": result.Top3, "mrr": result.MRR}
	of := result.Positives
	if trials != nil {
		have["passed"], of = live.Passed(trials.Trials)
	}
	failed := false
	for i := range gates {
		gates[i].Have = have[gates[i].Name]
		failed = failed || gates[i].Fails()
	}
	if len(gates) > 0 && of == 0 {
		return errors.New("--fail-under: there is no query that should trigger a skill")
	}
	o := report.RouteOptions{Top: r.top, Color: r.colored(r.out), Gates: gates, Live: trials}
	if err := buffered(r.out, func(w io.Writer) error { return report.Route(w, result, r.format, o) }); err != nil && !isBrokenPipe(err) {
		return err
	}
	if failed {
		return errFindings
	}
	return nil
}

// index is that of the skills, with the vectors that the user names.
func (r *routeCommand) index(e *route.Evals) (*route.Index, error) {
	index := route.New(e.Skills)
	if r.vectors == "" {
		return index, nil
	}
	f, err := os.Open(r.abs(r.vectors))
	if err != nil {
		return nil, fmt.Errorf("--embeddings: %w", err)
	}
	defer f.Close()
	queries := make([]string, len(e.Queries))
	for i, q := range e.Queries {
		queries[i] = q.Text
	}
	c, err := index.Embed(f, queries)
	if err != nil {
		return nil, fmt.Errorf("--embeddings %s: %w", r.vectors, err)
	}
	if !r.quiet {
		pieces := ""
		if c.Pieces > 0 {
			pieces = fmt.Sprintf(", and for %d in texts without spaces", c.Pieces)
		}
		fmt.Fprintf(r.err, "skilllint: %s has vectors of %d numbers for %d of the %d words of skills and queries%s\n", r.vectors, c.Dimensions, c.Known, c.Words, pieces)
	}
	return index, nil
}

func (r *routeCommand) gates() ([]report.Gate, error) {
	var out []report.Gate
	for _, g := range r.failUnder {
		name, number, _ := strings.Cut(g, "=")
		least, err := strconv.ParseFloat(number, 64)
		if err != nil || name != "top1" && name != "top3" && name != "mrr" && name != "passed" {
			return nil, fmt.Errorf("--fail-under %s: write top1=0.8, top3=0.9 or mrr=0.8", g)
		}
		if name == "passed" && r.live == "" {
			return nil, errors.New("--fail-under passed: needs --live")
		}
		out = append(out, report.Gate{Name: name, Least: least})
	}
	return out, nil
}

// load returns the skills to rank, and the queries.
func (r *routeCommand) load(ctx context.Context, from string) (*route.Evals, error) {
	e, err := r.skills(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, q := range r.queries {
		e.Queries = append(e.Queries, route.Query{Text: q})
	}
	for _, file := range r.evals {
		more, err := r.disk().Evals(r.abs(file))
		if err != nil {
			return nil, fmt.Errorf("--evals: %w", err)
		}
		e.Queries = append(e.Queries, more.Queries...)
	}
	switch {
	case len(e.Queries) == 0:
		return nil, errors.New("nothing to rank for; give --query TEXT or --evals FILE")
	case len(e.Skills) == 0 && !r.quiet:
		fmt.Fprintln(r.err, "skilllint: the client lists no skill here")
	}
	return e, nil
}

// skills returns those of a JSON file, with its queries, or those that a client lists in a folder.
func (r *routeCommand) skills(ctx context.Context, from string) (*route.Evals, error) {
	if strings.EqualFold(filepath.Ext(from), ".json") {
		e, err := r.disk().Evals(from)
		if err != nil {
			return nil, err
		}
		if len(r.queries)+len(r.evals) > 0 {
			e.Queries = nil // the user gives others
		}
		return e, nil
	}
	s, err := r.shownSkills(ctx, []string{from})
	if err != nil {
		return nil, err
	}
	return &route.Evals{Skills: route.Listed(s, r.base)}, nil
}
