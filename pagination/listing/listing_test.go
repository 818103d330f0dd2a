package listing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
)

// list writes a page whose rows are the texts, with links /1, /2 and so on from
// first, and a pager of three pages.
func list(first int, texts ...string) []byte {
	var b strings.Builder
	b.WriteString("<body><ul id=rows>")
	for i, t := range texts {
		fmt.Fprintf(&b, "<li><a href=/item-%c%d>Something that item %d tells</a> <i>%s</i></li>", 'a'+(i*7)%26, first+i, first+i, t)
	}
	b.WriteString("</ul><div class=pager><a href='?page=1'>1</a> <a href='?page=2'>2</a> <a href='?page=3'>3</a></div>")
	return []byte(b.String())
}

func TestFewDatesDecideTogether(t *testing.T) {
	one := parse(t, "http://a.test/l?page=1", list(1, "2024-06-14", "2024-06-12", "2024-06-11", "2024-06-08")).read(listing.Options{})
	two := parse(t, "http://a.test/l?page=2", list(5, "2024-06-06", "2024-06-05", "2024-06-02", "2024-05-30")).read(listing.Options{})
	b := one.Listings[0].Block
	if got := one.Blocks[b].Order; got != listing.Undecided {
		t.Errorf("order of four dates = %v, want undecided", got)
	}
	got, evidence := listing.Together(&one, b, &two)
	if got != listing.NewestFirst || evidence == "" {
		t.Errorf("Together(page 1, page 2) = %v, %q, want newest-first", got, evidence)
	}
	if got, _ := listing.Together(&two, two.Listings[0].Block, &one); got != listing.Undecided {
		t.Errorf("Together(page 2, page 1) = %v, want undecided: together they are not in order", got)
	}
}

// TestTogetherIsAsStrictAsOnePage holds pages against each other that do not
// prove an order, and one that does with rows on both.
func TestTogetherIsAsStrictAsOnePage(t *testing.T) {
	for _, tc := range []struct {
		name     string
		one, two []string // texts of the rows
		shared   int      // rows of page 1 that page 2 begins with
		may      bool     // page 1 is worth holding against page 2
		want     listing.Order
	}{
		{"six dates", []string{"2024-06-14", "2024-06-12", "2024-06-11"}, []string{"2024-06-06", "2024-06-05", "2024-06-02"}, 0, true, listing.Undecided},
		{"seven dates", []string{"2024-06-14", "2024-06-12", "2024-06-11", "2024-06-10"}, []string{"2024-06-06", "2024-06-05", "2024-06-02"}, 0, true, listing.NewestFirst},
		{"oldest first", []string{"2024-06-01", "2024-06-02", "2024-06-03", "2024-06-04"}, []string{"2024-06-06", "2024-06-07", "2024-06-08"}, 0, true, listing.OldestFirst},
		{"oldest first, without a year", []string{"1 June", "2 June", "3 June", "4 June"}, []string{"6 June", "7 June", "8 June"}, 0, true, listing.Undecided},
		{"rows on both count once", []string{"2024-06-14", "2024-06-12", "2024-06-11", "2024-06-08"}, []string{"2024-06-11", "2024-06-08", "2024-06-02", "2024-06-01"}, 2, true, listing.Undecided},
		{"a list that moved", []string{"2024-06-14", "2024-06-12", "2024-06-11", "2024-06-08"}, []string{"2024-06-08", "2024-06-02", "2024-06-01", "2024-05-30"}, 1, true, listing.NewestFirst},
		{"page 1 in no order", []string{"2024-06-12", "2024-06-14", "2024-06-11", "2024-06-13"}, []string{"2024-06-06", "2024-06-05", "2024-06-02"}, 0, false, listing.Undecided},
		{"no dates", []string{"a", "b", "c", "d"}, []string{"e", "f", "g"}, 0, false, listing.Undecided},
		{
			"a day of news on each",
			[]string{"2024-06-14", "2024-06-14", "2024-06-14", "2024-06-14", "2024-06-14", "2024-06-14", "2024-06-14"},
			[]string{"2024-06-13", "2024-06-13", "2024-06-13", "2024-06-13", "2024-06-13", "2024-06-13", "2024-06-13"},
			0, true, listing.NewestFirst,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			one := parse(t, "http://a.test/l?page=1", list(1, tc.one...)).read(listing.Options{})
			two := parse(t, "http://a.test/l?page=2", list(1+len(tc.one)-tc.shared, tc.two...)).read(listing.Options{})
			b := one.Listings[0].Block
			if got := one.MayJoin(b); got != tc.may {
				t.Errorf("MayJoin = %t, want %t", got, tc.may)
			}
			order, why := listing.Together(&one, b, &two)
			if order != tc.want {
				t.Errorf("Together = %v, %q; want %v", order, why, tc.want)
			}
			if detached, again := listing.Together(one.Detach(), b, two.Detach()); detached != order || again != why {
				t.Errorf("Together of what is kept of the pages = %v, %q; want %v, %q", detached, again, order, why)
			}
			if order == listing.Undecided {
				return
			}
			recalled := listing.Recall(one.Blocks[b].Signature, one.Seen(0).Rows)
			if got, _ := listing.Together(recalled, 0, &two); got != order {
				t.Errorf("Together of the rows alone = %v, want %v", got, order)
			}
		})
	}
}

