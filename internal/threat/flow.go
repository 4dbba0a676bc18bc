package threat

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

const home = `(?:~|\$\{?HOME\}?|\$env:USERPROFILE|%USERPROFILE%|/root|/home/[\w.-]+|/Users/[\w.-]+|expanduser\(|homedir\(\)|Path\.home\(\)|["'/\s=@(])`

// keyFiles are files that hold credentials and that a program has no reason to send anywhere, and what stands for all of them.
var keyFiles = compileForms(
	"id_", `(?i)\bid_(?:rsa|ed25519|ecdsa|dsa)\b`,
	".ssh", `(?i)`+home+`[^\n"'|;]{0,30}\.ssh(?:/|\b)`,
	".aws/|.gnupg|.kube/|.docker/|.config/", `(?i)\.aws/credentials\b|\.gnupg\b|\.kube/config\b|\.docker/config\.json\b|\.config/(?:gcloud|gh)/[\w./-]*`,
	".git-credentials|.netrc|.pgpass|.pypirc|.vault-token", `(?i)\.git-credentials\b|\.netrc\b|\.pgpass\b|\.pypirc\b|\.vault-token\b`,
	"/etc/|/proc/self/", `(?i)/etc/(?:shadow|passwd)\b|/proc/self/environ\b`,
	"login data|cookies.|key4.|logins.", `(?i)\bLogin Data\b|\b(?:cookies|key4|logins)\.(?:sqlite|db|json)\b`,
	"keychain|security", `(?i)Library/Keychains|login\.keychain|\bsecurity\s+(?:find-(?:generic|internet)-password|dump-keychain)\b`,
	"wallet.dat|.electrum|.ethereum|_history", `(?i)\bwallet\.dat\b|\.(?:electrum|ethereum/keystore)\b|\.(?:bash|zsh)_history\b`,
	".json", `(?i)\.(?:claude|codex|cursor|gemini)/(?:\.credentials|auth|mcp|oauth_creds)\.json\b`,
	"169.254|metadata.google", `(?i)169\.254\.169\.254/latest/meta-data|\bmetadata\.google\.internal\b`,
)

func namesKeyFile(src string) bool {
	lower := strings.ToLower(src)
	return slices.ContainsFunc(keyFiles, func(f form) bool { return f.mayMatch(lower) && f.re.MatchString(src) })
}

// publicAlone reports whether the only such file that a text names is one that every program reads to know the users. It is
// no credential, though nobody else's business either.
func publicAlone(src string) bool {
	rest := strings.ReplaceAll(src, "/etc/passwd", "")
	return len(rest) < len(src) && !namesKeyFile(rest)
}

var envWords = strings.Fields("env set export")

// wholeEnv is the whole environment, not one variable of it.
var wholeEnv = lazyregexp.New(`(?:^|[|;&(` + "`" + `]|\$\()\s*(?:printenv|env|set|export\s+-p)\s*(?:\||\)|>|` + "`" + `|$)|\bos\.environ\b\s*(?:[,)}\]]|\.copy\(\)|\.items\(\)|$)|\bdict\(\s*os\.environ\s*\)|\bprocess\.env\b\s*(?:[,)}]|;|$)|\bENV\.to_h\b|\bgci\s+env:|\bGet-ChildItem\s+env:`)

// envFile is the file with a project's own secrets: what is read from it is sent, one by one, to the services they are for.
var envFile = lazyregexp.New(`(?:^|[\s"'@<(=/])\.(?:env(?:\.\w+)?|npmrc|aws/config)\b`)

func namesEnvFile(src string) bool {
	return (strings.Contains(src, ".env") || strings.Contains(src, ".npmrc") || strings.Contains(src, ".aws/")) && envFile.MatchString(src)
}

// sinks send what they are given to somebody else.
var sinks = lazyregexp.New(`(?i)\bcurl\b|\bwget\b|\b(?:nc|ncat|netcat)\s+(?:-\w+\s+)*[\w.$-]+\s+\d|\brequests\.(?:post|put|get|patch|request)\s*\(|\bhttpx\.(?:post|put|get|patch|request)\s*\(|\burlopen\s*\(|\burllib\.request\.Request\s*\(|\bfetch\s*\(|\baxios(?:\.(?:post|put|get|request))?\s*\(|` +
	`\bXMLHttpRequest\b|\bsendBeacon\s*\(|\.send(?:all|to|_message|mail)?\s*\(|\bsendmail\b|\bmailx?\s+-s\b|\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b|\bUpload(?:String|File|Data)\s*\(|\bgethostbyname\s*\(|\bgetaddrinfo\s*\(|` +
	`\b(?:nslookup|dig|host|ping)\b[^\n]*[$` + "`" + `]|\bhttps?\.request\s*\(|\bscp\s|\brsync\s|\bgh\s+gist\s+create\b|\bsession\.(?:post|put)\s*\(|\bclient\.(?:post|put)\s*\(|\bNet::HTTP\b|\b/dev/tcp/|\.storbinary\s*\(`)

