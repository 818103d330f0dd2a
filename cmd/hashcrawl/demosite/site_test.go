package demosite

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ask sends one GET to s, as colly's client would, without a socket.
func ask(t *testing.T, s *Site, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "skerry.test"
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryPageAnswersAtItsTargetWithValidatorsOfItsOwn(t *testing.T) {
	s := New(Options{})
	etags := make(map[string]string)
	for _, p := range s.Pages() {
		resp := ask(t, s, p.Target)
		etag, modified := resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
		if resp.StatusCode != http.StatusOK || etag == "" || modified == "" {
			t.Errorf("GET %s = %d, ETag %q, Last-Modified %q; want 200 with both", p.Target, resp.StatusCode, etag, modified)
			continue
		}
		if other, ok := etags[etag]; ok {
			t.Errorf("GET %s and GET %s have the same ETag %s", p.Target, other, etag)
		}
		etags[etag] = p.Target
		for _, header := range [][]string{
			{"If-None-Match", etag},
			{"If-None-Match", `"x", W/` + etag},
			{"If-Modified-Since", modified},
		} {
			if got := ask(t, s, p.Target, header...).StatusCode; got != http.StatusNotModified {
				t.Errorf("GET %s with %q = %d, want 304", p.Target, header, got)
			}
		}
		if got := ask(t, s, p.Target, "If-None-Match", `"other"`, "If-Modified-Since", modified).StatusCode; got != http.StatusOK {
			t.Errorf("GET %s with another ETag = %d, want 200", p.Target, got)
		}
	}
}

func TestAddressesAreReadByTheScheme(t *testing.T) {
	s := New(Options{})
	for _, tc := range []struct {
		name, target string
		status       int
		contains     string
	}{
		{"shell has no content", "/", 200, `<div id="app"></div>`},
		{"shell opts in", "/", 200, `<meta name="fragment" content="!">`},
		{"empty state", "/?_escaped_fragment_=", 200, "kept as an application"},
		{"empty state, older spelling", "/?_escaped_fragment_", 200, "kept as an application"},
		{"state", "/?_escaped_fragment_=/light/grey-skerry", 200, "<title>Grey Skerry</title>"},
		{"state, slashes escaped", "/?_escaped_fragment_=%2Flight%2Fgrey-skerry", 200, "<title>Grey Skerry</title>"},
		{"plus stays plus", "/chart?_escaped_fragment_=q=fog+signal%26sort=height", 200, "by height"},
		{"escaped once", "/chart?_escaped_fragment_=/find?q=R%2526D%26area=north", 200, "fog horns"},
		{"unescaped too often", "/chart?_escaped_fragment_=/find?q=R%26D%26area=north", 404, ""},
		{"state as an address bar has it", "/chart?_escaped_fragment_=/sv%25C4%259Btla/%25C5%25BDlut%25C3%25BD%2520k%25C5%25AF%25C5%2588", 200, "kůň"},
		{"token is not last", "/chart?_escaped_fragment_=/chart/g&x=1", 404, ""},
		{"other case of the token", "/?_Escaped_Fragment_=/light/grey-skerry", 404, ""},
		{"unknown state", "/?_escaped_fragment_=/light/never-built", 404, ""},
		{"broken escape", "/?_escaped_fragment_=%zz", 400, ""},
		{"unescaped separator", "/chart?_escaped_fragment_=q=fog+signal&sort=height", 404, ""},
		{"opted-in page with a query", "/gallery?year=1912&_escaped_fragment_=", 200, "Pictures of 1912"},
		{"page that never opted in", "/about?_escaped_fragment_=", 404, ""},
		{"state for the script", "/api/state?page=%2Fchart&state=%2Fhumidity%2F100%25", 200, "Humidity"},
		{"moved state for the script", "/api/state?page=%2F&state=%2Flight%2Fold-mole", 200, "Grey Skerry"},
		{"robots", "/robots.txt", 200, "Sitemap: http://skerry.test/sitemap.xml"},
		{"sitemap", "/sitemap.xml", 200, "<loc>http://skerry.test/#!/light/hidden-rock</loc>"},
		{"script", "/static/app.js", 200, "hashchange"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp := ask(t, s, tc.target)
			if got := body(t, resp); resp.StatusCode != tc.status || !strings.Contains(got, tc.contains) {
				t.Errorf("GET %s = %d %q, want %d with %q", tc.target, resp.StatusCode, got, tc.status, tc.contains)
			}
		})
	}
}

func TestRedirectsKeepTheirForm(t *testing.T) {
	s := New(Options{})
	for target, want := range map[string]string{
		"/old-about":                           "about",
		"/go/skerry":                           "http://skerry.test/#!/light/grey-skerry",
		"/?_escaped_fragment_=/light/old-mole": "http://skerry.test/#!/light/grey-skerry",
	} {
		resp := ask(t, s, target)
		if got := resp.Header.Get("Location"); resp.StatusCode != http.StatusMovedPermanently || got != want {
			t.Errorf("GET %s = %d, Location %q; want 301, %q", target, resp.StatusCode, got, want)
		}
	}
}

