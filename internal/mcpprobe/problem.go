package mcpprobe

// Kind names a misbehaviour or an obstacle. The names are stable: reports carry them.
type Kind string

// What can be wrong before a server answers.
const (
	NoConsent      Kind = "no-consent"      // nobody has agreed to start this definition
	BadDefinition  Kind = "bad-definition"  // the definition says too little, or something impossible
	NeedsValues    Kind = "needs-values"    // variables or inputs that only the user can give
	RefusedEnv     Kind = "refused-env"     // environment variables that would load other code
	CannotStart    Kind = "cannot-start"    // no such program, or it cannot be run
	Exited         Kind = "exited"          // the process ended before it had answered
	NoAnswer       Kind = "no-answer"       // a request was not answered in time
	Cancelled      Kind = "cancelled"       // the user stopped the probe
	Unreachable    Kind = "unreachable"     // no connection
	BlockedAddress Kind = "blocked-address" // an address that no MCP server has any business at
	TLS            Kind = "tls"             // the certificate is not to be trusted
	Redirected     Kind = "redirected"      // sent to another place, where it is not followed
)

// What a server on HTTP can answer instead of MCP.
const (
	SignIn            Kind = "sign-in"            // 401: the server is fine and wants to know who asks
	InsufficientScope Kind = "insufficient-scope" // 403 for want of a scope
	Forbidden         Kind = "forbidden"          // any other 403
	NotFound          Kind = "not-found"          // 404, 405 or 410: no MCP server at that path
	WebPage           Kind = "web-page"           // HTML: a wrong URL or a login wall
	HTTPStatus        Kind = "http-status"        // any other status that is no success
	LegacySSE         Kind = "legacy-sse"         // speaks only the transport of 2024-11-05
)

// What can be wrong with the protocol.
const (
	StdoutNoise    Kind = "stdout-noise"    // text on standard output that is no protocol message
	ByteOrderMark  Kind = "byte-order-mark" // a BOM before the first message
	MultiLine      Kind = "multi-line"      // a message broken over several lines
	IDType         Kind = "id-type"         // an answer whose id is a string where the request's was a number
	BadAnswer      Kind = "bad-answer"      // an answer that is not what the method returns
	ErrorAnswer    Kind = "error-answer"    // an error in place of an answer
	UnknownVersion Kind = "unknown-version" // a protocol version that never was
	NoNegotiation  Kind = "no-negotiation"  // refuses a version where it should offer another
	StatelessOnly  Kind = "stateless-only"  // answers server/discover but not initialize
	TooLarge       Kind = "too-large"       // more bytes than a probe reads
	Flood          Kind = "flood"           // a thousand requests and notifications of its own
	PageLoop       Kind = "page-loop"       // a cursor that comes back
	EmptyCursor    Kind = "empty-cursor"    // an empty cursor, which clients read differently
	TooManyPages   Kind = "too-many-pages"  // a list that does not end
	TooManyItems   Kind = "too-many-items"  // more entries than any client takes
	SeveralPages   Kind = "several-pages"   // tools behind the first page, which not every client asks for
	UnstableOrder  Kind = "unstable-order"  // another order of the tools each time
	UnstableList   Kind = "unstable-list"   // other tools each time
	Undeclared     Kind = "undeclared"      // tools without the capability
	MalformedTool  Kind = "malformed-tool"  // a tool that breaks the MCP schema
	IgnoresEOF     Kind = "ignores-eof"     // runs on when its standard input is closed
	LeftRunning    Kind = "left-running"    // ended but left processes behind
	ExitStatus     Kind = "exit-status"     // ended with a failure when its standard input was closed
)

// Severity is a hint how bad a problem is. It has the levels of findings.
type Severity string

// The levels.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// severities holds what is no error: clients do get the tools, or it is not the server's fault.
var severities = map[Kind]Severity{
	NoConsent: Info, NeedsValues: Info, Cancelled: Info, SignIn: Info, InsufficientScope: Info, LegacySSE: Info,
	StatelessOnly: Info, EmptyCursor: Info, IgnoresEOF: Info, LeftRunning: Info,
	SeveralPages: Info, UnstableOrder: Info, UnstableList: Info, ExitStatus: Info,
	RefusedEnv: Warning, StdoutNoise: Warning, ByteOrderMark: Warning, MultiLine: Warning, NoNegotiation: Warning,
	PageLoop: Warning, TooManyPages: Warning, TooManyItems: Warning, Undeclared: Warning,
}

// Problem is something wrong with a server, in plain words.
type Problem struct {
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Detail   string   `json:"detail,omitempty"` // what the server said, one thing a line

	Tool    string `json:"tool,omitempty"`    // the tool at fault, when there is one with a name
	Pointer string `json:"pointer,omitempty"` // RFC 6901, into the tool
}
