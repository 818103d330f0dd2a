package faultserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// BombSize is what the bombs unpack to.
const BombSize = 300 << 20

// Bomb returns BombSize zeros as gzip, some 300 KB. It is made once.
var Bomb = sync.OnceValue(func() string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	zeros := make([]byte, 1<<20)
	for range BombSize / len(zeros) {
		w.Write(zeros)
	}
	w.Close()
	return b.String()
})

// doubleBomb is the bomb in another layer of gzip.
var doubleBomb = sync.OnceValue(func() string { return Gzip(Bomb()) })

// Gzip returns s as gzip.
func Gzip(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// CutPage is the page that B09 sends the most part of, and LargePage the one of
// B10.
var (
	CutPage   = sync.OnceValue(func() string { return links(420) })
	LargePage = sync.OnceValue(func() string { return links(110_000) })
)

// links returns n links in HTML that does not compress too well.
func links(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<a href=/p/%x/%d>%d</a>\n", uint32(i)*2654435761, i, i*40503%65537)
	}
	return b.String()
}

// head is a response header up to its blank line.
func head(fields ...string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"
}

// raw is a script that sends s and closes.
func raw(s string) Script {
	return func(c *Conn) bool { c.Send(s); return false }
}

// page is a script that sends a page with these header lines.
func page(body string, fields ...string) Script {
	return func(c *Conn) bool { return c.Page(body, fields...) }
}

// Faults returns the scripts of the faults that lie in one answer, by the path
// they are served under. Letters: B bodies, H headers, R redirects, S status, C
// cookies. A name with a suffix is a variant.
func Faults() map[string]Script {
	m := make(map[string]Script)
	for _, set := range []map[string]Script{codedBodies(), plainBodies(), headers(), statusLines(), answers()} {
		for path, s := range set {
			m[path] = s
		}
	}
	return m
}

// codedBodies are faults of content codings.
func codedBodies() map[string]Script {
	hello := Gzip("<p>hello</p>")
	return map[string]Script{
		"/B01":            func(c *Conn) bool { return c.Page(Bomb(), "Content-Encoding: gzip") },
		"/B02":            func(c *Conn) bool { return c.Page(Bomb(), "Content-Type: application/gzip") },
		"/B02.xml.gz":     func(c *Conn) bool { return c.Page(Bomb(), "Content-Type: application/xml") },
		"/B04":            page(Gzip(hello), "Content-Encoding: gzip, gzip"),
		"/B04-fields":     page(Gzip(hello), "Content-Encoding: gzip", "Content-Encoding: gzip"),
		"/B04-bomb":       func(c *Conn) bool { return c.Page(doubleBomb(), "Content-Encoding: gzip, gzip") },
		"/B05":            page(Gzip(Gzip(hello)), "Content-Encoding: gzip, gzip, gzip"),
		"/B06":            page("<p>hello</p>", "Content-Encoding: compress"),
		"/B07":            page("ok", "Content-Encoding: gzip"),
		"/B07-503":        func(c *Conn) bool { return c.Answer("503 Busy", "ok", "Content-Encoding: gzip", "Retry-After: 7") },
		"/B07-br":         page("<p>not brotli at all, but long enough</p>", "Content-Encoding: br"),
		"/B07-zstd":       page("<p>not zstd at all, but long enough</p>", "Content-Encoding: zstd"),
		"/B07-deflate":    page("<p>neither zlib nor deflate, but long enough</p>", "Content-Encoding: deflate"),
		"/B08":            page("", "Content-Encoding: gzip"),
		"/B08-close":      raw(head("Content-Encoding: gzip", "Connection: close")),
		"/gzip-and-more":  page(hello+"\x00\x00<b>Warning</b>: late", "Content-Encoding: gzip"),
		"/gzip-members":   page(hello+hello, "Content-Encoding: gzip"),
		"/gzip-bad-sum":   page(hello[:len(hello)-8]+"\x00\x00\x00\x00"+hello[len(hello)-4:], "Content-Encoding: gzip"),
		"/identity":       page("<p>hello</p>", "Content-Encoding: identity"),
		"/gzip-Uppercase": page(hello, "Content-Encoding: X-GZip"),
		"/B09": func(c *Conn) bool {
			z := Gzip(CutPage())
			c.Send(head("Content-Encoding: gzip", "Connection: close") + z[:len(z)-200])
			return false
		},
	}
}

