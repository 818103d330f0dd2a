package urlnorm

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxHost bounds a raw host in bytes. DNS ends at 253; the standard sets no
// bound, but Punycode takes time that grows with the square of a label.
const maxHost = 2048

// forbiddenDomain holds the forbidden domain code points of
// [WHATWG-URL §3.2] apart from controls.
const forbiddenDomain = " #%/:<>?@[\\]^|\x7F"

// domainToASCII is the profile of [WHATWG-URL §3.3] domain to ASCII with
// beStrict false. The order matters: an option that comes later overrides
// what an earlier one set on the way.
var domainToASCII = idna.New(
	idna.MapForLookup(),
	idna.ValidateLabels(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.VerifyDNSLength(false),
	idna.Transitional(false),
)

// appendHost appends the serialised host of s, the part of an authority
// between userinfo and port. Errors are ErrNoHost and ErrHost.
func appendHost(dst []byte, s string) ([]byte, error) {
	start := len(dst)
	for i := range len(s) {
		c := lower(s[i])
		if !is(c, inHost) {
			return appendOddHost(dst[:start], s)
		}
		dst = append(dst, c)
	}
	if start == len(dst) {
		return dst, ErrNoHost
	}
	return appendIfNotNumber(dst, start)
}

// appendIfNotNumber finishes a domain that was written at dst[start:]: one
// that ends in a number is an IPv4 address or nothing [WHATWG-URL §3.5].
func appendIfNotNumber(dst []byte, start int) ([]byte, error) {
	// Most names end in a letter that no number ends in.
	if c := dst[len(dst)-1]; c > 'f' && c != 'x' {
		return dst, nil
	}
	host := dst[start:]
	if !endsInNumber(host) {
		return dst, nil
	}
	v, ok := parseIPv4(host)
	if !ok {
		return dst, fmt.Errorf("%w: %q ends in a number but is no IPv4 address", ErrHost, clip(string(host)))
	}
	return appendIPv4(dst[:start], v), nil
}

// appendOddHost is the host parser of [WHATWG-URL §3.5] for hosts that hold
// anything but letters, digits, hyphens, dots and underscores.
func appendOddHost(dst []byte, s string) ([]byte, error) {
	start := len(dst)
	if len(s) > maxHost {
		return dst, fmt.Errorf("%w: longer than %d bytes", ErrHost, maxHost)
	}
	if s[0] == '[' {
		v, ok := parseIPv6(s)
		if !ok {
			return dst, fmt.Errorf("%w: %q is no IPv6 address", ErrHost, clip(s))
		}
		return appendIPv6(dst, v), nil
	}
	domain, ok := asciiDomain(unescape(s))
	if !ok {
		return dst, refuse(ErrHost, s)
	}
	if domain == "" {
		return dst, fmt.Errorf("%w: %q is empty after mapping", ErrHost, clip(s))
	}
	return appendIfNotNumber(append(dst, domain...), start)
}

// asciiDomain maps a decoded domain to ASCII. An ASCII domain is only
// lower-cased, also when a label begins with xn--: the standard looks into
// such labels no more than resolvers do.
func asciiDomain(s string) (string, bool) {
	ascii := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		s = strings.ToLower(s)
	} else {
		// Bytes that are no UTF-8 would be decoded to U+FFFD, which no name may
		// hold; x/net/idna drops them instead.
		if !utf8.ValidString(s) {
			return "", false
		}
		var err error
		if s, err = domainToASCII.ToASCII(strings.Map(newerMapping, s)); err != nil {
			return "", false
		}
	}
	for i := range len(s) {
		if s[i] <= 0x1F || strings.IndexByte(forbiddenDomain, s[i]) >= 0 {
			return "", false
		}
	}
	return s, true
}

// newerMapping maps the code points whose status in [UTS46 §5] changed after
// the tables of x/net/idna were made: they were disallowed there, or mapped to
// something else, and are mapped or ignored now.
func newerMapping(r rune) rune {
	const ignored = -1
	switch {
	case r < 0x04C0:
		return r
	case r >= 0x10A0 && r <= 0x10C5: // Georgian capitals
		return r - 0x10A0 + 0x2D00
	case r >= 0x206A && r <= 0x206F, r >= 0x1D173 && r <= 0x1D17A:
		return ignored
	}
	switch r {
	case 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0:
		return ignored
	case 0x04C0:
		return 0x04CF
	case 0x1E9E: // capital sharp s
		return 'ß'
	case 0x2132:
		return 0x214E
	case 0x2183:
		return 0x2184
	case 0x2F868:
		return 0x36FC
	case 0x2F874:
		return 0x5F53
	case 0x2F91F:
		return 0x243AB
	case 0x2F95F:
		return 0x7AEE
	case 0x2F9BF:
		return 0x45D7
	}
	return r
}

// unescape decodes every escape of s once; a stray % stays.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if isEscape(s, i) {
			b = append(b, escapeValue(s, i))
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return string(b)
}
