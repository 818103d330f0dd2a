package robots

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// today is the day on which the corpus judges unavailable_after.
var today = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestDirectivesCorpus(t *testing.T) {
	var corpus struct {
		Page []struct {
			ID, HTML, Agent  string
			Headers          []string
			Index, Follow    bool
			UnavailableAfter string `json:"unavailable_after"`
		}
	}
	if err := json.Unmarshal(corpusFile(t, "robots-directives.json"), &corpus); err != nil {
		t.Fatal(err)
	}
	for _, c := range corpus.Page {
		t.Run(c.ID, func(t *testing.T) {
			var tags []string
			for _, h := range c.Headers {
				_, value, _ := strings.Cut(h, ":")
				tags = append(tags, value)
			}
			d := ParseDirectives(metas(c.HTML), tags, c.Agent)
			if d.Indexable(today) != c.Index || d.NoFollow == c.Follow {
				t.Errorf("%+v; want index %v, follow %v", d, c.Index, c.Follow)
			}
			if c.UnavailableAfter == "" {
				if !d.UnavailableAfter.IsZero() {
					t.Errorf("unavailable after %v, want never", d.UnavailableAfter)
				}
				return
			}
			want, ok := parseDate(c.UnavailableAfter)
			if !ok || !d.UnavailableAfter.Equal(want) {
				t.Errorf("unavailable after %v, want %v", d.UnavailableAfter, c.UnavailableAfter)
			}
		})
	}
}

// metas returns the named metas of a page.
func metas(page string) []Meta {
	var all []Meta
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Data != "meta" {
			continue
		}
		var m Meta
		for _, a := range token.Attr {
			switch a.Key {
			case "name":
				m.Name = a.Val
			case "content":
				m.Content = a.Val
			}
		}
		all = append(all, m)
	}
	return all
}

func TestParseDirectives(t *testing.T) {
	until := func(s string) time.Time {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, tc := range []struct {
		name  string
		metas []Meta
		tags  []string
		want  Directives
	}{
		{name: "nothing"},
		{name: "names and words have no case", metas: []Meta{{" ROBOTS ", "NoIndex"}, {"HashCrawl", "NOFOLLOW"}}, want: Directives{NoIndex: true, NoFollow: true}},
		{name: "other crawlers' metas", metas: []Meta{{"googlebot", "none"}, {"robots-x", "none"}, {"", "none"}}},
		{name: "a header for another and then for all", tags: []string{"other: none", "noarchive"}, want: Directives{NoArchive: true}},
		{name: "headers joined by a proxy", tags: []string{"other: noindex, hashcrawl: nofollow, nosnippet, third: none"}, want: Directives{NoFollow: true, NoSnippet: true}},
		{name: "a value that is a word", tags: []string{"max-image-preview: none, max-snippet:0"}},
		{name: "a value in a meta is no crawler", metas: []Meta{{"robots", "other: noindex, nofollow"}}, want: Directives{NoFollow: true, NoIndex: true}},
		{name: "words that contain ours", metas: []Meta{{"robots", "noindexifembedded xnofollow"}}},
		{
			name: "the earliest end", tags: []string{"unavailable_after: 2030-01-02", "unavailable_after: 2030-01-01T10:00:00+01:00, hashcrawl: unavailable_after: 2031-01-01"},
			want: Directives{UnavailableAfter: until("2030-01-01T09:00:00Z")},
		},
		{name: "an end for another", tags: []string{"other: unavailable_after: 2030-01-02"}},
		{
			name: "an end and more", tags: []string{"unavailable_after: Wed, 02 Jan 2030 10:00:00 EST, nofollow"},
			want: Directives{NoFollow: true, UnavailableAfter: until("2030-01-02T15:00:00Z")},
		},
		{name: "a word and no date", tags: []string{"unavailable_after: never, noindex"}, want: Directives{NoIndex: true}},
		{name: "no date", tags: []string{"unavailable_after"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := ParseDirectives(tc.metas, tc.tags, "hashcrawl"); got != tc.want {
				t.Errorf("ParseDirectives(%q, %q)\n= %+v\nwant %+v", tc.metas, tc.tags, got, tc.want)
			}
		})
	}
}

func TestIndexableEndsAtTheDate(t *testing.T) {
	d := Directives{UnavailableAfter: today}
	if !d.Indexable(today.Add(-1)) || d.Indexable(today) {
		t.Error("the date itself is to be the first moment without the page")
	}
}

func TestParseDate(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"},
		{"25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"},
		{"Friday, 25-Jun-10 15:00:00 UTC", "2010-06-25T15:00:00Z"},
		{"Fri, 25 Jun 2010 15:00:00 +0200", "2010-06-25T13:00:00Z"},
		{"Fri Jun 25 15:00:00 2010", "2010-06-25T15:00:00Z"},
		{"25 June 2010", "2010-06-25T00:00:00Z"},
		{"June 25, 2010", "2010-06-25T00:00:00Z"},
		{"2010-06-25", "2010-06-25T00:00:00Z"},
		{"2010-06-25T15:00Z", "2010-06-25T15:00:00Z"},
		{"2010-06-25T15:00:00.5+02:00", "2010-06-25T13:00:00Z"},
		{"2010-06-25 15:00:00", "2010-06-25T15:00:00Z"},
		{"25 Jun 2010 15:00 CEST", "2010-06-25T13:00:00Z"},
		{"25 Jun 2010 15:00:00 XYZ", ""},
		{"tomorrow", ""},
		{"", ""},
		{"31 Feb 2010", ""},
		{"2010", ""},
	} {
		got, ok := parseDate(tc.in)
		if ok != (tc.want != "") || ok && got.Format(time.RFC3339) != tc.want {
			t.Errorf("parseDate(%q) = %v, %v; want %q", tc.in, got, ok, tc.want)
		}
	}
}

func TestFollowsRel(t *testing.T) {
	for rel, want := range map[string]bool{
		"": true, "noopener noreferrer": true, "next": true, "nofollowed": true,
		"nofollow": false, "noopener\n NoFollow": false, "UGC": false, "x sponsored": false,
	} {
		if got := FollowsRel(rel); got != want {
			t.Errorf("FollowsRel(%q) = %v, want %v", rel, got, want)
		}
	}
}

// TestHostileDirectivesTakeNoWork has lists in which every item calls for more
// than a look.
func TestHostileDirectivesTakeNoWork(t *testing.T) {
	const items = 40_000
	for _, tc := range []struct {
		name        string
		meta, field string
	}{
		{name: "agents", field: strings.Repeat("a:", items)},
		{name: "dates that are none", meta: strings.Repeat("unavailable_after:,", items)},
		{name: "dates", field: strings.Repeat("unavailable_after: 1 Jan 2030,", items)},
	} {
		d := Directives{}
		allocs := testing.AllocsPerRun(1, func() {
			d = ParseDirectives([]Meta{{"robots", tc.meta + ",noindex"}}, []string{tc.field + "hashcrawl: nofollow"}, "hashcrawl")
		})
		if allocs > items/2 {
			t.Errorf("%s: %.0f allocations for %d items", tc.name, allocs, items)
		}
		if !d.NoIndex || !d.NoFollow {
			t.Errorf("%s: what follows them is %+v; want noindex and nofollow", tc.name, d)
		}
	}
}
