package demosite

import (
	"fmt"
	"strings"
	"time"
)

// roll is the news roll: notices numbered from 1, newest first on index pages
// of perPage, with one sticky notice above the rows of every index page.
type roll struct {
	count   int       // notices published
	perPage int       // rows of an index page
	first   int       // number of the notice that is dated newest
	newest  time.Time // its date
}

const (
	stickyPath  = "/news/read-this-first"
	stickyTitle = "Read this first: how notices are numbered"
)

var (
	subjects = []string{"fog signal", "main light", "bell buoy", "landing stage", "radio beacon", "tide gauge", "mooring"}
	lights   = []string{"Grey Skerry", "St Anne's Head", "Merry Dancers", "Hidden Rock", "Old Mole"}
	events   = []string{"silent", "relit", "moved two cables north", "out of service", "painted", "under repair"}
)

// date returns when notice n was published. Steps between notices are uneven,
// from 21 to 49 hours, and depend on n alone.
func (r roll) date(n int) time.Time {
	d := r.newest
	for i := r.first; i < n; i++ {
		d = d.Add(step(i))
	}
	for i := n; i < r.first; i++ {
		d = d.Add(-step(i))
	}
	return d
}

// step is the time from notice n to the next one.
func step(n int) time.Duration { return time.Duration(21+n*17%29) * time.Hour }

func (r roll) title(n int) string {
	return fmt.Sprintf("Notice %d: %s at %s %s", n, subjects[n%len(subjects)], lights[n%len(lights)], events[n%len(events)])
}

// path returns the address of notice n, which never changes.
func (r roll) path(n int) string {
	return fmt.Sprintf("/news/%s/notice-%03d", r.date(n).Format("2006/01"), n)
}

// pages returns the index pages and then the notices, newest first.
func (r roll) pages() []page {
	last := max(1, (r.count+r.perPage-1)/r.perPage)
	var pages []page
	for n := 1; n <= last; n++ {
		pages = append(pages, r.index(n, last))
	}
	sticky := page{
		at: address{path: stickyPath}, title: stickyTitle, modified: r.date(1).AddDate(-1, 0, 0),
		body: article(stickyTitle, "<p>In the order in which they were made up. This one stays at the top.</p>\n"),
	}
	pages = append(pages, sticky)
	for n := r.count; n >= 1; n-- {
		pages = append(pages, r.notice(n))
	}
	return pages
}

// index returns index page n. It changes when a newer notice is published, and
// only then.
func (r roll) index(n, last int) page {
	var b strings.Builder
	b.WriteString(row("notice sticky", stickyPath, stickyTitle, r.date(1).AddDate(-1, 0, 0)))
	top := r.count - (n-1)*r.perPage
	for i := top; i > max(0, top-r.perPage); i-- {
		b.WriteString(row("notice", r.path(i), r.title(i), r.date(i)))
	}
	b.WriteString(pager(n, last, func(n int) string {
		if n == 1 {
			return "/news/"
		}
		return fmt.Sprintf("/news/?page=%d", n)
	}))
	p := page{at: address{path: "/news/"}, title: "Notices to mariners", modified: r.date(r.count)}
	if n > 1 {
		p.at.query = fmt.Sprintf("page=%d", n)
		p.title = fmt.Sprintf("Notices to mariners, page %d", n)
	}
	p.body = article(p.title, b.String())
	return p
}

func row(class, path, title string, date time.Time) string {
	return fmt.Sprintf("<div class=\"%s\"><h2>%s</h2><p>%s</p></div>\n", class, link(path, title), timeElement(date))
}

func timeElement(date time.Time) string {
	return fmt.Sprintf("<time datetime=\"%s\">%s</time>", date.Format(time.RFC3339), date.Format("2 January 2006"))
}

func (r roll) notice(n int) page {
	title, date := r.title(n), r.date(n)
	return page{
		at: address{path: r.path(n)}, title: title, modified: date,
		head: fmt.Sprintf("<meta property=\"article:published_time\" content=\"%s\">\n", date.Format(time.RFC3339)),
		body: article(title, fmt.Sprintf("<p>%s.</p>\n<p>Mariners are told that the %s at %s is %s. Charts need not be changed.</p>\n<p>%s</p>\n",
			timeElement(date), subjects[n%len(subjects)], lights[n%len(lights)], events[n%len(events)], link("/news/", "All notices"))),
	}
}
