package fetch

import (
	"net/netip"
	"slices"
)

// A guard decides which addresses may be dialled. It is immutable.
type guard struct {
	nets     []netip.Prefix
	loopback bool
	hosts    map[string]bool // hosts whose addresses pass
}

func newGuard(o Options) guard {
	g := guard{nets: slices.Clone(o.AllowNets), loopback: o.AllowLoopback, hosts: make(map[string]bool, len(o.AllowHosts))}
	for _, h := range o.AllowHosts {
		g.hosts[h] = true
	}
	return g
}

// check returns an error of [KindGuard] unless a may be dialled for host.
func (g guard) check(host string, a netip.Addr) error {
	class := AddressClass(a)
	if class == "" || g.hosts[host] {
		return nil
	}
	a = a.Unmap().WithZone("")
	if g.loopback && a.IsLoopback() {
		return nil
	}
	for _, n := range g.nets {
		if n.Contains(a) {
			return nil
		}
	}
	return failedf(KindGuard, "%s is no public address (%s)", a, class)
}

// badPorts are those that no browser sends HTTP to [FETCH §port-blocking]: what
// answers there is another protocol, to which a crafted URL could speak. Read
// only, in order.
var badPorts = []uint16{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
	110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
	531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
	5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}

// checkPort returns an error of [KindGuard] for a port of another protocol.
func checkPort(port uint16) error {
	if _, bad := slices.BinarySearch(badPorts, port); bad {
		return failedf(KindGuard, "port %d belongs to another protocol", port)
	}
	return nil
}

// AddressClass names the special purpose that keeps a from being a public
// address of a web site, such as "private" or "loopback"; for a public address
// it is "". An address that carries an IPv4 address to be reached through it is
// classed as that.
func AddressClass(a netip.Addr) string {
	if !a.IsValid() {
		return "invalid"
	}
	if a.Zone() != "" {
		return "scoped"
	}
	// ::ffff:0:0/96 is dialled as IPv4 by the system.
	a = a.Unmap()
	for _, s := range specialNets {
		if !s.net.Contains(a) {
			continue
		}
		if s.class == nat64 {
			// A network without IPv4 sees every site through this prefix
			// [RFC6052 §2.1], so it is the address behind it that counts.
			b := a.As16()
			return AddressClass(netip.AddrFrom4([4]byte(b[12:])))
		}
		return s.class
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return "unassigned"
	}
	return ""
}

const nat64 = "nat64"

// globalUnicast is all of IPv6 that is assigned for the public so far.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// specialNets are the special-purpose registries of [RFC6890] in so far as a web
// site does not live there; read only. The cloud metadata services stand in it
// by 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24 and fc00::/7; the one on a
// public address has a row of its own.
var specialNets = []struct {
	net   netip.Prefix
	class string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "metadata service"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "protocol assignment"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"}, // with the broadcast address

	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("64:ff9b::/96"), nat64},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "local NAT64"},
	{netip.MustParsePrefix("2001::/23"), "protocol assignment"}, // with Teredo, ORCHID
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("fc00::/7"), "private"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}