// TestBlockThatIsExceptedIsPassedOver lets a pager drive another block than the
// one it seems to.
func TestBlockThatIsExceptedIsPassedOver(t *testing.T) {
	texts := []string{"2024-06-14", "2024-06-12", "2024-06-11", "2024-06-08"}
	body := strings.Replace(string(list(1, texts...)), "<div class=pager>",
		"<ol class=best><li><a href=/b1>What is read most of all here, one</a></li><li><a href=/b2>What is read most of all here, two</a></li>"+
			"<li><a href=/b3>What is read most of all here, three</a></li></ol><div class=pager>", 1)
	s := parse(t, "http://a.test/l?page=1", []byte(body))
	seems := s.read(listing.Options{})
	box := seems.Listings[0].ID
	if !strings.Contains(box.Block, "best") {
		t.Fatalf("the pager seems to drive %s, want the box beside it", box.Block)
	}
	is := s.read(listing.Options{Except: func(id pagination.Identity) bool { return id.Key() == box.Key() }})
	if len(is.Listings) != 1 || !strings.Contains(is.Listings[0].ID.Block, "rows") || is.Blocks[seems.Listings[0].Block].Pager {
		t.Errorf("listings without the box = %+v", is.Listings)
	}
	always := s.read(listing.Options{Always: true})
	if got := always.Transfer(0, is.Listings[0].Block); got.ID != is.Listings[0].ID || got.Order != is.Listings[0].Order || got.Next.Key != is.Listings[0].Next.Key {
		t.Errorf("Transfer = %+v, want %+v", got, is.Listings[0])
	}
	none := s.read(listing.Options{Except: func(pagination.Identity) bool { return true }})
	if len(none.Listings) > 0 {
		t.Errorf("listings with all blocks excepted = %+v", none.Listings)
	}
}

