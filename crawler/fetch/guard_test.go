package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

func TestAddressClass(t *testing.T) {
	for _, tc := range []struct{ addr, want string }{
		{"8.8.8.8", ""},
		{"1.1.1.1", ""},
		{"100.63.255.255", ""},
		{"172.15.255.255", ""},
		{"172.32.0.0", ""},
		{"223.255.255.255", ""},
		{"2606:4700::1111", ""},
		{"2a00:1450:4001::200e", ""},
		{"::ffff:8.8.8.8", ""},
		{"64:ff9b::8.8.8.8", ""}, // the only way to it from a network without IPv4

		{"0.0.0.0", "unspecified"},
		{"0.1.2.3", "unspecified"},
		{"10.1.2.3", "private"},
		{"172.16.0.1", "private"},
		{"172.31.255.255", "private"},
		{"192.168.1.1", "private"},
		{"127.0.0.1", "loopback"},
		{"127.255.255.255", "loopback"},
		{"169.254.169.254", "link-local"},
		{"100.64.0.1", "carrier-grade NAT"},
		{"100.100.100.200", "carrier-grade NAT"}, // a metadata service
		{"168.63.129.16", "metadata service"},
		{"192.0.0.192", "protocol assignment"}, // another one
		{"192.0.2.1", "documentation"},
		{"198.18.0.1", "benchmarking"},
		{"198.51.100.1", "documentation"},
		{"203.0.113.1", "documentation"},
		{"224.0.0.1", "multicast"},
		{"240.0.0.1", "reserved"},
		{"255.255.255.255", "reserved"},

		{"::", "unspecified"},
		{"::1", "loopback"},
		{"::ffff:127.0.0.1", "loopback"},
		{"::ffff:10.0.0.1", "private"},
		{"::127.0.0.1", "unassigned"}, // IPv4-compatible, long gone
		{"64:ff9b::127.0.0.1", "loopback"},
		{"64:ff9b::a9fe:a9fe", "link-local"},
		{"64:ff9b:1::1", "local NAT64"},
		{"2001::1", "protocol assignment"},
		{"2001:db8::1", "documentation"},
		{"2002:7f00:1::", "6to4"},
		{"3fff::1", "documentation"},
		{"fd00:ec2::254", "private"},
		{"fe80::1", "link-local"},
		{"fe80::1%eth0", "scoped"},
		{"fec0::1", "site-local"},
		{"ff02::1", "multicast"},
		{"4000::1", "unassigned"},
	} {
		if got := AddressClass(netip.MustParseAddr(tc.addr)); got != tc.want {
			t.Errorf("AddressClass(%s) = %q, want %q", tc.addr, got, tc.want)
		}
	}
	if got := AddressClass(netip.Addr{}); got != "invalid" {
		t.Errorf("AddressClass of the zero Addr = %q", got)
	}
}

func TestGuardLetsPassWhatIsAllowed(t *testing.T) {
	for _, tc := range []struct {
		name, host, addr string
		o                Options
		ok               bool
	}{
		{name: "public", addr: "8.8.8.8", ok: true},
		{name: "private", addr: "10.0.0.1"},
		{name: "in a net", addr: "10.0.0.1", o: Options{AllowNets: nets("10.0.0.0/24")}, ok: true},
		{name: "beside the net", addr: "10.0.1.1", o: Options{AllowNets: nets("10.0.0.0/24")}},
		{name: "mapped, in a net", addr: "::ffff:10.0.0.1", o: Options{AllowNets: nets("10.0.0.0/24")}, ok: true},
		{name: "loopback", addr: "127.0.0.1", o: Options{AllowLoopback: true}, ok: true},
		{name: "loopback, IPv6", addr: "::1", o: Options{AllowLoopback: true}, ok: true},
		{name: "loopback opens nothing else", addr: "10.0.0.1", o: Options{AllowLoopback: true}},
		{name: "behind NAT64 it is not ours", addr: "64:ff9b::7f00:1", o: Options{AllowLoopback: true}},
		{name: "the host", host: "intra", addr: "10.0.0.1", o: Options{AllowHosts: []string{"intra"}}, ok: true},
		{name: "another host", host: "other", addr: "10.0.0.1", o: Options{AllowHosts: []string{"intra"}}},
	} {
		err := newGuard(tc.o).check(tc.host, netip.MustParseAddr(tc.addr))
		if f, isFailure := err.(*failure); tc.ok != (err == nil) || err != nil && (!isFailure || f.kind != KindGuard) {
			t.Errorf("%s: check(%q, %s) = %v, want pass %v", tc.name, tc.host, tc.addr, err, tc.ok)
		}
	}
}

