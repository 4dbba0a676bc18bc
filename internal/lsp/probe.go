package lsp

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// methodProbe starts MCP servers, with the user's consent, and lists their tools.
const methodProbe = "skill/probe"

// probeParams are the parameters of skill/probe, called as the flags of the command line:
// schemas/probe-params.schema.json. Without a configuration as its document all of the folder are meant.
type probeParams struct {
	subject
	Servers   []string `json:"servers"` // only these, by name; all when empty
	WriteLock bool     `json:"writeLock"`
	Timeout   string   `json:"probeTimeout"`
	Forget    bool     `json:"forget"` // takes back consent, and starts nothing
}

// probe asks the MCP servers of a folder for their tools. What it finds holds for the diagnostics from then on.
func (s *Server) probe(ctx context.Context, p *probeParams) (*reply, error) {
	st, x, err := s.scene(ctx, p.subject)
	if err != nil {
		return nil, err
	}
	o, err := s.probeOptions(st, x, p.Timeout)
	if err != nil {
		return nil, err
	}
	entries, err := x.entries(p.Servers)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	known, err := consents()
	if err != nil {
		return nil, err
	}
	if p.Forget {
		return s.forget(entries, known)
	}
	results, err := s.ask(ctx, entries, known, o)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return s.probed(x, entries, results, p.WriteLock)
}

// probeOptions bounds what is started. It fails where nothing may be.
func (s *Server) probeOptions(st *state, x scene, timeout string) (mcpprobe.Options, error) {
	o := mcpprobe.Options{Mode: mcpprobe.All, Workspace: x.root}
	if s.can.untrusted || !on(st.settings.Trusted) {
		return o, jsonrpc2.Errorf(requestFailed, "no server is started: this workspace is not trusted")
	}
	if timeout == "" {
		return o, nil
	}
	var err error
	if o.Timeout, err = time.ParseDuration(timeout); err != nil {
		err = fmt.Errorf("%w: probeTimeout: write 30s or 2m", jsonrpc2.ErrInvalidParams)
	}
	return o, err
}

func consents() (*mcpprobe.Consents, error) {
	file, err := mcpprobe.ConsentFile()
	if err != nil {
		return nil, err
	}
	return mcpprobe.LoadConsents(file)
}

// entries returns the servers that are meant: of the configuration that the document is, else of all of the folder.
func (x scene) entries(names []string) ([]*mcpconfig.Server, error) {
	files := x.live.Configs()
	if x.mcp != nil {
		files = []*mcpconfig.File{x.mcp}
	}
	all := mcpprobe.Configured(files)
	for _, name := range names {
		if !slices.ContainsFunc(all, func(e *mcpconfig.Server) bool { return e.Name == name }) {
			return nil, fmt.Errorf("no server %q is configured that can be started", name)
		}
	}
	return slices.DeleteFunc(all, func(e *mcpconfig.Server) bool { return len(names) > 0 && !slices.Contains(names, e.Name) }), nil
}

// forget takes back the consent to some servers.
func (s *Server) forget(entries []*mcpconfig.Server, known *mcpprobe.Consents) (*reply, error) {
	for _, l := range mcpprobe.LaunchesOf(entries) {
		if err := known.Revoke(l); err != nil {
			return nil, err
		}
	}
	return probeReport(mcpprobe.Probe(s.ctx, mcpprobe.LaunchesOf(entries), mcpprobe.Options{}))
}

// ask starts or reaches those servers that there is consent for, and gives one result for each.
func (s *Server) ask(ctx context.Context, entries []*mcpconfig.Server, known *mcpprobe.Consents, o mcpprobe.Options) ([]mcpprobe.Result, error) {
	launches := mcpprobe.LaunchesOf(entries)
	results := mcpprobe.Probe(ctx, launches, mcpprobe.Options{}) // as if there were no consent to any
	var at []int
	var agreed []mcpprobe.Launch
	for i, l := range launches {
		yes, err := s.consents(ctx, l, known, "")
		if err != nil {
			return nil, err
		}
		if yes {
			at, agreed = append(at, i), append(agreed, l)
		}
	}
	if len(agreed) == 0 {
		return results, nil
	}
	o.Expand = expander(entries)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	task := s.progress(ctx, "Asking MCP servers", cancel)
	defer task.end()
	o.Progress = func(e mcpprobe.Event) { task.say(fmt.Sprintf("%s: %s", e.Server, e.Phase)) }
	s.started.Add(1)
	defer s.started.Done()
	for i, r := range mcpprobe.Probe(ctx, agreed, o) {
		results[at[i]] = r
	}
	return results, nil
}

// expander replaces variables as the clients do that read the entries.
func expander(entries []*mcpconfig.Server) func(mcpprobe.Launch) (mcpprobe.Launch, error) {
	home, _ := os.UserHomeDir() // without one there is none to put in
	return mcpprobe.Expander(entries, os.LookupEnv, home)
}