// carries reports whether a sink in shell sends data rather than asking for a page.
var carries = lazyregexp.New(`(?i)\s(?:-d|--data\S*|-F|--form\S*|-T|--upload-file|--json|--post-data|--post-file|--body-file|-Body|-InFile|-H|--header)(?:[\s=@"']|$)|\$\(|` + "`" + `|\$\{?\w|\|\s*(?:curl|nc|ncat|netcat|wget|gh)\b|\(|\b(?:scp|rsync|nc|ncat|netcat|gh|mail|dig|nslookup|host|ping)\b`)

// idleUse are uses of a key for what it is for: signing in, not being sent.
var idleUse = lazyregexp.New(`(?i)\s-i\s+\S*|(?:^|[\s;&|(])(?:ssh|ssh-add|ssh-keygen|ssh-copy-id|ssh-keyscan|chmod|chown|mkdir|ls|stat|test|gpg)\s[^|;&\n]*|\bIdentityFile\b[^\n]*|--(?:key|cert|netrc-file|cacert|env-file|kubeconfig|identity)[= ]\S+|-v\s+\S+:\S+|--volume[= ]\S+|--mount\S*[= ]\S+|known_hosts\S*|\S+\.pub\b`)

// source is why a value must not leave the machine.
type source uint8

const (
	noSource source = iota
	ownFile         // a file of the project: only as a whole
	keyFile
	remoteText // came from the network: must not be run
	blobText   // was decoded: must not be run
)

// flow follows values through one text: what is read from a credential's file, under whatever name, into what sends; and what
// comes from the network or out of a blob into what runs it.
type flow struct {
	t       *Text
	tainted map[string]source
	senders map[string]bool // functions that send a parameter
	inside  string          // the function that the lines are part of
	params  []string
	entered int // where the lines end for which inside was noted
	judged  int // statements
	out     []Hit
}

// mostStatements is in how many statements of one text values are followed.
const mostStatements = 5000

var (
	assigned = lazyregexp.New(`^\s*(?:export\s+|local\s+|readonly\s+|const\s+|let\s+|var\s+|my\s+|\$|declare\s+(?:-\w+\s+)*)*([A-Za-z_]\w*)(?:\[[^\]\n]*\])?(?:\s*:\s*[\w.\[\]<>, |]+)?\s*(?:\+=|:=|\|=|=)\s*([^=\s].*)$`)
	opened   = lazyregexp.New(`^\s*(?:async\s+)?with\s+.+?\s+as\s+(\w+)\s*:|^\s*for\s+(?:await\s*)?\(?(?:const\s+|let\s+|var\s+)?(\w+)(?:\s*,\s*\w+)*\s+(?:in|of)\s|^\s*(\w+)\.(?:append|add|push|update|extend|write|writestr)\s*\(`)
	written  = lazyregexp.New(`(?:^|[^0-9&=>-])>>?\s*["']?([\w./~$-]+)|\b(?:tar|zip|7z)\s+-?\w+\s+["']?([\w./~$-]+)|\b(?:cp|mv)\s+(?:-\w+\s+)*\S+\s+["']?([\w./~$-]+)|\s(?:-o|--output|-out)\s+["']?([\w./~$-]+)|\bcopy\w*\s*\([^\n]*,\s*["']([\w./~$-]+)["']`)
	function = lazyregexp.New(`^\s*(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)\s*\(?([^)]*)|^\s*(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?\(([^)]*)\)\s*=>|^(\w+)\s*\(\)\s*\{`)
	returned = lazyregexp.New(`^\s*(?:return|echo|yield|cat)\b`)
	executed = lazyregexp.New(`(?:^|[^.\w])(?:exec|eval|new\s+Function|Function|os\.system|os\.popen|execSync|iex|Invoke-Expression|subprocess\.(?:run|call|Popen|check_output))\s*\(?\s*(?:compile\s*\(\s*)?["']?\$?\{?([A-Za-z_]\w*)` +
		`|\b(?:ba|z|da)?sh\s+-c\s+["']?\$\{?([A-Za-z_]\w*)|\b(?:echo|printf)\s+(?:-\w+\s+)?["']?\$\{?([A-Za-z_]\w*)\}?["']?\s*\|\s*(?:ba|z|da)?sh\b`)
	remote  = lazyregexp.New(`(?i)\b(?:requests\.get|httpx\.get|urlopen|urllib\.request\.urlopen|fetch|axios\.get|DownloadString|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\s*[( ]|(?:\$\(|` + "`" + `)\s*(?:curl|wget)\b`)
	decoded = lazyregexp.New(`(?i)\b(?:b64decode|urlsafe_b64decode|b32decode|a85decode|unhexlify|fromhex|marshal\.loads|zlib\.decompress|FromBase64String|atob|base64_decode|decode64|gzinflate)\s*\(|Buffer\.from\([^)]*['"](?:base64|hex)['"]|base64\s+(?:-d|-D|--decode)|xxd\s+-r|rot_?13`)
	readsIt = lazyregexp.New(`(?i)\b(?:cat|open|read\w*|less|type|head|tail|base64|tar|zip|cp|Get-Content|slurp)\b|@|<\s`)
	plain   = lazyregexp.New(`^(?:await\s+)?\(?(?:await\s+)?(?:str\()?["']?\$?\{?(\w+)\}?["']?(?:\.\w+(?:\([^)]*\))?)*\)?[;"']*\s*$`)
	oneOf   = lazyregexp.New(`^\s*(?:\[|\.get\b|\.pop\b)`)
)

