package threat

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

var (
	fetchStage  = lazyregexp.New(`(?i)(?:^|[\s($;&"'` + "`" + `])(?:sudo\s+)?(?:curl|wget|aria2c|iwr|irm|invoke-webrequest)\s+[^\n]*`)
	decodeStage = lazyregexp.New(`(?i)\bbase64\s+(?:-\w+\s+)*(?:-d|-D|--decode|-di)\b|\bbase32\s+(?:-d|--decode)|\bxxd\s+(?:-\w+\s+)*-\w*r|\bopenssl\s+(?:base64|enc)\b[^|]*-d\b|\btr\s+['"]?[A-Za-z]-[A-Za-z]|\brev\b|\bunhexlify\b`)
	// runStage is an interpreter that takes its program from what comes in: no file, no -c, no -m.
	runStage   = lazyregexp.New(`^\s*(?:(?:sudo|doas|nohup|exec|env|command|time)\s+(?:-\S+\s+)*(?:\w+=\S*\s+)*)*(?:/(?:usr/)?(?:local/)?bin/)?(?:(?:(?:ba|z|da|k|fi|a)?sh|source\s+/dev/stdin|\.\s+/dev/stdin)(?:\s+-(?:[eliuxs]+|-|-\w+))*(?:\s+-s\b[^|;&]*)?|(?:python[23]?(?:\.\d+)?|node|perl|ruby|php|pwsh|powershell|deno\s+run|bun(?:\s+run)?|lua|osascript)(?:\s+-[AuIsBq]*)*)\s*(?:-\s*)?(?:["')` + "`" + `]|[|;&<>#]|\d>|$)`)
	shellStage = lazyregexp.New(`^\s*(?:(?:sudo|doas|nohup|exec|env|command)\s+(?:-\S+\s+)*(?:\w+=\S*\s+)*)*(?:/(?:usr/)?(?:local/)?bin/)?(?:ba|z|da|k|fi|a)?sh(?:\s+-[a-z]*s[a-z]*\b[^|;&\n]*|\s+-\s+[^|;&\n]*|\s+--\s[^|;&\n]*)`)
	address    = lazyregexp.New(`(?i)https?://[^\s"'` + "`" + `|)<>]+`)
)

// pipes looks for something that comes from the network, or out of a blob, and goes through a pipe into an interpreter. An
// interpreter that has its program already (-c, -m, a file) reads data.
func (t *Text) pipes(at text.Span, m mark) []Hit {
	src := at.In(t.Src)
	if !strings.Contains(src, "|") {
		return nil
	}
	stages := splitPipe(src)
	if !slices.ContainsFunc(stages[1:], beginsToRun) {
		return nil
	}
	var out []Hit
	offset, start := at.Start, -1
	kind, what := RemoteScript, "a shell runs what comes from the network, unseen"
	for _, stage := range stages {
		switch {
		case start >= 0 && runStage.MatchString(stage) || start >= 0 && shellStage.MatchString(stage):
			end := offset + max(len(shellStage.FindString(stage)), len(strings.TrimRight(runStage.FindString(stage), "\"')`|;&<>#\n")))
			h := Hit{Kind: kind, Level: Danger, Span: trim(t.Src, text.Span{Start: start, End: end}), What: what}
			if !t.harmless(&h) {
				out = append(out, h)
			}
			start = -1
		case start < 0 && m.what&decodes != 0 && decodeStage.MatchString(stage):
			start = offset
			kind, what = DecodedCode, "code is decoded and run: nobody can read what it does"
		case start < 0 && m.what&fetches != 0:
			if i := fetchStage.FindStringIndex(stage); i != nil && (address.MatchString(stage[i[0]:]) || strings.Contains(stage[i[0]:], "$") || bareHost.MatchString(stage[i[0]:])) {
				start = offset + i[0] + len(stage[i[0]:i[1]]) - len(strings.TrimLeft(stage[i[0]:i[1]], " \t\n$(`;&\"'"))
			}
		}
		offset += len(stage) + 1
	}
	return out
}

