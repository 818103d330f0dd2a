package frontier

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// mover is a frontier of one host that has another address for each request, as
// far as addresses go.
func mover() (f *Frontier, ask func(netip.Addr) bool) {
	p := DefaultPoliteness()
	p.MinGap, p.SlowFactor = 0, 0 // so that the next request comes before the address may be asked again
	f = &Frontier{opts: Options{Politeness: func(string) Politeness { return p }}, opened: time.Now(), addresses: map[netip.Addr]*address{}}
	h := &hostState{Host: Host{ID: 1, Name: "a.test"}}
	f.hosts = []seat{{state: h}}
	return f, func(ip netip.Addr) bool {
		ok := f.BindAddress(&Lease{Host: h.Name, host: h, polite: p}, ip)
		if ok {
			h.addr.next = time.Now().Add(p.AddressGap) // as after an answer
			f.leave(h)
		}
		return ok
	}
}

// A name server that gives a host another address each time must not make the
// frontier remember them all.
func TestAddressesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ask := mover()
		for i := range 1000 {
			if !ask(netip.AddrFrom4([4]byte{192, 0, byte(i >> 8), byte(i)})) {
				t.Fatalf("BindAddress refused address %d", i)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := len(f.addresses); n > 20 {
			t.Errorf("%d addresses are remembered; want those of the last half second", n)
		}
	})
}

// An address that was left twice, and forgotten after the first time, is another
// one when it comes again.
func TestAddressThatCameBackIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ask := mover()
		a, b, c := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2"), netip.MustParseAddr("192.0.2.3")
		at := func(ms time.Duration, ip netip.Addr) {
			time.Sleep(time.Until(f.opened.Add(ms * time.Millisecond)))
			ask(ip)
		}
		at(0, a)
		f.hosts[0].state.addr.next = time.Now() // it was never asked for anything
		f.addresses[b] = &address{ip: b, next: f.opened.Add(time.Hour)}
		older := f.addresses[a]
		f.vacant = []*address{older, f.addresses[b], older}
		at(10, c) // forgets a, and stops at b
		at(20, a) // a new one
		f.addresses[b].next = time.Now()
		at(30, a) // no change of address
		f.unbind(&hostState{addr: &address{ip: c, hosts: 1}}, time.Now())
		if got := f.addresses[a]; got == nil || got == older || got.hosts != 1 {
			t.Errorf("the address in use is %+v; want one that is known by its number", got)
		}
	})
}
