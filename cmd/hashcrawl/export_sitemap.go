package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// sitemapFlags say how sitemaps are written to files.
type sitemapFlags struct {
	gzip bool
	base string
}

func (f *sitemapFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.gzip, "gzip", false, "pack sitemaps with gzip (with -o)")
	cmd.Flags().StringVar(&f.base, "sitemap-base", "", "URL under which the sitemaps will stand, for the index (default: the root of the first seed)")
}

// check returns what is wrong with the flags beside those of e.
func (f *sitemapFlags) check(e *exportFlags) error {
	if !f.gzip && f.base == "" {
		return nil
	}
	if e.format != string(export.Sitemap) || e.out == "" {
		return exitf(exitUsage, "--gzip and --sitemap-base are for --format sitemap with -o")
	}
	return nil
}

// write writes the sitemaps of a crawl to path or, if one file cannot hold
// them, to path-1, path-2, … with their index at path.
func (f *sitemapFlags) write(path string, db *storage.DB) error {
	base, err := f.baseURL(db)
	if err != nil {
		return err
	}
	files := &sitemapFiles{path: path, packed: f.gzip}
	out := export.NewSitemapWriter(sitemap.WriteOptions{
		Open: files.open, Gzip: f.gzip, URL: func(part int) string { return base + filepath.Base(files.name(part)) },
	})
	err = crawler.Rows(db, false, out.Write)
	err = errors.Join(err, out.Close())
	if err == nil {
		err = files.publish()
	}
	files.discard()
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// baseURL returns the URL of the directory of the sitemaps.
func (f *sitemapFlags) baseURL(db *storage.DB) (string, error) {
	s, err := readSettings(db)
	if err != nil {
		return "", err
	}
	n, err := s.Normalizer()
	if err != nil {
		return "", err
	}
	base, ref := f.base, "."
	if base == "" {
		base, ref = s.Seeds[0], "/"
	}
	b, err := n.Base(base)
	if err != nil {
		return "", exitf(exitUsage, "--sitemap-base: %w", err)
	}
	u, err := n.Resolve(b, ref, urlnorm.Charset{})
	if err != nil {
		return "", exitf(exitUsage, "--sitemap-base: %w", err)
	}
	return u.Fetch, nil
}

// sitemapFiles are the files of one export. They have other names until all of
// them are whole; then the parts get theirs, and the index last, so that nobody
// is led to a part that is not there.
type sitemapFiles struct {
	path   string
	packed bool
	temps  []tempFile
}

type tempFile struct {
	*os.File
	part int
}

// Close makes what was written durable.
func (f tempFile) Close() error { return errors.Join(f.Chmod(0o644), f.Sync(), f.File.Close()) }

// open begins a part.
func (s *sitemapFiles) open(part int) (io.WriteCloser, error) {
	tmp, err := createBeside(s.path)
	if err != nil {
		return nil, err
	}
	f := tempFile{tmp, part}
	s.temps = append(s.temps, f)
	return f, nil
}

// name returns the name of a part of several.
func (s *sitemapFiles) name(part int) string {
	stem, packed := strings.CutSuffix(s.path, ".gz")
	ext := filepath.Ext(stem)
	name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(stem, ext), part, ext)
	if packed || s.packed {
		name += ".gz"
	}
	return name
}

// publish gives every file its name.
func (s *sitemapFiles) publish() error {
	for i, f := range s.temps {
		name := s.path // of the only part, or of the index, which is the last one
		if i < len(s.temps)-1 {
			name = s.name(f.part)
		}
		if err := os.Rename(f.Name(), name); err != nil {
			return err
		}
	}
	s.temps = nil
	return nil
}

// discard removes what was not published.
func (s *sitemapFiles) discard() {
	for _, f := range s.temps {
		f.File.Close()
		os.Remove(f.Name())
	}
}