// TestDayHeadingsDateTheRowsBelowThem groups rows by days.
func TestDayHeadingsDateTheRowsBelowThem(t *testing.T) {
	page := func(headings ...string) listing.Page {
		var b strings.Builder
		b.WriteString("<body><div id=news>")
		n := 0
		for _, h := range headings {
			fmt.Fprintf(&b, "<h3>%s</h3>", h)
			for range 3 {
				n++
				fmt.Fprintf(&b, "<p class=item><a href=/item-%c>Something that was told on that day, number %d</a></p>", 'a'+n*7%26, n)
			}
		}
		b.WriteString("</div><div class=pager><a href='?page=1'>1</a> <a href='?page=2'>2</a> <a href='?page=3'>3</a></div>")
		return parse(t, "http://a.test/l?page=1", []byte(b.String())).read(listing.Options{})
	}
	for _, tc := range []struct {
		name     string
		headings []string
		want     listing.Order
		date     int // day of June of the fifth row, 0 for none
	}{
		{"days that fall", []string{
			"Friday, 14 June 2024", "Thursday, 13 June 2024", "12 June 2024", "11 June 2024", "10 June 2024", "9 June 2024", "7 June 2024",
		}, listing.NewestFirst, 13},
		{"days that rise", []string{
			"10 June 2024", "13 June 2024", "14 June 2024", "15 June 2024", "17 June 2024", "18 June 2024", "20 June 2024",
		}, listing.OldestFirst, 13},
		{"three days, each for three rows", []string{"14 June 2024", "13 June 2024", "10 June 2024"}, listing.Undecided, 13},
		{"one day", []string{"14 June 2024"}, listing.Undecided, 0},
		{"topics", []string{"At home", "Abroad", "Sports"}, listing.Undecided, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := page(tc.headings...)
			if len(p.Listings) != 1 || p.Listings[0].Order != tc.want {
				t.Fatalf("listings %+v, want one that is %v; evidence %q", p.Listings, tc.want, p.Blocks[0].Evidence)
			}
			rows := p.Blocks[p.Listings[0].Block].Rows
			if len(rows) != 3*len(tc.headings) {
				t.Fatalf("%d rows, want %d", len(rows), 3*len(tc.headings))
			}
			if len(rows) > 4 && !rows[4].Date.IsZero() != (tc.date > 0) || tc.date > 0 && rows[4].Date.From.Day() != tc.date {
				t.Errorf("the fifth row is dated %v, want day %d", rows[4].Date, tc.date)
			}
		})
	}
}

// TestSortBarOfTwoIsAChoice shows sort modes beside one another, wrapped or not.
func TestSortBarOfTwoIsAChoice(t *testing.T) {
	for bar, want := range map[string]listing.Order{
		"<p><b class=active>Newest</b> <a href='?s=p'>Popular</a></p>":                                          listing.NewestFirst,
		"<ul><li class=active><a href='?s=n'>Newest</a></li><li><a href='?s=p'>Popular</a></li></ul>":           listing.NewestFirst,
		"<ul><li><a class=active href='?s=n'>Newest</a></li><li><a href='?s=p'>Popular</a></li></ul>":           listing.NewestFirst,
		"<p><a href='?s=n'>Newest</a> <b class=active>Price</b></p>":                                            listing.Unordered,
		"<p><b class=active>Newest</b> <a href='/about'>About us</a></p>":                                       listing.Undecided,
		"<ul><li class=active><a href='/price'>Price</a></li><li><a href='/about'>About our firm</a></li></ul>": listing.Undecided,
	} {
		body := strings.Replace(string(list(1, "", "", "", "", "")), "<ul id=rows>", bar+"<ul id=rows>", 1)
		p := parse(t, "http://a.test/l?page=1", []byte(body)).read(listing.Options{})
		if len(p.Listings) != 1 || p.Listings[0].Order != want {
			t.Errorf("beside %s the list is %+v, want %v", bar, p.Listings, want)
		}
	}
}

func TestDifferenceTellsWhatThePagerDrives(t *testing.T) {
	side := "<div class=top><ul>"
	for i := range 4 {
		side += fmt.Sprintf("<li><a href=/best-%d>What most people read this week, number %d</a></li>", i, i)
	}
	side += "</ul></div>"
	texts := []string{"", "", "", "", ""}
	one := parse(t, "http://a.test/l?page=1", append([]byte(side), list(1, texts...)...)).read(listing.Options{})
	two := parse(t, "http://a.test/l?page=2", append([]byte(side), list(6, texts...)...)).read(listing.Options{})
	if len(one.Blocks) != 2 {
		t.Fatalf("page 1 has %d blocks, want 2", len(one.Blocks))
	}
	for _, c := range listing.Difference(&one, &two) {
		driven := one.Blocks[c.Block].Pager
		if c.Changed() != driven || c.Same() == driven {
			t.Errorf("block %s: %+v, changed = %t, the same = %t, want driven %t", one.Blocks[c.Block].Path, c, c.Changed(), c.Same(), driven)
		}
	}
}