// runners are the words that runStage and shellStage may begin with, paths aside.
var runners = setOf("sudo doas nohup exec env command time sh bash zsh dash ksh fish ash source python python2 python3 node perl ruby php pwsh powershell deno bun lua osascript")

// beginsToRun reports whether the first word of a stage is one of runners, or a path.
func beginsToRun(stage string) bool {
	stage = strings.TrimLeft(stage, " \t\r\n\f\v")
	end := strings.IndexFunc(stage, func(c rune) bool { return c >= 0x80 || classes[c]&wordByte == 0 })
	if end < 0 {
		end = len(stage)
	}
	return runners[stage[:end]] || end == 0 && (strings.HasPrefix(stage, "/") || strings.HasPrefix(stage, "."))
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var bareHost = lazyregexp.New(`(?i)\s[a-z0-9-]+(?:\.[a-z0-9-]+)+/\S+|\s(?:get|install|sh)\.[a-z0-9.-]+\.[a-z]{2,}(?:\s|$)`)

// splitPipe splits a command at the pipes between programs.
func splitPipe(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '|' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '|' {
			i++
			continue
		}
		out = append(out, s[start:i])
		start = i + 1
	}
	return append(out, s[start:])
}

// installers are hosts, some with the start of a path, from which known projects tell everybody to install.
var installers = []string{
	"sh.rustup.rs", "static.rust-lang.org", "raw.githubusercontent.com/Homebrew/", "astral.sh/", "bun.sh/", "bun.com/", "deno.land/", "ollama.com/", "ollama.ai/", "get.docker.com",
	"raw.githubusercontent.com/nvm-sh/", "install.python-poetry.org", "get.pnpm.io", "fnm.vercel.app", "nixos.org/", "install.determinate.systems", "sdk.cloud.google.com",
	"raw.githubusercontent.com/helm/", "foundry.paradigm.xyz", "pixi.sh/", "mise.run", "mise.jdx.dev", "starship.rs", "community.chocolatey.org", "chocolatey.org", "get.scoop.sh", "claude.ai/install",
	"opencode.ai/install", "cursor.com/install", "fly.io/install", "tailscale.com/install", "get.k3s.io", "deb.nodesource.com", "rpm.nodesource.com", "bootstrap.pypa.io", "get.sdkman.io", "get.volta.sh",
	"rclone.org/install", "raw.githubusercontent.com/ohmyzsh/", "install.duckdb.org", "install.prefix.dev", "get.helm.sh", "app.factory.ai/cli", "antigravity.google/", "code.kimi.com", "raw.github.com/nvm-sh/",
	"micro.mamba.pm", "pyenv.run", "get-ghcup.haskell.org", "cli.github.com", "aka.ms/", "dl.google.com", "packages.microsoft.com", "apt.llvm.org", "download.docker.com", "fluxcd.io/install",
	"istio.io/downloadIstio", "linkerd.io/install", "run.linkerd.io", "get.jetify.com", "releases.hashicorp.com", "vercel.com/", "railway.app/install", "railway.com/install", "supabase.com/", "dot.net/", "get.rvm.io",
}

// knownInstaller reports whether all that a command gets comes, encrypted, from one of the installers.
func knownInstaller(s string) bool {
	found := address.FindAllString(s, -1)
	if len(found) == 0 {
		return strings.Contains(s, "sh.rustup.rs")
	}
	return !slices.ContainsFunc(found, func(raw string) bool { return !isInstaller(raw) })
}

func isInstaller(raw string) bool {
	u, err := url.Parse(strings.TrimRight(raw, ".,;'\")"))
	if err != nil || u.Scheme != "https" {
		return false
	}
	place := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + u.Path + "/"
	return slices.ContainsFunc(installers, func(i string) bool { return strings.HasPrefix(place, i) && u.User == nil })
}

