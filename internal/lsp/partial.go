package lsp

import "go.lsp.dev/protocol"

// partSize is how many entries of a long answer are sent at once.
const partSize = 500

// pieces is a long answer that is sent piece by piece while it is worked out, to a client that gives a token for that,
// else as a whole.
type pieces[T any] struct {
	s     *Server
	token protocol.ProgressToken // nil for an answer as a whole
	as    func([]T) any          // a piece in the form that the protocol wants
	list  []T
}

func (p *pieces[T]) add(x T) {
	p.list = append(p.list, x)
	if p.token != nil && len(p.list) == partSize {
		p.send()
	}
}

func (p *pieces[T]) send() {
	p.s.report(p.token, p.as(p.list))
	p.list = nil
}

// rest returns what belongs into the answer itself: nothing when it was sent before. It is never nil, which clients do
// not take for an empty list.
func (p *pieces[T]) rest() []T {
	if p.token != nil && len(p.list) > 0 {
		p.send()
	}
	return append([]T{}, p.list...)
}
