package mcpprobe

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The ways to reach a server.
const (
	Stdio = "stdio" // a process that speaks on its standard input and output
	HTTP  = "http"  // streamable HTTP
	SSE   = "sse"   // HTTP with server-sent events, of revision 2024-11-05
)

// Launch is how a configuration says a server is started or reached. Consent is given to all of it, as it is
// written: before variables are replaced.
type Launch struct {
	Name      string
	Config    string // path of the configuration file, "" when there is none
	Transport string // Stdio, HTTP or SSE; "" stands for Stdio with a command and HTTP with a URL

	Command string
	Args    []string
	Env     map[string]string
	Cwd     string // "" is the folder the program runs in

	URL     string
	Headers map[string]string
}

// transport returns the effective transport, or an error when the definition does not say enough.
func (l Launch) transport() (string, error) {
	kind := l.Transport
	if kind == "" && l.Command != "" {
		kind = Stdio
	} else if kind == "" {
		kind = HTTP
	}
	switch {
	case kind != Stdio && kind != HTTP && kind != SSE:
		return "", fmt.Errorf("transport %q is not known", kind)
	case kind == Stdio && l.Command == "":
		return "", fmt.Errorf("there is no command to start")
	case kind == Stdio:
		return kind, nil
	}
	return kind, checkURL(l.URL)
}

func checkURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return fmt.Errorf("there is neither a command nor a URL")
	case err != nil:
		return fmt.Errorf("the URL cannot be read") // its text may hold credentials
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("a URL with http or https is needed, not %q", u.Scheme)
	case u.Host == "":
		return fmt.Errorf("the URL names no host")
	}
	return nil
}

// Describe shows the whole definition, for the question whether to start it: nothing is cut, and characters that
// could deceive the reader are escaped. Values of environment variables and headers are left out.
func (l Launch) Describe() string {
	var b strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", label+":", value)
		}
	}
	line("server", oneLine(l.Name))
	line("from", oneLine(l.Config))
	if l.Command != "" {
		line("command", commandLine(l))
		line("program", oneLine(l.binary()))
		line("folder", oneLine(l.Cwd))
		line("environment", names(l.Env))
	} else {
		line("URL", oneLine(l.URL))
		line("headers", names(l.Headers))
	}
	return b.String()
}

func commandLine(l Launch) string {
	words := []string{shellWord(l.Command)}
	for _, a := range l.Args {
		words = append(words, shellWord(a))
	}
	return strings.Join(words, " ")
}

// shellWord quotes what is not plain, so that the reader sees where an argument ends.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return strconv.QuoteToGraphic(s)
}

func names(m map[string]string) string {
	return oneLine(strings.Join(slices.Sorted(maps.Keys(m)), ", "))
}

// Servers get this long to answer everything. Launchers that may have to download the server first get longer.
const (
	defaultTimeout  = 30 * time.Second
	downloadTimeout = 120 * time.Second
)

var downloaders = []string{"npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "uv", "pipx", "docker", "podman"}

// DefaultTimeout returns how long a probe of the server may take when nobody says otherwise.
func (l Launch) DefaultTimeout() time.Duration {
	// cmd /c npx is how Windows users have to write it.
	for _, word := range append([]string{l.Command}, l.Args[:min(len(l.Args), 2)]...) {
		base := strings.TrimSuffix(strings.ToLower(filepath.Base(word)), filepath.Ext(word))
		if slices.Contains(downloaders, base) {
			return downloadTimeout
		}
	}
	return defaultTimeout
}