// decodeWords are words without which nothing is decoded.
var decodeWords = strings.Fields("decode unhexlify fromhex marshal decompress frombase64 atob inflate buffer.from base64 xxd rot13 rot_13")

// findFlows follows credentials through a script, or through the code of a skill, and tells where they leave.
func findFlows(t *Text, s *scan) []Hit {
	var marks []mark
	switch kept, run := len(s.marked(reads)) > 0, len(s.marked(runs)) > 0 && len(s.marked(fetches|decodes)) > 0; {
	case kept && run:
		marks = s.marked(reads | sends | runs | fetches | decodes)
	case kept:
		marks = s.marked(reads | sends)
	case run:
		marks = s.marked(runs | fetches | decodes)
	default:
		return nil
	}
	f := &flow{t: t, tainted: map[string]source{}, senders: map[string]bool{}}
	for off := 0; off < len(t.Src) && f.judged < mostStatements; {
		marks = after(marks, off)
		if !f.follows() {
			if len(marks) == 0 {
				break
			}
			off = marks[0].at.Start
		}
		at := t.line(off)
		line := at.In(t.Src)
		if (len(marks) > 0 && marks[0].at.Start < at.End || f.concerns(line)) && (t.Form == Script || strings.ContainsAny(line, "`|$") || t.at(at.Start) == inFence) {
			f.enter(at)
			at = text.Span{Start: at.Start, End: max(at.End, t.statement(at.Start).End)}
			for _, part := range t.apart(at) {
				marks = after(marks, part.Start)
				f.statement(part, within(marks, part.End))
				f.judged++
			}
			f.entered = at.End
		}
		off = at.End + 1
	}
	return append(f.reported(), t.told(s)...)
}

// reported returns what was found. A credential that leaves is told once: where it leaves.
func (f *flow) reported() []Hit {
	leaves := slices.ContainsFunc(f.out, func(h Hit) bool { return h.Kind == Exfiltration })
	return slices.DeleteFunc(f.out, func(h Hit) bool { return leaves && h.Kind == CredentialRead })
}

var name = lazyregexp.New(`[A-Za-z_]\w*`)

// apart returns the statements of a place: the cells of a row of a table have nothing to do with each other.
func (t *Text) apart(at text.Span) []text.Span {
	if t.Form == Script || t.at(at.Start) != inTable {
		return []text.Span{at}
	}
	var out []text.Span
	cell := at
	for i := at.Start; i < at.End; i++ {
		if t.Src[i] == '|' && (i == at.Start || t.Src[i-1] != '\\') {
			cell.End = i
			out, cell = append(out, cell), text.Span{Start: i + 1, End: at.End}
		}
	}
	return append(out, cell)
}

// after returns the marks, which are in order, from an offset on.
func after(marks []mark, off int) []mark {
	for len(marks) > 0 && marks[0].at.Start < off {
		marks = marks[1:]
	}
	return marks
}

// within returns what the marks up to an offset give reason for.
func within(marks []mark, end int) detector {
	var out detector
	for _, m := range marks {
		if m.at.Start >= end {
			break
		}
		out |= m.what
	}
	return out
}

