package lint

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Offers is what is known of the servers of one MCP configuration, or of servers that no configuration names.
type Offers struct {
	Config  *mcpconfig.File // nil for servers that none names
	Servers []Offer         // those of which anything is known
	Lock    *skills.Document
	LockErr *catalog.SyntaxError // why the lock file cannot be read, nil when it can
	kept    sync.Map             // of key to func() any
}

// Keep returns what work returns, which is done once for these offers however many skills ask. key stands for the work.
func Keep[T any](o *Offers, key any, work func() T) T {
	once, _ := o.kept.LoadOrStore(key, sync.OnceValue(func() any { return work() }))
	return once.(func() any)().(T)
}

// Offer is what one server offers, from a probe, from a saved answer or from the lock file.
type Offer struct {
	Entry    *mcpconfig.Server // nil where no configuration names the server
	Doc      *skills.Document  // the saved answer; nil when there is none
	Server   *catalog.Server   // nil when nobody could list its tools
	Locked   *catalog.Server   // what the lock file holds, where Server is not from there
	Name     string
	Problems []Problem // what a probe has to say
}

// Problem is something wrong with a server that only a probe sees.
type Problem struct {
	Kind     string // as package mcpprobe calls it
	Severity Severity
	Message  string
	Detail   string // what the server said, one thing a line
	Tool     string
	Pointer  string // RFC 6901, into the tool
}

// Catalog returns the servers whose tools are known.
func (o *Offers) Catalog() []*catalog.Server {
	var out []*catalog.Server
	for i := range o.Servers {
		if s := o.Servers[i].Server; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// OfferedTo returns the servers that a client has: those of the configurations that it reads, or of all, as if it had
// them, where it reads none. Of two servers of one name the first counts. The error is that of a lock file that cannot
// be read.
func OfferedTo(client string, offers []*Offers) ([]*catalog.Server, error) {
	var read, all []*catalog.Server
	for _, o := range offers {
		if o.LockErr != nil && o.Lock != nil {
			return nil, fmt.Errorf("%s: %w; write it anew: skilllint probe --write-lock", o.Lock.Path, o.LockErr)
		}
		all = append(all, o.Catalog()...)
		if o.Config != nil && slices.Contains(o.Config.Format.Clients, client) {
			read = append(read, o.Catalog()...)
		}
	}
	if len(read) == 0 {
		read = all
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(read, func(s *catalog.Server) bool {
		again := seen[s.Name]
		seen[s.Name] = true
		return again
	}), nil
}

// Judges returns the clients that the tools are judged by: those the user named, else those of the first tier that
// read the configuration, or all that read it when they are of no such tier.
func (o *Offers) Judges(named []string) []*profile.Profile {
	if len(named) > 0 {
		return Named(&Settings{Clients: named})
	}
	if o.Config == nil || len(o.Config.Format.Clients) == 0 {
		return profile.FirstTier()
	}
	var readers []*profile.Profile
	for _, name := range o.Config.Format.Clients {
		if p, err := profile.Find(name); err == nil { // of some clients only the configuration is known
			readers = append(readers, p)
		}
	}
	first := slices.DeleteFunc(slices.Clone(readers), func(p *profile.Profile) bool { return p.Tier != 1 })
	if len(first) > 0 {
		return first
	}
	return readers
}

// Place returns where a finding about the server, or about a place in one of its tools, lies: on the name of its entry
// in the configuration, else in the saved answer.
func (o *Offer) Place(t catalog.Tool, pointer string) (file string, at text.Span) {
	switch {
	case o.Entry != nil:
		return o.Entry.File.Doc.Path, o.Entry.Key
	case o.Doc == nil:
		return ".", at
	}
	key, value, ok := t.Locate(pointer)
	for !ok && pointer != "" { // what is missing is told where it should stand
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		key, value, ok = t.Locate(pointer)
	}
	switch {
	case !ok:
		return o.Doc.Path, at
	case !key.Empty():
		return o.Doc.Path, key
	}
	if n := t.At(pointer); n.Is(catalog.Object) || n.Is(catalog.Array) {
		value.End = min(value.End, value.Start+1)
	}
	return o.Doc.Path, value
}
