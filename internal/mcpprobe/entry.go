package mcpprobe

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

// Configured returns the servers of configurations that are not turned off and can be started or reached. What is
// wrong with the others, rules about configurations tell.
func Configured(files []*mcpconfig.File) []*mcpconfig.Server {
	var out []*mcpconfig.Server
	for _, f := range files {
		for _, s := range f.Servers {
			if !s.Disabled() && (s.Command != nil || s.URL != nil && s.URL.Text != "") {
				out = append(out, s)
			}
		}
	}
	return out
}

// LaunchesOf returns how entries start or reach their servers.
func LaunchesOf(entries []*mcpconfig.Server) []Launch {
	out := make([]Launch, len(entries))
	for i, s := range entries {
		out[i] = LaunchOf(s)
	}
	return out
}

// LaunchOf returns how an entry of a configuration starts or reaches its server. In a project a relative path counts
// from the folder that the configuration is for, else from where the program runs.
func LaunchOf(s *mcpconfig.Server) Launch {
	l := Launch{Name: s.Name, Config: s.File.Doc.Abs, Command: textOf(s.Command), URL: textOf(s.URL)}
	for _, a := range s.Args {
		l.Args = append(l.Args, textOf(a))
	}
	l.Env, l.Headers = texts(s.Env), texts(s.Headers)
	switch transportOf(s) {
	case mcpconfig.HTTP:
		l.Transport = HTTP
	case mcpconfig.SSE:
		l.Transport = SSE
	}
	if l.Command != "" {
		l.Cwd = textOf(s.Cwd)
		if project := s.Project(); project != "" && !filepath.IsAbs(l.Cwd) && !strings.ContainsAny(l.Cwd, "${") {
			l.Cwd = filepath.Join(project, filepath.FromSlash(l.Cwd))
		}
	}
	return l
}

// transportOf is how the first client that reads the file reaches the server, when it can, else what the entry says.
func transportOf(s *mcpconfig.Server) mcpconfig.Transport {
	for _, c := range s.File.Clients() {
		if t := c.Transport(s); t.Remote() {
			return t
		}
	}
	return s.Transport()
}

func textOf(n *mcpconfig.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

func texts(members []*mcpconfig.Member) map[string]string {
	if len(members) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, m := range members {
		out[m.Name] = textOf(m.Value)
	}
	return out
}

// Expander returns what replaces the variables in the definitions of some entries, as the clients do that read them.
// lookup gives the value of an environment variable, home is the user's folder. What only the client or the user can
// give is an error.
func Expander(entries []*mcpconfig.Server, lookup func(name string) (string, bool), home string) func(Launch) (Launch, error) {
	return func(l Launch) (Launch, error) {
		i := slices.IndexFunc(entries, func(s *mcpconfig.Server) bool {
			return s.Name == l.Name && s.File.Doc.Abs == l.Config && textOf(s.Command) == l.Command && textOf(s.URL) == l.URL
		})
		if i < 0 {
			return l, nil
		}
		x := &expansion{entry: entries[i], lookup: lookup, home: home}
		for _, key := range []string{"headersHelper", "envFile"} {
			if m := entries[i].Node.Member(key); m != nil {
				return l, fmt.Errorf("its %s, which a probe never runs or reads, has to give values", key)
			}
		}
		out := x.launch(l)
		return out, errors.Join(x.missing...)
	}
}

type expansion struct {
	entry   *mcpconfig.Server
	lookup  func(string) (string, bool)
	home    string
	missing []error
}

func (x *expansion) launch(l Launch) Launch {
	l.Command, l.URL, l.Cwd = x.text(l.Command), x.text(l.URL), x.text(l.Cwd)
	l.Args = slices.Clone(l.Args)
	for i, a := range l.Args {
		l.Args[i] = x.text(a)
	}
	l.Env, l.Headers = x.values(l.Env), x.values(l.Headers)
	return l
}

func (x *expansion) values(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = x.text(v)
	}
	return out
}

func (x *expansion) text(s string) string {
	var b strings.Builder
	at := 0
	for _, v := range mcpconfig.Variables(s) {
		value, ok := x.variable(v, s[v.Start:v.End])
		if ok {
			b.WriteString(s[at:v.Start])
			b.WriteString(value)
			at = v.End
		}
	}
	return b.String() + s[at:]
}

// variable returns the value of a variable, and whether any client that reads the file replaces it.
func (x *expansion) variable(v mcpconfig.Variable, written string) (string, bool) {
	switch {
	case !x.expands(v.Form):
		return "", false
	case v.Form.UsesEnv():
		return x.environment(v, written), true
	case v.Form == mcpconfig.WorkspaceForm && x.entry.Project() != "":
		return x.entry.Project(), true
	case v.Form == mcpconfig.PluginForm:
		return x.entry.File.Project(), true
	case v.Form == mcpconfig.UserHome:
		return x.home, true
	}
	x.missing = append(x.missing, fmt.Errorf("%s needs a value that only the client has", written))
	return "", true
}

func (x *expansion) expands(form mcpconfig.Form) bool {
	clients := x.entry.File.Clients()
	if len(clients) == 0 || form == mcpconfig.PluginForm {
		return true
	}
	return slices.ContainsFunc(clients, func(c *mcpconfig.Client) bool { return c.Expands(form) })
}

func (x *expansion) environment(v mcpconfig.Variable, written string) string {
	if value, set := x.lookup(v.Name); set {
		return value
	}
	if v.Default {
		_, value, _ := strings.Cut(strings.TrimSuffix(written, "}"), ":-")
		return value
	}
	x.missing = append(x.missing, fmt.Errorf("the environment variable %s is not set", v.Name))
	return ""
}
