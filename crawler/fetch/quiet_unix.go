//go:build unix

package fetch

import (
	"net"
	"syscall"
)

// quiet reports whether an idle connection is open and has nothing to read: not
// closed by the server, and no bytes that would be taken for the next answer.
// It does not wait.
func quiet(c net.Conn) bool {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return true
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	silent := false
	err = rc.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, e := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		silent = e == syscall.EAGAIN || e == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && silent
}