func TestBlockOfAnEarlierPageIsFoundWithOneRow(t *testing.T) {
	one := parse(t, "http://a.test/l?page=1", list(1, "2024-06-14", "2024-06-12", "2024-06-11")).read(listing.Options{})
	last := parse(t, "http://a.test/l?page=3", list(9, "2024-05-01"))
	if got := last.read(listing.Options{}); len(got.Listings) != 0 {
		t.Errorf("a last page with one row has listings %+v, want none by itself", got.Listings)
	}
	got := last.read(listing.Options{Block: one.Listings[0].ID.Block})
	if len(got.Listings) != 1 || got.Listings[0].ID != one.Listings[0].ID {
		t.Fatalf("listings with the block of page 1 = %+v, want one like %+v", got.Listings, one.Listings)
	}
	if n := len(got.Blocks[got.Listings[0].Block].Rows); n != 1 {
		t.Errorf("it has %d rows, want 1", n)
	}
}

func TestSeenIsWhatAPassNeeds(t *testing.T) {
	page := load(t, "news-roll").read(listing.Options{})
	seen := page.Seen(0)
	if !seen.HasNext || seen.Last != 9 || seen.Slack != 24*time.Hour || len(seen.Rows) != 10 || seen.NextURL != "" {
		t.Errorf("Seen(0) = %+v", seen)
	}
	first := seen.Rows[0]
	want := pagination.Interval{From: time.Date(2024, 6, 14, 0, 0, 0, 0, time.UTC), To: time.Date(2024, 6, 15, 0, 0, 0, 0, time.UTC)}
	if first.Key != page.Blocks[page.Listings[0].Block].Rows[0].URL.Key || first.Date != want {
		t.Errorf("first row = %+v, want date %v", first, want)
	}
	if got := page.Listings[0].Order.Direction(); got != pagination.NewestFirst {
		t.Errorf("direction = %v, want newest-first", got)
	}
	more := load(t, "load-more").read(listing.Options{})
	if seen := more.Seen(0); seen.URL == "" || seen.NextURL != "http://stream.test/api/stream?before=8" {
		t.Errorf("Seen(0) of a page without numbers = %+v, want both addresses", seen)
	}
}

// TestIdentityHoldsOverPages reads pages 1 and 2 of one list.
func TestIdentityHoldsOverPages(t *testing.T) {
	texts := []string{"", "", "", ""}
	one := parse(t, "http://a.test/l", list(1, texts...)).read(listing.Options{})
	two := parse(t, "http://a.test/l?page=2", list(5, texts...)).read(listing.Options{})
	if len(one.Listings) != 1 || len(two.Listings) != 1 {
		t.Fatalf("listings: %d and %d, want 1 and 1", len(one.Listings), len(two.Listings))
	}
	if a, b := one.Listings[0].ID, two.Listings[0].ID; a.Key() != b.Key() {
		t.Errorf("identities differ: %+v and %+v", a, b)
	}
}

