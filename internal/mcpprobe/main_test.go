package mcpprobe

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/mcpprobe/internal/badserver"
)

// asServer is the first argument with which the test program is a server that misbehaves.
const asServer = "badserver"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asServer {
		badserver.Main(os.Args[2])
		return
	}
	if len(os.Args) == 3 && slices.Contains([]string{asClient, asRelayed, asCaller}, os.Args[1]) {
		os.Exit(clientMain(os.Args[1], os.Args[2]))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", waiting); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// waiting is how many tests run at once: they wait for servers most of the time, so more than there are cores.
const waiting = "8"

// bad is the definition of a server with that misbehaviour.
func bad(mode string) Launch {
	return Launch{
		Name: mode, Command: os.Args[0], Args: []string{asServer, mode},
		Env: map[string]string{"GORACE": "atexit_sleep_ms=0"}, // the race detector would hold a server for a second at its end
	}
}

// groups collects the process groups that a probe starts.
type groups struct {
	mu  sync.Mutex
	ids []int
}

func (g *groups) add(pid int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ids = append(g.ids, pid)
}

// ask probes one server with consent and sees to it that nothing is left of it.
func ask(t *testing.T, l Launch, timeout time.Duration) Result {
	t.Helper()
	var g groups
	o := Options{Mode: All, Timeout: timeout, started: g.add}
	results := Probe(context.Background(), []Launch{l}, o)
	nothingLeft(t, l.Name, &g)
	return results[0]
}

// kinds lists the kinds of problems, each once.
func kinds(r Result) string {
	var list []string
	for _, p := range r.Problems {
		if len(list) == 0 || list[len(list)-1] != string(p.Kind) {
			list = append(list, string(p.Kind))
		}
	}
	return strings.Join(list, " ")
}

// messages joins everything a result says.
func messages(r Result) string {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(p.Message + "\n" + p.Detail + "\n")
	}
	b.WriteString(strings.Join(r.Stderr, "\n"))
	return b.String()
}

func toolCount(r Result) int {
	if r.Catalog == nil {
		return 0
	}
	return len(r.Catalog.Tools)
}
