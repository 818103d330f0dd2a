package pagination

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"
)

// full returns a series that uses every field.
func full() Series {
	at := day0
	item := func(key string, hour int) Item {
		from := at.Add(time.Duration(hour) * time.Hour)
		return Item{Key: key, Date: Interval{from, from.Add(time.Minute)}}
	}
	return Series{
		ID: Identity{
			Host: "a.test", Sort: "sort=date", Block: "ul.news>li",
			Pattern: Pattern{Before: "http://a.test/?page=", After: "&x=1", Origin: -1, Step: 20, FirstURL: "http://a.test/"},
		},
		Direction: NewestLast, Last: 12,
		Head:      []Item{item("http://a.test/news/12", 3), item("http://a.test/news/11", 2), {Key: "http://b.test/"}},
		Older:     []uint32{1, 2, 1 << 31},
		Watermark: Interval{at, at.Add(time.Hour)},
		Segments:  []Segment{{Front: []Item{item("k", 1)}, Omitted: 3, Back: []Item{item("l", -7)}, NextURL: "/n", Begun: at}},
		Constants: []Constant{{"pin", 2}},
		Order:     Order{Moved: 1.5, Above: 20, Ranks: 33, DatePairs: 40, Inversions: 1},
		Pace:      Pace{Passes: 4, Items: 2.25, Deep: 8, Seconds: 3600, Between: 60, Rows: 20},
		Deep:      Backlog{Hole: Hole{Above: []Item{item("deep", -100)}, Rows: 400, Page: 7, NextURL: "/deep"}},
		Begun:     at, Tried: at.Add(time.Minute), PageOne: 1 << 63, Complete: true, Failures: 2, Broke: 7,
		Certificate: Certificate{
			Reason: Capped, Pages: 3, Rows: 50, New: 9, Met: []Met{{"m", 2, 11}}, Absent: 1,
			Gap: &Gap{After: "x", Before: "y", Page: 3, Since: at},
		},
		Gaps: []Gap{
			{Before: "z", Page: 1, Since: at},
			{After: "g", Before: "h", Page: 9, Since: at, Hole: Hole{Above: []Item{item("g", 5)}, Below: []Item{item("h", 4)}, Rows: 160, Page: 8, NextURL: "/9"}},
		},
		NextVisit: at.Add(time.Hour),
		Filling:   Filling{Tried: at, Reason: Capped, Pages: 100, Failures: 1},
	}
}

func TestSeriesComesBackFromItsBytes(t *testing.T) {
	for _, s := range []Series{{}, full()} {
		if got := stored(t, s); !reflect.DeepEqual(got, s) {
			t.Errorf("got  %+v\nwant %+v", got, s)
		}
	}
}

func TestSeriesIsSmall(t *testing.T) {
	var s Series
	for i := range HeadMax {
		from := day0.Add(-time.Duration(i) * time.Hour)
		s.Head = append(s.Head, Item{count("http://forum.test/thread/some-title-", 9000-i, 9000-i)[0], Interval{from, from.Add(time.Minute)}})
	}
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if most := 20 * HeadMax; len(b) > most {
		t.Errorf("a head of %d dated items takes %d bytes, want %d at most", HeadMax, len(b), most)
	}
}

func TestUnmarshalRefusesOtherBytes(t *testing.T) {
	good, err := full().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, ErrFormat},
		{"a newer version", append([]byte{seriesVersion + 1}, good[1:]...), ErrVersion},
		{"cut", good[:len(good)-1], ErrFormat},
		{"something after it", append(bytes.Clone(good), 0), ErrFormat},
		{"a list too long", []byte{seriesVersion, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xff, 0xff, 0x7f}, ErrFormat},
	} {
		s := Series{Last: 5}
		if err := s.UnmarshalBinary(tc.data); !errors.Is(err, tc.want) || s.Last != 5 {
			t.Errorf("%s: UnmarshalBinary = %v with Last %d; want %v, 5", tc.name, err, s.Last, tc.want)
		}
	}
}

func FuzzSeriesBytes(f *testing.F) {
	for _, s := range []Series{{}, full()} {
		b, err := s.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Series
		if s.UnmarshalBinary(data) != nil {
			return
		}
		if got := stored(t, s); !reflect.DeepEqual(got, s) {
			t.Errorf("read %+v\nthen %+v", s, got)
		}
		// A pass over whatever was read neither fails nor goes on for ever.
		p := Begin(s, day0, Limits{MaxPages: 10})
		for range 40 {
			if p.Next().Done {
				return
			}
			p.Page(PageSeen{Rows: rows("a", "b", "c", "d"), HasNext: true})
			stored(t, p.Series())
		}
		t.Error("the pass does not end")
	})
}

var update = flag.Bool("update", false, "rewrite the golden files")

// asOfVersion2 returns what version 2 knew of full, and what follows from it.
func asOfVersion2() Series {
	s := full()
	s.Deep.Page, s.Gaps[1].Hole.Page = 0, 0
	s.Gaps[0].Hole.Below = []Item{{Key: "z"}}
	return s
}

// asOfVersion1 returns what version 1 knew of full.
func asOfVersion1() Series {
	s := asOfVersion2()
	s.Filling = Filling{}
	s.Gaps = s.Gaps[:1]
	return s
}

// TestStoredSeriesAreRead holds that what an earlier build has stored is read:
// a change of the layout keeps these files and adds another.
func TestStoredSeriesAreRead(t *testing.T) {
	if *update {
		b, err := full().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../testdata/pagination/walk/series-v3.bin", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]Series{"series-v1": asOfVersion1(), "series-v2": asOfVersion2(), "series-v3": full()} {
		b, err := os.ReadFile("../testdata/pagination/walk/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		var got Series
		if err := got.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s holds %+v, %v\nwant %+v", name, got, err, want)
		}
	}
}
