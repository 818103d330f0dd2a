package sitemap

import (
	"bufio"
	"strings"
	"unicode"
)

// readText reads one URL a line. Lines that are no absolute http or https URL
// are dropped; a document without any is no sitemap, as every text would be
// one otherwise. A last line that the document's break may have cut is
// dropped too.
func readText(r *bufio.Reader, c *collector, broken func() bool) {
	for end := false; !end; {
		line, err := readLine(r)
		end = err != nil
		loc := trimSpace(string(line))
		switch {
		case loc == "":
		case len(line) > maxText || !isAbsolute(loc) || end && broken():
			c.sum.Dropped++
		default:
			c.sum.Kind = Text
			if !c.add(Entry{Loc: loc}) {
				return
			}
		}
	}
}

// readLine returns the next line without its end, which is LF or CR, and an
// error at the end of the document. Of a line longer than maxText it returns
// one byte more than that.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		b, err := r.ReadByte()
		if err != nil || b == '\n' || b == '\r' {
			return line, err
		}
		if len(line) <= maxText {
			line = append(line, b)
		}
	}
}

// isAbsolute reports whether s begins like an absolute http or https URL.
func isAbsolute(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// trimSpace removes white space of Unicode and the zero-width characters that
// editors leave around pasted URLs.
func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' || r == 0
}