// The answers to the question for consent.
const (
	answerOnce   = "Once"
	answerAlways = "Always"
	answerNo     = "No"
)

// consents reports whether a server may be started: because the user has agreed before, or does so now that they see
// the whole of it. then says what follows. No answer is a no.
func (s *Server) consents(ctx context.Context, l mcpprobe.Launch, known *mcpprobe.Consents, then string) (bool, error) {
	if known.Has(l) {
		return true, nil
	}
	verb := "Start"
	if l.Command == "" {
		verb = "Ask"
	}
	answer, err := s.client.ShowMessageRequest(ctx, &protocol.ShowMessageRequestParams{
		Type:    protocol.MessageTypeWarning,
		Message: fmt.Sprintf("%s this MCP server%s? It can do whatever you can.\n\n%s", verb, then, l.Describe()),
		Actions: []protocol.MessageActionItem{{Title: answerOnce}, {Title: answerAlways}, {Title: answerNo}},
	})
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		s.log.Warn("the client cannot ask for consent", "server", l.Name, "err", err)
		return false, nil
	case answer == nil:
		return false, nil
	case answer.Title == answerAlways:
		return true, known.Grant(l, time.Now())
	}
	return answer.Title == answerOnce, nil
}

// probedServer is what a probe found of a server, as long as it is started in the same way.
type probedServer struct {
	launch mcpprobe.Launch
	found  workspace.Probed
}

// probed keeps what was found, writes it to the lock files if that was asked for, and reports it.
func (s *Server) probed(x scene, entries []*mcpconfig.Server, results []mcpprobe.Result, lock bool) (*reply, error) {
	var now []probedServer
	byLock := map[string][]mcpprobe.Result{}
	found := workspace.ProbedAs(entries, results)
	for i, r := range results {
		if r.Status != mcpprobe.NotProbed {
			now = append(now, probedServer{mcpprobe.LaunchOf(entries[i]), found[i]})
		}
		file := x.live.LockFile(entries[i].File)
		byLock[file] = append(byLock[file], r)
	}
	out, err := probeReport(results)
	if err == nil && lock {
		var locks []lockResult
		if locks, err = s.writeLocks(x, byLock); err == nil {
			err = out.add("locks", locks)
		}
	}
	s.learn(now)
	return out, err
}

func probeReport(results []mcpprobe.Result) (*reply, error) {
	return reported(probeSummary(results), func(w io.Writer, format string) error { return report.Probe(w, results, format, report.ProbeOptions{}) })
}

// lockResult tells what was written to a lock file.
type lockResult struct {
	File    string   `json:"file"`
	Changes []string `json:"changes"` // as sentences
}

func (s *Server) writeLocks(x scene, byLock map[string][]mcpprobe.Result) ([]lockResult, error) {
	s.locking.Lock()
	defer s.locking.Unlock()
	out := []lockResult{}
	named := x.live.LockedNames()
	for _, file := range slices.Sorted(maps.Keys(byLock)) {
		w, err := workspace.WriteLock(file, named[file], byLock[file])
		if err != nil {
			return nil, err
		}
		if !w.Empty() {
			out = append(out, lockResult{string(s.state().uriOf(file)), append([]string{}, w.Changes()...)})
		}
	}
	return out, nil
}

// learn has what a probe found hold for the diagnostics.
func (s *Server) learn(now []probedServer) {
	if len(now) == 0 {
		return
	}
	s.change(func(st *state) {
		old := slices.DeleteFunc(slices.Clone(st.probed), func(p probedServer) bool {
			return slices.ContainsFunc(now, func(n probedServer) bool { return sameServer(n.launch, p.launch) })
		})
		st.probed = append(old, now...)
		for i := range st.folders {
			st.setFolder(i, func(f *folder) { f.stale = st.seq })
		}
	})
	s.hurry()
}

func sameServer(a, b mcpprobe.Launch) bool { return a.Config == b.Config && a.Name == b.Name }

// knownIn returns what probes found of the servers of a snapshot that are still started in the same way.
func (st *state) knownIn(files []*mcpconfig.File) []workspace.Probed {
	var out []workspace.Probed
	for _, e := range mcpprobe.Configured(files) {
		l := mcpprobe.LaunchOf(e)
		for _, p := range st.probed {
			if reflect.DeepEqual(p.launch, l) {
				out = append(out, workspace.Probed{Entry: e, Server: p.found.Server, Problems: p.found.Problems})
			}
		}
	}
	return out
}

// probeSummary says in a sentence how a probe ended.
func probeSummary(results []mcpprobe.Result) string {
	var out []string
	for _, r := range results {
		status := string(r.Status)
		if r.Catalog != nil {
			status = report.Plural(len(r.Catalog.Tools), "tool")
		}
		out = append(out, r.Server+": "+status)
	}
	if len(out) == 0 {
		return "No MCP server is configured here"
	}
	return strings.Join(out, ", ")
}