func nets(s string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(s)} }

// R07: whatever way a URL says it, no connection is opened.
func TestPrivateAddressesAreNotDialled(t *testing.T) {
	s := startFaults(t, faultserver.Options{Addr: "[::]:0"})
	_, port, _ := net.SplitHostPort(s.Addr())
	c, err := New(Options{UserAgent: "hashcrawl/test", Resolver: ResolverFunc(func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.1")}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, host := range []string{
		"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "127.0.0.1.", "0", "0.0.0.0", "[::]",
		"169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "localhost", "rebound.test",
	} {
		if got, want := fetchOutcome(t, c, "http://"+host+":"+port+"/latest/meta-data/"), (outcome{kind: KindGuard}); got != want {
			t.Errorf("host %s: got %+v, want %+v", host, got, want)
		}
	}
	// Nor if the caller names the address.
	_, err = c.Fetch(t.Context(), Request{URL: "http://a.test:" + port + "/", Addr: netip.MustParseAddr("127.0.0.1")})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindGuard {
		t.Errorf("Fetch with Addr 127.0.0.1: %v", err)
	}
	if n := s.Conns(); n != 0 {
		t.Errorf("%d connections were opened", n)
	}
}

// R08: the resolver gives a good address first, and a bad one for every later
// question. What was judged is what is dialled.
func TestRebindingGainsNothing(t *testing.T) {
	s := startFaults(t, faultserver.Options{Addr: "0.0.0.0:0"})
	_, port, _ := net.SplitHostPort(s.Addr())
	good, bad := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.3")
	var asked atomic.Int32
	c, err := New(Options{
		UserAgent: "hashcrawl/test",
		AllowNets: nets("127.0.0.2/32"),
		Resolver: ResolverFunc(func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{good}, nil
			}
			return []netip.Addr{bad}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	addr, err := c.Resolve(t.Context(), "rebound.test")
	if err != nil || addr != good {
		t.Fatalf("Resolve = %s, %v; want %s", addr, err, good)
	}
	r, err := c.Fetch(t.Context(), Request{URL: "http://rebound.test:" + port + "/", Addr: addr})
	if err != nil || r.Addr != good {
		t.Errorf("Fetch = %+v, %v; want an answer from %s", r, err, good)
	}
	// The name's next answer is refused, if it is asked for.
	c.resolver.mu.Lock()
	clear(c.resolver.names)
	c.resolver.mu.Unlock()
	if got, want := fetchOutcome(t, c, "http://rebound.test:"+port+"/"), (outcome{kind: KindGuard}); got != want {
		t.Errorf("after rebinding: got %+v, want %+v", got, want)
	}
	for _, r := range s.Requests() {
		if host, _, _ := net.SplitHostPort(r.Local); host != good.String() {
			t.Errorf("a request came to %s", r.Local)
		}
	}
}

func TestResolve(t *testing.T) {
	notFound := &net.DNSError{Err: "no such host", IsNotFound: true}
	servFail := &net.DNSError{Err: "server misbehaving", IsTemporary: true}
	answers := map[string][]string{
		"v4.test":    {"9.9.9.9"},
		"both.test":  {"2620:fe::fe", "9.9.9.9", "9.9.9.10"},
		"v6.test":    {"2620:fe::fe"},
		"mixed.test": {"10.0.0.1", "9.9.9.9"},
		"none.test":  {},
		"mine.test":  {"10.0.0.1"},
	}
	c, err := New(Options{UserAgent: "hashcrawl/test", Resolver: ResolverFunc(func(_ context.Context, host string) ([]netip.Addr, error) {
		switch host {
		case "gone.test":
			return nil, notFound
		case "sick.test":
			return nil, servFail
		}
		var as []netip.Addr
		for _, s := range answers[host] {
			as = append(as, netip.MustParseAddr(s))
		}
		return as, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tc := range []struct {
		host, want string
		kind       Kind
		retry      bool
	}{
		{host: "v4.test", want: "9.9.9.9"},
		{host: "both.test", want: "9.9.9.9"},
		{host: "v6.test", want: "2620:fe::fe"},
		{host: "mixed.test", want: "9.9.9.9"},
		{host: "9.9.9.9", want: "9.9.9.9"},
		{host: "2620:fe::fe", want: "2620:fe::fe"},
		{host: "[2620:fe::fe]", want: "2620:fe::fe"},
		{host: "mine.test", kind: KindGuard},
		{host: "none.test", kind: KindDNSNotFound},
		{host: "gone.test", kind: KindDNSNotFound},
		{host: "sick.test", kind: KindDNS, retry: true},
		{host: "127.0.0.1", kind: KindGuard},
		{host: "0x7f.1", kind: KindGuard},
	} {
		got, err := c.Resolve(t.Context(), tc.host)
		if tc.kind == "" {
			if err != nil || got.String() != tc.want {
				t.Errorf("Resolve(%q) = %s, %v; want %s", tc.host, got, err, tc.want)
			}
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != tc.kind || e.Retry != tc.retry {
			t.Errorf("Resolve(%q) = %s, %v; want an error of kind %s, retry %v", tc.host, got, err, tc.kind, tc.retry)
		}
	}
}

func TestSearchListIsKeptAway(t *testing.T) {
	for host, want := range map[string]string{"a.test": "a.test.", "a.test.": "a.test.", "localhost": "localhost"} {
		if got := absoluteName(host); got != want {
			t.Errorf("absoluteName(%q) = %q, want %q", host, got, want)
		}
	}
	// It is what a client without a Resolver asks; localhost needs no server.
	c := newTestClient(t, Options{})
	if a, err := c.Resolve(t.Context(), "localhost"); err != nil || !a.IsLoopback() {
		t.Errorf("Resolve(localhost) = %s, %v", a, err)
	}
}

func TestAddressThatRefusesMakesRoomForTheNext(t *testing.T) {
	s := startFaults(t, faultserver.Options{Addr: "127.0.0.2:0"})
	_, port, _ := net.SplitHostPort(s.Addr())
	c := newTestClient(t, Options{Resolver: ResolverFunc(func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.3"), netip.MustParseAddr("127.0.0.2")}, nil
	})})
	if got, want := fetchOutcome(t, c, "http://two.test:"+port+"/"), (outcome{kind: KindRefused, retry: true}); got != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	if r := mustFetch(t, c, "http://two.test:"+port+"/"); r.Addr.String() != "127.0.0.2" {
		t.Errorf("the second try went to %s", r.Addr)
	}
}

func TestNameIsLookedUpOnce(t *testing.T) {
	var asked atomic.Int32
	release := make(chan struct{})
	c := newTestClient(t, Options{Resolver: ResolverFunc(func(context.Context, string) ([]netip.Addr, error) {
		asked.Add(1)
		<-release
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	})})
	got := make(chan netip.Addr)
	for range 8 {
		go func() {
			a, _ := c.Resolve(t.Context(), "a.test")
			got <- a
		}()
	}
	close(release)
	for range 8 {
		if a := <-got; a.String() != "127.0.0.1" {
			t.Errorf("Resolve = %s", a)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("%d look-ups, want 1", n)
	}
}

// N01: one name, two addresses, two families.
func TestIPv6(t *testing.T) {
	s, err := faultserver.Start(faultserver.Options{Addr: "[::1]:0"})
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	t.Cleanup(s.Close)
	c := newTestClient(t, Options{})
	r := mustFetch(t, c, s.URL()+"/a")
	if r.Addr != netip.IPv6Loopback() {
		t.Errorf("answer from %s", r.Addr)
	}
	_, port, _ := net.SplitHostPort(s.Addr())
	r, err = c.Fetch(t.Context(), Request{URL: "http://dual.test:" + port + "/b", Addr: netip.IPv6Loopback()})
	if err != nil || r.Addr != netip.IPv6Loopback() {
		t.Errorf("Fetch = %+v, %v", r, err)
	}
	var hosts []string
	for _, r := range s.Requests() {
		hosts = append(hosts, r.Field("Host"))
	}
	if want := []string{"[::1]:" + port, "dual.test:" + port}; !slices.Equal(hosts, want) {
		t.Errorf("Host fields %q, want %q", hosts, want)
	}
}

func TestPortsOfOtherProtocolsAreNotDialled(t *testing.T) {
	if !slices.IsSorted(badPorts) {
		t.Error("badPorts is not in order")
	}
	c := newTestClient(t, Options{Transport: unreachable{t}})
	for _, port := range []string{"22", "25", "6667", "10080"} {
		if got, want := fetchOutcome(t, c, "http://127.0.0.1:"+port+"/"), (outcome{kind: KindGuard}); got != want {
			t.Errorf("port %s: got %+v, want %+v", port, got, want)
		}
	}
}
