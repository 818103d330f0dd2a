package robots

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// FuzzParse holds that what means nothing changes nothing: comments, blank
// lines, other line ends, blanks around values, the order of reading.
func FuzzParse(f *testing.F) {
	for _, v := range verdicts {
		f.Add([]byte(v.body), v.target)
	}
	f.Add([]byte("\xFF\xFEU\x00s\x00"), "/")
	f.Fuzz(func(t *testing.T, body []byte, target string) {
		if len(body) > MaxBytes/8 {
			return
		}
		file := Parse(body)
		want := withoutLine(file.Rules("hashcrawl").Test(target))
		if again := withoutLine(Parse(body).Rules("HASHCRAWL").Test(target)); again != want {
			t.Errorf("case of the token: %+v, %+v", want, again)
		}
		if len(file.Notes()) > maxNotes {
			t.Errorf("%d notes", len(file.Notes()))
		}
		if bytes.HasPrefix(body, []byte{0xFF, 0xFE}) || bytes.HasPrefix(body, []byte{0xFE, 0xFF}) {
			return // the edits below would have to be in UTF-16
		}
		for name, edit := range map[string]string{
			"comment lines":     "\n# Disallow: /\n",
			"blank lines":       "\n \t\n\r\n",
			"CR":                "\r",
			"trailing comments": " # Allow: /\n",
			"unknown lines":     "\nx-unknown: /\n",
		} {
			edited := bytes.ReplaceAll(body, []byte("\n"), []byte(edit))
			if longest(body) > maxLine-20 {
				continue // the edit could move text across the limit of a line
			}
			if got := withoutLine(Parse(edited).Rules("hashcrawl").Test(target)); got != want {
				t.Errorf("%s: %+v, want %+v\n%q", name, got, want, edited)
			}
		}
	})
}

// withoutLine returns v without its line number, which edits move.
func withoutLine(v Verdict) Verdict {
	v.Line = 0
	return v
}

// longest returns the length of the longest line.
func longest(body []byte) int {
	n := 0
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		n = max(n, len(line))
	}
	return n
}

// FuzzPattern holds that a rule decides what its definition says, that temoto
// says so too where it is asked, and that a normal form is its own.
func FuzzPattern(f *testing.F) {
	for _, v := range verdicts {
		if _, path, ok := strings.Cut(v.body, "Disallow: "); ok {
			path, _, _ = strings.Cut(path, "\n")
			f.Add(path, v.target)
		}
	}
	f.Fuzz(func(t *testing.T, path, target string) {
		if len(path) > 20 || len(target) > 60 || strings.ContainsAny(path+target, "\x00") {
			return // the definition takes exponential time
		}
		p, _ := compilePattern(path)
		normal := appendNormal(nil, target)
		got := p.matches(normal)
		if twice := appendNormal(nil, string(normal)); !bytes.Equal(twice, normal) {
			t.Errorf("normal form of %q is %q, and of that %q", target, normal, twice)
		}
		if !strings.ContainsAny(path+target, "%$*") {
			if want := strings.HasPrefix(string(normal), string(appendNormal(nil, path))); got != want {
				t.Errorf("%q matches %q: %v, want %v", path, target, got, want)
			}
		}
		if isNormal(path) && isNormal(target) {
			if want := defined(path, target); got != want {
				t.Errorf("%q matches %q: %v, want %v", path, target, got, want)
			}
		}
		if p.askTemoto(); p.literal != nil && temotoReads(target) && p.literal.Test(target) == got {
			t.Errorf("%q matches %q: ours %v, temoto %v", path, target, got, !got)
		}
	})
}

// FuzzDirectives holds that a directive more never allows more.
func FuzzDirectives(f *testing.F) {
	for _, s := range []string{"noindex, nofollow", "hashcrawl: none, other: noindex", "unavailable_after: Mon, 01-Jan-2035 00:00:00 GMT, nofollow", "max-snippet:-1"} {
		f.Add(s, "noindex")
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, a, b string) {
		one := ParseDirectives([]Meta{{"robots", a}}, nil, "hashcrawl")
		both := ParseDirectives([]Meta{{"robots", a}, {"HashCrawl", b}}, []string{b, a}, "hashcrawl")
		if both.Indexable(now) && !one.Indexable(now) || one.NoFollow && !both.NoFollow || one.NoArchive && !both.NoArchive {
			t.Errorf("%q: %+v; with %q: %+v", a, one, b, both)
		}
	})
}
