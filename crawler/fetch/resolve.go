package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// A name's addresses are kept long enough for the caller's Resolve and the
// dial that follows to see the same, and short enough to follow a site that
// moves. Failures are forgotten sooner.
const (
	addrLifetime    = 5 * time.Minute
	failureLifetime = 20 * time.Second
	maxCachedNames  = 50_000
)

// A resolver maps host names to addresses that the guard lets pass.
type resolver struct {
	lookup  Resolver
	guard   guard
	timeout time.Duration

	mu    sync.Mutex // guards names
	names map[string]*lookup
}

// A lookup is one name's answer, or one under way.
type lookup struct {
	done    chan struct{} // closed when the fields below are final
	addrs   []netip.Addr  // never empty if err is nil; guarded by resolver.mu after done
	err     error
	expires time.Time
}

func newResolver(o Options) *resolver {
	r := &resolver{lookup: o.Resolver, guard: newGuard(o), timeout: o.Timeouts.DNS, names: make(map[string]*lookup)}
	if r.lookup == nil {
		r.lookup = systemResolver{&net.Resolver{PreferGo: true}} // a look-up of libc's holds a thread
	}
	return r
}

// A systemResolver asks the name servers of the system.
type systemResolver struct{ r *net.Resolver }

// LookupNetIP asks for host as an absolute name.
func (s systemResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return s.r.LookupNetIP(ctx, network, absoluteName(host))
}

// absoluteName keeps the search list of the system away from a name with a dot:
// a site's name that does not exist must not become one of the local network. A
// single label is a local name, and means what the system says.
func absoluteName(host string) string {
	if strings.Contains(host, ".") && !strings.HasSuffix(host, ".") {
		return host + "."
	}
	return host
}

// resolve returns the address to dial for host: an IP literal itself, else the
// first one that the guard lets pass, IPv4 before IPv6, since a machine without
// IPv6 is more common than a site without IPv4.
func (r *resolver) resolve(ctx context.Context, host string) (netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		a = a.Unmap()
		return a, r.guard.check(host, a)
	}
	if endsInNumber(host) {
		return netip.Addr{}, failedf(KindGuard, "%q is an address in disguise", host)
	}
	l, leader := r.entry(host)
	if leader {
		r.fill(ctx, host, l)
	} else {
		select {
		case <-l.done:
		case <-ctx.Done():
			return netip.Addr{}, context.Cause(ctx)
		}
	}
	if l.err != nil {
		return netip.Addr{}, l.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return l.addrs[0], nil
}

// entry returns the current lookup of host, and whether the caller has to fill
// it.
func (r *resolver) entry(host string) (_ *lookup, leader bool) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.names[host]; l != nil {
		select {
		case <-l.done:
			if now.Before(l.expires) {
				return l, false
			}
		default:
			return l, false
		}
	}
	if len(r.names) >= maxCachedNames {
		for h := range r.names { // any one: the order of a map is as good as random
			delete(r.names, h)
			break
		}
	}
	l := &lookup{done: make(chan struct{})}
	r.names[host] = l
	return l, true
}

// fill asks for host and completes l.
func (r *resolver) fill(ctx context.Context, host string, l *lookup) {
	defer close(l.done)
	qctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	addrs, err := r.lookup.LookupNetIP(qctx, "ip", host)
	switch {
	case err != nil && ctx.Err() != nil:
		// The asker went away; that says nothing of the name.
		l.err = failed(KindDNS, context.Cause(ctx))
		return
	case err != nil:
		l.err = dnsFailure(err)
	default:
		l.addrs, l.err = r.usable(host, addrs)
	}
	l.expires = time.Now().Add(addrLifetime)
	if l.err != nil {
		l.expires = time.Now().Add(failureLifetime)
	}
}

// usable returns the addresses that may be dialled, IPv4 first.
func (r *resolver) usable(host string, addrs []netip.Addr) ([]netip.Addr, error) {
	var v4, v6 []netip.Addr
	err := error(failedf(KindDNSNotFound, "%s has no address", host))
	for _, a := range addrs {
		a = a.Unmap()
		if refused := r.guard.check(host, a); refused != nil {
			err = refused
			continue
		}
		if a.Is4() {
			v4 = append(v4, a)
		} else {
			v6 = append(v6, a)
		}
	}
	if v4 = append(v4, v6...); len(v4) > 0 {
		return v4, nil
	}
	return nil, err
}

// demote puts the address that could not be dialled behind the host's others,
// so that the next resolve gives one that may work.
func (r *resolver) demote(host string, bad netip.Addr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.names[host]
	if l == nil {
		return
	}
	select {
	case <-l.done:
	default:
		return
	}
	if len(l.addrs) > 1 && l.addrs[0] == bad {
		copy(l.addrs, l.addrs[1:])
		l.addrs[len(l.addrs)-1] = bad
	}
}

// dnsFailure gives the error of a look-up its kind.
func dnsFailure(err error) error {
	if d, ok := errors.AsType[*net.DNSError](err); ok && d.IsNotFound {
		return failed(KindDNSNotFound, err)
	}
	return failed(KindDNS, err)
}

// endsInNumber reports whether the last label is one that a browser reads as a
// part of an IPv4 address [WHATWG-URL §host-parsing]. In the fetch form such a
// host is a dotted quad; anything else would be read differently by different
// resolvers.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(strings.ToLower(last), "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}
