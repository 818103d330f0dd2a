package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

var (
	testID = frontier.ID{Host: 7, Class: frontier.ClassLink, Seq: 1<<32 - 1}
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)
)

// A codec is one kind of record, as its encoder and decoder know it.
type codec struct {
	name   string
	values []any
	encode func(*encoder, any)
	decode func([]byte) (any, error)
}

var codecs = []codec{
	{
		name: "page",
		values: []any{Page{ID: testID}, Page{
			ID: testID, Outcome: frontier.Failed, Reason: "http 500", Status: 500, Fetched: noon, Took: 1500 * time.Microsecond,
			Attempts: 3, Bytes: 1 << 40, Truncated: "size", ContentType: "text/html; charset=utf-8", Title: "Überschrift", Lang: "de",
			Description: strings.Repeat("x", 3000), Canonical: "http://a.test/#!x", Published: "2026-03-01", Target: "http://b.test/",
			ETag: `W/"1"`, Modified: "Sun, 01 Mar 2026 12:00:00 GMT", BodyHash: math.MaxUint64, TextHash: 1, Links: 75, Robots: "noindex", Text: "a text",
		}},
		encode: func(e *encoder, v any) { p := v.(Page); encodePage(e, &p) },
		decode: func(b []byte) (any, error) { return decodePage(testID, b) },
	},
	{
		name: "entry",
		values: []any{
			frontier.Entry{ID: testID, URL: "http://a.test/"},
			frontier.Entry{ID: testID, URL: "https://a.test/#!state"},
			frontier.Entry{ID: testID, URL: "https://a.test:8443/x"},
			frontier.Entry{ID: testID, URL: "http://a.test.example/"},
			frontier.Entry{ID: testID, URL: "http://b.test/a.test/"},
			frontier.Entry{
				ID: testID, URL: "", Snapshot: true, Via: frontier.ViaSitemap, Depth: math.MaxUint16, Hops: 255,
				Parent: frontier.ID{Host: math.MaxUint32, Class: 255, Seq: math.MaxUint32}, Found: noon,
			},
		},
		encode: func(e *encoder, v any) { n := v.(frontier.Entry); encodeEntry(e, &n, "a.test") },
		decode: func(b []byte) (any, error) { return decodeEntry(testID, b, "a.test") },
	},
	{
		name: "refused",
		values: []any{frontier.Entry{
			ID: frontier.ID{Host: 7, Class: frontier.ClassRefused}, URL: "http://a.test/", Refusal: frontier.Trap, Rule: "depth",
		}},
		encode: func(e *encoder, v any) { n := v.(frontier.Entry); encodeEntry(e, &n, "a.test") },
		decode: func(b []byte) (any, error) {
			return decodeEntry(frontier.ID{Host: 7, Class: frontier.ClassRefused}, b, "a.test")
		},
	},
	{
		name: "host",
		values: []any{frontier.Host{ID: 7}, frontier.Host{
			ID: 7, Name: "a.test", Head: [frontier.NumClasses]uint32{0, 1, 2, 3, math.MaxUint32},
			Tail: [frontier.NumClasses]uint32{math.MaxUint32, 1, 3, 5, math.MaxUint32}, Refused: 4, Next: noon, Gap: 2 * time.Second,
			CrawlDelay: 300 * time.Second, Failures: 250, Pause: frontier.Parked, Requests: 1 << 50, Errors: 3, Bytes: math.MaxUint64,
		}},
		encode: func(e *encoder, v any) { h := v.(frontier.Host); encodeHost(e, &h) },
		decode: func(b []byte) (any, error) { return decodeHost(7, b) },
	},
	{
		name:   "retry",
		values: []any{frontier.Retry{Entry: frontier.Entry{ID: testID}, Due: noon, Attempts: 2}},
		encode: func(e *encoder, v any) { r := v.(frontier.Retry); encodeRetry(e, &r) },
		decode: func(b []byte) (any, error) { return decodeRetry(testID, b) },
	},
	{
		name: "robots",
		values: []any{
			Robots{Origin: "http://a.test"},
			Robots{Origin: "http://a.test", Fetched: noon, Expires: noon.Add(time.Hour), Status: 200, Body: []byte("User-agent: *")},
			Robots{Origin: "http://a.test", Status: 200, Body: []byte{}},
		},
		encode: func(e *encoder, v any) { r := v.(Robots); encodeRobots(e, &r) },
		decode: func(b []byte) (any, error) { return decodeRobots("http://a.test", b) },
	},
	{
		name: "shell",
		values: []any{
			Shell{URL: "http://a.test/"},
			Shell{URL: "http://a.test/", Fetched: noon, Status: 200, Sight: 1, BodyHash: math.MaxUint64, ETag: `"1"`, Modified: "x", Shared: true},
			Shell{URL: "http://a.test/", Status: 404, Kept: true, Body: []byte{}},
			Shell{URL: "http://a.test/", Kept: true, Fields: []Field{{"Content-Type", "text/html"}, {"", ""}}, Body: []byte("<p>")},
		},
		encode: func(e *encoder, v any) { s := v.(Shell); encodeShell(e, &s) },
		decode: func(b []byte) (any, error) { return decodeShell("http://a.test/", b) },
	},
	{
		name:   "counts",
		values: []any{frontier.Counts{}, frontier.Counts{frontier.Waiting: 1, frontier.RedirectLimit: math.MaxUint64}},
		encode: func(e *encoder, v any) { c := v.(frontier.Counts); encodeCounts(e, &c) },
		decode: func(b []byte) (any, error) { return decodeCounts(b) },
	},
}

