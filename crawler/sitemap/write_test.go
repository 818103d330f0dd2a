package sitemap

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// files takes the place of a directory: what was written to each part.
type files map[int]*file

type file struct {
	bytes.Buffer
	closed bool
	fail   error // of Write and Close
}

func (f *file) Write(p []byte) (int, error) {
	if f.fail != nil {
		return 0, f.fail
	}
	return f.Buffer.Write(p)
}

func (f *file) Close() error {
	f.closed = true
	return f.fail
}

func (fs files) open(part int) (io.WriteCloser, error) {
	fs[part] = &file{}
	return fs[part], nil
}

func partURL(part int) string { return fmt.Sprintf("http://a.test/sitemap-%d.xml?a=1&b=2", part) }

func TestWriterGolden(t *testing.T) {
	out := files{}
	w := NewWriter(WriteOptions{Open: out.open, URL: partURL, MaxEntries: 4})
	for _, e := range []Entry{
		{Loc: "http://a.test/", LastMod: time.Date(2020, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))},
		{Loc: "http://a.test/#!/news?page=2&sort=date"},
		{Loc: `http://a.test/?q=<"it's">`},
		{Loc: "http://a.test/#!café/日本"},
		{Loc: "http://a.test/#!raw\x00\xff\u00a0bytes"},
	} {
		if err := w.Add(e.Loc, e.LastMod); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for part, name := range map[int]string{IndexPart: "index.xml", 1: "part-1.xml", 2: "part-2.xml"} {
		golden(t, name, out[part].Bytes())
	}
	if len(out) != 3 || w.Parts() != 2 {
		t.Errorf("%d files, %d parts; want an index and two parts", len(out), w.Parts())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "sitemap", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
	}
}

func TestWriterWritesOneEmptySetWithoutEntries(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(WriteOptions{Open: SinglePart(&b)})
	if err := w.Close(); err != nil || b.String() != urlHead+urlFoot {
		t.Errorf("%v, %q", err, b.String())
	}
}

