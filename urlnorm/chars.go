package urlnorm

// Bits of a byte's class. A set bit means that the byte is copied as it is in
// that component; what is not copied is escaped or has a meaning of its own.
const (
	inPath      = 1 << iota // path percent-encode set, and | [WHATWG-URL §1.3]
	rawInPath               // / \ % | : written by appendPath itself
	inQuery                 // special-query percent-encode set
	inUser                  // userinfo percent-encode set
	inFragment              // fragment percent-encode set
	inState                 // raw in the value of _escaped_fragment_ [G-AJAX]
	inSentState             // inState without ', which any parser of the URL would escape
	inComposed              // ASCII: what a serialised path or query holds
	inHost                  // a domain byte that needs no further look
	unreserved              // ALPHA DIGIT - . _ ~ [RFC3986 §2.3]
	hexDigit
)

// class is the table of all bytes. It is filled by classify at package
// initialisation and never written again.
var class = classify()

func classify() (t [256]uint16) {
	for c := 0x21; c < 0x7F; c++ {
		t[c] = inPath | inQuery | inUser | inFragment | inState | inSentState | inComposed
	}
	clearBits := func(set string, bits uint16) {
		for i := range len(set) {
			t[set[i]] &^= bits
		}
	}
	clearBits("\"#<>", inQuery|inPath|inUser)
	clearBits("'", inQuery|inSentState)
	// / and \ end a segment and % begins an escape: the path writer looks at
	// each. | is not in the standard's path set, see pathPipe.
	for _, c := range []byte("/\\%|") {
		t[c] |= rawInPath
	}
	clearBits("?^`{}|/\\%", inPath)
	clearBits("?^`{}/:;=@[\\]|", inUser)
	clearBits("\"<>`", inFragment)
	clearBits("\"#%&+<>[\\]^`{|}", inState|inSentState)
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_':
			t[c] |= inHost | unreserved
		case c >= 'A' && c <= 'Z' || c == '~':
			t[c] |= unreserved
		}
		if unhex(byte(c)) < 16 {
			t[c] |= hexDigit
		}
	}
	return t
}

// is reports whether c has any of the bits.
func is(c byte, bits uint16) bool { return class[c]&bits != 0 }

// unhex returns the value of a hex digit, 255 for any other byte.
func unhex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

const upperHex = "0123456789ABCDEF"

func appendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

// appendEncoded appends s with every byte escaped that has none of the bits.
// Bytes that are no UTF-8 are escaped like all others over 0x7E, one by one:
// the page's bytes reach its server as they were.
func appendEncoded(dst []byte, s string, bits uint16) []byte {
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && is(s[j], bits) {
			j++
		}
		dst = append(dst, s[i:j]...)
		if j < len(s) {
			dst = appendEscape(dst, s[j])
			j++
		}
		i = j
	}
	return dst
}

// isEscape reports whether s has a whole escape, % and two hex digits, at i.
func isEscape[T string | []byte](s T, i int) bool {
	return i+2 < len(s) && s[i] == '%' && is(s[i+1], hexDigit) && is(s[i+2], hexDigit)
}

// escapeValue returns the byte of the escape at i; isEscape must hold.
func escapeValue[T string | []byte](s T, i int) byte {
	return unhex(s[i+1])<<4 | unhex(s[i+2])
}

// lower returns an ASCII letter in lower case, any other byte as it is.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// equalFold compares s with a lower-case ASCII string, ASCII case ignored.
func equalFold(s, lowerCase string) bool {
	if len(s) != len(lowerCase) {
		return false
	}
	for i := range len(s) {
		if lower(s[i]) != lowerCase[i] {
			return false
		}
	}
	return true
}