func (c codec) bytes(v any) []byte {
	var e encoder
	c.encode(&e, v)
	return e.b
}

func TestRecordsSurviveTheirEncoding(t *testing.T) {
	for _, c := range codecs {
		for i, v := range c.values {
			t.Run(fmt.Sprintf("%s/%d", c.name, i), func(t *testing.T) {
				b := c.bytes(v)
				if got, err := c.decode(b); err != nil || !reflect.DeepEqual(got, v) {
					t.Errorf("decode(encode(v)) = %+v, %v; want %+v", got, err, v)
				}
				if c.name == "counts" {
					return // a shorter one is from an earlier version
				}
				for n := range b {
					if got, err := c.decode(b[:n]); !errors.Is(err, errShort) {
						t.Errorf("decode of the first %d bytes of %d = %+v, %v; want errShort", n, len(b), got, err)
					}
				}
				if _, err := c.decode(append(b, 0)); !errors.Is(err, errShort) {
					t.Errorf("decode with a byte too many: %v, want errShort", err)
				}
			})
		}
	}
}

func TestURLsOfAHostAreStoredWithoutItsName(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/x":       "\x00\x02/x",
		"https://a.test/x":      "\x01\x02/x",
		"http://a.test:81/x":    "\x02\x12http://a.test:81/x",
		"http://a.test.evil/x":  "\x02\x14http://a.test.evil/x",
		"http://a.test":         "\x02\x0dhttp://a.test",
		"http:///x":             "\x02\x09http:///x",
		"https://b.test/a.test": "\x02\x15https://b.test/a.test",
	} {
		n := frontier.Entry{ID: testID, URL: url}
		var e encoder
		encodeEntry(&e, &n, "a.test")
		if !strings.HasPrefix(string(e.b), want) {
			t.Errorf("encodeEntry(%q) = %q, want it to start with %q", url, e.b, want)
		}
		if got, err := decodeEntry(testID, e.b, "a.test"); err != nil || got.URL != url {
			t.Errorf("decodeEntry gives %q, %v; want %q", got.URL, err, url)
		}
	}
}

func TestTimesAreUTCMilliseconds(t *testing.T) {
	odd := time.Date(2026, 3, 1, 12, 0, 0, 1_000_001, time.FixedZone("", 3600))
	for _, tc := range []struct {
		name string
		in   time.Time
		due  bool
		want time.Time
	}{
		{"cut", odd, false, odd.Truncate(time.Millisecond).UTC()},
		{"not before", odd, true, odd.Truncate(time.Millisecond).Add(time.Millisecond).UTC()},
		{"whole", noon, true, noon},
		{"zero", time.Time{}, true, time.Time{}},
		{"before 1970", time.Unix(-5, 0), false, time.UnixMilli(1).UTC()},
		{"after 9999", time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC), false, time.UnixMilli(maxMillis).UTC()},
	} {
		var e encoder
		if tc.due {
			e.notBefore(tc.in)
		} else {
			e.time(tc.in)
		}
		d := decoder{b: e.b}
		if got := d.time(); !got.Equal(tc.want) || d.done() != nil || got.Location() != time.UTC {
			t.Errorf("%s: %v is stored as %v, %v; want %v", tc.name, tc.in, got, d.err, tc.want)
		}
	}
}

