package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/frontier"
)

// TestSitemapsAreSplitAndIndexed writes more than one sitemap holds, packed and
// not, and reads all of it back by way of the index.
func TestSitemapsAreSplitAndIndexed(t *testing.T) {
	const pages = 2*sitemap.MaxEntries + 10
	for _, packed := range []bool{false, true} {
		dir := t.TempDir()
		files := &sitemapFiles{path: filepath.Join(dir, "map.xml"), packed: packed}
		out := export.NewSitemapWriter(sitemap.WriteOptions{
			Open: files.open, Gzip: packed, URL: func(part int) string { return "http://a.test/" + filepath.Base(files.name(part)) },
		})
		for i := range pages {
			row := &export.Row{Entry: frontier.Entry{URL: fmt.Sprintf("http://a.test/#!/p/%d?a&b", i)}}
			if err := out.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if err := files.publish(); err != nil {
			t.Fatal(err)
		}
		listed, err := os.ReadDir(dir)
		if err != nil || len(listed) != 4 {
			t.Fatalf("packed %v: the directory holds %v, %v; want three parts and an index", packed, listed, err)
		}
		n := 0
		for _, part := range readSitemap(t, filepath.Join(dir, "map.xml")) {
			urls := readSitemap(t, filepath.Join(dir, strings.TrimPrefix(part, "http://a.test/")))
			for _, url := range urls {
				if want := fmt.Sprintf("http://a.test/#!/p/%d?a&b", n); url != want {
					t.Fatalf("packed %v: entry %d is %s; want %s", packed, n, url, want)
				}
				n++
			}
		}
		if n != pages {
			t.Errorf("packed %v: %d entries were read back; want %d", packed, n, pages)
		}
	}
}

// readSitemap returns what a sitemap lists.
func readSitemap(t *testing.T, path string) (locs []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sum, err := sitemap.Read(file, func(e sitemap.Entry) bool {
		locs = append(locs, e.Loc)
		return true
	})
	if err != nil || sum.Stop != sitemap.StopNone || sum.Dropped > 0 {
		t.Fatalf("%s: %+v, %v", path, sum, err)
	}
	return locs
}

// TestUnfinishedSitemapsLeaveNoFiles fails while parts are written.
func TestUnfinishedSitemapsLeaveNoFiles(t *testing.T) {
	dir := t.TempDir()
	files := &sitemapFiles{path: filepath.Join(dir, "map.xml")}
	for part := range 3 {
		f, err := files.open(part + 1)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "x")
	}
	files.discard()
	if listed, _ := os.ReadDir(dir); len(listed) != 0 {
		t.Errorf("left are %v", slices.Collect(func(yield func(string) bool) {
			for _, e := range listed {
				if !yield(e.Name()) {
					return
				}
			}
		}))
	}
}
