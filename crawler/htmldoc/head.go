package htmldoc

import "golang.org/x/net/html/atom"

type headState struct{ closed bool }

func (h *headState) start(tag atom.Atom, p *Parser) { h.closed = h.closed || tag == atom.Body }
func (h *headState) end(tag atom.Atom)              { h.closed = h.closed || tag == atom.Head }
func (h *headState) text([]byte)                    {}
func (h *headState) open() bool                     { return !h.closed }