func TestImpossibleNumbersAreStoredAsNone(t *testing.T) {
	var e encoder
	encodePage(&e, &Page{Status: -1, Bytes: -1, Took: -1, Attempts: -1, Links: -1})
	if p, err := decodePage(frontier.ID{}, e.b); err != nil || !reflect.DeepEqual(p, Page{}) {
		t.Errorf("page = %+v, %v; want an empty one", p, err)
	}
}

// randomOps returns the operations of a log record, and what they are.
func randomOps(rnd *rand.Rand) []byte {
	var e encoder
	for range rnd.IntN(50) {
		t := table(rnd.IntN(int(numTables)))
		key := fmt.Appendf(nil, "key %d", rnd.IntN(20))
		switch {
		case t == tableHost || t == tableLease:
			key = appendHostKey(nil, frontier.HostID(rnd.IntN(20)))
		case t.numbered():
			key = appendID(nil, frontier.ID{Host: 1, Seq: rnd.Uint32N(20)})
		}
		switch rnd.IntN(3) {
		case 0:
			appendPut(&e, t, key, make([]byte, rnd.IntN(100)))
		case 1:
			appendDelete(&e, t, key)
		default:
			appendHashes(&e, []uint64{rnd.Uint64(), 0, rnd.Uint64()}[:rnd.IntN(4)])
		}
	}
	return e.b
}

func TestLogRecordTellsDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		ops := append([]byte("x"), randomOps(rnd)...)
		r := newLogRecord(len(ops))
		r.data = append(r.data, ops...)
		stored := bytes.Clone(r.seal())
		if got, err := openLogRecord(stored); err != nil || !bytes.Equal(got, ops) {
			t.Fatalf("openLogRecord = %x, %v; want %x", got, err, ops)
		}
		for range 50 {
			torn := stored[:rnd.IntN(len(stored))]
			if _, err := openLogRecord(torn); err == nil {
				t.Fatalf("openLogRecord took the first %d bytes of %d", len(torn), len(stored))
			}
			flipped := bytes.Clone(stored)
			flipped[rnd.IntN(len(flipped))] ^= 1 << rnd.IntN(8)
			if _, err := openLogRecord(flipped); !errors.Is(err, errChecksum) {
				t.Fatalf("openLogRecord of a flipped bit: %v, want errChecksum", err)
			}
		}
	}
}

func TestMemtableRefusesWhatIsNoOperation(t *testing.T) {
	for name, ops := range map[string]string{
		"unknown table":        "\x7f\x01k\x00",
		"no key":               "\x00\x00\x00",
		"key too long":         "\x00\x05k\x00",
		"neither put nor del":  "\x00\x01k\x02",
		"value too long":       "\x00\x01k\x01\x05v",
		"hashes too few":       "\xff\x02AAAAAAAA",
		"hashes without end":   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"varint without end":   "\x00\xff",
		"nothing after table":  "\x00",
		"nothing after delete": "\x00\x01k",
	} {
		if err := newMemtable(nil).apply([]byte(ops), 0); !errors.Is(err, errShort) {
			t.Errorf("%s: applyOps(%q) = %v, want errShort", name, ops, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for i, c := range codecs {
		for _, v := range c.values {
			f.Add(byte(i), c.bytes(v))
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		c := codecs[int(kind)%len(codecs)]
		v, err := c.decode(b)
		if err != nil {
			return
		}
		if got, err := c.decode(c.bytes(v)); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%s: decode(encode(v)) = %+v, %v; want v = %+v", c.name, got, err, v)
		}
	})
}

func FuzzApplyOps(f *testing.F) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		f.Add(randomOps(rnd))
	}
	f.Add(binary.AppendUvarint([]byte{byte(hashOp)}, math.MaxUint64))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 {
			return // no log record is without operations
		}
		m := newMemtable(nil)
		if err := m.apply(ops, 0); err != nil && !errors.Is(err, errShort) {
			t.Errorf("applyOps(%q) = %v, want nil or errShort", ops, err)
		}
		if m.bytes > 8*len(ops)+8 {
			t.Errorf("applyOps(%q) counts %d bytes", ops, m.bytes)
		}
	})
}
