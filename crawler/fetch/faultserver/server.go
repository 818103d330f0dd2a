// Package faultserver is a web server that does wrong on purpose: it writes what
// a script tells it, byte for byte, and keeps a log of what clients sent. It is
// for tests of everything that reads from the network.
//
// Every fault of [Faults] is served under its name ("/B12"); a test can add
// paths of its own by [Server.Handle]. A path that nobody handles is a small
// page. Scripts hold a connection only as long as the client does, so a test
// waits for outcomes and not for time.
package faultserver

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Script answers one request. It reports whether the connection can take
// another one.
type Script func(c *Conn) (keep bool)

// A Request is what a client sent, as it came.
type Request struct {
	Conn   int      // number of the connection, from 1
	Line   string   // request line
	Fields []string // header lines, in order
	Local  string   // address that the client connected to
	Remote string
}

// Target returns the request target, byte for byte.
func (r Request) Target() string {
	_, rest, _ := strings.Cut(r.Line, " ")
	if i := strings.LastIndexByte(rest, ' '); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// Path returns the target without its query.
func (r Request) Path() string {
	path, _, _ := strings.Cut(r.Target(), "?")
	return path
}

// Field returns the value of the first header line of that name, "" if there is
// none.
func (r Request) Field(name string) string {
	for _, f := range r.Fields {
		if k, v, ok := strings.Cut(f, ":"); ok && strings.EqualFold(k, name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Options configure a [Server].
type Options struct {
	Addr string      // to listen on; "" means 127.0.0.1:0
	TLS  *tls.Config // nil means plain HTTP
}

// A Server runs from Start to Close.
type Server struct {
	ln   net.Listener
	tls  bool
	done chan struct{}
	wg   sync.WaitGroup

	mu      sync.Mutex // guards the rest
	scripts map[string]Script
	ended   map[string]chan struct{}
	log     []Request
	open    map[net.Conn]bool
	conns   int
}

// Start listens and serves until Close.
func Start(o Options) (*Server, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	ln, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("faultserver: %w", err)
	}
	if o.TLS != nil {
		ln = tls.NewListener(ln, o.TLS)
	}
	s := &Server{
		ln: ln, tls: o.TLS != nil, done: make(chan struct{}),
		scripts: Faults(), ended: make(map[string]chan struct{}), open: make(map[net.Conn]bool),
	}
	s.wg.Go(s.accept)
	return s, nil
}

// Close ends the server and every connection, and returns when all scripts have.
func (s *Server) Close() {
	s.mu.Lock()
	close(s.done)
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.ln.Close()
	s.wg.Wait()
}

// URL returns the URL of the server, without a slash at its end.
func (s *Server) URL() string {
	if s.tls {
		return "https://" + s.Addr()
	}
	return "http://" + s.Addr()
}

// Addr returns the address that the server listens on, with its port.
func (s *Server) Addr() string { return s.ln.Addr().String() }

// Handle lets script answer requests for path.
func (s *Server) Handle(path string, script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[path] = script
}

// Requests returns what came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// Conns returns how many connections were accepted so far.
func (s *Server) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// Ended returns a channel that is closed when a script for path has returned:
// for an endless one, when the client closed the connection.
func (s *Server) Ended(path string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endOf(path)
}

// endOf returns the channel of path; s.mu is held.
func (s *Server) endOf(path string) chan struct{} {
	c := s.ended[path]
	if c == nil {
		c = make(chan struct{})
		s.ended[path] = c
	}
	return c
}

func (s *Server) accept() {
	for {
		nc, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns++
		id := s.conns
		s.open[nc] = true
		s.mu.Unlock()
		s.wg.Go(func() {
			s.serve(nc, id)
			nc.Close()
			s.mu.Lock()
			delete(s.open, nc)
			s.mu.Unlock()
		})
	}
}

// serve answers the requests of one connection.
func (s *Server) serve(nc net.Conn, id int) {
	in := bufio.NewReader(nc)
	for {
		r, err := readRequest(in)
		if err != nil {
			return
		}
		r.Conn, r.Local, r.Remote = id, nc.LocalAddr().String(), nc.RemoteAddr().String()
		s.mu.Lock()
		s.log = append(s.log, r)
		script := s.scripts[r.Path()]
		s.mu.Unlock()
		if script == nil {
			script = func(c *Conn) bool { return c.Page("<p>nothing wrong here</p>") }
		}
		keep := script(&Conn{Request: r, nc: nc, in: in, done: s.done})
		s.mu.Lock()
		end := s.endOf(r.Path())
		select {
		case <-end:
		default:
			close(end)
		}
		s.mu.Unlock()
		if !keep {
			return
		}
	}
}

// readRequest reads a request line and header; our clients send no bodies.
func readRequest(in *bufio.Reader) (r Request, err error) {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return r, err
		}
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
			return r, nil
		case r.Line == "":
			r.Line = line
		default:
			r.Fields = append(r.Fields, line)
		}
	}
}

// A Conn is what a script has in hand: a request, and the connection it came on.
type Conn struct {
	Request
	nc   net.Conn
	in   *bufio.Reader
	done <-chan struct{}
}

// Send writes s and reports whether the client still took it.
func (c *Conn) Send(s string) bool {
	_, err := c.nc.Write([]byte(s))
	return err == nil
}

// Page sends a whole HTML page. fields are further header lines, without line
// ends; a Content-Type among them takes the place of the usual one.
func (c *Conn) Page(body string, fields ...string) (keep bool) {
	return c.Answer("200 OK", body, fields...)
}

// Answer is Page with a status of choice.
func (c *Conn) Answer(status, body string, fields ...string) (keep bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\nContent-Length: %d\r\n", status, len(body))
	if !slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, "Content-Type:") }) {
		b.WriteString("Content-Type: text/html; charset=utf-8\r\n")
	}
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	b.WriteString("\r\n" + body)
	return c.Send(b.String())
}

// Hold waits until the client closes the connection.
func (c *Conn) Hold() {
	for {
		if _, err := c.in.ReadByte(); err != nil {
			return
		}
	}
}

// Drip sends s byte by byte, one each pause, again and again if forever, until
// the client is gone.
func (c *Conn) Drip(s string, pause time.Duration, forever bool) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		for i := range len(s) {
			if !c.Send(s[i : i+1]) {
				return
			}
			select {
			case <-tick.C:
			case <-c.done:
				return
			}
		}
		if !forever {
			return
		}
	}
}

// Flood sends s again and again until the client is gone.
func (c *Conn) Flood(s string) {
	for c.Send(s) {
	}
}

// Reset closes the connection with a TCP reset in place of an orderly end.
func (c *Conn) Reset() {
	if tc, ok := c.nc.(*net.TCPConn); ok {
		tc.SetLinger(0)
	}
	c.nc.Close()
}
