package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// greet makes contact with the handshake that every server in use knows. A server that says it knows only newer or
// other revisions is asked as it wants. It returns an error that has not been reported yet.
func (p *probe) greet(ctx context.Context, s *session) error {
	result, err := s.initialize(ctx, newestHandshake)
	if refusal, ok := errors.AsType[*rpcError](err); ok {
		if other := refusal.offers(handshakes); other != "" && other != newestHandshake {
			p.report(NoNegotiation, fmt.Sprintf("does not negotiate the protocol version: it refuses %s instead of answering with %s, which it supports", newestHandshake, other), refusal.message)
			result, err = s.initialize(ctx, other)
		} else if refusal.wantsDiscovery() {
			return p.discover(ctx, s, refusal)
		}
	}
	if err != nil {
		return err
	}
	return p.accept(ctx, s, result)
}

// offers returns the first of these revisions that the error names, in its data if that lists any, else in its text.
func (e *rpcError) offers(revisions []string) string {
	named := dates.FindAllString(e.message, -1)
	if data, ok := e.data.(map[string]any); ok && data["supported"] != nil {
		list, _ := json.Marshal(data["supported"]) // decoded from JSON
		named = dates.FindAllString(string(list), -1)
	}
	for _, revision := range revisions {
		if slices.Contains(named, revision) {
			return revision
		}
	}
	return ""
}

var dates = lazyregexp.New(`\b\d{4}-\d{2}-\d{2}\b`)

// wantsDiscovery reports whether initialize was refused as servers of revision 2026-07-28 do, which have none.
func (e *rpcError) wantsDiscovery() bool {
	return e.code == methodNotFound || e.code == unsupportedVersion || e.offers([]string{newestStateless}) != ""
}

// accept takes the answer to initialize. A version that never was is reported, and the server asked on: most of it
// may be as ever.
func (p *probe) accept(ctx context.Context, s *session, result *catalog.Node) error {
	if !result.Is(catalog.Object) {
		return badAnswer("initialize", result)
	}
	p.server.SetHandshake(result)
	version := p.server.ProtocolVersion
	switch {
	case version == "":
		p.report(BadAnswer, "answers initialize without a protocol version")
	case version != newestStateless && !slices.Contains(handshakes, version):
		p.report(UnknownVersion, fmt.Sprintf("answers with the unknown protocol version %s; clients end the connection", version), "known: "+strings.Join(slices.Concat([]string{newestStateless}, handshakes), ", "))
	}
	s.initialized(ctx, version)
	return nil
}

// discover makes contact without a handshake. why is what the server had against initialize, nil if it was not asked.
func (p *probe) discover(ctx context.Context, s *session, why error) error {
	result, err := s.discover(ctx)
	if refusal, ok := errors.AsType[*rpcError](err); ok && refusal.offers([]string{newestStateless}) != "" {
		// It names the very version it was asked with. The specification lets the client try again.
		result, err = s.discover(ctx)
	}
	if err != nil {
		return err
	}
	versions := result.Get("supportedVersions")
	if !versions.Is(catalog.Array) {
		return badAnswer("server/discover", result)
	}
	if !slices.ContainsFunc(versions.Items, func(n *catalog.Node) bool { return n.Text() == newestStateless }) {
		return &unknownVersions{versions.Raw()}
	}
	p.server.SetHandshake(result)
	p.server.ProtocolVersion = newestStateless
	if why != nil {
		p.report(StatelessOnly, "speaks only protocol version "+newestStateless+": clients that begin with initialize get no tools", why.Error())
	}
	return nil
}

// unknownVersions says that a server has no revision in common with us.
type unknownVersions struct{ list string }

func (e *unknownVersions) Error() string {
	return "supports only unknown protocol versions: " + e.list
}

// malformed is an answer that is not what the method returns.
type malformed struct{ method, got string }

func (e *malformed) Error() string {
	return fmt.Sprintf("answered %s with something else than it returns", e.method)
}

func badAnswer(method string, result *catalog.Node) error {
	return &malformed{method, cut(result.Raw(), maxLine)}
}