func TestWriterSplitsAtTheLimits(t *testing.T) {
	for _, tc := range []struct {
		name    string
		bytes   int64
		entries int
		loc     func(i int) string
		parts   int
	}{
		{"50,000 entries", 0, 50_000, func(i int) string { return fmt.Sprintf("http://a.test/%d", i) }, 1},
		{"50,001 entries", 0, 50_001, func(i int) string { return fmt.Sprintf("http://a.test/%d", i) }, 2},
		// 12 kB each as XML, so that a part takes 87.
		{"1 MiB", 1 << 20, 200, func(i int) string { return fmt.Sprintf("http://a.test/%d%s", i, strings.Repeat("'", 2000)) }, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := files{}
			w := NewWriter(WriteOptions{Open: out.open, URL: partURL, MaxBytes: tc.bytes})
			for i := range tc.entries {
				if err := w.Add(tc.loc(i), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil || w.Parts() != tc.parts {
				t.Fatalf("%d parts, %v; want %d", w.Parts(), err, tc.parts)
			}
			var total int
			for part := 1; part <= w.Parts(); part++ {
				if size := int64(out[part].Len()); tc.bytes > 0 && size > tc.bytes {
					t.Errorf("part %d has %d bytes", part, size)
				}
				sum, err := Read(&out[part].Buffer, func(e Entry) bool {
					if e.Loc != tc.loc(total) {
						t.Fatalf("entry %d is %.80q", total, e.Loc)
					}
					total++
					return true
				})
				if err != nil || sum.Stop != StopNone || !out[part].closed {
					t.Errorf("part %d: %+v, %v, closed %v", part, sum, err, out[part].closed)
				}
			}
			if total != tc.entries {
				t.Errorf("%d entries read back, want %d", total, tc.entries)
			}
		})
	}
}

func TestWriterTakesTheLimitsOfTheProtocol(t *testing.T) {
	for _, o := range []WriteOptions{{}, {MaxEntries: MaxEntries + 1, MaxBytes: MaxBytes + 1}} {
		if got := NewWriter(o).opts; got.MaxEntries != 50_000 || got.MaxBytes != 52_428_800 {
			t.Errorf("limits %d and %d", got.MaxEntries, got.MaxBytes)
		}
	}
}

func TestWriterPacks(t *testing.T) {
	out := files{}
	w := NewWriter(WriteOptions{Open: out.open, URL: partURL, Gzip: true, MaxEntries: 1})
	want := []string{"http://a.test/1", "http://a.test/2"}
	for _, loc := range want {
		if err := w.Add(loc, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for part := 1; part <= 2; part++ {
		if !bytes.HasPrefix(out[part].Bytes(), []byte{0x1F, 0x8B}) {
			t.Errorf("part %d is not packed", part)
		}
		entries, _, err := readAll(&out[part].Buffer)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, locs(entries)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("read back %q, want %q", got, want)
	}
	if !strings.HasPrefix(out[IndexPart].String(), "<?xml") {
		t.Error("the index is packed")
	}
}

func TestWriterRefusesWhatNoSitemapLists(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(WriteOptions{Open: SinglePart(&b)})
	for _, tc := range []struct {
		loc  string
		want error
	}{
		{"http://a.test/?_escaped_fragment_=x", ErrUgly},
		{"http://a.test/?a=1&_escaped_fragment_", ErrUgly},
		{"http://a.test/#!?_escaped_fragment_=x", nil},
		{"http://a.test/_escaped_fragment_=x", nil},
		{"http://a.test/?x=_escaped_fragment_=x", nil},
		{"/relative", ErrLoc},
		{"ftp://a.test/", ErrLoc},
		{"", ErrLoc},
		{"http://a.test/" + strings.Repeat("x", 2047-len("http://a.test/")), nil},
		{"http://a.test/" + strings.Repeat("x", 2048-len("http://a.test/")), ErrLong},
		{"http://a.test/" + strings.Repeat("é", 1500), nil},
	} {
		if err := w.Add(tc.loc, time.Time{}); !errors.Is(err, tc.want) {
			t.Errorf("Add(%.60q) = %v, want %v", tc.loc, err, tc.want)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, _, err := readAll(&b); err != nil || len(entries) != 5 {
		t.Errorf("%d entries written, %v; want 5", len(entries), err)
	}
}

func TestWriterRefusesASecondPartOnOneStream(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(WriteOptions{Open: SinglePart(&b), MaxEntries: 1})
	if err := w.Add("http://a.test/1", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Add("http://a.test/2", time.Time{}); !errors.Is(err, ErrParts) {
		t.Errorf("Add = %v, want ErrParts", err)
	}
	if err := w.Close(); !errors.Is(err, ErrParts) {
		t.Errorf("Close = %v, want ErrParts", err)
	}
	if _, sum, err := readAll(&b); err != nil || sum.Entries != 1 || sum.Stop != StopNone {
		t.Errorf("the stream holds %+v, %v; want one whole sitemap", sum, err)
	}
}

func TestWriterReportsFailuresAndClosesAllTheSame(t *testing.T) {
	full := errors.New("disk full")
	for _, packed := range []bool{false, true} {
		f := &file{fail: full}
		w := NewWriter(WriteOptions{Open: func(int) (io.WriteCloser, error) { return f, nil }, Gzip: packed})
		if err := w.Add("http://a.test/1", time.Time{}); err != nil && !errors.Is(err, full) {
			t.Errorf("Add = %v", err)
		}
		if err := w.Close(); !errors.Is(err, full) || !f.closed {
			t.Errorf("packed %v: Close = %v, closed %v; want %v, true", packed, err, f.closed, full)
		}
	}
}

// FuzzWrite holds that our reader reads back what was written, but for what a
// URL cannot hold and stands there escaped.
func FuzzWrite(f *testing.F) {
	for _, loc := range []string{"http://a.test/?a=1&b=<x>#!'\"", "https://é.test/\x00\xff\u2028", "http://a.test/ \uFFFF]]>&amp;"} {
		f.Add(loc)
	}
	f.Fuzz(func(t *testing.T, loc string) {
		var b bytes.Buffer
		w := NewWriter(WriteOptions{Open: SinglePart(&b)})
		if err := w.Add(loc, time.Time{}); err != nil {
			return
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		entries, sum, err := readAll(&b)
		if err != nil || len(entries) != 1 || sum.Stop != StopNone {
			t.Fatalf("%q: %v, %+v, %v", loc, entries, sum, err)
		}
		want := entries[0].Loc
		if strings.ToValidUTF8(loc, "") == loc && !strings.ContainsFunc(loc, func(r rune) bool {
			return isSpace(r) || r < ' ' || r == 0x7F || r == 0xFFFE || r == 0xFFFF
		}) {
			want = loc
		}
		if entries[0].Loc != want {
			t.Errorf("wrote %q, read %q", loc, want)
		}
	})
}