func TestPagesInOtherEncodingsAreServedInThem(t *testing.T) {
	s := New(Options{})
	for target, want := range map[string]string{
		"/ru/mayak":               "<title>\xcc\xe0\xff\xea</title>",
		"/ru/find?q=%EC%E0%FF%EA": "\xcd\xe0\xe9\xe4\xe5\xed\xe0",
		"/ja/todai":               "<meta charset=\"Shift_JIS\">\n<title>\x93\x94\x91\xe4</title>",
	} {
		if got := body(t, ask(t, s, target)); !strings.Contains(got, want) {
			t.Errorf("GET %s = %q, want %q in it", target, got, want)
		}
	}
}

func TestPublishShiftsTheRoll(t *testing.T) {
	s := New(Options{})
	before := s.Pages()
	page2 := body(t, ask(t, s, "/news/?page=2"))
	etag := ask(t, s, "/news/").Header.Get("ETag")
	s.Publish(3)
	after := s.Pages()
	if got, want := len(after)-len(before), 3; got != want {
		t.Errorf("Publish(3) added %d pages, want %d (47 items fill up page 5)", got, want)
	}
	for _, p := range before {
		if !slices.Contains(after, p) {
			t.Errorf("Publish(3) took away %+v", p)
		}
	}
	page1 := body(t, ask(t, s, "/news/"))
	if n := strings.Index(page1, "Notice 50:"); n < 0 || n > strings.Index(page1, "Notice 47:") {
		t.Errorf("GET /news/ after Publish(3) does not start with notice 50: %s", page1)
	}
	if strings.Contains(page1, "Notice 40:") || !strings.Contains(page1, "Notice 41:") {
		t.Errorf("GET /news/ after Publish(3) does not end at notice 41: %s", page1)
	}
	if now := body(t, ask(t, s, "/news/?page=2")); now == page2 || !strings.Contains(now, "Notice 40:") {
		t.Errorf("GET /news/?page=2 after Publish(3) = %s, want notices 40 to 31", now)
	}
	if got := ask(t, s, "/news/", "If-None-Match", etag).StatusCode; got != http.StatusOK {
		t.Errorf("GET /news/ with the ETag from before Publish = %d, want 200", got)
	}
	s.Publish(1)
	if got, want := len(s.Pages())-len(after), 2; got != want {
		t.Errorf("the 51st notice added %d pages, want %d: itself and index page 6", got, want)
	}
}

func TestNoticesStandInOrderOfTime(t *testing.T) {
	r := roll{count: 60, perPage: 10, first: 47, newest: baseDate}
	for n := 2; n <= r.count; n++ {
		if gap := r.date(n).Sub(r.date(n - 1)); gap < 21*time.Hour || gap > 49*time.Hour {
			t.Errorf("notice %d came %v after notice %d, want 21 h to 49 h", n, gap, n-1)
		}
	}
	if got := r.date(47); !got.Equal(baseDate) {
		t.Errorf("date(47) = %v, want %v", got, baseDate)
	}
}

func TestTwoSitesAreAlike(t *testing.T) {
	a, b := New(Options{}), New(Options{})
	b.Publish(2)
	a.Publish(1)
	a.Publish(1)
	for _, p := range a.Pages() {
		if x, y := body(t, ask(t, a, p.Target)), body(t, ask(t, b, p.Target)); x != y {
			t.Errorf("GET %s differs between two sites:\n%s\n%s", p.Target, x, y)
		}
	}
}

func TestLogTellsWhatWasAsked(t *testing.T) {
	s := New(Options{})
	srv := httptest.NewServer(s)
	defer srv.Close()
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/chart?_escaped_fragment_=/humidity/100%25", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "walker/1")
	before := time.Now()
	resp, err := srv.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp, err = srv.Client().Get(srv.URL + "/nowhere"); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	srv.Close() // waits for the handlers, and so for their lines

	log := s.Requests()
	if len(log) != 2 {
		t.Fatalf("Requests() = %+v, want 2 lines", log)
	}
	got := log[0]
	if got.Method != "GET" || got.Host != strings.TrimPrefix(srv.URL, "http://") ||
		got.Target != "/chart?_escaped_fragment_=/humidity/100%25" || got.Header.Get("User-Agent") != "walker/1" ||
		got.Status != 200 || got.Bytes != n || got.RemotePort == 0 ||
		got.Start.Before(before) || got.End.Before(got.Start) {
		t.Errorf("Requests()[0] = %+v", got)
	}
	if log[1].Status != http.StatusNotFound || log[1].Seq != 1 {
		t.Errorf("Requests()[1] = %+v, want the 404", log[1])
	}
	if got := s.Count("/nowhere"); got != 1 {
		t.Errorf("Count(/nowhere) = %d, want 1", got)
	}
	s.ResetLog()
	if got := s.Requests(); len(got) != 0 {
		t.Errorf("Requests() after ResetLog = %+v, want none", got)
	}
}

func TestSiteMayBeSharedByGoroutines(t *testing.T) {
	s := New(Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 20 {
				ask(t, s, "/news/")
				if i%10 == 0 {
					s.Publish(1)
				}
				s.Pages()
				s.Requests()
			}
		})
	}
	wg.Wait()
	if got := s.Count("/news/"); got != 160 {
		t.Errorf("Count(/news/) = %d, want 160", got)
	}
	if got := s.Counts()["/news/"]; got != 160 {
		t.Errorf(`Counts()["/news/"] = %d, want 160`, got)
	}
}