// enter notes the function that a line of a script is part of: what begins it stands at or below the last line that is not
// indented.
func (f *flow) enter(at text.Span) {
	if f.t.Form != Script {
		return
	}
	first := at
	for first.Start > f.entered && isIndented(first.In(f.t.Src)) {
		first = f.t.line(first.Start - 1)
	}
	for l := first; ; l = f.t.line(l.End + 1) {
		f.enterLine(l.In(f.t.Src))
		if l.End >= at.End {
			return
		}
	}
}

func isIndented(line string) bool {
	return line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == ')'
}

func (f *flow) enterLine(line string) {
	if !isIndented(line) {
		f.inside, f.params = "", nil
	}
	if !strings.Contains(line, "def ") && !strings.Contains(line, "function") && !strings.Contains(line, "=>") && !strings.Contains(line, "() {") {
		return
	}
	if m := function.FindStringSubmatch(line); m != nil {
		f.inside, f.params = m[1]+m[3]+m[5], name.FindAllString(m[2]+m[4], -1)
	}
}

// follows reports whether there is something to follow.
func (f *flow) follows() bool { return len(f.tainted)+len(f.senders) > 0 }

// concerns reports whether a line names something that is followed.
func (f *flow) concerns(line string) bool {
	for n := range f.tainted {
		if strings.Contains(line, n) {
			return true
		}
	}
	for n := range f.senders {
		if strings.Contains(line, n) {
			return true
		}
	}
	return false
}

// statement judges one statement, in which the words of some detectors stand, and notes what it hands on.
func (f *flow) statement(at text.Span, has detector) {
	src := at.In(f.t.Src)
	clean := src
	from, direct := f.from(at, src, has)
	if from != noSource && has&reads != 0 {
		clean = idleUse.ReplaceAllString(src, " ")
		from, direct = f.from(at, clean, has)
	}
	run := noSource
	if has&runs != 0 && len(f.tainted) > 0 {
		run = f.runsIt(clean)
	}
	switch {
	case from != noSource && from <= keyFile && f.sends(clean, has):
		f.add(at, Exfiltration, Danger, map[source]string{ownFile: "the file with the project's secrets is sent away", keyFile: "a credential, or all of the environment, is sent away"}[from])
	case run == remoteText:
		f.add(at, RemoteScript, Danger, "what comes from the network is run, unseen")
	case run == blobText:
		f.add(at, DecodedCode, Danger, "code is decoded and run: nobody can read what it does")
	case direct && from == keyFile && readsIt.MatchString(clean) && !publicAlone(clean):
		f.add(at, CredentialRead, Note, "a credential is read")
	}
	f.handOn(src, clean, from, direct, has)
}

func (f *flow) add(at text.Span, kind Kind, level Level, what string) {
	h := Hit{Kind: kind, Level: level, Span: trim(f.t.Src, at), What: what}
	if i := strings.IndexByte(h.Span.In(f.t.Src), '\n'); i > 0 && level == Note {
		h.Span.End = h.Span.Start + i
	}
	f.t.harmless(&h)
	f.out = append(f.out, h)
}

// from returns what a statement takes that is followed, and whether it names the source itself.
func (f *flow) from(at text.Span, src string, has detector) (from source, direct bool) {
	switch {
	case has&reads == 0:
	case namesKeyFile(src), among(src, envWords) && wholeEnv.MatchString(f.spoken(at, src)):
		return keyFile, true
	case namesEnvFile(src) && readsIt.MatchString(src):
		from, direct = ownFile, true
	}
	for n, s := range f.tainted {
		if s > from && s <= keyFile && named(src, n) {
			from, direct = s, false
		}
	}
	return from, direct
}

// spoken leaves words out that stand alone in inline code of prose: there `env` is the name of an option, or of a command.
func (f *flow) spoken(at text.Span, src string) string {
	if f.t.Form == Script || f.t.at(at.Start) == inFence {
		return src
	}
	return loneWord.ReplaceAllString(src, "")
}

var loneWord = lazyregexp.New("`\\s*\\w+\\s*`")

// named reports whether a text takes a name whole; one entry of a map is something else.
func named(src, n string) bool {
	for off := 0; ; {
		i := strings.Index(src[off:], n)
		if i < 0 {
			return false
		}
		start, end := off+i, off+i+len(n)
		if (start == 0 || classes[src[start-1]]&wordByte == 0) && (end == len(src) || classes[src[end]]&wordByte == 0) && !oneOf.MatchString(src[end:]) {
			return true
		}
		off = end
	}
}

func (f *flow) sends(src string, has detector) bool {
	for n := range f.senders {
		if strings.Contains(src, n+"(") && n != f.inside {
			return true
		}
	}
	return has&sends != 0 && sinks.MatchString(src) && carries.MatchString(src)
}

