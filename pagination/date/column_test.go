package date

import (
	"strings"
	"testing"
	"time"
)

func TestColumn(t *testing.T) {
	for _, tc := range []struct {
		name string
		rows string // separated by " | "
		want string // days, separated by spaces; "-" for a row without, "" if the column does not count
		o    Options
	}{
		{name: "one row decides the order of all", rows: "05/08/2014 | 03/08/2014 | 31/07/2014", want: "2014-08-05 2014-08-03 2014-07-31"},
		{name: "the same, month first", rows: "08/05/2014 | 08/03/2014 | 07/31/2014", want: "2014-08-05 2014-08-03 2014-07-31"},
		{name: "the order of the rows decides", rows: "05/08/2014 | 12/07/2014 | 03/07/2014 | 11/06/2014", want: "2014-08-05 2014-07-12 2014-07-03 2014-06-11"},
		{name: "the future decides", rows: "03/12/2013 | 05/11/2014 | 05/11/2014", want: "2013-03-12 2014-05-11 2014-05-11"},
		{name: "rows contradict one another", rows: "13/05/2014 | 05/13/2014 | 01/01/2014"},
		{name: "year left out, new year crossed", rows: "3 Feb | 4 Jan | 30 Dec | 1 Dec", want: "2014-02-03 2014-01-04 2013-12-30 2013-12-01"},
		{name: "oldest first", rows: "1 Dec | 30 Dec | 4 Jan | 3 Feb", want: "2013-12-01 2013-12-30 2014-01-04 2014-02-03"},
		{name: "more than a year", rows: "20 Aug | 3 Mar | 12 Jan | 20 Dec | 5 Oct | 1 Aug | 3 Mar", want: "2014-08-20 2014-03-03 2014-01-12 2013-12-20 2013-10-05 2013-08-01 2013-03-03"},
		{name: "pinned row on top", rows: "3 Mar | 20 Aug | 19 Aug | 18 Aug | 1 Aug", want: "2014-03-03 2014-08-20 2014-08-19 2014-08-18 2014-08-01"},
		{name: "year in older rows only", rows: "5 Mar | 2 Jan | 30 Dec, 2013 | 1 Dec, 2013", want: "2014-03-05 2014-01-02 2013-12-30 2013-12-01"},
		{name: "relative rows on top", rows: "3 hours ago | Yesterday | 28 Aug 2014 | 27 Aug 2014", want: "2014-09-01 2014-08-31 2014-08-28 2014-08-27"},
		{name: "clocks on top", rows: "09:15 | 08:02 | 31 Aug | 30 Aug | 28 Aug", want: "2014-09-01 2014-09-01 2014-08-31 2014-08-30 2014-08-28"},
		{name: "clocks alone", rows: "12:30 | 04:15 | 03:59"},
		{name: "month and day in figures", rows: "[08-30] | [08-29] | [08-02] | [07-15]", want: "2014-08-30 2014-08-29 2014-08-02 2014-07-15"},
		{name: "with a clock", rows: "08-30 12:15 | 08-29 09:00 | 12-30 10:00", want: "2014-08-30 2014-08-29 2013-12-30"},
		{name: "three rows in five", rows: "5 Aug 2014 | 4 Aug 2014 | 3 Aug 2014 | ad | ", want: "2014-08-05 2014-08-04 2014-08-03 - -"},
		{name: "fewer", rows: "5 Aug 2014 | ad | 3 Aug 2014 | ad | "},
		{name: "not alike", rows: "5 Aug 2014 | 2014-08-04 | 3/8/2014 | x | y"},
		{name: "ages without a mark", rows: "5 min | 2 hrs | 2 hrs | 1 day", want: "2014-09-01 2014-09-01 2014-09-01 2014-08-31"},
		{name: "lengths of films", rows: "95 min | 122 min | 88 min | 101 min"},
		{name: "prices", rows: "$19.99 | $5.10 | $12.50"},
		{name: "no rows", rows: ""},
		{name: "text around", rows: "Ann on 5 Aug 2014 | Bob on 4 Aug 2014", want: "2014-08-05 2014-08-04"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rows := strings.Split(tc.rows, " | ")
			o := tc.o
			o.Now = testNow
			dates, ok := Column(rows, o)
			var got []string
			for _, d := range dates {
				if d.IsZero() {
					got = append(got, "-")
				} else {
					got = append(got, d.To.Add(-time.Second).Format(time.DateOnly))
				}
			}
			if ok != (tc.want != "") || ok && strings.Join(got, " ") != tc.want {
				t.Errorf("Column(%q) = %v, %v, want %q", rows, got, ok, tc.want)
			}
		})
	}
}
