package urlnorm

import (
	"bytes"
	"math"
	"net/netip"
	"strconv"
)

// endsInNumber is the ends-in-a-number checker [WHATWG-URL §3.5]: the last
// label, one trailing dot ignored, is all digits or a hexadecimal number.
func endsInNumber(host []byte) bool {
	if n := len(host); n > 0 && host[n-1] == '.' {
		host = host[:n-1]
	}
	label := host[bytes.LastIndexByte(host, '.')+1:]
	if len(label) == 0 {
		return false
	}
	digits := true
	for _, c := range label {
		digits = digits && c >= '0' && c <= '9'
	}
	if digits {
		return true
	}
	_, ok := parseIPv4Number(label)
	return ok
}

// parseIPv4 is the IPv4 parser [WHATWG-URL §3.5]: one to four numbers, the
// last of which fills the bytes that are left.
func parseIPv4(host []byte) (uint32, bool) {
	if n := len(host); n > 1 && host[n-1] == '.' {
		host = host[:n-1]
	}
	var addr uint64
	for part := 0; ; part++ {
		label, rest, more := bytes.Cut(host, []byte{'.'})
		v, ok := parseIPv4Number(label)
		if !ok || part == 3 && more {
			return 0, false
		}
		if !more {
			if v >= 1<<(8*(4-part)) {
				return 0, false
			}
			return uint32(addr + v), true
		}
		if v > 255 {
			return 0, false
		}
		addr += v << (8 * (3 - part))
		host = rest
	}
}

// parseIPv4Number reads a decimal, octal (0…) or hexadecimal (0x…) number.
// "0x" alone is zero. Values over 32 bits are given as a value that no part
// of an address can have.
func parseIPv4Number(label []byte) (uint64, bool) {
	if len(label) == 0 {
		return 0, false
	}
	base := uint64(10)
	switch {
	case len(label) >= 2 && label[0] == '0' && label[1]|0x20 == 'x':
		label, base = label[2:], 16
	case len(label) >= 2 && label[0] == '0':
		label, base = label[1:], 8
	}
	var v uint64
	for _, c := range label {
		d := uint64(unhex(c))
		if d >= base {
			return 0, false
		}
		if v = v*base + d; v > math.MaxUint32 {
			v = math.MaxUint32 + 1
		}
	}
	return v, true
}

func appendIPv4(dst []byte, v uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		dst = strconv.AppendUint(dst, uint64(v>>shift&255), 10)
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// parseIPv6 reads a bracketed address without a zone.
func parseIPv6(s string) (netip.Addr, bool) {
	// The longest text form has 45 bytes.
	if len(s) < 4 || len(s) > 47 || s[len(s)-1] != ']' {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(s[1 : len(s)-1])
	return a, err == nil && a.Is6() && a.Zone() == ""
}

// appendIPv6 is the IPv6 serialiser [WHATWG-URL §3.6]. It differs from
// netip's for mapped addresses, which the standard writes in hexadecimal.
func appendIPv6(dst []byte, a netip.Addr) []byte {
	b := a.As16()
	var piece [8]uint16
	for i := range piece {
		piece[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	first, length := longestZeroRun(piece)
	dst = append(dst, '[')
	for i := 0; i < 8; i++ {
		if i == first && length > 1 {
			dst = append(dst, ':')
			if i == 0 {
				dst = append(dst, ':')
			}
			i += length - 1
			continue
		}
		dst = strconv.AppendUint(dst, uint64(piece[i]), 16)
		if i < 7 {
			dst = append(dst, ':')
		}
	}
	return append(dst, ']')
}

// longestZeroRun returns the first of the longest runs of zero pieces.
func longestZeroRun(piece [8]uint16) (first, length int) {
	for i := 0; i < 8; i++ {
		n := 0
		for i+n < 8 && piece[i+n] == 0 {
			n++
		}
		if n > length {
			first, length = i, n
		}
		i += n
	}
	return first, length
}
