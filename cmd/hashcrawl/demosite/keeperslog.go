package demosite

import (
	"fmt"
	"strings"
	"time"
)

const (
	logEntries = 23
	logPerPage = 8
)

// logPages are the second series, inside #! states: /log is its first index
// page, opted in, and /log#!page=2 the next one; an entry is a state too.
// Newest first; the dates stand in words only.
func logPages() []page {
	pages := []page{shell("/log", "", true)}
	last := (logEntries + logPerPage - 1) / logPerPage
	for n := 1; n <= last; n++ {
		pages = append(pages, logIndex(n, last))
	}
	for n := logEntries; n >= 1; n-- {
		title := logTitle(n)
		pages = append(pages, state("/log", fmt.Sprintf("entry=%d", n), title,
			fmt.Sprintf("<p>%s.</p>\n<p>Wind %d, sea %s. Lamp lit at sunset, put out at sunrise.</p>\n<p>%s</p>\n",
				logDate(n), 1+n*5%9, seas[n%len(seas)], link("/log", "The keeper's log"))))
	}
	return pages
}

var seas = []string{"calm", "smooth", "choppy", "rough", "high"}

func logTitle(n int) string { return fmt.Sprintf("Log entry %d: sea %s", n, seas[n%len(seas)]) }

// logDate is the date of entry n in words.
func logDate(n int) string {
	return time.Date(1911, time.October, 2+3*n, 0, 0, 0, 0, time.UTC).Format("2 January 2006")
}

func logIndex(n, last int) page {
	var b strings.Builder
	top := logEntries - (n-1)*logPerPage
	for e := top; e > max(0, top-logPerPage); e-- {
		fmt.Fprintf(&b, "<div class=\"notice\"><h2>%s</h2><p>%s</p></div>\n",
			link(fmt.Sprintf("#!entry=%d", e), logTitle(e)), logDate(e))
	}
	b.WriteString(pager(n, last, func(n int) string {
		if n == 1 {
			return "/log"
		}
		return fmt.Sprintf("#!page=%d", n)
	}))
	if n == 1 {
		return state("/log", "", "The keeper's log", b.String())
	}
	return state("/log", fmt.Sprintf("page=%d", n), fmt.Sprintf("The keeper's log, page %d", n), b.String())
}

// pager returns the links to the index pages of a series of last pages, as
// seen on page n: newer, the numbers, older. ref gives a page's reference.
func pager(n, last int, ref func(int) string) string {
	var b strings.Builder
	b.WriteString("<nav class=\"pager\" aria-label=\"Pages\">\n")
	if n > 1 {
		b.WriteString(link(ref(n-1), "‹ Previous") + "\n")
	}
	for i := 1; i <= last; i++ {
		if i == n {
			fmt.Fprintf(&b, "<span class=\"current\" aria-current=\"page\">%d</span>\n", i)
			continue
		}
		b.WriteString(link(ref(i), fmt.Sprint(i)) + "\n")
	}
	if n < last {
		b.WriteString(link(ref(n+1), "Next ›") + "\n")
	}
	b.WriteString("</nav>\n")
	return b.String()
}
