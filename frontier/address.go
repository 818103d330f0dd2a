package frontier

import (
	"net/netip"
	"time"
)

// An address is the state that all hosts of one IP address share. If it is not
// busy and there is a line, a host is called.
type address struct {
	ip     netip.Addr
	next   time.Time    // no request before
	busy   bool         // a lease of one of its hosts is out
	line   []*hostState // hosts that were due and found it taken, longest first
	called *hostState   // whom it is kept for, until that host's turn; nil if nobody
	hosts  int          // whose address it is
}

// BindAddress tells the address that the lease's request would go to. It
// returns false if that address must not be asked now, because of another host
// name of its: the lease has then ended, and what it was for waits again.
func (f *Frontier) BindAddress(l *Lease, ip netip.Addr) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, now := l.host, time.Now()
	a := f.address(ip.Unmap().WithZone(""), &l.polite)
	if h.addr == a {
		return true
	}
	f.leave(h)
	f.unbind(h, now)
	h.addr = a
	a.hosts++
	if !a.busy && a.called == nil && f.clock(a.next) <= f.clock(now) {
		a.busy = true
		return true
	}
	f.end(l)
	h.putBack(l)
	f.reschedule(h)
	f.dispatch()
	return false
}

// address returns the state of ip, a new one if need be. After a crash nothing
// is known of addresses, so that each has its gap first.
func (f *Frontier) address(ip netip.Addr, p *Politeness) *address {
	a := f.addresses[ip]
	if a == nil {
		a = &address{ip: ip}
		if f.opts.ResumeGap {
			a.next = f.opened.Add(p.AddressGap)
		}
		f.addresses[ip] = a
	}
	return a
}

// unbind takes the host from its address. Those that nobody needs any more, and
// that may be asked again, are forgotten: a name server can make up as many
// addresses as it likes.
func (f *Frontier) unbind(h *hostState, now time.Time) {
	a := h.addr
	if a == nil {
		return
	}
	h.addr = nil
	if a.hosts--; a.hosts == 0 {
		f.vacant = append(f.vacant, a)
	}
	for len(f.vacant) > 0 {
		a := f.vacant[0]
		if a.hosts == 0 {
			if f.clock(a.next) > f.clock(now) {
				return
			}
			if f.addresses[a.ip] == a { // or it was left, and forgotten, before
				delete(f.addresses, a.ip)
			}
		}
		f.vacant[0] = nil
		f.vacant = f.vacant[1:]
	}
}

// enter takes the address of a host that is due. If it cannot be had now, the
// result is false, and the host stands in line or has its turn later.
func (f *Frontier) enter(h *hostState, now time.Time) bool {
	a := h.addr
	if a == nil {
		return true
	}
	if a.busy || a.called != nil && a.called != h {
		h.inLine = true
		a.line = append(a.line, h)
		return false
	}
	if f.clock(a.next) > f.clock(now) {
		f.reschedule(h)
		return false
	}
	a.busy, a.called = true, nil
	return true
}

// leave ends the host's hold on its address, and calls the next in line.
func (f *Frontier) leave(h *hostState) {
	if h.addr != nil {
		h.addr.busy = false
		f.call(h.addr)
	}
}

// soonest returns when an address may be asked next, now at the earliest.
func (f *Frontier) soonest(a *address) time.Duration {
	return max(f.clock(a.next), f.clock(time.Now()))
}

// call keeps the address for the first host in line that can go as soon as the
// address can, and gives it its turn. Only one is called at a time, because
// hundreds of thousands of hosts can share an address.
func (f *Frontier) call(a *address) {
	a.called = nil
	soon := f.soonest(a)
	for len(a.line) > 0 {
		h := a.line[0]
		a.line[0] = nil
		a.line = a.line[1:]
		h.inLine = false
		at, ok := f.turnOf(h)
		if !ok {
			continue
		}
		f.giveTurn(h, at)
		if at <= soon {
			a.called = h
			return
		}
	}
	a.line = nil
}
