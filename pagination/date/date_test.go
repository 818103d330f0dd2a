package date

import (
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	const minute, hour, week = time.Minute, time.Hour, 7 * day
	for _, tc := range []struct {
		name, text string
		want       string // From, RFC 3339; "" for no date
		granule    time.Duration
		o          Options // Now is testNow if zero
	}{
		// Figures.
		{name: "ISO day", text: "2014-03-05", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "ISO instant", text: "2014-03-05T16:37:51+01:00", want: "2014-03-05T15:37:51Z", granule: time.Second},
		{name: "ISO instant in UTC", text: "2014-03-05T16:37Z", want: "2014-03-05T16:37:00Z", granule: minute},
		{name: "fraction", text: "2014-03-05 16:37:51.250", want: "2014-03-05T16:37:51.25Z", granule: time.Second},
		{name: "slashes, year first", text: "(2014/3/5)", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "full width", text: "２０１４／０３／０５", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "dots", text: "am 5.3.2014 um 9:05 Uhr", want: "2014-03-05T09:05:00Z", granule: minute},
		{name: "dots and spaces", text: "5. 3. 2014", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "two-digit year", text: "25.03.14, 10:00", want: "2014-03-25T10:00:00Z", granule: minute},
		{name: "undecided order, no language", text: "3/5/2014", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "undecided order, German", text: "3/5/2014", want: "2014-05-03T00:00:00Z", granule: day, o: Options{Lang: "de-AT"}},
		{name: "undecided order, British", text: "3/5/2014", want: "2014-05-03T00:00:00Z", granule: day, o: Options{Lang: "en-GB"}},
		{name: "undecided order, told", text: "3/5/2014", want: "2014-05-03T00:00:00Z", granule: day, o: Options{Order: DMY}},
		{name: "a figure above 12 decides", text: "13/5/2014", want: "2014-05-13T00:00:00Z", granule: day, o: Options{Order: MDY}},
		{name: "no such day", text: "31.02.2014"},
		{name: "no such month", text: "2014-13-01"},
		{name: "separators differ", text: "2014-03/05"},
		{name: "Arabic-Indic digits", text: "٠٥/٠٣/٢٠١٤", want: "2014-03-05T00:00:00Z", granule: day, o: Options{Lang: "ar"}},
		{name: "Persian year", text: "۱۳۹۳/۰۶/۱۰", want: "2014-09-01T00:00:00Z", granule: day},
		{name: "Nowruz", text: "1 فروردین 1393", want: "2014-03-21T00:00:00Z", granule: day},
		{name: "last day of a Persian leap year", text: "۳۰ اسفند ۱۳۹۹", want: "2021-03-20T00:00:00Z", granule: day},

		// Names of months.
		{name: "RFC 822", text: "Wed, 05 Mar 2014 16:37:51 +0100", want: "2014-03-05T15:37:51Z", granule: time.Second},
		{name: "ctime", text: "Wed Mar 05 16:37:51 2014", want: "2014-03-05T16:37:51Z", granule: time.Second},
		{name: "zone by name", text: "March 5, 2014 4:37 pm PST", want: "2014-03-06T00:37:00Z", granule: minute},
		{name: "in a sentence", text: "Posted on March 5th, 2014 at 6 p.m. by Ann", want: "2014-03-05T18:00:00Z", granule: hour},
		{name: "range of days", text: "May 5-7, 2014", want: "2014-05-05T00:00:00Z", granule: day},
		{name: "month", text: "October 2013", want: "2013-10-01T00:00:00Z", granule: 30 * day},
		{name: "no year, past", text: "10 мая", want: "2014-05-10T00:00:00Z", granule: day},
		{name: "no year, else in the future", text: "10 November", want: "2013-11-10T00:00:00Z", granule: day},
		{name: "no year, leap day", text: "29 February", want: "2012-02-29T00:00:00Z", granule: day},
		{name: "ordinary word, alone", text: "5 May", want: "2014-05-05T00:00:00Z", granule: day},
		{name: "ordinary word, in a sentence", text: "the 5 may enter"},
		{name: "listopad in Polish", text: "3 listopada 2013", want: "2013-11-03T00:00:00Z", granule: day, o: Options{Lang: "pl"}},
		{name: "listopad in Croatian", text: "3. listopada 2013.", want: "2013-10-03T00:00:00Z", granule: day, o: Options{Lang: "hr"}},
		{name: "Turkish", text: "5 Ağustos 2014 Salı, 17:51", want: "2014-08-05T17:51:00Z", granule: minute},
		{name: "decomposed accents", text: "5 aou\u0302t 2014", want: "2014-08-05T00:00:00Z", granule: day},
		{name: "Greek", text: "5 Μαρτίου 2014", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Arabic", text: "٥ مارس ٢٠١٤", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Hebrew", text: "5 במרץ 2014", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Hindi", text: "५ मार्च २०१४", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Bengali", text: "৫ই মার্চ, ২০১৪", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Buddhist year", text: "5 มี.ค. 2557", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Thai digits", text: "๕ มีนาคม ๒๕๕๗", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Vietnamese", text: "ngày 5 tháng 3 năm 2014", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Indonesian", text: "5 Agustus 2014 pukul 09.30", want: "2014-08-05T00:00:00Z", granule: day},

		// Marked numerals.
		{name: "Chinese", text: "发布时间：2014年3月5日 21:40", want: "2014-03-05T21:40:00Z", granule: minute},
		{name: "Chinese afternoon", text: "2014年3月5日 下午3:40", want: "2014-03-05T15:40:00Z", granule: minute},
		{name: "Japanese era", text: "平成26年3月5日(水)", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "Republic of China", text: "民國103年3月5日", want: "2014-03-05T00:00:00Z", granule: day},
		{name: "no year", text: "11月5日", want: "2013-11-05T00:00:00Z", granule: day},
		{name: "Korean", text: "2014년 3월 5일 오후 3:40", want: "2014-03-05T15:40:00Z", granule: minute},

		// Relative; From is now less one unit more than is said.
		{name: "hours", text: "Ann, 3 hours ago", want: "2014-09-01T06:30:00Z", granule: hour},
		{name: "a word for one", text: "vor einer Stunde", want: "2014-09-01T08:30:00Z", granule: hour},
		{name: "French", text: "il y a 2 jours", want: "2014-08-29T10:30:00Z", granule: day},
		{name: "Chinese, hours", text: "3 小时前", want: "2014-09-01T06:30:00Z", granule: hour},
		{name: "Japanese, days", text: "3日前", want: "2014-08-28T10:30:00Z", granule: day},
		{name: "Korean, weeks", text: "2주 전", want: "2014-08-11T10:30:00Z", granule: week},
		{name: "Arabic dual", text: "منذ يومين", want: "2014-08-29T10:30:00Z", granule: day},
		{name: "hour in Ukrainian, year in Russian", text: "3 години тому", want: "2014-09-01T06:30:00Z", granule: hour},
		{name: "yesterday with a clock", text: "Gestern, 14:05 Uhr", want: "2014-08-31T14:05:00Z", granule: minute},
		{name: "clock first", text: "14:05 вчера", want: "2014-08-31T14:05:00Z", granule: minute},
		{name: "yesterday, alone", text: "昨天", want: "2014-08-31T00:00:00Z", granule: day},
		{name: "just now", text: "刚刚", want: "2014-09-01T10:29:00Z", granule: minute},
		{name: "weekday and clock", text: "Sat 14:05", want: "2014-08-30T14:05:00Z", granule: minute},
		{name: "weekday of today", text: "Monday", want: "2014-08-25T00:00:00Z", granule: day},
		{name: "bare duration", text: "15 hrs", want: "2014-08-31T18:30:00Z", granule: hour},
		{name: "beyond all years", text: "2014 years ago"},
		{name: "overflowing count", text: "123456789123 hours ago"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := tc.o
			if o.Now.IsZero() {
				o.Now = testNow
			}
			got := Find(tc.text, o)
			if tc.want == "" {
				if len(got) != 0 {
					t.Errorf("Find(%q) = %+v, want no date", tc.text, got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("Find(%q) = %+v, want one date", tc.text, got)
			}
			if from := got[0].From.Format(time.RFC3339Nano); from != tc.want || got[0].Granule != tc.granule {
				t.Errorf("Find(%q) = %s by %v, want %s by %v", tc.text, from, got[0].Granule, tc.want, tc.granule)
			}
		})
	}
}

func TestFindSaysWhatIsKnown(t *testing.T) {
	o := Options{Now: testNow}
	for _, tc := range []struct {
		text                              string
		zone, year, relative, bare, order bool
	}{
		{text: "3/5/2014", year: true},
		{text: "13/5/2014 10:30 UTC", year: true, zone: true, order: true},
		{text: "5 Jan", order: true},
		{text: "yesterday", year: true, relative: true, order: true},
		{text: "3 hours ago", year: true, zone: true, relative: true, order: true},
		{text: "3 hours", year: true, zone: true, relative: true, bare: true, order: true},
	} {
		d, ok := First(tc.text, o)
		if !ok || d.ZoneKnown != tc.zone || d.YearKnown != tc.year || d.Relative != tc.relative || d.Bare != tc.bare || d.OrderKnown != tc.order {
			t.Errorf("First(%q) = %+v, %v, want %+v", tc.text, d, ok, tc)
		}
	}
}

func TestFindGivesEveryDateWithItsPlace(t *testing.T) {
	text := "Created 2014-03-05, changed 5 May 2014 10:30; answered 3 hours ago."
	want := []string{"2014-03-05", "5 May 2014 10:30", "3 hours ago"}
	got := Find(text, Options{Now: testNow})
	if len(got) != len(want) {
		t.Fatalf("Find(%q) = %+v, want %d dates", text, got, len(want))
	}
	for i, d := range got {
		if d.Text != want[i] || text[d.Start:d.End] != want[i] {
			t.Errorf("Find(%q)[%d] = %q at %d to %d, want %q", text, i, d.Text, d.Start, d.End, want[i])
		}
	}
}

// An age covers rounding down and rounding to the nearest unit.
func TestAgeIsAnInterval(t *testing.T) {
	d, _ := First("3 hours ago", Options{Now: testNow})
	for _, tc := range []struct {
		age  time.Duration
		want bool
	}{
		{2*time.Hour + 20*time.Minute, false},
		{2*time.Hour + 40*time.Minute, true},
		{3*time.Hour + 59*time.Minute, true},
		{4*time.Hour + time.Minute, false},
	} {
		at := testNow.Add(-tc.age)
		if got := !at.Before(d.From) && at.Before(d.To); got != tc.want {
			t.Errorf("3 hours ago covers an age of %v: %v, want %v", tc.age, got, tc.want)
		}
	}
}

func TestParseStamp(t *testing.T) {
	for _, tc := range []struct{ attr, want string }{
		{"2014-03-05T16:37:51+01:00", "2014-03-05T15:37:51Z"},
		{" 2014-03-05 ", "2014-03-05T00:00:00Z"},
		{"2014-03", "2014-03-01T00:00:00Z"},
		{"Wed, 05 Mar 2014 16:37:51 GMT", "2014-03-05T16:37:51Z"},
		{"1394037471", "2014-03-05T16:37:51Z"},
		{"1394037471.25", "2014-03-05T16:37:51Z"},
		{"1394037471250", "2014-03-05T16:37:51.25Z"},
		{"20140305", "2014-03-05T00:00:00Z"},
		{"20140305163751", "2014-03-05T16:37:51Z"},
		{"20140305T163751Z", "2014-03-05T16:37:51Z"},
		{"", ""},
		{"2014", ""},
		{"12345678", ""},
		{"99999999", ""},
		{"4294967295", ""},    // in 2106
		{"0123456789", ""},    // in 1973
		{"9780131103627", ""}, // an ISBN
		{"P2D", ""},
		{"id-2014-03-05", ""},
		{"2014-03-05 and more", ""},
	} {
		d, ok := ParseStamp(tc.attr, Options{Now: testNow})
		got := ""
		if ok {
			got = d.From.Format(time.RFC3339Nano)
		}
		if got != tc.want {
			t.Errorf("ParseStamp(%q) = %q, want %q", tc.attr, got, tc.want)
		}
	}
}

func TestFindAllocatesNothingWithoutDates(t *testing.T) {
	for _, text := range []string{
		"Casa Blanca: the best films of this era", "Nikon D750 24.3 MP, 12 offers from $1099",
		"Новые поступления и лучшие цены", "北京旅游攻略大全最佳路线推荐",
	} {
		if n := testing.AllocsPerRun(10, func() { Find(text, Options{Now: testNow}) }); n != 0 {
			t.Errorf("Find(%q) allocates %v times, want 0", text, n)
		}
	}
}
