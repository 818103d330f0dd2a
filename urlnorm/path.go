package urlnorm

import "bytes"

// appendPath writes the segments of s. dst must end with the slash before the
// first of them, and root is the offset of the path's first slash, which dot
// segments cannot go above. This is the path state of [WHATWG-URL §4.4] for
// special schemes: \ separates like /, and . and .. may be written with %2e.
//
// Two marks are escaped here that the standard leaves raw, each a rule of its
// own (see mend): a % that begins no escape, and |.
func appendPath(dst []byte, root int, s string, mend mending) []byte {
	seg := len(dst)
	for i := 0; ; {
		j := i
		for j < len(s) && is(s[j], inPath) {
			j++
		}
		dst = append(dst, s[i:j]...)
		if j == len(s) {
			dst, _ = closeSegment(dst, root, seg)
			return dst
		}
		switch c := s[j]; {
		case c == '/' || c == '\\':
			var removed bool
			if dst, removed = closeSegment(dst, root, seg); !removed {
				dst = append(dst, '/')
			}
			seg = len(dst)
		case c == '%' && (!mend.strayPercent || isEscape(s, j)), c == '|' && !mend.pathPipe:
			dst = append(dst, c)
		default:
			dst = appendEscape(dst, c)
		}
		i = j + 1
	}
}

// closeSegment ends the segment at dst[seg:]. A dot segment is removed, and
// with a double dot the segment before it; then dst ends with a slash.
func closeSegment(dst []byte, root, seg int) (_ []byte, removed bool) {
	if seg == len(dst) || dst[seg] != '.' && dst[seg] != '%' {
		return dst, false
	}
	switch dots(dst[seg:]) {
	case 1:
		return dst[:seg], true
	case 2:
		if seg-1 > root {
			seg = root + bytes.LastIndexByte(dst[root:seg-1], '/') + 1
		}
		return dst[:seg], true
	}
	return dst, false
}

// dots returns the number of dots if seg consists of one or two of them,
// escaped or not, else 0.
func dots(seg []byte) int {
	n := 0
	for len(seg) > 0 {
		switch {
		case seg[0] == '.':
			seg = seg[1:]
		case len(seg) >= 3 && seg[0] == '%' && seg[1] == '2' && seg[2]|0x20 == 'e':
			seg = seg[3:]
		default:
			return 0
		}
		if n++; n > 2 {
			return 0
		}
	}
	return n
}

// mending says which of the wire rules are in force; see the rules
// stray-percent and path-pipe.
type mending struct {
	strayPercent bool // escape % in a path where no escape follows
	pathPipe     bool // escape | in a path
}
