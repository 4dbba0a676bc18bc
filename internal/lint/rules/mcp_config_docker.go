package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var goodDocker = `"command": "docker", "args": ["run", "-i", "--rm", "docs/mcp:1.2.3"]`

// dockerRun returns the options of "docker run", its arguments from that word on and the index of the image in them, -1
// when none is named. Of another command options are nil.
func dockerRun(s *mcpconfig.Server) (options []dockerOption, args []*mcpconfig.Node, image int) {
	program, _, args := s.Launched()
	if len(args) > 1 && args[0].Text == "container" {
		args = args[1:]
	}
	if program != "docker" && program != "podman" || len(args) == 0 || args[0].Text != "run" {
		return nil, nil, -1
	}
	options = []dockerOption{}
	for i := 1; i < len(args); i++ {
		word := args[i].Text
		if !strings.HasPrefix(word, "-") {
			return options, args, i
		}
		name, value, joined := strings.Cut(word, "=")
		o := dockerOption{node: args[i], name: name, value: value}
		if !joined && slices.Contains(dockerValues, name) && i+1 < len(args) {
			i++
			o.node, o.value = args[i], args[i].Text
		}
		options = append(options, o)
	}
	return options, args, -1
}

type dockerOption struct {
	node        *mcpconfig.Node // of the value, where it has one of its own
	name, value string
}

// has reports whether the option is one, or several short ones in one word with it among them.
func (o dockerOption) has(short byte, long string) bool {
	if o.name == long {
		return o.value != "false"
	}
	return shortOptions.MatchString(o.name) && strings.IndexByte(o.name, short) > 0
}

var shortOptions = lazyregexp.New(`^-[A-Za-z]+$`)

// dockerValues are the options of "docker run" that take the next argument.
// https://docs.docker.com/reference/cli/docker/container/run/
var dockerValues = []string{
	"-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "-p", "--publish", "--network", "--net", "-w", "--workdir", "-u", "--user",
	"--entrypoint", "--platform", "-l", "--label", "-h", "--hostname", "--add-host", "-m", "--memory", "--cpus", "--pull", "--gpus", "--ipc",
	"--cap-add", "--cap-drop", "--security-opt", "--tmpfs", "--device", "--dns", "--log-driver", "--restart", "--ulimit", "--shm-size", "--expose",
	"--group-add", "--runtime", "--stop-signal", "--stop-timeout", "--userns", "--volumes-from", "--pid", "-a", "--attach", "-c", "--cpu-shares",
}

// eachRun runs visit over the servers that are a "docker run", with the word "run".
func eachRun(visit func(p *lint.Pass, s *mcpconfig.Server, run *mcpconfig.Node, options []dockerOption)) func(*lint.Pass) {
	return eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if options, args, _ := dockerRun(s); options != nil {
			visit(p, s, args[0], options)
		}
	})
}

var mcpDockerStdin = &lint.Rule{
	Name: "mcp-config/docker-stdin", Severity: lint.Error, Scope: lint.ConfigScope, Since: since, Repair: lint.MixedRepair,
	Page: lint.Page{
		What: "`docker run` has no -i, or has -d or -t.",
		Why: "The client speaks to the server over its standard input and output. Without -i the container's input is closed and the server ends at once " +
			"(modelcontextprotocol/servers#450); -d cuts both; -t puts a terminal between, which changes line ends and echoes.",
		Bad:  mcpExample(`"command": "docker", "args": ["run", "--rm", "docs/mcp:1.2.3"]`),
		Good: mcpExample(goodDocker),
	},
	Run: eachRun(func(p *lint.Pass, s *mcpconfig.Server, run *mcpconfig.Node, options []dockerOption) {
		stdin := false
		for _, o := range options {
			stdin = stdin || o.has('i', "--interactive")
			if o.has('d', "--detach") {
				p.Report(inServer(s, lint.Finding{
					Span: o.node.Span, Message: "docker run -d detaches the container: the client cannot speak to the server", Help: "delete -d, add -i",
				}))
			}
			if o.has('t', "--tty") {
				p.Report(inServer(s, lint.Finding{
					Severity: lint.Warning, Span: o.node.Span,
					Message: "docker run -t puts a terminal between client and server, which changes what they say", Help: "delete -t",
				}))
			}
		}
		if !stdin {
			p.Report(inServer(s, lint.Finding{
				Span: run.Span, Message: "docker run without -i closes the server's input: it ends at once, or never answers",
				Help:  "add -i",
				Fixes: []lint.Fix{{Title: "add -i", Safe: true, Edits: []lint.Edit{lint.Insert(run.Span.End, `, "-i"`)}}},
			}))
		}
	}),
}

