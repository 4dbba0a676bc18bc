package mcpprobe

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/mcpprobe/internal/badserver"
)

// probed is what a probe of a server has to find.
type probed struct {
	status Status
	tools  int
	kinds  string // in order, repetitions left out
	says   string // part of what is reported
}

// behaviours has every misbehaviour of badserver but those that a test of their own looks at.
var behaviours = map[string]probed{
	"good": {Answered, 1, "", ""},

	"crash":            {Failed, 0, "exited", "ended with exit status 3 before it had answered initialize; last on standard error: Error: Cannot find module 'foo'"},
	"slow":             {Answered, 1, "", ""},
	"hang":             {Failed, 0, "no-answer", "gave no answer to initialize"},
	"mute":             {Failed, 0, "exited", "closed its standard output before it had answered initialize"},
	"deaf":             {Answered, 1, "ignores-eof", "runs on when its standard input is closed"},
	"lingers":          {Answered, 1, "ignores-eof", "runs on when its standard input is closed"},
	"sulks":            {Answered, 1, "exit-status", "ends with exit status 7 when its standard input is closed"},
	"stubborn":         {Answered, 1, "ignores-eof", ""},
	"grandchild":       {Answered, 1, "left-running", "ended but left processes running"},
	"grandchild-clean": {Answered, 1, "left-running", "ended but left processes running"},

	"noise":       {Answered, 1, "stdout-noise", "writes non-protocol text to stdout (3 lines): clients that are strict end the connection; first: Server v1.2 starting on stdio..."},
	"jsonnoise":   {Answered, 1, "stdout-noise", `(2 lines): clients that are strict end the connection; first: {"level":"info"}`},
	"bom":         {Answered, 1, "byte-order-mark", "byte order mark"},
	"stderrflood": {Answered, 1, "", "xxxx"},
	"endless":     {Failed, 0, "too-large", "sends more than a probe reads: 16 MiB in one message or 32 MiB in all"},
	"chatty":      {Failed, 0, "flood", "sends more than 1000 requests"},
	"requests":    {Answered, 1, "flood", "sends more than 1000 requests"},
	"pingfirst":   {Answered, 1, "", ""},
	"crlf":        {Answered, 1, "", ""},
	"trailing":    {Answered, 1, "", ""},
	"dotenv":      {Answered, 1, "stdout-noise", "DOTENV_CONFIG_QUIET=true in env stops dotenv"},
	"inlinenoise": {Answered, 1, "stdout-noise", "first: DEBUG response: "},
	"pretty":      {Answered, 1, "multi-line", "breaks a message over several lines"},
	"stringid":    {Answered, 1, "id-type", `answers with the id "1"`},

	"silentdiscover": {Answered, 1, "", ""},
	"exitondiscover": {Answered, 1, "", ""},
	"supportslegacy": {Answered, 1, "", ""},
	"modernonly":     {Answered, 1, "stateless-only", "clients that begin with initialize get no tools"},
	"modernsilent":   {Answered, 1, "stateless-only", "speaks only protocol version 2026-07-28"},
	"modernexits":    {Answered, 1, "stateless-only", "speaks only protocol version 2026-07-28"},
	"futureproto":    {Answered, 1, "unknown-version", "answers with the unknown protocol version 2099-01-01"},
	"oldproto":       {Answered, 1, "unknown-version", "answers with the unknown protocol version 2024-10-07"},
	"noproto":        {Answered, 1, "bad-answer", "answers initialize without a protocol version"},
	"picky":          {Answered, 1, "no-negotiation", "it refuses 2025-11-25 instead of answering with 2025-03-26"},
	"refuses":        {Failed, 0, "error-answer", "answered initialize with the error -32000: License expired"},

	"dieafterinit":  {Failed, 0, "exited", "ended with exit status 9 before it had answered tools/list; last on standard error: fatal: boom"},
	"hanginlist":    {Failed, 0, "no-answer", "gave no answer to tools/list within 3s"},
	"listerror":     {Failed, 0, "error-answer", "answered tools/list with the error -32603: database is locked"},
	"nolist":        {Failed, 0, "bad-answer", "answered tools/list with something else than it returns"},
	"undeclared":    {Answered, 1, "undeclared", `has 1 tools but does not declare the capability "tools"`},
	"cursorsame":    {Answered, 1, "page-loop", `names the same next page "x" again and again`},
	"cursorinf":     {Answered, 100, "too-many-pages", "lists more than 100 pages"},
	"cursornumber":  {Answered, 1, "bad-answer", "gives a next page in tools/list that is a number, not a string"},
	"cursorempty":   {Answered, 2, "empty-cursor", "empty cursor"},
	"cursorignored": {Answered, 1, "empty-cursor", "empty cursor"},
	"hangincall":    {Answered, 1, "", ""}, // a probe calls nothing
	"dieincall":     {Answered, 1, "", ""},
	"paged":         {Answered, 2, "several-pages", "on 2 pages: clients that ask once, such as Gemini CLI, get the 1 of the first"},
	"shuffled":      {Answered, 2, "unstable-order", "in another order when it is asked again"},
	"moody":         {Answered, 2, "unstable-list", "lists other tools when it is asked again: 2 at first, then 2"},
	"many":          {Answered, 2500, "too-many-items", "lists more than 2000 entries"},
	"huge":          {Failed, 0, "too-large", "sends more than a probe reads"},
	"large":         {Answered, 1, "", ""},

	"shape-noschema":     {Answered, 2, "malformed-tool", `tool "a": inputSchema is missing`},
	"shape-nullschema":   {Answered, 2, "malformed-tool", `tool "a": inputSchema is null, not an object`},
	"shape-typearray":    {Answered, 2, "malformed-tool", `tool "a": inputSchema has no type "object" at its root but ["object","null"]`},
	"shape-propsarray":   {Answered, 2, "malformed-tool", `tool "a": inputSchema.properties is an array, not an object`},
	"shape-requiredbool": {Answered, 2, "malformed-tool", `tool "a": inputSchema.required is a boolean, not an array`},
	"shape-boolschema":   {Answered, 2, "malformed-tool", `tool "a": inputSchema is a boolean, not an object`},
	"shape-nullname":     {Answered, 2, "malformed-tool", `tool 1 of 2: name is null, not a string`},
	"shape-numname":      {Answered, 2, "malformed-tool", `tool 1 of 2: name is a number, not a string`},
	"shape-descobj":      {Answered, 2, "malformed-tool", `tool "a": description is an object, not a string`},
	"shape-annstr":       {Answered, 2, "malformed-tool", `tool "a": annotations.readOnlyHint is a string, not a boolean`},
	"shape-iconobj":      {Answered, 2, "malformed-tool", `tool "a": icons is an object, not an array`},
	"shape-topanyof":     {Answered, 2, "malformed-tool", `tool "a": inputSchema has no type "object" at its root`},
	"shape-outarray":     {Answered, 2, "malformed-tool", `tool "a": outputSchema has no type "object" at its root but "array"`},
	"shape-hdr":          {Answered, 2, "malformed-tool", `tool "a": x-mcp-header "bad header" is no name of an HTTP header`},
	"shape-nulltool":     {Answered, 2, "malformed-tool", `tool 1 of 2: the tool is null, not an object`},
}

