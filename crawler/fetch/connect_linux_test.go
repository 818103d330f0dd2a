package fetch

import (
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"
)

// A listener whose backlog is full drops the packets that ask for a connection.
func TestConnectTimesOut(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(name.(*syscall.SockaddrInet4).Port)).String()
	for full := false; !full; {
		nc, err := net.DialTimeout("tcp", addr, 100*time.Millisecond)
		if full = err != nil; !full {
			defer nc.Close()
		}
	}
	c := newTestClient(t, Options{Timeouts: Timeouts{Connect: 50 * time.Millisecond}})
	if got, want := fetchOutcome(t, c, "http://"+addr+"/"), (outcome{kind: KindTimeoutConnect, retry: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