// plainBodies are faults in how a body comes.
func plainBodies() map[string]Script {
	return map[string]Script{
		"/B10": func(c *Conn) bool { return c.Page(LargePage()) },
		"/B11": func(c *Conn) bool {
			c.Send(head("Transfer-Encoding: chunked"))
			c.Flood("10000\r\n" + strings.Repeat("<a href=/>x</a>\n", 4096) + "\r\n")
			return false
		},
		"/B12": func(c *Conn) bool {
			c.Send("HTTP/1.1 200 OK\r\nX-Slow: ")
			c.Drip("a", 20*time.Millisecond, true)
			return false
		},
		"/B13": func(c *Conn) bool {
			c.Send(head("Connection: close") + "x")
			c.Drip("x", 10*time.Millisecond, true)
			return false
		},
		"/B14": func(c *Conn) bool {
			c.Send(head("Content-Length: 1000") + "<a href=/x>")
			c.Hold()
			return false
		},
		"/B16":       func(c *Conn) bool { c.Hold(); return false },
		"/B17":       func(c *Conn) bool { c.Reset(); return false },
		"/B17-close": raw(""),
		"/B17-head":  raw("HTTP/1.1 200 OK\r\nContent-Le"),
		"/H06":       raw(head("Content-Length: 10") + "ok"),
		"/H06-404":   raw("HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nok"),
		"/H07":       func(c *Conn) bool { return c.Send(head("Content-Length: 1") + "okokok") },
		"/H09":       raw(head("Content-Length: 9223372036854775807") + "ok"),
		"/H10":       raw(head("Transfer-Encoding: chunked") + "2\r\nok\r\nzz\r\nmore"),
		"/H10-cut":   raw(head("Transfer-Encoding: chunked") + "2\r\nok\r\n10\r\nmore"),
	}
}

// headers are faults of header fields.
func headers() map[string]Script {
	return map[string]Script{
		"/H01":       raw(head("X-Large: " + strings.Repeat("x", 300<<10))),
		"/H01-legal": page("ok", "X-Large: "+strings.Repeat("x", 200<<10)),
		"/H02":       raw(head(strings.Repeat("A: b\r\n", 100_000) + "C: d")),
		"/H03": func(c *Conn) bool {
			c.Send(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 10_000))
			return c.Page("ok")
		},
		"/H03-few": func(c *Conn) bool {
			c.Send(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 3))
			return c.Page("ok")
		},
		"/H08":       raw(head("Content-Length: -1") + "ok"),
		"/H08-two":   raw(head("Content-Length: 1", "Content-Length: 2") + "ok"),
		"/H11":       raw(head("Foo: a\x00b", "Content-Length: 2") + "ok"),
		"/H11-space": raw(head("Foo Bar: x", "Content-Length: 2") + "ok"),
		"/H12":       page("<p>hello</p>", "Content-Type: ;;;==="),
		"/H12-gbk":   page("\xc4\xe3", "Content-Type: text/html; charset=gbk"),
		"/switching": raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
		"/trailer":   raw(head("Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n" + strings.Repeat("T: "+strings.Repeat("x", 1000)+"\r\n", 1000)),
	}
}

// statusLines are faults of the first line.
func statusLines() map[string]Script {
	return map[string]Script{
		"/H04-letters": raw("HTTP/1.1 abc\r\n\r\n"),
		"/H04-short":   raw("HTTP/1.1 99 X\r\n\r\n"),
		"/H04-zero":    raw("HTTP/1.1 000 X\r\n\r\n"),
		"/H04-ssh":     raw("SSH-2.0-OpenSSH_9.6\r\n"),
		"/H04-html":    raw("<html><p>hello</p></html>\r\n\r\n"),
		"/H04-http2":   raw("HTTP/2 200\r\nContent-Length: 2\r\n\r\nok"),
		"/H04-nothing": raw("\r\n\r\n\r\n"),
		"/H05":         raw("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
		"/H05-lf":      raw("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
		"/H05-999":     raw("HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno"),
		"/H05-1.0":     raw("HTTP/1.0 200 OK\r\n\r\nok"),
	}
}

// redirect is a script that answers 302 with these header lines.
func redirect(fields ...string) Script {
	return func(c *Conn) bool { return c.Answer("302 Found", "moved", fields...) }
}

// answers are whole answers that a client may take wrongly.
func answers() map[string]Script {
	return map[string]Script{
		"/R01":       redirect("Location: /R01"),
		"/R02":       func(c *Conn) bool { return redirect("Location: " + c.Target() + "x")(c) },
		"/R05-file":  redirect("Location: file:///etc/passwd"),
		"/R05-js":    redirect("Location: javascript:alert(1)"),
		"/R06":       redirect("Location: http://[::1:80/%zz"),
		"/R06-empty": redirect("Location:"),
		"/R06-none":  redirect(),
		"/R07":       redirect("Location: http://169.254.169.254/latest/meta-data/"),
		"/R09":       redirect("Location: http://other.test/"),
		"/C01":       page("ok", "Set-Cookie: session=1; Path=/"),
		"/S01":       func(c *Conn) bool { return c.Answer("429 Too Many", "slow down", "Retry-After: 2") },
		"/S02": func(c *Conn) bool {
			return c.Answer("503 Busy", "later", "Retry-After: "+time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
		},
		"/S03":     func(c *Conn) bool { return c.Answer("503 Busy", "later") },
		"/S05-304": raw("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
		"/S05-204": raw("HTTP/1.1 204 No Content\r\n\r\n"),
		// The connection ends after one answer that promised more.
		"/N04": func(c *Conn) bool { c.Page("ok"); return false },
	}
}
