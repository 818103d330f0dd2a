package demosite

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// maxLog is how many requests the log keeps at least; older ones are dropped
// so that a site left serving does not grow without end.
const maxLog = 1 << 16

// loggedHeaders are the request headers that politeness promises speak about.
var loggedHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Connection", "Cookie", "From",
	"If-Modified-Since", "If-None-Match", "Referer", "User-Agent",
}

// A Request is one line of the site's log.
type Request struct {
	Seq        int // position in the order of arrival, from 0
	Method     string
	Host       string      // Host header, with port
	Target     string      // request target as it came, byte for byte
	Header     http.Header // only the headers a crawler's manners show in
	Start      time.Time   // when the header had been read
	End        time.Time   // when the answer had been handed to the connection
	Status     int
	Bytes      int64 // of the body, as written
	RemotePort int   // the client's port: the same port is the same connection
}

// requestLog collects requests in the order in which they ended. Goroutines
// may share it.
type requestLog struct {
	mu      sync.Mutex // guards the fields below
	next    int
	entries []Request
}

// arrive gives a request its place in the order of arrival.
func (l *requestLog) arrive() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	return l.next - 1
}

func (l *requestLog) add(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, r)
	if len(l.entries) >= 2*maxLog {
		l.entries = slices.Clone(l.entries[maxLog:])
	}
}

// all returns a copy of the log in the order of arrival.
func (l *requestLog) all() []Request {
	l.mu.Lock()
	out := slices.Clone(l.entries)
	l.mu.Unlock()
	slices.SortFunc(out, func(a, b Request) int { return a.Seq - b.Seq })
	return out
}

func (l *requestLog) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}

// logged serves r with h and writes the line for it, also when h panics.
func (l *requestLog) logged(w http.ResponseWriter, r *http.Request, h http.HandlerFunc) {
	line := Request{
		Seq:    l.arrive(),
		Method: r.Method,
		Host:   r.Host,
		Target: r.RequestURI,
		Header: make(http.Header),
		Start:  time.Now(),
	}
	for _, name := range loggedHeaders {
		if v := r.Header.Values(name); len(v) > 0 {
			line.Header[name] = slices.Clone(v)
		}
	}
	if _, port, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		line.RemotePort, _ = strconv.Atoi(port) // 0 for a transport without ports
	}
	rec := &statusRecorder{ResponseWriter: w}
	defer func() {
		line.End, line.Status, line.Bytes = time.Now(), rec.status, rec.bytes
		l.add(line)
	}()
	h(rec, r)
}

// statusRecorder notes what was answered.
type statusRecorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *statusRecorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusRecorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Requests returns the log in the order of arrival. A request stands in it
// once it has been answered. The log keeps at least the last 65,536 requests.
func (s *Site) Requests() []Request { return s.log.all() }

// Count returns how often exactly this request target was asked for, by any
// method.
func (s *Site) Count(target string) int {
	n := 0
	for _, r := range s.log.all() {
		if r.Target == target {
			n++
		}
	}
	return n
}

// Counts returns the number of requests for each request target.
func (s *Site) Counts() map[string]int {
	counts := make(map[string]int)
	for _, r := range s.log.all() {
		counts[r.Target]++
	}
	return counts
}

// ResetLog forgets the requests so far.
func (s *Site) ResetLog() { s.log.reset() }
