package threat

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// pattern is one threat in a command.
type pattern struct {
	kind  Kind
	level Level
	when  detector
	what  string
	forms []form
}

// form is one way to write a threat.
type form struct {
	near [][]string // one of each group has to be near as well, in lower case; nothing when empty
	re   *lazyregexp.Regexp
}

// compile returns a pattern.
func compile(kind Kind, level Level, when detector, what string, pairs ...string) pattern {
	return pattern{kind: kind, level: level, when: when, what: what, forms: compileForms(pairs...)}
}

// compileForms returns the forms of pairs of texts: the first names what is always in what the second, a regular expression,
// matches, groups apart by "&" and words by "|". Looking for words costs a hundredth of trying the expression, and small
// expressions are faster together than a large one, for which package regexp has no fast way.
func compileForms(pairs ...string) []form {
	var out []form
	for pair := range slices.Chunk(pairs, 2) {
		f := form{re: lazyregexp.New(pair[1])}
		if pair[0] != "" {
			for group := range strings.SplitSeq(pair[0], "&") {
				f.near = append(f.near, strings.Split(group, "|"))
			}
		}
		out = append(out, f)
	}
	return out
}

// find returns where a text, given in lower case too, holds the threat.
func (p *pattern) find(src, lower string) [][]int {
	var out [][]int
	for i := range p.forms {
		if f := &p.forms[i]; f.mayMatch(lower) {
			out = append(out, f.re.FindAllStringIndex(src, -1)...)
		}
	}
	return out
}

// among reports whether one of the words is in a text, whatever its case.
func among(src string, words []string) bool { return holds(strings.ToLower(src), words) }

