package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hashcrawl": main})
}

// siteKey is under what a script's environment keeps its demonstration site.
type siteKey struct{}

// TestScripts runs the scripts in testdata/script. Beside the usual commands
// they know:
//
//	site                   start the demonstration site; $SITE is its URL
//	dead-port              set $DEAD to an address that nobody listens on
//	publish N              let N new notices appear on it
//	exits CODE COMMAND…    run a command and check its exit code
//	fetched-once           check by the site's log that no page was asked for twice
//	asked N TARGET         check by the site's log how often a target was asked for
//	save TARGET FILE       store what the site answers for a target
//	untouched TARGET       check by the site's log that a target was never asked for
//	indexed-all            check that stdout is what a correct crawl indexes
//	json-has KEY VALUE     check a member of the JSON object on stdout
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Values[siteKey{}] = demosite.New(demosite.Options{})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"site":         startSite,
			"dead-port":    deadPort,
			"publish":      publish,
			"exits":        exits,
			"fetched-once": fetchedOnce,
			"untouched":    untouched,
			"asked":        asked,
			"save":         save,
			"indexed-all":  indexedAll,
			"json-has":     jsonHas,
		},
	})
}

func siteOf(ts *testscript.TestScript) *demosite.Site { return ts.Value(siteKey{}).(*demosite.Site) }

func startSite(ts *testscript.TestScript, _ bool, _ []string) {
	srv := httptest.NewServer(siteOf(ts))
	ts.Defer(srv.Close)
	ts.Setenv("SITE", srv.URL)
	ts.Setenv("HOSTPORT", strings.TrimPrefix(srv.URL, "http://"))
}

func deadPort(ts *testscript.TestScript, _ bool, _ []string) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	ts.Setenv("DEAD", strings.TrimPrefix(srv.URL, "http://"))
}

func publish(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	siteOf(ts).Publish(n)
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v: %v", args[1:], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%v exits with %d; want %d", args[1:], got, want)
	}
}

func fetchedOnce(ts *testscript.TestScript, _ bool, _ []string) {
	for target, n := range siteOf(ts).Counts() {
		if n > 1 {
			ts.Fatalf("%s was asked for %d times; want once", target, n)
		}
	}
}

func asked(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n := siteOf(ts).Count(args[1]); n != want {
		ts.Fatalf("%s was asked for %d times; want %d", args[1], n, want)
	}
}

func save(ts *testscript.TestScript, _ bool, args []string) {
	rec := httptest.NewRecorder()
	siteOf(ts).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, ts.Getenv("SITE")+args[0], nil))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), rec.Body.Bytes(), 0o600))
}

func untouched(ts *testscript.TestScript, _ bool, args []string) {
	for _, target := range args {
		if n := siteOf(ts).Count(target); n != 0 {
			ts.Fatalf("%s was asked for %d times; want never", target, n)
		}
	}
}

func indexedAll(ts *testscript.TestScript, _ bool, _ []string) {
	got := strings.Fields(strings.ReplaceAll(ts.ReadFile("stdout"), " ", "%20"))
	slices.Sort(got)
	var want []string
	for _, p := range siteOf(ts).Pages() {
		want = append(want, strings.ReplaceAll(ts.Getenv("SITE")+p.URL, " ", "%20"))
	}
	slices.Sort(want)
	if diff := difference(want, got); diff != "" {
		ts.Fatalf("the crawl indexed other pages than it should:\n%s", diff)
	}
}

// difference lists what only one of two sorted lists has.
func difference(want, got []string) string {
	var b strings.Builder
	for _, w := range want {
		if !slices.Contains(got, w) {
			b.WriteString("missing: " + w + "\n")
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			b.WriteString("too much: " + g + "\n")
		}
	}
	if len(want) != len(got) && b.Len() == 0 {
		b.WriteString("some are listed twice\n")
	}
	return b.String()
}

func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &object))
	var v any = object
	for _, key := range strings.Split(args[0], ".") {
		m, ok := v.(map[string]any)
		if !ok {
			ts.Fatalf("%s: no object on the way", args[0])
		}
		v = m[key]
	}
	got, err := json.Marshal(v)
	ts.Check(err)
	if (string(got) == args[1]) == neg {
		ts.Fatalf("%s is %s; want %s", args[0], got, args[1])
	}
}

// siteServer serves a demonstration site, each request after a while that
// before returns, for tests that need no script.
func siteServer(t *testing.T, site *demosite.Site, before func()) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before()
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// hashcrawl returns the command that runs the program under test.
func hashcrawl(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("hashcrawl") // testscript.Main put it there
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	cmd.Stderr = os.Stderr
	return cmd
}
