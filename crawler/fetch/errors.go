package fetch

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrClosed is what Fetch and Resolve return after Close.
var ErrClosed = errors.New("fetch: client closed")

// A Kind names what went wrong, for counting and for the decision to retry.
// The values are stored and printed: they do not change.
type Kind string

const (
	KindURL            Kind = "url"             // no URL that can be requested
	KindScheme         Kind = "scheme"          // neither http nor https
	KindGuard          Kind = "guard"           // the address is not public and not allowed
	KindDNSNotFound    Kind = "dns-not-found"   // the name does not exist, or has no address
	KindDNS            Kind = "dns"             // the look-up failed otherwise
	KindRefused        Kind = "refused"         // connection refused
	KindReset          Kind = "reset"           // connection closed or reset before an answer
	KindNetwork        Kind = "network"         // unreachable and the rest
	KindTimeoutConnect Kind = "timeout-connect" // no TCP connection in time
	KindTimeoutTLS     Kind = "timeout-tls"     // no TLS handshake in time
	KindTimeoutHeader  Kind = "timeout-header"  // no whole response header in time
	KindTimeoutTotal   Kind = "timeout-total"   // the whole fetch was over before a header came
	KindTLS            Kind = "tls"             // certificate or protocol
	KindProtocol       Kind = "protocol"        // what came is not HTTP
	KindHeaderSize     Kind = "header-size"     // the response header is too large
	KindEncoding       Kind = "encoding"        // unknown or broken content coding
)

// retriable reports whether another try can end otherwise.
func (k Kind) retriable() bool {
	switch k {
	case KindDNS, KindRefused, KindReset, KindNetwork,
		KindTimeoutConnect, KindTimeoutTLS, KindTimeoutHeader, KindTimeoutTotal:
		return true
	}
	return false
}

// An Error is the failure of one URL, not of the crawl. A fetch that ended
// because its context did returns another error, which wraps the context's
// cause.
type Error struct {
	URL        string        // as in the Request
	Kind       Kind          // what went wrong
	Status     int           // of the response; 0 if none came
	RetryAfter time.Duration // what the response asked for; 0 if nothing
	Retry      bool          // another try can end otherwise
	Once       bool          // with Retry: a second failure of this kind is final
	Start, End time.Time     // of the fetch
	Err        error         // the cause
}

// Error names the host but not the whole URL: who prints it knows the URL.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fetch: %s: %s", hostOf(e.URL), e.Kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// hostOf returns the authority of a URL without userinfo, or the start of what
// is no URL.
func hostOf(raw string) string {
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return fmt.Sprintf("%.40q", raw)
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// A failure is an error whose kind is known where it arose.
type failure struct {
	kind Kind
	once bool // retried, but only once
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed wraps err with its kind.
func failed(kind Kind, err error) *failure { return &failure{kind: kind, err: err} }

// failedf is failed with a message made on the spot.
func failedf(kind Kind, format string, args ...any) *failure {
	return failed(kind, fmt.Errorf(format, args...))
}
