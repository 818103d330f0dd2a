package export

import (
	"bufio"
	"errors"
	"net/http"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
)

// NewSitemapWriter returns a writer of as many sitemaps as the pages need, and
// of their index.
func NewSitemapWriter(o sitemap.WriteOptions) Writer { return sitemapWriter{sitemap.NewWriter(o)} }

type sitemapWriter struct{ maps *sitemap.Writer }

func (w sitemapWriter) Write(r *Row) error {
	err := w.maps.Add(r.URL, lastModified(r))
	if errors.Is(err, sitemap.ErrLong) { // the protocol cannot list it
		return nil
	}
	return err
}

func (w sitemapWriter) Close() error { return w.maps.Close() }

// lastModified returns when the page changed last, as its server said; zero if
// it did not. When we fetched it is nobody's last change.
func lastModified(r *Row) time.Time {
	t, err := http.ParseTime(r.Page.Modified)
	if err != nil || t.After(r.Page.Fetched) {
		return time.Time{}
	}
	return t
}

// flushed is a writer over a buffer.
type flushed struct {
	Writer
	out *bufio.Writer
}

func (f flushed) Close() error { return errors.Join(f.Writer.Close(), f.out.Flush()) }
