package robots

// Two spellings of a byte are one to [RFC9309 §2.2.2], so rules and targets
// are compared in a normal form:
//
//   - bytes from 0x80 are escaped, and the digits of escapes are upper case;
//   - escaped unreserved bytes are decoded. Google's matcher does not do so
//     [G-ROBOTS-CC MaybeEscapePattern]; the RFC, which is newer, wins;
//   - escaped bytes that no URL can hold raw are decoded as well: for them no
//     difference is lost [RFC3986 §2]. Only %20 stays: a blank in a rule
//     matches no request in any implementation that we know;
//   - %2A and %24 become literal '*' and '$', the escapes for these two
//     [RFC9309 §2.2.3]. Wildcards are cut out before;
//   - a '%' that starts no escape becomes %25, as it does on the wire.
//
// Escapes of reserved bytes stay: /a%2Fb and /a/b are two paths.

const (
	upperhex = "0123456789ABCDEF"
	decoded  = "-._~" + `"<>\^{|}` + "`" + "*$"
)

// isNormal reports whether s is in normal form. It says no to some that are,
// namely all with escapes.
func isNormal(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' || s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// appendNormal appends the normal form of s to dst, which must not alias s.
func appendNormal(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80:
			dst = append(dst, '%', upperhex[c>>4], upperhex[c&15])
		case c != '%':
			dst = append(dst, c)
		case i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if decodes(c) {
				dst = append(dst, c)
			} else {
				dst = append(dst, '%', upperhex[c>>4], upperhex[c&15])
			}
		default:
			dst = append(dst, "%25"...)
		}
	}
	return dst
}

// decodes reports whether an escape of c is decoded in the normal form.
func decodes(c byte) bool {
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
		return true
	}
	for i := 0; i < len(decoded); i++ {
		if decoded[i] == c {
			return true
		}
	}
	return false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
