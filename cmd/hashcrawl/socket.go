package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// socketName is the name of the socket in the crawl directory on which the
// crawling process carries out the commands that read the crawl.
const socketName = "run.sock"

// A receptionist carries out the commands of other processes on a live crawl,
// with the same code that they would run on the file.
type receptionist struct {
	live     *live
	dir      string
	listener *net.UnixListener

	wg    sync.WaitGroup // of the goroutines
	mu    sync.Mutex     // guards conns
	conns map[net.Conn]bool
}

// receive answers on the socket of dir until leave is called. The crawl file
// must be open for writing, so that nobody else can have the socket.
func receive(dir string, l *live) (*receptionist, error) {
	listener, err := listenSocket(dir)
	if err != nil {
		return nil, err
	}
	r := &receptionist{live: l, dir: dir, listener: listener, conns: map[net.Conn]bool{}}
	r.wg.Go(r.accept)
	return r, nil
}

// listenSocket listens on the socket in dir, which only the same user can
// reach. One that was left behind is replaced.
func listenSocket(dir string) (*net.UnixListener, error) {
	removeSocket(dir)
	// Nobody else gets through a directory like these before the socket has its
	// mode.
	place, err := os.MkdirTemp(dir, ".run-*")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, socketName)
	l, err := listenAt(filepath.Join(place, "s"))
	if err == nil {
		err = errors.Join(os.Rename(filepath.Join(place, "s"), path), os.Remove(place))
		return l, err
	}
	// The usual reason is that the path is too long: a socket's has room for
	// about a hundred bytes. It stands elsewhere then, and the way is shown.
	os.Remove(place)
	if place, err = os.MkdirTemp("", "hashcrawl-*"); err != nil {
		return nil, err
	}
	if l, err = listenAt(filepath.Join(place, socketName)); err == nil {
		err = os.Symlink(filepath.Join(place, socketName), path)
	}
	if err != nil {
		os.RemoveAll(place)
	}
	return l, err
}

func listenAt(path string) (*net.UnixListener, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // it gets another name
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// removeSocket removes the socket of dir, whoever left it, and the directory
// that was made for it elsewhere. Only who has opened the crawl file may do so.
func removeSocket(dir string) {
	path := filepath.Join(dir, socketName)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if elsewhere, err := os.Readlink(path); err == nil && filepath.Base(elsewhere) == socketName {
			os.Remove(elsewhere)
			os.Remove(filepath.Dir(elsewhere)) // only if it is empty now
		}
	}
	os.Remove(path)
}

// answerGrace is how long commands may go on when the crawl ends.
const answerGrace = 10 * time.Second

// leave ends the answering: nobody is let in any more, and who is there has a
// while to finish. The crawl file can be closed then; wait returns when all
// have noticed.
func (r *receptionist) leave() {
	removeSocket(r.dir)
	r.listener.Close()
	finished := make(chan struct{})
	go func() { r.wg.Wait(); close(finished) }()
	patience := time.NewTimer(answerGrace)
	defer patience.Stop()
	select {
	case <-finished:
	case <-patience.C:
		r.mu.Lock()
		defer r.mu.Unlock()
		for c := range r.conns {
			c.Close()
		}
	}
}

func (r *receptionist) wait() { r.wg.Wait() }

func (r *receptionist) accept() {
	for {
		conn, err := r.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files, which passes
			pause := time.NewTimer(100 * time.Millisecond)
			<-pause.C
			continue
		}
		r.mu.Lock()
		r.conns[conn] = true
		r.mu.Unlock()
		r.wg.Go(func() {
			r.answer(conn)
			r.mu.Lock()
			delete(r.conns, conn)
			r.mu.Unlock()
			conn.Close()
		})
	}
}

// commandsBeside are the commands that are carried out for others.
var commandsBeside = map[string]bool{"status": true, "export": true, "series": true, "explain": true, "backup": true}

// answer carries out one command. If whoever asked has gone, it ends at its
// next word.
func (r *receptionist) answer(conn *net.UnixConn) {
	out := &frames{w: bufio.NewWriterSize(conn, 64<<10)}
	if out.frame(frameHello, nil) != nil || out.flush() != nil {
		return
	}
	in := bufio.NewReader(conn)
	conn.SetReadDeadline(time.Now().Add(helloTimeout))
	line, err := in.ReadBytes('\n')
	var req request
	if err != nil || json.Unmarshal(line, &req) != nil || len(req.Args) == 0 {
		return
	}
	conn.SetReadDeadline(time.Time{})
	code := exitUsage
	if commandsBeside[req.Args[0]] {
		ctx := context.WithValue(context.Background(), invocationKey{}, &invocation{args: req.Args, folder: req.Folder, live: r.live})
		code = execute(ctx, req.Args, in, frameWriter{out, frameStdout}, frameWriter{out, frameStderr})
	}
	out.frame(frameExit, []byte{byte(code)})
	out.flush()
}

// frames writes frames, and sends them at the latest when a tenth of a second
// has passed with the next.
type frames struct {
	mu   sync.Mutex // guards what follows
	w    *bufio.Writer
	sent time.Time
}

func (f *frames) frame(kind byte, payload []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	f.w.Write(head)
	if _, err := f.w.Write(payload); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(f.sent) > 100*time.Millisecond {
		f.sent = now
		return f.w.Flush()
	}
	return nil
}

func (f *frames) flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.w.Flush()
}

// A frameWriter is the stdout or stderr of a command that is carried out for
// another process.
type frameWriter struct {
	to   *frames
	kind byte
}

func (w frameWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), maxFrame)]
		if err := w.to.frame(w.kind, part); err != nil {
			return n, err
		}
		n, p = n+len(part), p[len(part):]
	}
	return n, nil
}
