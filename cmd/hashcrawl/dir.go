package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// crawlFile is the name of the crawl file in a crawl directory.
const crawlFile = "crawl.db"

// defaultDir returns the directory of a crawl of the given seed.
func defaultDir(u urlnorm.URL) string {
	name := strings.Trim(u.Host(), "[]")
	if strings.HasPrefix(name, ":") {
		name = "0" + name // the same address, and no name that commands take for a flag
	}
	if p := u.Port(); p != 80 && p != 443 {
		name = fmt.Sprintf("%s-%d", name, p)
	}
	return strings.ReplaceAll(name, ":", "-") + ".crawl"
}

// goOn returns the command that goes on with the crawl in dir, for a shell.
func (f *runFlags) goOn(dir string) string {
	if f.watch {
		return "hashcrawl watch " + shellWord(dir)
	}
	return "hashcrawl resume " + shellWord(dir)
}

// shellWord returns a path as a shell and the flags of a command take it for one.
func shellWord(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+:@%,=", r)
	}
	if path != "" && strings.TrimFunc(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// findDir returns the crawl directory that the arguments of a command name, or
// the only one here.
func findDir(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	dirs, err := filepath.Glob("*.crawl")
	if err != nil {
		return "", err
	}
	switch len(dirs) {
	case 0:
		return "", exitf(exitNoCrawl, "there is no *.crawl directory here; name the crawl's directory, or start one with hashcrawl crawl URL")
	case 1:
		return dirs[0], nil
	}
	return "", exitf(exitUsage, "there are several crawls here (%s); name one", strings.Join(dirs, ", "))
}

// openCrawl opens the crawl in dir, which must exist.
func openCrawl(dir string, readOnly bool) (*storage.DB, error) {
	db, err := storage.Open(filepath.Join(dir, crawlFile), storage.Options{ReadOnly: readOnly})
	return db, explainOpen(dir, err)
}

// explainOpen says what to do about a crawl that cannot be opened.
func explainOpen(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return exitf(exitNoCrawl, "%s is no directory; name the one that has the %s", dir, crawlFile)
	case errors.Is(err, storage.ErrNotFound):
		return exitf(exitNoCrawl, "%s is no crawl: it has no %s; start one with hashcrawl crawl URL --dir %s", dir, crawlFile, shellWord(dir))
	case errors.Is(err, storage.ErrInUse):
		return exitf(exitInUse, "the crawl in %s is in use by %s; wait for it to end, or stop it", dir, holder(dir))
	case errors.Is(err, storage.ErrForeign):
		return exitf(exitNoCrawl, "%s is not a crawl file of hashcrawl; choose another directory", filepath.Join(dir, crawlFile))
	case errors.Is(err, storage.ErrDamaged):
		return exitf(exitNoCrawl, "%w; restore it from a backup, or crawl into another directory", err)
	case errors.Is(err, storage.ErrNewer):
		return exitf(exitNoCrawl, "%w; use that version", err)
	}
	return err
}

// createCrawl opens the crawl in dir, or makes it there. created names what
// has to be removed to undo that; it is "" if nothing was made.
func createCrawl(dir, norm string) (db *storage.DB, created string, err error) {
	path := filepath.Join(dir, crawlFile)
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, "", exitf(exitUsage, "cannot make the crawl directory: %w", err)
		}
		created = dir
	case err != nil:
		return nil, "", exitf(exitUsage, "cannot read the crawl directory: %w", err)
	case len(entries) == 0:
		created = path
	default:
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, "", exitf(exitNoCrawl, "%s is no crawl and is not empty; choose another directory with --dir", dir)
		}
	}
	db, err = storage.Open(path, storage.Options{Create: true, Norm: norm})
	if err != nil {
		if created != "" {
			os.RemoveAll(created)
		}
		return nil, "", explainOpen(dir, err)
	}
	return db, created, nil
}

// pidFile is the name of the file that tells which process is crawling. It is a
// hint for people: what keeps processes apart is the lock of the crawl file.
const pidFile = "crawl.pid"

// announce writes who is crawling in dir, until withdraw is called.
func announce(dir string) (withdraw func()) {
	path := filepath.Join(dir, pidFile)
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return func() {} // the crawl tells about a disk that is full
	}
	return func() { os.Remove(path) }
}

// holder returns who uses the crawl in dir, as far as that is known.
func holder(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, pidFile))
	if err != nil {
		return "another process"
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return "another process"
	}
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil { // killed, and its file left behind
		return "another process"
	}
	return fmt.Sprintf("process %d", pid)
}
