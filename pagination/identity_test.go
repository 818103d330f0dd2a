package pagination

import "testing"

func TestPatternOfTwoPages(t *testing.T) {
	for _, tc := range []struct {
		name         string
		a, b         int
		urlA, urlB   string
		third        string // address of page 3
		wantNoneSuch bool
	}{
		{name: "parameter", a: 2, b: 4, urlA: "http://a.test/?page=2&s=1", urlB: "http://a.test/?page=4&s=1", third: "http://a.test/?page=3&s=1"},
		{name: "counted from 0", a: 1, b: 2, urlA: "http://a.test/?p=0", urlB: "http://a.test/?p=1", third: "http://a.test/?p=2"},
		{name: "offset", a: 2, b: 3, urlA: "http://a.test/?start=20", urlB: "http://a.test/?start=40", third: "http://a.test/?start=40"},
		{name: "path", a: 9, b: 10, urlA: "http://a.test/news/page/9/", urlB: "http://a.test/news/page/10/", third: "http://a.test/news/page/3/"},
		{name: "shared digits", a: 11, b: 12, urlA: "http://a.test/p11.html", urlB: "http://a.test/p12.html", third: "http://a.test/p3.html"},
		{name: "state", a: 2, b: 3, urlA: "http://a.test/#!list?page=2", urlB: "http://a.test/#!list?page=3", third: "http://a.test/#!list?page=3"},
		{name: "two things differ", a: 2, b: 3, urlA: "http://a.test/?page=2&t=7", urlB: "http://a.test/?page=3&t=8", wantNoneSuch: true},
		{name: "no number", a: 2, b: 3, urlA: "http://a.test/?after=xa", urlB: "http://a.test/?after=xb", wantNoneSuch: true},
		{name: "falling", a: 2, b: 3, urlA: "http://a.test/?id=90", urlB: "http://a.test/?id=80", wantNoneSuch: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pt, ok := PatternOf(tc.a, tc.urlA, tc.b, tc.urlB)
			if ok == tc.wantNoneSuch || pt.URL(3) != tc.third {
				t.Fatalf("PatternOf(%d, %q, %d, %q) = %+v, %v with page 3 %q; want %q", tc.a, tc.urlA, tc.b, tc.urlB, pt, ok, pt.URL(3), tc.third)
			}
			if n, found := pt.Page(tc.urlA); ok && (!found || n != tc.a) {
				t.Errorf("Page(%q) = %d, %v; want %d", tc.urlA, n, found, tc.a)
			}
		})
	}
}

func TestPatternAtOnePage(t *testing.T) {
	for _, tc := range []struct {
		n         int
		url, next string
	}{
		{2, "http://a.test/2/list?id=2&page=2", "http://a.test/2/list?id=2&page=3"},
		{2, "http://a.test/?PAGE=2", "http://a.test/?PAGE=3"},
		{2, "http://a.test/#!page=2", "http://a.test/#!page=3"},
		{2, "http://a.test/#!/news/page/2", "http://a.test/#!/news/page/3"},
		{7, "http://a.test/list-7.html", "http://a.test/list-8.html"},
		{7, "http://a7.test/", ""},
		{2, "http://a.test/?page=22", ""},
		{2, "http://a.test/archive/2024", ""},
	} {
		pt, ok := PatternAt(tc.n, tc.url)
		if ok != (tc.next != "") || pt.URL(tc.n+1) != tc.next {
			t.Errorf("PatternAt(%d, %q) = %+v, %v with next %q; want %q", tc.n, tc.url, pt, ok, pt.URL(tc.n+1), tc.next)
		}
	}
}

func TestPatternBetween(t *testing.T) {
	for _, tc := range []struct {
		here, next string
		n          int // 0 for none
	}{
		{"http://a.test/?page=2", "http://a.test/?page=3", 2},
		{"http://a.test/?page=9&x", "http://a.test/?page=10&x", 9},
		{"http://a.test/?page=19", "http://a.test/?page=20", 19},
		{"http://a.test/list_1.html", "http://a.test/list_2.html", 1},
		{"http://a.test/#!page=2", "http://a.test/#!page=3", 2},
		{"http://a.test/?page=2", "http://a.test/?page=2", 0},
		{"http://a.test/?page=3", "http://a.test/?page=2", 0},
		{"http://a.test/?page=2", "http://a.test/?page=4", 0},
		{"http://a.test/?page=02", "http://a.test/?page=03", 0},
		{"http://a.test/?start=20", "http://a.test/?start=21", 0},
		{"http://a.test/", "http://a.test/?page=2", 0},
		{"http://a.test/?page=2", "http://a.test/", 0},
		{"", "", 0},
	} {
		pt, n, ok := PatternBetween(tc.here, tc.next)
		if ok != (tc.n > 0) || n != tc.n && ok || ok && (pt.URL(n) != tc.here || pt.URL(n+1) != tc.next) {
			t.Errorf("PatternBetween(%q, %q) = %+v, %d, %v; want page %d", tc.here, tc.next, pt, n, ok, tc.n)
		}
	}
}

