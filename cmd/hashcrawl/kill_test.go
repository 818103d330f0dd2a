package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
)

// exported returns the sorted lines of an export, with the site's address cut.
func exported(t *testing.T, dir, site string) []string {
	t.Helper()
	out, err := hashcrawl(t, "export", dir).Output()
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), site, "")), "\n")
	slices.Sort(lines)
	return lines
}

// TestKilledCrawlResumesWithoutLoss kills a crawl at twenty random moments. In
// the end it has indexed what an undisturbed crawl indexes, and by the site's
// own log no page was asked for more often than once, plus once per kill.
func TestKilledCrawlResumesWithoutLoss(t *testing.T) {
	const kills = 20
	undisturbed := demosite.New(demosite.Options{})
	calm := siteServer(t, undisturbed, func() {})
	calmDir := filepath.Join(t.TempDir(), "calm.crawl")
	if out, err := hashcrawl(t, "crawl", calm+"/", "--dir", calmDir, "--delay", "0", "-q").Output(); err != nil {
		t.Fatalf("undisturbed crawl: %v\n%s", err, out)
	}

	seed := uint64(time.Now().UnixNano())
	t.Logf("random seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	site := demosite.New(demosite.Options{})
	var answers ration
	slow := siteServer(t, site, func() {
		answers.take()
		time.Sleep(20 * time.Millisecond) // so that there is something to kill
	})
	dir := filepath.Join(t.TempDir(), "killed.crawl")
	killed := 0
	for killed < kills {
		// Too few for the crawl to be through before the last kill.
		refused := answers.refill(len(undisturbed.Requests())/kills - 1)
		cmd := hashcrawl(t, "crawl", slow+"/", "--dir", dir, "--delay", "0", "-q")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rnd.IntN(250))*time.Millisecond, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		close(refused)
		if !wasKilled(err) {
			t.Fatalf("the crawl ended after %d kills: %v; want to kill it %d times", killed, err, kills)
		}
		killed++
	}
	answers.refill(math.MaxInt)
	if out, err := hashcrawl(t, "resume", dir, "-q").Output(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}

	want, got := exported(t, calmDir, calm), exported(t, dir, slow)
	if diff := difference(want, got); diff != "" {
		t.Errorf("after %d kills the export differs from that of an undisturbed crawl:\n%s", killed, diff)
	}
	for target, n := range site.Counts() {
		if n > 1+killed {
			t.Errorf("%s was asked for %d times, with %d kills", target, n, killed)
		}
	}
	if total, calm := len(site.Requests()), len(undisturbed.Requests()); total > calm+killed*20 {
		t.Errorf("%d requests with %d kills, %d without: more was repeated than was under way", total, killed, calm)
	}
}

// A ration is how many requests are answered before a kill. Those beyond it
// wait for the kill.
type ration struct {
	mu      sync.Mutex
	left    int
	refused chan struct{} // closed after the kill
}

func (r *ration) refill(n int) (refused chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left, r.refused = n, make(chan struct{})
	return r.refused
}

func (r *ration) take() {
	r.mu.Lock()
	refused := r.refused
	r.left--
	beyond := r.left < 0
	r.mu.Unlock()
	if beyond {
		<-refused
	}
}

func wasKilled(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// TestFirstInterruptFinishesAndSaves sends one SIGINT or SIGTERM in mid-crawl:
// the program finishes what is under way, says how to resume, and exits with
// the code of the signal; nothing is fetched twice.
func TestFirstInterruptFinishesAndSaves(t *testing.T) {
	for _, tc := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, exitInterrupted}, {syscall.SIGTERM, exitTerminated}} {
		t.Run(tc.signal.String(), func(t *testing.T) {
			site := demosite.New(demosite.Options{})
			var asked atomic.Int64
			tenth, release := make(chan struct{}), make(chan struct{})
			url := siteServer(t, site, func() {
				n := asked.Add(1)
				if n == 10 {
					close(tenth)
				}
				if n >= 10 {
					<-release // it is under way when the signal comes
				}
			})
			dir := filepath.Join(t.TempDir(), "c.crawl")
			cmd := hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0")
			stderr := &watched{until: "finishing what is under way", seen: make(chan struct{})}
			cmd.Stderr = stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-tenth
			cmd.Process.Signal(tc.signal)
			<-stderr.seen
			close(release)
			err := cmd.Wait()
			if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != tc.code {
				t.Fatalf("after %v: %v; want exit code %d\n%s", tc.signal, err, tc.code, stderr.buf.String())
			}
			if !strings.Contains(stderr.buf.String(), "go on with: hashcrawl resume "+dir) {
				t.Errorf("it does not say how to resume:\n%s", stderr.buf.String())
			}
			if out, err := hashcrawl(t, "resume", dir, "-q").Output(); err != nil {
				t.Fatalf("resume: %v\n%s", err, out)
			}
			for target, n := range site.Counts() {
				if n > 1 {
					t.Errorf("%s was asked for %d times; want once", target, n)
				}
			}
		})
	}
}

// TestSecondInterruptStopsAtOnce sends a second signal while a request hangs.
func TestSecondInterruptStopsAtOnce(t *testing.T) {
	site := demosite.New(demosite.Options{})
	hang, asked := make(chan struct{}), make(chan struct{}, 1000)
	url := siteServer(t, site, func() { asked <- struct{}{}; <-hang })
	defer close(hang)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	cmd := hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0")
	stderr := &watched{until: "once more to stop at once", seen: make(chan struct{})}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	cmd.Process.Signal(os.Interrupt)
	<-stderr.seen
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err == nil {
		t.Error("the crawl ended well although a request hangs")
	}
	if _, err := hashcrawl(t, "status", dir).Output(); err != nil {
		t.Errorf("status afterwards: %v", err)
	}
}

// TestSecondProcessIsRefused starts a crawl on a directory that is in use.
func TestSecondProcessIsRefused(t *testing.T) {
	site := demosite.New(demosite.Options{})
	hang, asked := make(chan struct{}), make(chan struct{}, 1000)
	url := siteServer(t, site, func() { asked <- struct{}{}; <-hang })
	dir := filepath.Join(t.TempDir(), "c.crawl")
	first := hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0", "-q")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	for _, args := range [][]string{{"resume", dir}, {"crawl", url + "/", "--dir", dir, "--delay", "0"}} {
		cmd := hashcrawl(t, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err := cmd.Run()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitInUse || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: %v, %q; want exit code %d and one line", args, err, stderr.String(), exitInUse)
		}
	}
	close(hang)
	if err := first.Wait(); err != nil {
		t.Errorf("the first crawl: %v", err)
	}
}

// A watched writer closes seen when it was written a line with until in it.
type watched struct {
	buf   bytes.Buffer // owned by the goroutine that copies; read after Wait
	until string
	seen  chan struct{}
	done  bool
}

func (w *watched) Write(p []byte) (int, error) {
	w.buf.Write(p)
	if !w.done && strings.Contains(w.buf.String(), w.until) {
		w.done = true
		close(w.seen)
	}
	return len(p), nil
}