var (
	savedAs = lazyregexp.New(`(?i)\bcurl\b[^\n|]*?\s(?:-[a-z]*o|--output)[ =]?\s*["']?([\w./$~{}-]+)|\bwget\b[^\n|]*?\s(?:-[a-z]*O|--output-document)[ =]?\s*["']?([\w./$~{}-]+)|\b(?:curl|wget)\b[^\n|]*?[^-]>\s*["']?([\w./$~{}-]+)` +
		`|\b(?:iwr|invoke-webrequest|irm)\b[^\n|]*?-OutFile\s+["']?([\w.\\/:$~{}-]+)|\bcertutil\b[^\n]*https?://\S+\s+([\w.\\:-]+)`)
	ownName = lazyregexp.New(`(?i)\b(?:curl\s[^\n|]*?-[a-z]*O\b|wget\b)[^\n|]*?(https?://[^\s"'|;&)]+)`)
)

// mostApart is how many bytes may lie between a download and the command that runs it.
const mostApart = 500

// downloads looks for a file that is fetched and then run, in the same block of code.
func (t *Text) downloads(s *scan) []Hit {
	var out []Hit
	var last text.Span
	for _, m := range s.marked(fetches) {
		if last.Covers(m.at) {
			continue
		}
		at := t.line(m.at.Start)
		last = at
		src := at.In(t.Src)
		if !strings.Contains(src, "://") && !strings.Contains(src, "$") {
			continue
		}
		name, ok := savedName(src)
		if !ok {
			continue
		}
		rest := t.Src[m.at.Start:min(len(t.Src), at.End+mostApart)]
		if i := strings.Index(rest, "\n```"); i >= 0 {
			rest = rest[:i]
		}
		i := runsFile(rest, name)
		if i < 0 || !strings.ContainsAny(rest[:i+1], "\n;&") {
			continue
		}
		h := Hit{Kind: RemoteScript, Level: Danger, Span: trim(t.Src, text.Span{Start: m.at.Start, End: at.End}), What: "what comes from the network is saved as " + path.Base(name) + " and run"}
		if t.Form != Script || len(out) == 0 || out[len(out)-1].Span != h.Span {
			if !t.harmless(&h) {
				out = append(out, h)
			}
		}
	}
	return out
}

func savedName(line string) (string, bool) {
	if m := savedAs.FindStringSubmatch(line); m != nil {
		for _, name := range m[1:] {
			if name != "" && name != "-" && !strings.HasPrefix(name, "/dev/") {
				return name, true
			}
		}
		return "", false
	}
	if m := ownName.FindStringSubmatch(line); m != nil {
		if u, err := url.Parse(m[1]); err == nil && path.Base(u.Path) != "/" && path.Base(u.Path) != "." {
			return path.Base(u.Path), true
		}
	}
	return "", false
}

// runsFile returns where a file is run that a command saves, -1 when it is not.
func runsFile(src, name string) int {
	if strings.Count(src, name) < 2 {
		return -1
	}
	q := regexp.QuoteMeta(name)
	alone := ""
	if strings.ContainsAny(name, `/\$`) {
		alone = `|(?:^|[;&\n])\s*(?:sudo\s+|nohup\s+|exec\s+)?["']?` + q + `["']?(?:\s|;|&|$)`
	}
	re, err := regexp.Compile(`(?:^|[\s;&|(])(?:(?:(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*|source\s+|\.\s+|(?:python3?|node|perl|ruby|php|pwsh|powershell)(?:\.exe)?\s+(?:-\w+\s+(?:bypass\s+)?)*|[Ss]tart(?:-Process)?\s+|` +
		`chmod\s+(?:\+x|a\+x|u\+x|0?7\d\d)\s+)["']?(?:\./)?|\./)` + q + `(?:["']|\s|;|&|\)|$)` + alone)
	if err != nil {
		return -1
	}
	if m := re.FindStringIndex(src); m != nil {
		return m[0]
	}
	return -1
}