var mcpDockerRemove = &lint.Rule{
	Name: "mcp-config/docker-rm", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "`docker run` has no --rm.",
		Why:  "Every start of the client leaves a stopped container behind.",
		Bad:  mcpExample(`"command": "docker", "args": ["run", "-i", "docs/mcp:1.2.3"]`),
		Good: mcpExample(goodDocker),
	},
	Run: eachRun(func(p *lint.Pass, s *mcpconfig.Server, run *mcpconfig.Node, options []dockerOption) {
		if slices.ContainsFunc(options, func(o dockerOption) bool { return o.name == "--rm" || o.name == "--name" }) {
			return
		}
		p.Report(inServer(s, lint.Finding{
			Span: run.Span, Message: "docker run without --rm leaves a container behind at every start", Help: "add --rm",
			Fixes: []lint.Fix{{Title: "add --rm", Safe: true, Edits: []lint.Edit{lint.Insert(run.Span.End, `, "--rm"`)}}},
		}))
	}),
}

var mcpDockerEnv = &lint.Rule{
	Name: "mcp-config/docker-env", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "`docker run -e NAME` passes on a variable that the entry does not set.",
		Why:  "Docker takes it from the environment of the client, where an agent often has none: the server starts without it.",
		Bad:  mcpExample(`"command": "docker", "args": ["run", "-i", "--rm", "-e", "DOCS_LEVEL", "docs/mcp:1.2.3"]`),
		Good: mcpExample(`"command": "docker", "args": ["run", "-i", "--rm", "-e", "DOCS_LEVEL", "docs/mcp:1.2.3"], "env": {"DOCS_LEVEL": "1"}`),
	},
	Run: eachRun(func(p *lint.Pass, s *mcpconfig.Server, _ *mcpconfig.Node, options []dockerOption) {
		for _, o := range options {
			given := slices.ContainsFunc(s.Env, func(m *mcpconfig.Member) bool { return m.Name == o.value })
			if o.name != "-e" && o.name != "--env" || strings.ContainsAny(o.value, "=$") || o.value == "" || given || p.View.HasEnv(o.value) {
				continue
			}
			p.Report(inServer(s, lint.Finding{
				Span:    o.node.Span,
				Message: fmt.Sprintf("docker passes on %s, which the entry does not set: the server starts without it where the client has none", o.value),
				Help:    fmt.Sprintf("add %s to env", o.value),
			}))
		}
	}),
}

var mcpDockerPrivileges = &lint.Rule{
	Name: "mcp-config/docker-privileges", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Risk: &lint.Risk{CWE: []int{250}, OWASP: []string{"AST06"}},
	Page: lint.Page{
		What: "The container gets the whole machine: --privileged, the host's network, Docker's socket, the root or a home folder.",
		Why:  "A server in a container is held to what it needs; one of these lets it do what a program without a container can.",
		Bad:  mcpExample(`"command": "docker", "args": ["run", "-i", "--rm", "-v", "/var/run/docker.sock:/var/run/docker.sock", "docs/mcp:1.2.3"]`),
		Good: mcpExample(goodDocker),
	},
	Run: eachRun(func(p *lint.Pass, s *mcpconfig.Server, _ *mcpconfig.Node, options []dockerOption) {
		for _, o := range options {
			if what := privilege(o); what != "" {
				p.Report(inServer(s, lint.Finding{Span: o.node.Span, Message: "the container gets " + what, Help: "give it only what the server needs"}))
			}
		}
	}),
}

var mountPattern = lazyregexp.New(`(?:^|,)(?:source|src)=([^,]*)`)

// mountSource returns what a mount shows of the machine: of "source:target", or of "type=bind,src=…,dst=…".
func mountSource(value string) string {
	if m := mountPattern.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	source, _, _ := strings.Cut(value, ":")
	return source
}

// wholeFolder is the root of the machine or the home folder of a user.
var wholeFolder = lazyregexp.New(`^(?:/|~|/root|/(?:home|Users)(?:/[^/]+)?|(?i:[a-z]:[\\/](?:users(?:[\\/][^\\/]+)?)?)|\$HOME|\$\{(?:HOME|userHome|env:HOME)\})/?$`)

// privilege names what an option opens to the container, or "".
func privilege(o dockerOption) string {
	source := mountSource(o.value)
	switch {
	case o.name == "--privileged" && o.value != "false":
		return "all rights on the machine (--privileged)"
	case (o.name == "--network" || o.name == "--net") && o.value == "host":
		return "the network of the machine (--network host)"
	case o.name == "--pid" && o.value == "host":
		return "the processes of the machine (--pid host)"
	case o.name == "--cap-add" && slices.Contains([]string{"ALL", "SYS_ADMIN", "CAP_SYS_ADMIN"}, o.value):
		return "rights of an administrator of the machine (--cap-add " + o.value + ")"
	case o.name != "-v" && o.name != "--volume" && o.name != "--mount":
		return ""
	case strings.HasSuffix(source, "docker.sock"):
		return "Docker's socket, and with it the whole machine"
	case wholeFolder.MatchString(source):
		return "the whole folder " + source
	}
	return ""
}