func TestMarkersOverrideWhatIsGuessed(t *testing.T) {
	const body = `<body><div class=hits><a href=/h1>What a guess would take for an item, one</a><a href=/h2>What a guess would take for
an item, two</a><a href=/h3>What a guess would take for an item, three</a></div>
<div id=mine><p class=r><a href=/u/1>by one</a> <a class=t href=/1>A</a> <b data-when="1718400000">x</b> 1 May 2001</p>
<p class=r><a href=/u/2>by two</a> <a class=t href=/2>B</a> <b data-when="1718300000">x</b> 2 May 2001</p></div>
<p class=turn><a href="?s=20">on</a></p>`
	m, err := listing.ParseMarkers([]byte(`
hosts:
  - host: "*.a.test"
    path: /l
    pager: ".turn"
    block: "#mine"
    row: "p.r"
    link: "a.t"
    order: newest-first
    order-when: "#mine"
`))
	if err != nil {
		t.Fatal(err)
	}
	page := parse(t, "http://www.a.test/l", []byte(body)).read(listing.Options{Markers: m})
	if len(page.Listings) != 1 {
		t.Fatalf("%d listings, want 1", len(page.Listings))
	}
	l := page.Listings[0]
	b := page.Blocks[l.Block]
	if l.Next.Display != "http://www.a.test/l?s=20" || b.Order != listing.NewestFirst || len(b.Rows) != 2 || b.Rows[1].URL.Display != "http://www.a.test/2" {
		t.Errorf("next %s, order %v, rows %+v", l.Next.Display, b.Order, b.Rows)
	}
	other := parse(t, "http://www.a.test/x", []byte(body)).read(listing.Options{Markers: m})
	if len(other.Listings) > 0 {
		t.Errorf("the markers hold outside of their path: %+v", other.Listings)
	}
}

func TestParseMarkersIsStrict(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "hosts:\n  - host: a.test\n    pagr: x\n", "line 3"},
		{"bad selector", "hosts:\n  - host: a.test\n    row: \"p[\"\n", "is no selector"},
		{"bad order", "hosts:\n  - host: a.test\n    order: newest\n", "is no order"},
		{"no host", "hosts:\n  - row: p\n", "entry 1 has no host"},
		{"no YAML", "hosts: [", "bad markers"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := listing.ParseMarkers([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("ParseMarkers(%q) = %v, want an error with %q", tc.text, err, tc.want)
			}
		})
	}
	if m, err := listing.ParseMarkers(nil); err != nil || m == nil {
		t.Errorf("ParseMarkers(nothing) = %v, %v", m, err)
	}
}

func TestPagesWithoutAPagerAreNotRead(t *testing.T) {
	body := []byte("<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li><li><a href=/3>Three</a></li></ul>")
	s := parse(t, "http://a.test/", body)
	if got := s.read(listing.Options{}); got.Blocks != nil {
		t.Errorf("blocks = %+v, want none", got.Blocks)
	}
	if got := s.read(listing.Options{Always: true}); len(got.Blocks) != 1 || got.Blocks[0].Pager {
		t.Errorf("with Always: blocks = %+v, want one that no pager drives", got.Blocks)
	}
}

// TestPageThatALoaderContinuesHasItsNumber reads the second page of a list in
// which nothing but the address of the next page tells of pages.
func TestPageThatALoaderContinuesHasItsNumber(t *testing.T) {
	rows, _, _ := strings.Cut(string(list(1, "2024-06-14", "2024-06-12", "2024-06-11", "2024-06-08")), "<div class=pager>")
	for _, tc := range []struct {
		here, next, page5 string
		number            int
	}{
		{"/list?page=2", "/list?page=3", "http://a.test/list?page=5", 2},
		{"/list", "/list?page=2", "http://a.test/list?page=5", 1},
		{"/list?after=k81", "/list?after=q07", "", 1}, // nothing counts
	} {
		page := parse(t, "http://a.test"+tc.here, []byte(rows+"<button class=more hx-get='"+tc.next+"'>Load more</button>")).read(listing.Options{})
		if len(page.Listings) != 1 {
			t.Errorf("%s: listings = %+v, want one", tc.here, page.Listings)
			continue
		}
		if l := page.Listings[0]; l.Number != tc.number || l.ID.Numbered() && l.ID.Pattern.URL(5) != tc.page5 || l.ID.Numbered() != (tc.page5 != "") {
			t.Errorf("%s: page %d of %+v, want page %d, and page 5 at %q", tc.here, l.Number, l.ID.Pattern, tc.number, tc.page5)
		}
	}
}