// runsIt returns what kind of text a statement runs.
func (f *flow) runsIt(src string) source {
	m := executed.FindStringSubmatch(src)
	if m == nil {
		return noSource
	}
	if s := f.tainted[m[1]+m[2]+m[3]]; s >= remoteText {
		return s
	}
	return noSource
}

// handOn notes which names hold what a statement takes.
func (f *flow) handOn(src, clean string, from source, direct bool, has detector) {
	if from == noSource && has&(fetches|decodes|sends) == 0 && len(f.tainted) == 0 {
		return
	}
	if from == ownFile && !direct {
		from = noSource // a value out of the file is what it is there for
	}
	var to []string
	if m := assigned.FindStringSubmatch(firstLine(src)); m != nil {
		to = append(to, m[1])
		if from == noSource {
			from = f.toRun(m[2])
		}
		if from == noSource {
			delete(f.tainted, m[1])
		}
	}
	if from != noSource {
		if m := opened.FindStringSubmatch(src); m != nil {
			to = append(to, m[1]+m[2]+m[3])
		}
	}
	if from == keyFile {
		for _, m := range written.FindAllStringSubmatch(clean, -1) {
			if file := strings.Join(m[1:], ""); len(file) > 2 && strings.ContainsAny(file, "/.$") && file != "/dev/null" {
				to = append(to, file)
			}
		}
		if returned.MatchString(src) && f.inside != "" {
			to = append(to, f.inside)
		}
	}
	for _, n := range to {
		if from != noSource && len(f.tainted) < mostNames {
			f.tainted[n] = from
		}
	}
	takes := func(p string) bool { return p != "url" && p != "self" && named(src, p) }
	if f.inside != "" && has&sends != 0 && len(f.senders) < mostNames && slices.ContainsFunc(f.params, takes) && sinks.MatchString(src) {
		f.senders[f.inside] = true
	}
}

// mostNames bounds how many names are followed.
const mostNames = 200

// toRun tells what an assigned value is that must not be run.
func (f *flow) toRun(value string) source {
	if m := plain.FindStringSubmatch(value); m != nil && f.tainted[m[1]] >= remoteText {
		return f.tainted[m[1]]
	}
	switch {
	case among(value, decodeWords) && decoded.MatchString(value):
		return blobText
	case remote.MatchString(value):
		return remoteText
	}
	return noSource
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

var (
	keptData = lazyregexp.New(`(?i)\b(?:(?:all|every|any|the|user['’]?s?|their|your|local|stored|saved)\s+){0,3}(?:environment variables|env(?:ironment)? vars|ssh keys?|private keys?|browser cookies|saved passwords|conversation(?: history)?|chat history|api keys and (?:tokens|secrets)|\.env(?: file)?)`)
	sendVerb = lazyregexp.New(`(?i)\b(?:send|sends|sending|upload|uploads|post|posts|transmit|forward|exfiltrate|e-?mail|leak|submit|report|copy)\b`)
	passVerb = lazyregexp.New(`(?i)\b(?:include|pass|put|attach|append|add|provide|return|embed|read|encode)\b`)
	toWhom   = lazyregexp.New(`(?i)https?://\S+|\b[\w.-]+@[\w-]+\.\w+|\b(?:to|at|with)\s+(?:our|the|my|an?)\s+(?:\w+\s+){0,2}(?:server|endpoint|webhook|address|collector|host)\b|\b(?:parameter|argument|field|note|sidenote|context)\b`)
)

// somewhere are words without which no sentence says where to send something.
var somewhere = strings.Fields("http @ server endpoint webhook collector address parameter argument field note context")

// told looks for sentences that tell the model to send credentials away.
func (t *Text) told(s *scan) []Hit {
	if t.Form == Script {
		return nil
	}
	var out []Hit
	var last text.Span
	for _, m := range s.marked(reads) {
		if last.Covers(m.at) {
			continue
		}
		if !among(t.passage(m.at).In(t.Src), somewhere) {
			continue
		}
		at := t.sentence(m.at)
		src := at.In(t.Src)
		if !among(src, somewhere) {
			continue
		}
		key := namesKeyFile(src)
		switch {
		case !key && !keptData.MatchString(src) && !namesEnvFile(src):
			continue
		case !toWhom.MatchString(src) || !sendVerb.MatchString(src) && !(key && passVerb.MatchString(src)):
			continue
		case t.at(m.at.Start) == inFence, t.spoken(m.at):
			continue
		}
		last = at
		out = append(out, Hit{Exfiltration, Danger, trim(t.Src, at), "it tells the model to hand credentials or conversations to somebody else", false})
	}
	return out
}