// elsewhere are modes that other tests use, or that are only parts of others.
var elsewhere = []string{"env", "leaky", "canary", "sleeper", "napper"}

// TestEveryMisbehaviourHasAnEnd probes each bad server: it ends within its bound, says why in plain words, and
// nothing is left running.
func TestEveryMisbehaviourHasAnEnd(t *testing.T) {
	for _, mode := range badserver.Modes() {
		want, ok := behaviours[mode]
		if !ok && !slices.Contains(elsewhere, mode) {
			t.Errorf("%s: nobody says what to expect", mode)
		}
		if !ok {
			continue
		}
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute // what ends, ends long before, but not on every machine
			if strings.Contains(want.kinds, "no-answer") || mode == "modernsilent" {
				timeout = 3 * time.Second
			}
			begin := time.Now()
			got := ask(t, bad(mode), timeout)
			if spent, bound := time.Since(begin), timeout+3*gentle; spent > bound {
				t.Errorf("took %s, more than %s", spent, bound)
			}
			if got.Status != want.status || toolCount(got) != want.tools || kinds(got) != want.kinds || !strings.Contains(messages(got), want.says) {
				t.Errorf("got %s, %d tools, %q:\n%s\nwant %s, %d tools, %q, saying %q", got.Status, toolCount(got), kinds(got), cut(messages(got), 2000), want.status, want.tools, want.kinds, want.says)
			}
		})
	}
}