func holds(lower string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// mayMatch reports whether a text, given in lower case, holds one word of each group.
func (f *form) mayMatch(lower string) bool {
	for _, group := range f.near {
		if !holds(lower, group) {
			return false
		}
	}
	return true
}

const (
	shell   = `(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi|a)?sh\b`
	fetcher = `(?:curl|wget)\b`
)

// patterns are tried on the statements that hold one of the words they wait for. Gaps are bounded.
var patterns = []pattern{
	compile(RemoteScript, Danger, fetches, "a shell runs what comes from the network, unseen",
		"curl|wget&$(|<(|`", `(?i)(?:`+shell+`|\bsource\b|(?:^|\s)\.|\beval\b|\bpython3?(?: -c)?|\bnode(?: -e)?|\bperl(?: -e)?|\bruby(?: -e)?)\s+(?:-\w+\s+)*["']?(?:<\(|\$\(|`+"`"+`)\s*(?:sudo\s+)?`+fetcher+`[^)\n]*`),
	compile(RemoteScript, Danger, fetches, "PowerShell runs what comes from the network, unseen",
		"iex|invoke-expression", `(?i)\b(?:iex|invoke-expression)\b[^\n]*\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloaddata|curl|wget)\b`,
		"iex|invoke-expression&|", `(?i)\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n]*\|\s*(?:iex|invoke-expression)\b`),
	compile(RemoteScript, Danger, fetches, "code from the network is run, unseen",
		"exec|eval|compile&requests.get|urlopen|httpx.get|fetch|axios.get", `(?i)\b(?:exec|eval|compile)\s*\(\s*(?:await\s+)?\(?(?:await\s+)?(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get|fetch|axios\.get|urllib2\.urlopen)\s*\([^\n]*`,
		"fetch&eval|function&then", `(?i)\bfetch\s*\([^\n]*\.then\s*\(\s*(?:eval|\w+\s*=>\s*eval\s*\(|Function\b|\w+\s*=>\s*new\s+Function)`,
		"fetch&function&new", `(?i)\bnew\s+Function\s*\([^\n]*\bfetch\s*\(`,
		"mshta|regsvr32&http", `(?i)\b(?:mshta|regsvr32[^\n]*/i:)\s*["']?https?://\S+`,
		"certutil&urlcache", `(?i)\bcertutil\b[^\n]*-urlcache\b[^\n]*&[^\n]*`,
		"bitsadmin&/transfer", `(?i)\bbitsadmin\b[^\n]*/transfer[^\n]*&`),
	compile(DecodedCode, Danger, decodes, "code is decoded and run: nobody can read what it does",
		"base64|xxd|openssl&$(|<(|`", `(?i)(?:`+shell+`|\beval\b|\bsource\b|\bpython3?(?: -c)?)\s+(?:-\w+\s+)*["']?(?:<\(|\$\(|`+"`"+`|<<<\s*["']?\$\()[^)\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r|openssl\s+(?:base64|enc)[^)\n|]*-d)\b`,
		"exec|eval|system|popen|subprocess|__import__|settimeout|function|compile&decode|fromhex|unhexlify|decompress|marshal|rot13|rot_13|atob|buffer.from|charcode|inflate",
		`(?i)\b(?:exec|eval|os\.system|os\.popen|subprocess\.(?:run|call|popen|check_output)|__import__\([^)\n]{0,20}\)\.\w+|execSync|setTimeout|new\s+Function|Function|child_process\.exec|compile)\s*\([^\n]*`+
			`(?:b64decode|b32decode|a85decode|fromhex|unhexlify|zlib\.decompress|marshal\.loads|rot_?13|\batob\s*\(|Buffer\.from\([^)\n]*['"](?:base64|hex)['"]|fromCharCode|base64_decode|decode64|gzinflate|urlsafe_b64decode)`,
		"eval&decode|inflate|rot13|unpack", `(?i)\beval\s*\(?\s*(?:base64_decode|gzinflate|str_rot13|decode_base64|Base64\.decode64|unpack)`,
		"powershell|pwsh", `(?i)\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s-(?:e|ec|enc|encodedcommand)\s+["']?[A-Za-z0-9+/=]{16,}`,
		"frombase64&iex|invoke-expression", `(?i)\b(?:iex|invoke-expression)\b[^\n]*FromBase64String|FromBase64String[^\n]*\|\s*(?:iex|invoke-expression)\b`),
	compile(ReverseShell, Danger, shells, "it gives a shell to whoever waits at the other end",
		"/dev/tcp/|/dev/udp/", `(?i)(?:`+shell+`\s+-i\b|\bexec\s+\d*<?>|0\s*[<>]&\s*\d|\bexec\s+`+shell+`)[^\n]*/dev/(?:tcp|udp)/\S+|/dev/(?:tcp|udp)/[^\n]*(?:0\s*[<>]&\s*\d|`+shell+`\s+-i\b|\bwhile read)`,
		"nc|ncat|netcat&sh", `(?i)\bn(?:c|cat|etcat)\b[^\n|]*\s(?:-\w*e\w*|-\w*c|--exec|--sh-exec)\s+["']?(?:/(?:usr/)?bin/)?(?:ba|z|da|k)?sh\b`,
		"nc|ncat&cmd|powershell", `(?i)\bn(?:c|cat)\b[^\n|]*-e\s+(?:cmd|powershell)`,
		"mkfifo&nc|ncat|netcat", `(?i)\bmkfifo\b[^\n]*\bn(?:c|cat|etcat)\b`,
		"nc|ncat|netcat&sh&|", `(?i)\b(?:nc|ncat|netcat)\b[^\n]*\|\s*`+shell+`[^\n]*\|\s*n(?:c|cat)\b`,
		"socat&exec:", `(?i)\bsocat\b[^\n]*\bexec:["']?[^\n]*sh\b`,
		"dup2&fileno", `(?i)\b(?:os\.)?dup2\s*\([^\n,]*fileno\(\)\s*,\s*[012]\s*\)`,
		"fsockopen", `(?i)\bfsockopen\s*\([^\n]*(?:/bin/(?:ba)?sh|proc_open|shell_exec|exec\s*\()`,
		"tcpsocket", `(?i)\bTCPSocket\.(?:new|open)\b[^\n]*(?:/bin/(?:ba)?sh|\bexec\b|\bpopen\b)`,
		"tcpclient", `(?i)\bTCPClient\b[^\n]*(?:\biex\b|Invoke-Expression|cmd\.exe|powershell)`),
	compile(Destruction, Danger, destroys, "it destroys what cannot be brought back",
		"rm&/|~|$home|${home|--no-preserve-root", `(?i)\brm\s+(?:-[a-z-]+\s+)*(?:-[a-z]*r[a-z]*|--recursive)\s+(?:-[a-z-]+\s+)*["']?(?:/(?:\*|\s|$|["'])|~/?(?:\*|\s|$|["'])|\$\{?HOME\}?/?(?:\*|\s|$|["'])|/(?:home|etc|usr|var|boot|root|Users)/?(?:\*|\s|$|["'])|--no-preserve-root)`+
			`|\brm\s+-[a-z-]*[^\n]{0,30}--no-preserve-root`,
		"mkfs|dd&/dev/", `(?i)\bmkfs(?:\.\w+)?\s+(?:-\S+\s+)*/dev/\w+|\bdd\s+[^\n]*\bof=/dev/(?:sd|nvme|hd|disk|vd|xvd)\w*`,
		"shred|wipefs", `(?i)\bshred\s+[^\n]*(?:/dev/\w+|~|/home)|\bwipefs\s+-a`,
		"rmtree", `(?i)\brmtree\s*\(\s*["']?(?:/["']|os\.path\.expanduser\(\s*["']~/?["']|Path\.home\(\)|pathlib\.Path\.home\(\))`,
		"rmsync|rmdirsync", `(?i)\brm(?:dir)?Sync\s*\(\s*(?:["']/["']|os\.homedir\(\)|process\.env\.HOME)`,
		"remove-item&recurse", `(?i)\bRemove-Item\b[^\n]*-Recurse[^\n]*\s(?:["']?(?:C:\\|\$HOME|\$env:USERPROFILE|~)["']?\\?\*?(?:\s|$))`,
		"c:\\|%userprofile%&/s|/f|/q", `(?i)\b(?:rd|rmdir)\s+/s\s+/q\s+["']?(?:C:\\|%USERPROFILE%)["']?\\?(?:\s|$)|\bdel\s+/[fsq][^\n]{0,20}\sC:\\\*`,
		"format", `(?i)\bformat\s+[a-z]:\s+/[qy]`,
		"chmod", `(?i)\bchmod\s+-R\s+(?:0?777|000|a\+rwx)\s+/(?:\s|$|etc\b|usr\b)`),
	compile(DisabledSafeguard, Danger, disables, "it turns off what protects the machine",
		"", `(?i)\bsetenforce\s+0\b|\bSELINUX=disabled\b|\bcsrutil\s+disable\b|\bspctl\s+--(?:master|global)-disable\b|DisableRealtimeMonitoring\s+(?:\$true|1)\b|\bufw\s+disable\b|\bsystemctl\s+(?:stop|disable|mask)\s+(?:--now\s+)?(?:firewalld|ufw|auditd|apparmor|falcon-sensor|clamav\S*)\b`+
			`|\bservice\s+(?:auditd|apparmor|iptables|firewalld)\s+stop\b|\biptables\s+-F\b|\bnetsh\s+(?:advfirewall\s+set\s+\w+\s+state|firewall\s+set\s+opmode)\s+(?:off|disable)|\bsc\s+(?:stop|config|delete)\s+WinDefend\b|Add-MpPreference\s+-ExclusionPath|\bmpcmdrun\b[^\n]*-RemoveDefinitions`+
			`|\bAmsiUtils\b|amsiInitFailed|(?:^|[\s;&])(?:unset\s+HISTFILE\b|(?:export\s+)?HISTFILE=(?:/dev/null|["']{2})|(?:export\s+)?HISTSIZE=0\b)`),
	compile(Persistence, Danger, persists, "it opens the machine to whoever holds the key, for good",
		"authorized_keys|sudoers|nopasswd", `(?i)(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?(?:~|\$\{?HOME\}?|/root|/home/[\w$.{}-]+)?/?\.ssh/authorized_keys\b|\bopen\s*\([^\n]*authorized_keys["')]+\s*,\s*["'][aw]|\bauthorized_keys\b[^\n]*(?:\.write|appendFile|writeFile)`+
			`|(?:appendFile|writeFile)(?:Sync)?\s*\([^\n]*authorized_keys|(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?/etc/(?:sudoers(?:\.d/\S+)?)\b|NOPASSWD:\s*ALL[^\n]*>>?`),
	compile(Persistence, Note, persists, "what is written there stays, and runs or is read later without anybody asking",
		">|tee&bashrc|zshrc|bash_profile|zprofile|hooks/|launchagents|.md|rules",
		`(?i)(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?(?:~|\$\{?HOME\}?)?/?[\w./-]*(?:\.bashrc|\.zshrc|\.bash_profile|\.zprofile|\.git/hooks/\S+|LaunchAgents/\S+|(?:CLAUDE|AGENTS|MEMORY|SOUL|GEMINI)\.md|\.cursorrules|\.windsurfrules)`,
		"crontab|launchctl|schtasks|systemctl|currentversion|hookspath",
		`(?i)\|\s*crontab\s+-(?:\s|$)|\bcrontab\s+\S+\.(?:txt|cron|tab)\b|\blaunchctl\s+(?:load|bootstrap)\b|\bschtasks\s+/create\b|\bsystemctl\s+(?:--user\s+)?enable\b|CurrentVersion\\+Run\b|\bcore\.hooksPath\b`),
	compile(Miner, Danger, mines, "it mines a currency for somebody else",
		"", `(?i)\bstratum\+(?:tcp|ssl)://\S+|(?:^|[\s/;&|])(?:xmrig|minerd|cpuminer|ethminer|lolminer|nbminer)\s+(?:-\S|--\S)[^\n]*`),
	compile(BaseURL, Doubt, bases, "the address of a model's API is changed: whoever is there gets the key and all that is said",
		"http", `(?i)\b(?:ANTHROPIC|OPENAI|GOOGLE_GEMINI|ANTHROPIC_BEDROCK)_(?:BASE_URL|API_BASE)["']?\s*[=:]\s*["']?https?://[^\s"'<>${}]+`),
	compile(SkippedConsent, Note, consents, "it leaves the user's say out",
		"--dangerously-|--yolo|bypasspermissions", `(?i)--dangerously-skip-permissions\b|--dangerously-bypass-approvals-and-sandbox\b|--yolo\b|\bbypassPermissions\b`),
}

// findCommands looks for the forms that one command has, in code wherever it stands and in prose.
func findCommands(t *Text, s *scan) []Hit {
	var out []Hit
	last := make([]text.Span, len(patterns))
	var piped text.Span
	for _, m := range s.marks {
		var at text.Span
		lower := ""
		for i := range patterns {
			p := &patterns[i]
			if p.when&m.what == 0 || last[i].Covers(m.at) {
				continue
			}
			if at.Empty() {
				at = t.statement(m.at.Start)
				lower = strings.ToLower(at.In(t.Src))
			}
			last[i] = at
			for _, x := range p.find(at.In(t.Src), lower) {
				hit := Hit{Kind: p.kind, Level: p.level, Span: trim(t.Src, text.Span{Start: at.Start + x[0], End: at.Start + x[1]}), What: p.what}
				if t.harmless(&hit) {
					continue
				}
				out = append(out, hit)
			}
		}
		if m.what&(fetches|decodes) != 0 && !piped.Covers(m.at) {
			if at.Empty() {
				at = t.statement(m.at.Start)
			}
			if m.what&fetches != 0 {
				piped = at
			}
			out = append(out, t.pipes(at, m)...)
		}
	}
	return append(out, t.downloads(s)...)
}

// harmless lowers or drops what has a reason after all: a known installer, an address of the own machine, a text that warns.
func (t *Text) harmless(h *Hit) bool {
	src := h.Span.In(t.Src)
	switch {
	case h.Kind == RemoteScript && knownInstaller(src):
		h.Level, h.What = Note, "an installer is run as it comes from the network"
	case h.Kind == ReverseShell && strings.Contains(src, "dup2") && !strings.Contains(t.Src, "socket"):
		return true
	case h.Kind == BaseURL && ownAddress.MatchString(src):
		return true
	case h.Kind == SkippedConsent && t.Form != Script && t.at(h.Span.Start) != inFence && forbids.MatchString(t.before(h.Span.Start)):
		return true
	case h.Kind == Miner && t.Form != Script && t.at(h.Span.Start) == inProse:
		h.Level = Note
	}
	if h.Level > Note && t.Form != Script && t.speaksOfCommand(h.Span) {
		h.Level = Note
	}
	return false
}

// speaksOfCommand is spoken for commands: inline code quotes nothing, and an example is still there to be run.
func (t *Text) speaksOfCommand(at text.Span) bool {
	switch t.at(at.Start) {
	case inFence:
		line := t.line(at.Start)
		above := ""
		if line.Start > 0 {
			above = t.line(line.Start - 1).In(t.Src)
		}
		comment := ""
		if i := strings.IndexAny(line.In(t.Src), "#"); i >= 0 {
			comment = line.In(t.Src)[i:]
		}
		if a := strings.TrimSpace(above); strings.HasPrefix(a, "#") || strings.HasPrefix(a, "//") {
			comment += a
		}
		return t.warned(at.Start) || warnsLine.MatchString(comment)
	case inComment:
		return false
	case inTable:
		return true
	}
	return t.warned(at.Start) || forbids.MatchString(t.before(at.Start)) || commandTalk.MatchString(address.ReplaceAllString(t.sentence(at).In(t.Src), ""))
}

var commandTalk = lazyregexp.New(`(?i)\b(?:detect\w*|flag(?:s|ged|ging)?|looks? for|such as|e\.g\.|like|patterns?|attack\w*|malicious|suspicious|dangerous|destructive|block(?:s|ed|ing)?|den(?:y|ies|ied)|refus\w+|vulnerab\w*|unsafe|risky?)\b`)

var ownAddress = lazyregexp.New(`(?i)//(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal|api\.anthropic\.com|api\.openai\.com|[\w.-]+\.openai\.azure\.com|[\w.-]*(?:amazonaws|googleapis|azure)\.com|[\w.-]*(?:\.local|\.internal|\.lan)\b|192\.168\.|10\.|172\.(?:1[6-9]|2\d|3[01])\.)`)

// trim leaves white space at the ends out of a span.
func trim(src string, at text.Span) text.Span {
	s := at.In(src)
	at.Start += len(s) - len(strings.TrimLeft(s, " \t\r\n;&|"))
	at.End -= len(s) - len(strings.TrimRight(s, " \t\r\n;&|"))
	return at
}
