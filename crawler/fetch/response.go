package fetch

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// A Request asks for one URL.
type Request struct {
	// URL is the fetch form: absolute, http or https, no fragment. Its path
	// and query go on the wire as they stand here. Userinfo is never sent.
	URL string
	// Addr is the address to dial, as Resolve gave it; the zero Addr lets
	// Fetch resolve the host by itself. No other address is dialled.
	Addr netip.Addr
	// IfNoneMatch and IfModifiedSince are sent as they are; "" sends none.
	IfNoneMatch, IfModifiedSince string
	// MaxBody is the most decoded bytes kept of this body, where it may be
	// larger or smaller than others; 0 means [Options.MaxBody].
	MaxBody int64
	// Lend saves the copy of the body where the caller is soon done with it:
	// Response.Body may stand in a buffer that goes back by Response.Release.
	Lend bool
}

// A Truncation says why a body is only the prefix of what the server has.
type Truncation string

const (
	Whole    Truncation = ""
	CutSize  Truncation = "size"  // the limit of the body was reached
	CutShort Truncation = "short" // the server ended it early, or broke it
	CutTime  Truncation = "time"  // Timeouts.Total was over
	CutIdle  Truncation = "idle"  // nothing came for Timeouts.Idle
)

// A Response is an answer of whatever status. The caller owns it, but for a
// Body that was lent.
type Response struct {
	URL        string      // as in the Request
	Status     int         // 200 to 999
	Header     http.Header // as it came
	Body       []byte      // without content codings
	Truncated  Truncation  // why Body is not whole
	Location   string      // the Location field as it came, "" if none
	Proto      string      // "HTTP/1.1"
	Addr       netip.Addr  // the address that answered; through a proxy or Transport, Request.Addr
	Reused     bool        // the connection had served another request before
	WireBytes  int64       // length of the body on the wire, content codings included
	Start, End time.Time

	lent *[]byte    // the buffer that Body stands in; nil if it is the caller's
	pool *sync.Pool // where it goes
}

// Release gives back the buffer of a body that was lent; Body is gone with it.
// Without Release the buffer is left to the garbage collector.
func (r *Response) Release() {
	if r.lent != nil {
		r.pool.Put(r.lent)
		r.lent, r.Body = nil, nil
	}
}
