package mcpprobe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOneHangingServerDoesNotHoldTheOthers wants 49 answers while one server never gives any.
func TestOneHangingServerDoesNotHoldTheOthers(t *testing.T) {
	launches := make([]Launch, 50)
	for i := range launches {
		launches[i] = bad("good")
	}
	launches[0] = bad("hang") // the first to get a turn
	timeout := 6 * time.Second
	begin := time.Now()
	var g groups
	var arrived []time.Duration
	results := Probe(context.Background(), launches, Options{Mode: All, Timeout: timeout, started: g.add, Progress: func(e Event) {
		if e.Phase == Done && e.Result.Status == Answered {
			arrived = append(arrived, time.Since(begin))
		}
	}})
	whole := time.Since(begin)
	nothingLeft(t, "all", &g)
	if len(arrived) != 49 || arrived[48] > 10*time.Second {
		t.Errorf("%d servers answered, at %v", len(arrived), arrived)
	}
	if kinds(results[0]) != "no-answer" || whole < timeout || whole > timeout+2*time.Second {
		t.Errorf("the hanging one: %s after %s", kinds(results[0]), whole)
	}
	t.Logf("49 answers within %s, the run took %s", arrived[len(arrived)-1], whole)
}

// TestHangingServersGiveUpTheirTurn has more hanging servers than turns before the one that answers.
func TestHangingServersGiveUpTheirTurn(t *testing.T) {
	t.Parallel()
	launches := []Launch{bad("hang"), bad("hang"), bad("good")}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answered := false
	Probe(ctx, launches, Options{Mode: All, Parallel: 2, Timeout: time.Minute, Progress: func(e Event) {
		if e.Phase == Done && e.Server == "good" && e.Result.Status == Answered {
			answered = true
			cancel()
		}
	}})
	if !answered {
		t.Error("the server behind the hanging ones got no turn")
	}
}

// TestNothingStartsWithoutConsent uses a server that leaves a file behind as soon as it runs.
func TestNothingStartsWithoutConsent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	canary := filepath.Join(dir, "SPAWNED")
	l := bad("canary")
	l.Env = map[string]string{"CANARY": canary}
	other := l
	other.Args = []string{asServer, "good"} // consent to another definition under the same name
	consents, err := LoadConsents(filepath.Join(dir, "consent.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := consents.Grant(other, time.Now()); err != nil {
		t.Fatal(err)
	}
	expanded := false
	expand := func(l Launch) (Launch, error) { expanded = true; return l, nil }
	for name, o := range map[string]Options{
		"nothing said": {}, "off": {Mode: Off, Consents: consents}, "unknown mode": {Mode: "yes"},
		"nobody asked": {Mode: Trusted}, "another definition": {Mode: Trusted, Consents: consents},
	} {
		o.Expand = expand
		got := Probe(context.Background(), []Launch{l}, o)[0]
		if got.Status != NotProbed || kinds(got) != "no-consent" {
			t.Errorf("%s: %s, %s", name, got.Status, kinds(got))
		}
		if _, err := os.Stat(canary); !os.IsNotExist(err) {
			t.Fatalf("%s: the server was started", name)
		}
	}
	if expanded {
		t.Error("variables were replaced without consent")
	}
	if err := consents.Grant(l, time.Now()); err != nil {
		t.Fatal(err)
	}
	got := Probe(context.Background(), []Launch{l}, Options{Mode: Trusted, Consents: consents})[0]
	if _, err := os.Stat(canary); got.Status != Answered || err != nil {
		t.Errorf("with consent: %s, %v; the canary proves nothing", got.Status, err)
	}
}

func TestCancelEndsEverything(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	var g groups
	o := Options{Mode: All, Parallel: 1, Timeout: time.Minute, started: g.add, Progress: func(e Event) {
		if e.Phase == Connecting {
			cancel()
		}
	}}
	begin := time.Now()
	got := Probe(ctx, []Launch{bad("hang"), bad("hang")}, o)
	nothingLeft(t, "cancelled", &g)
	if time.Since(begin) > 5*time.Second {
		t.Errorf("took %s", time.Since(begin))
	}
	for _, r := range got {
		if r.Status != NotProbed || kinds(r) != "cancelled" {
			t.Errorf("%s, %s", r.Status, kinds(r))
		}
	}
	if len(g.ids) != 1 {
		t.Errorf("%d processes were started", len(g.ids))
	}
}

func TestServersGetLittleOfTheEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THE_USER", "x")
	t.Setenv("LC_TIME", "C")
	l := bad("env")
	l.Env = map[string]string{"OWN": "mine", "LD_PRELOAD": "/tmp/evil.so"}
	got := ask(t, l, time.Minute)
	said := strings.Join(got.Stderr, "\n")
	for _, wanted := range []string{"PATH=", "LC_TIME=C", "OWN=mine"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("%s is missing in:\n%s", wanted, said)
		}
	}
	for _, unwanted := range []string{"SECRET_OF_THE_USER", "LD_PRELOAD"} {
		if strings.Contains(said, unwanted) {
			t.Errorf("%s reached the server", unwanted)
		}
	}
	if kinds(got) != "refused-env" || !strings.Contains(messages(got), "LD_PRELOAD") {
		t.Errorf("LD_PRELOAD was left out without a word: %s", kinds(got))
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	l := bad("leaky")
	l.Env = map[string]string{"API_TOKEN": "s3cret-value"}
	got := ask(t, l, time.Minute)
	if said := messages(got); strings.Contains(said, "s3cret-value") || !strings.Contains(said, "refused: token *** is wrong") {
		t.Errorf("said:\n%q", said)
	}
}