func TestPatternPageRefusesOtherAddresses(t *testing.T) {
	pt := Pattern{Before: "http://a.test/?start=", Step: 20, Origin: -20, FirstURL: "http://a.test/"}
	for url, want := range map[string]int{
		"http://a.test/": 1, "http://a.test/?start=20": 2, "http://a.test/?start=0": 1,
		"http://a.test/?start=21": 0, "http://a.test/?start=-20": 0, "http://a.test/?start=020": 0, "http://a.test/?start=": 0,
		"http://a.test/?start=40&x": 0, "http://b.test/?start=40": 0,
	} {
		if n, _ := pt.Page(url); n != want {
			t.Errorf("Page(%q) = %d, want %d", url, n, want)
		}
	}
}

func TestIdentityTellsSeriesApart(t *testing.T) {
	pattern := func(url string) Pattern {
		pt, ok := PatternAt(2, url)
		if !ok {
			t.Fatalf("no pattern in %q", url)
		}
		return pt
	}
	id := func(url, block string) Identity { return Identify("a.test", pattern(url), block) }
	one := id("http://a.test/f?sort=new&page=2&size=20", "ul>li")
	for _, tc := range []struct {
		name  string
		other Identity
		same  bool
	}{
		{"the order of parameters does not count", id("http://a.test/f?size=20&page=2&sort=new", "ul>li"), true},
		{"two lists under one page parameter", id("http://a.test/f?sort=new&page=2&size=20", "table>tr"), false},
		{"another sort mode", id("http://a.test/f?sort=price&page=2&size=20", "ul>li"), false},
		{"another page size", id("http://a.test/f?sort=new&page=2&size=50", "ul>li"), false},
		{"another filter", id("http://a.test/f?sort=new&page=2&size=20&tag=x", "ul>li"), false},
		{"the query is not the state", id("http://a.test/f#!sort=new&page=2&size=20", "ul>li"), false},
		{"another host", Identify("b.test", one.Pattern, "ul>li"), false},
	} {
		if got := one.Key() == tc.other.Key(); got != tc.same {
			t.Errorf("%s: same series = %v, want %v", tc.name, got, tc.same)
		}
	}
	if one.Sort != "sort=new" || !one.Numbered() || len(one.Key()) != 16 {
		t.Errorf("identity %+v with key %q; want sort=new, numbered, 16 digits", one, one.Key())
	}
}

func TestNextPageSeriesFollowsAddresses(t *testing.T) {
	// Pages named by an item: no numbers, and a kill jumps by address.
	s := Series{Direction: NewestFirst, ID: Identity{Host: "a.test"}}
	list := shelf{count("i", 200, 1), 20}
	var asked []string
	answer := func(a Action) (PageSeen, Reason) {
		from := 0
		for i, k := range list.keys {
			if a.URL == "/after/"+k {
				from = i + 1
			}
		}
		asked = append(asked, a.URL)
		to := min(from+20, len(list.keys))
		return PageSeen{URL: a.URL, Rows: rows(list.keys[from:to]...), HasNext: to < len(list.keys), NextURL: "/after/" + list.keys[to-1]}, Running
	}
	s = walk(t, s, day0, Limits{}, answer).series
	list.keys = count("i", 270, 1)
	p := Begin(s, day0, Limits{})
	for range 3 {
		page, _ := answer(p.Next())
		p.Page(page)
	}
	s = p.Series()
	list.keys = count("i", 273, 1)
	asked = nil
	o := walk(t, s, day0, Limits{}, answer)
	if len(asked) != 2 || asked[1] != "/after/i211" || !o.series.Complete {
		t.Errorf("asked for %q, complete %v; want page 1 and /after/i211, true", asked, o.series.Complete)
	}
}
