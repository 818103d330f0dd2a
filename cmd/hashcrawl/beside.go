package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// An invocation is one call of the program. It travels in the context of its
// command, because the crawling process carries out those of others too.
type invocation struct {
	args   []string
	folder string // that relative paths are meant in; "" is the working directory
	live   *live  // the crawl whose process carries out the command; nil elsewhere
}

// A live crawl is one that this process is at work on.
type live struct {
	db     *storage.DB
	report func() frontier.Report
}

type invocationKey struct{}

func invocationOf(ctx context.Context) *invocation {
	if inv, ok := ctx.Value(invocationKey{}).(*invocation); ok {
		return inv
	}
	return &invocation{}
}

// pathOf returns where a path on the command line leads.
func pathOf(ctx context.Context, path string) string {
	if inv := invocationOf(ctx); inv.folder != "" && !filepath.IsAbs(path) {
		return filepath.Join(inv.folder, path)
	}
	return path
}

// A reading is what a command needs of a crawl that it only reads.
type reading struct {
	cmd   *cobra.Command
	dir   func() (string, error) // the crawl directory
	stdin bool                   // the command reads its input
	do    func(*storage.DB) error
}

// run does the reading: on the crawl file or, while somebody is crawling, in
// that process, to which the whole command is handed.
func (r reading) run() (err error) {
	if live := invocationOf(r.cmd.Context()).live; live != nil {
		return r.do(live.db)
	}
	dir, err := r.dir()
	if err != nil {
		return err
	}
	socket, stale := dialCrawl(dir)
	if socket != nil {
		return r.hand(socket, dir)
	}
	db, err := openCrawl(dir, true)
	if errors.Is(err, storage.ErrInUse) {
		// The crawl began, or ended, in between.
		if socket, _ := dialCrawl(dir); socket != nil {
			return r.hand(socket, dir)
		}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if stale {
		// While the file is open here, nobody can be crawling.
		removeSocket(dir)
	}
	return r.do(db)
}

// The frames with which a command is answered: a kind, the length of what
// follows in 4 bytes, and that.
const (
	frameHello  = byte('h') // somebody is there
	frameStdout = byte('1')
	frameStderr = byte('2')
	frameExit   = byte('x') // the exit code; nothing follows
)

// maxFrame is how long a frame can be.
const maxFrame = 1 << 20

// helloTimeout is how long a crawl may take until it is at the telephone.
const helloTimeout = 5 * time.Second

// A request is the line that begins a conversation. What follows it is the
// command's input.
type request struct {
	Args   []string `json:"args"`
	Folder string   `json:"folder"`
}

// dialCrawl returns a connection to the process that crawls in dir; nil if
// nobody answers. stale reports whether somebody left a socket behind.
func dialCrawl(dir string) (conn *net.UnixConn, stale bool) {
	path := filepath.Join(dir, socketName)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, false
	}
	if info.Mode()&fs.ModeSymlink != 0 { // the directory's name is too long for a socket
		if path, err = os.Readlink(path); err != nil {
			return nil, true
		}
	}
	conn, err = net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	return conn, err != nil
}

// hand has the command carried out by the crawling process.
func (r reading) hand(conn *net.UnixConn, dir string) error {
	defer conn.Close()
	folder, err := os.Getwd()
	if err != nil {
		return err
	}
	unanswered := exitf(exitInUse, "the crawl in %s is in use by %s, which does not answer", dir, holder(dir))
	conn.SetDeadline(time.Now().Add(helloTimeout))
	if json.NewEncoder(conn).Encode(request{invocationOf(r.cmd.Context()).args, folder}) != nil {
		return unanswered
	}
	in := bufio.NewReader(conn)
	if kind, _, err := readFrame(in, nil); err != nil || kind != frameHello {
		return unanswered
	}
	conn.SetDeadline(time.Time{})
	if r.stdin {
		// It may still be waiting for input when the answer has ended.
		go func() {
			io.Copy(conn, r.cmd.InOrStdin())
			conn.CloseWrite()
		}()
	} else if err := conn.CloseWrite(); err != nil {
		return unanswered
	}
	return r.relay(in)
}

// relay prints the answer to a command as if it were its own.
func (r reading) relay(in *bufio.Reader) error {
	var buf []byte
	for {
		kind, payload, err := readFrame(in, buf)
		if err != nil {
			return errors.New("the crawl ended before it had answered in full; try again")
		}
		switch kind {
		case frameStdout:
			_, err = r.cmd.OutOrStdout().Write(payload)
		case frameStderr:
			_, err = r.cmd.ErrOrStderr().Write(payload)
		case frameExit:
			if code := int(payload[0]); code != exitOK {
				return &exitError{code, errors.New("")} // it was told on stderr
			}
			return nil
		}
		if err != nil {
			return err
		}
		buf = payload
	}
}

// readFrame reads a frame into buf, which may be made longer.
func readFrame(in io.Reader, buf []byte) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxFrame || head[0] == frameExit && n != 1 {
		return 0, nil, fmt.Errorf("frame %q of %d bytes", head[0], n)
	}
	if uint32(cap(buf)) < n {
		buf = make([]byte, n)
	}
	_, err = io.ReadFull(in, buf[:n])
	return head[0], buf[:n], err
}
