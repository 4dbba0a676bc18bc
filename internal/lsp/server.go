package lsp

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Options says how a session runs. The zero value of each field stands for what its comment says.
type Options struct {
	Version string         // of the program, as clients show it
	Log     *slog.Logger   // where the server's own words go; nowhere when nil
	Level   *slog.LevelVar // of Log; $/setTrace lowers it; may be nil
	Quiet   time.Duration  // how long the user pauses before what depends on other files is looked at; 250 ms
	Poll    time.Duration  // how often files are looked at when the client cannot watch them; 2 s
}

const (
	defaultQuiet = 250 * time.Millisecond
	defaultPoll  = 2 * time.Second
	// patience bounds how long the server waits for a client's answer.
	patience = 10 * time.Second
)

// Server is one session. Its methods that carry the names of protocol methods answer those; they may be
// called by several goroutines at once.
type Server struct {
	protocol.UnimplementedServer
	opt    Options
	log    *slog.Logger
	ctx    context.Context // of the session
	client protocol.Client
	phase  atomic.Int32
	exit   chan struct{}
	once   sync.Once // closes exit
	trace  atomic.Bool
	can    abilities // of the client; set by initialize

	reg    *lint.Registry
	engine *lint.Engine

	current  atomic.Pointer[state]
	write    sync.Mutex // held to replace current
	settling sync.Mutex // held to work out what depends on other files
	reshow   bool       // what is shown beside texts may differ: files or tools came or went; guarded by settling
	locking  sync.Mutex // held to replace lock files of MCP tools

	mu      sync.Mutex // guards the next three
	pending pending
	cancel  func()        // stops the work on what depends on other files
	paused  chan struct{} // closed, and replaced, when that work is done

	wake chan struct{} // there is something pending; holds one
	// settledOnce is closed when the whole workspace has been looked at for the first time.
	settledOnce chan struct{}
	settled     sync.Once      // closes it
	started     sync.WaitGroup // work that may have started MCP servers
	loads       workspace.Loads
	counts      tokens.Memo
	publish     publications
	tasks       tasks
}

func newServer(ctx context.Context, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Quiet == 0 {
		o.Quiet = defaultQuiet
	}
	if o.Poll == 0 {
		o.Poll = defaultPoll
	}
	s := &Server{
		opt: o, ctx: ctx, exit: make(chan struct{}), wake: make(chan struct{}, 1), settledOnce: make(chan struct{}), cancel: func() {}, paused: make(chan struct{}),
		reg: rules.Registry(),
	}
	s.log = slog.New(clientLog{o.Log.Handler(), s})
	s.engine = lint.NewEngine(s.reg)
	s.current.Store(newState(skills.Disk{}))
	s.publish.last = map[uri.URI]published{}
	return s
}

// state returns the newest state.
func (s *Server) state() *state { return s.current.Load() }

// at returns the state that a request arrived at, or the newest for a notification.
func (s *Server) at(ctx context.Context) *state {
	if st, ok := ctx.Value(stateKey{}).(*state); ok {
		return st
	}
	return s.state()
}
