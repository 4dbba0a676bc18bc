package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/procgroup"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/redact"
)

const (
	anyPort        = "127.0.0.1:0"
	defaultTimeout = 2 * time.Minute // real ones take one to ten seconds
	patience       = 2 * time.Second // for a client to end when it is asked to
	lastLines      = 8               // of what it said are shown
	longestLine    = 300             // characters of one of those
)

// find returns the client's program.
func find(o *Options) (string, error) {
	run := o.Profile.Run
	program, err := exec.LookPath(cmp.Or(o.Program, run.Command[0]))
	switch {
	case err == nil:
		return filepath.Abs(program)
	case o.Program != "":
		return "", fmt.Errorf("start %s: %w", o.Profile.Label, err)
	}
	how := ""
	if run.Package != "" {
		how = "; npm install -g " + run.Package + " installs it"
	}
	return "", fmt.Errorf("%s is not installed: there is no program %s in PATH%s", o.Profile.Label, run.Command[0], how)
}

// Installation is a client that can be captured, and the file of its program.
type Installation struct {
	Profile *profile.Profile
	Program string // "" when it is not installed
	Missing error  // says so, and how to install it
}

// Installations looks for the programs of all clients that can be captured, and starts none.
func Installations() []Installation {
	var out []Installation
	for _, p := range profile.All() {
		if p.Run != nil {
			program, err := find(&Options{Profile: p})
			out = append(out, Installation{p, program, err})
		}
	}
	return out
}

// ending is how a client came to its end.
type ending struct {
	status  string        // in words
	ok      bool          // status 0
	stopped time.Duration // after this time it was ended; 0 when it ended by itself
	said    []string      // the last lines, on both outputs
	output  string        // the same as it came
}

// start runs a program in the sandbox until it ends, or the context does, and leaves nothing of it. The error is that
// of a program that cannot be started, or of an interrupt.
func (b *sandbox) start(ctx context.Context, program string, args, env []string) (*ending, error) {
	began := time.Now()
	tail := &procgroup.Tail{}
	cmd := &exec.Cmd{Path: program, Args: append([]string{program}, args...), Env: env, Dir: b.work}
	cmd.Stdout, cmd.Stderr = tail, tail
	cmd.WaitDelay = patience // a descendant that keeps the outputs open
	var group procgroup.Group
	if err := group.Start(cmd); err != nil {
		return nil, fmt.Errorf("start the client: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	e := &ending{}
	var err error
	select {
	case err = <-done:
		end(&group)
	case <-ctx.Done():
		e.stopped = time.Since(began)
		end(&group)
		err = <-done
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	e.ok = err == nil || errors.Is(err, exec.ErrWaitDelay)
	e.status = cmd.ProcessState.String()
	lines := tail.Lines(lastLines)
	e.said, e.output = readable(lines), strings.Join(lines, "\n")
	return e, nil
}

// end ends everything in a group, politely first.
func end(g *procgroup.Group) {
	g.Terminate()
	if !g.EmptyWithin(patience) {
		g.Kill()
		g.EmptyWithin(patience)
	}
	g.Close()
}

var (
	versionNumber = lazyregexp.New(`\d+\.\d+\.\d+([.+-]?\w+)*`)
	escapes       = lazyregexp.New(`\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|.)`)
)

// readable lines hold nothing that a terminal obeys, and no credentials.
func readable(lines []string) []string {
	var out []string
	for _, line := range lines {
		line = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, escapes.ReplaceAllString(line, ""))
		if runes := []rune(line); len(runes) > longestLine {
			line = string(runes[:longestLine]) + "…"
		}
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, redact.Text(line))
		}
	}
	return out
}

// versionTime is how long a client may take to tell its version.
const versionTime = 30 * time.Second

// version asks the client for its version.
func (b *sandbox) version(ctx context.Context, o *Options, program, url string) (string, error) {
	ask := o.Profile.Run.Version
	if len(ask) == 0 {
		ask = []string{"--version"}
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	b.setValues(o, o.Profile.Run, url)
	e, err := b.start(ctx, program, ask, b.environment(o.Profile.Run))
	switch {
	case err != nil:
		return "", err
	case !e.well():
		return "", fmt.Errorf("%s does not tell its version: %s", o.Profile.Label, e.describe(o.Profile.Label))
	}
	if err := os.RemoveAll(b.home); err != nil {
		return "", fmt.Errorf("empty the home folder: %w", err)
	}
	if err := os.Mkdir(b.home, 0o700); err != nil {
		return "", fmt.Errorf("empty the home folder: %w", err)
	}
	return versionNumber.FindString(e.output), nil
}

func (e *ending) well() bool { return e.ok && e.stopped == 0 }

// describe tells how the client ended and what it said last.
func (e *ending) describe(label string) string {
	out := fmt.Sprintf("%s ended with %s", label, e.status)
	switch {
	case e.stopped > 0:
		out = fmt.Sprintf("%s was not done after %s and was ended", label, e.stopped.Round(time.Second/10))
	case e.ok:
		out = label + " ended"
	}
	if len(e.said) == 0 {
		return out + "; it said nothing"
	}
	return out + "; the last it said:\n  " + strings.Join(e.said, "\n  ")
}

// wantsLogin finds a client that asks for an account.
var wantsLogin = lazyregexp.New(`(?i)\b(log ?in|sign ?in|logged in|authenticat\w*|unauthori[sz]ed|api[ _-]?key|credentials?|auth method)\b`)

// failure is the message for a client that asked its model nothing.
func (e *ending) failure(label string, faults []string) error {
	why := "nothing was sent to the model"
	switch said := strings.Join(e.said, "\n"); {
	case len(faults) > 0:
		why = "what it sent to the model was not understood: " + cmp.Or(faults...)
	case wantsLogin.MatchString(said):
		why = "it seems to ask for a login, and nothing was sent to the model"
	}
	return fmt.Errorf("%s. %s", why, e.describe(label))
}