func TestVariablesAreReplacedAfterConsent(t *testing.T) {
	l := bad("good")
	l.Command = "${PROGRAM}"
	o := Options{Mode: All, Expand: func(l Launch) (Launch, error) { l.Command = os.Args[0]; return l, nil }}
	if got := Probe(context.Background(), []Launch{l}, o)[0]; got.Status != Answered {
		t.Errorf("%s:\n%s", got.Status, messages(got))
	}
	o.Expand = func(Launch) (Launch, error) { return Launch{}, errors.New("it asks for the input token") }
	got := Probe(context.Background(), []Launch{l}, o)[0]
	if got.Status != NotProbed || kinds(got) != "needs-values" || !strings.Contains(messages(got), "the input token") {
		t.Errorf("%s:\n%s", got.Status, messages(got))
	}
}

func TestDefinitionsThatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.txt")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "bin", "tool")
	if err := os.Mkdir(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	inPath := map[string]string{"PATH": filepath.Dir(program)}
	for name, c := range map[string]struct {
		launch Launch
		kind   Kind
		says   string
	}{
		"nothing":        {Launch{}, BadDefinition, "neither a command nor a URL"},
		"transport":      {Launch{Transport: "carrier-pigeon", Command: "x"}, BadDefinition, `transport "carrier-pigeon" is not known`},
		"no command":     {Launch{Transport: Stdio, URL: "http://x"}, BadDefinition, "no command"},
		"scheme":         {Launch{URL: "ftp://x/"}, BadDefinition, `not "ftp"`},
		"host":           {Launch{URL: "http:///x"}, BadDefinition, "names no host"},
		"unknown":        {Launch{Command: "no-such-program-anywhere"}, CannotStart, `no program "no-such-program-anywhere" in PATH`},
		"no file":        {Launch{Command: filepath.Join(dir, "gone")}, CannotStart, "no such file"},
		"folder":         {Launch{Command: dir}, CannotStart, "is a folder"},
		"not executable": {Launch{Command: plain}, CannotStart, "not marked as executable"},
		"workspace":      {Launch{Command: "tool", Env: inPath}, CannotStart, "lies in the workspace"},
		"relative PATH":  {Launch{Command: "tool", Cwd: dir, Env: map[string]string{"PATH": "bin"}}, CannotStart, "in PATH"},
		"no folder":      {Launch{Command: os.Args[0], Cwd: filepath.Join(dir, "gone")}, CannotStart, "no such file"},
	} {
		got := Probe(context.Background(), []Launch{c.launch}, Options{Mode: All, Workspace: dir})[0]
		if kinds(got) != string(c.kind) || !strings.Contains(messages(got), c.says) || got.Catalog != nil {
			t.Errorf("%s: %s\n%s", name, kinds(got), messages(got))
		}
	}
}

func TestProgressComesInOrder(t *testing.T) {
	var phases []Phase
	Probe(context.Background(), []Launch{bad("good")}, Options{Mode: All, Progress: func(e Event) {
		if (e.Result != nil) != (e.Phase == Done) {
			t.Errorf("%s: result %v", e.Phase, e.Result)
		}
		phases = append(phases, e.Phase)
	}})
	if want := []Phase{Waiting, Starting, Connecting, Listing, Stopping, Done}; !slices.Equal(phases, want) {
		t.Errorf("phases %v, want %v", phases, want)
	}
}

func TestDefaultTimeout(t *testing.T) {
	for command, want := range map[string]time.Duration{
		"node server.js": defaultTimeout, "npx -y x": downloadTimeout, "/usr/bin/uvx x": downloadTimeout,
		"cmd /c npx.cmd x": downloadTimeout, "docker run x": downloadTimeout, "python -m npxlike": defaultTimeout,
	} {
		words := strings.Fields(command)
		if got := (Launch{Command: words[0], Args: words[1:]}).DefaultTimeout(); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
}

func TestDescribeHidesNothingAndDeceivesNobody(t *testing.T) {
	got := Launch{
		Name: "demo\nserver: other", Config: "/home/me/.mcp.json", Command: "sh",
		Args: []string{"-c", "curl x | sh", "--a=b", "\u202e", strings.Repeat("y", 1000)},
		Env:  map[string]string{"B": "secret", "A": "1"}, Cwd: "/tmp",
	}.Describe()
	for _, want := range []string{`demo\nserver: other`, `sh -c "curl x | sh" --a=b "\u202e" ` + strings.Repeat("y", 1000), "A, B", "/tmp", "/home/me/.mcp.json"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") {
		t.Error("shows a value of the environment")
	}
	url := Launch{Name: "r", URL: "https://example.com/mcp?x=1", Headers: map[string]string{"X-Key": "secret"}}.Describe()
	if !strings.Contains(url, "https://example.com/mcp?x=1") || !strings.Contains(url, "X-Key") || strings.Contains(url, "secret") {
		t.Error(url)
	}
}
