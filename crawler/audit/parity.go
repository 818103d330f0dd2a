package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A Renderer shows a page as a person's browser does.
type Renderer interface {
	// Render loads a display URL and returns the document when the network is
	// quiet, or at the end of its patience. An error says why there is none.
	Render(ctx context.Context, url string) (*Rendering, error)
}

// A Rendering is a page as a browser shows it.
type Rendering struct {
	HTML    string        // the document after its scripts ran
	Took    time.Duration // from the navigation until the network was quiet
	Quiet   bool          // false: the patience ended first
	Refused []string      // requests of the page that were not let through
}

// MayLoad returns which URLs a page of the site at start may load while it is
// rendered: those of the site itself, and those of the hosts that are named.
func MayLoad(start string, hosts []string) (func(url string) bool, error) {
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, err
	}
	s := &Survey{norm: norm}
	if s.start, err = s.resolve("", start); err != nil {
		return nil, err
	}
	return func(url string) bool {
		u, err := s.resolve("", url)
		return err == nil && (s.inside(u) || slices.Contains(hosts, u.Host()))
	}, nil
}

// maxRendered is how many pages of a survey are rendered.
const maxRendered = 20

// Parity compares a page as a browser shows it with what a crawler gets. All
// shares are between 0 and 1.
type Parity struct {
	URL       string   `json:"url"`
	Score     float64  `json:"score"`      // of all
	Text      float64  `json:"text"`       // share of words that both have
	Links     float64  `json:"links"`      // share of links that both have
	Title     bool     `json:"title"`      // the same
	Canonical bool     `json:"canonical"`  // the same
	Robots    bool     `json:"robots"`     // the same
	Differ    string   `json:"differ"`     // the first words that differ, as "browser ≠ crawler"; "" if none do
	OnlySeen  []string `json:"only_seen"`  // links that only a browser shows
	OnlyFound []string `json:"only_found"` // links that only a crawler gets
}

// A rendered is a page with its rendering.
type rendered struct {
	page   *page
	result *Rendering
	doc    *htmldoc.Page
	err    error
	parity Parity
}

// render loads the pages that have a document in a browser and compares.
func (s *Survey) render(ctx context.Context) {
	if s.opts.Renderer == nil {
		return
	}
	for _, p := range s.pages {
		a := p.document()
		if len(s.rendered) >= maxRendered || ctx.Err() != nil {
			return
		}
		if !a.ok() || p.plain.forbidden() {
			continue
		}
		r := rendered{page: p}
		if r.result, r.err = s.opts.Renderer.Render(ctx, p.url.Display); r.err == nil {
			r.doc = htmldoc.Parse([]byte(r.result.HTML), htmldoc.Options{Agent: agent, Text: maxText})
			r.parity = s.compare(p, a, r.doc)
		}
		s.rendered = append(s.rendered, r)
	}
}

// Weights of the parts of a score.
const (
	weightText  = 0.6
	weightLinks = 0.3
	weightRest  = 0.1
)

// compare returns how far what a browser shows is what a crawler gets.
func (s *Survey) compare(p *page, a *answer, seen *htmldoc.Page) Parity {
	want, got := words(seen.Text), words(a.doc.Text)
	par := Parity{
		URL: p.url.Display, Text: share(count(want), count(got)), Differ: firstDifference(want, got),
		Title:     seen.Title == a.doc.Title,
		Canonical: first(seen.Canonicals) == first(a.doc.Canonicals),
		Robots:    robotsOf(seen) == robotsOf(a.doc),
	}
	base := s.base(p, a)
	shown, found := s.linkSet(base, seen), s.linkSet(base, a.doc)
	par.Links = share(shown, found)
	par.OnlySeen, par.OnlyFound = s.lacking(base, seen, found), s.lacking(base, a.doc, shown)
	par.Score = weightText*par.Text + weightLinks*par.Links
	for _, same := range []bool{par.Title, par.Canonical, par.Robots} {
		if same {
			par.Score += weightRest / 3
		}
	}
	return par
}

// words splits a text into what is compared: words, and single characters of
// scripts that are written without blanks.
func words(text string) []string {
	var out []string
	for _, f := range strings.Fields(text) {
		from := 0
		for i, r := range f {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				if from < i {
					out = append(out, f[from:i])
				}
				from = i + len(string(r))
				out = append(out, f[i:from])
			}
		}
		if from < len(f) {
			out = append(out, f[from:])
		}
	}
	return out
}

func count(list []string) map[string]int {
	n := make(map[string]int, len(list))
	for _, w := range list {
		n[w]++
	}
	return n
}

// share returns how much two bags have in common, by Dice's coefficient; two
// empty ones are the same.
func share(a, b map[string]int) float64 {
	both, all := 0, 0
	for w, n := range a {
		both += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}

// shownWords is how many words are shown where two texts begin to differ.
const shownWords = 8

// firstDifference shows the first words in which two texts differ.
func firstDifference(a, b []string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) && i == len(b) {
		return ""
	}
	excerpt := func(list []string) string {
		if i >= len(list) {
			return "(the end)"
		}
		return clip(strings.Join(list[i:min(len(list), i+shownWords)], " "))
	}
	return excerpt(a) + " ≠ " + excerpt(b)
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func robotsOf(doc *htmldoc.Page) string {
	var b strings.Builder
	for _, m := range doc.RobotsMeta {
		b.WriteString(m.Name + "=" + strings.ToLower(m.Content) + ";")
	}
	return b.String()
}

// target returns the key of a link that a crawler would follow, or "".
func (s *Survey) target(base string, l *htmldoc.Link) (urlnorm.URL, bool) {
	if l.Kind != htmldoc.Anchor && l.Kind != htmldoc.Area || strings.HasPrefix(l.Href, "#") && !strings.HasPrefix(l.Href, "#!") {
		return urlnorm.URL{}, false
	}
	u, err := s.resolve(base, l.Href)
	return u, err == nil
}

// linkSet returns the keys of a document's links, each once.
func (s *Survey) linkSet(base string, doc *htmldoc.Page) map[string]int {
	set := map[string]int{}
	for i := range doc.Links {
		if u, ok := s.target(base, &doc.Links[i]); ok {
			set[u.Key] = 1
		}
	}
	return set
}

// lacking returns the links of a document that are not in the set of another.
func (s *Survey) lacking(base string, of *htmldoc.Page, set map[string]int) []string {
	seen := map[string]bool{}
	var urls []string
	for i := range of.Links {
		if u, ok := s.target(base, &of.Links[i]); ok && set[u.Key] == 0 && !seen[u.Key] {
			seen[u.Key] = true
			urls = append(urls, u.Display)
		}
	}
	return urls
}

// Scores below these are worth a warning, and an error.
const (
	goodText = 0.9
	poorText = 0.5
)

func parityRules() []Rule {
	return []Rule{
		{
			ID: "render-score", Severity: Info, Title: "snapshot and rendered page, compared",
			Remedy: "Nothing, at 100 %.",
			check: func(s *Survey, found report) {
				s.eachParity(func(r *rendered, p *Parity) {
					found(p.URL, fmt.Sprintf("%.0f %%: text %.0f %%, links %.0f %%", 100*p.Score, 100*p.Text, 100*p.Links),
						Evidence{Request: p.URL, Line: "rendered"}, r.page.document().evidence("as a crawler gets it"))
				})
			},
		},
		{
			ID: "render-text-missing", Severity: Error, Title: "most of what people read is not in what crawlers get",
			Remedy: "Render the whole state before the snapshot is taken: wait for the data, not for a time.",
			check: func(s *Survey, found report) {
				s.eachParity(func(r *rendered, p *Parity) {
					if p.Text < poorText {
						found(p.URL, fmt.Sprintf("text %.0f %%", 100*p.Text), r.page.document().evidence(p.Differ))
					}
				})
			},
		},
		{
			ID: "render-text-differs", Severity: Warning, Title: "people read another text than crawlers get",
			Remedy: "Render snapshots with the same data and templates as the application.",
			check: func(s *Survey, found report) {
				s.eachParity(func(r *rendered, p *Parity) {
					if p.Text >= poorText && p.Text < goodText {
						found(p.URL, fmt.Sprintf("text %.0f %%", 100*p.Text), r.page.document().evidence(p.Differ))
					}
				})
			},
		},
		{
			ID: "render-title-differs", Severity: Warning, Title: "the title that people see is another one",
			Remedy: "Set the same title in the application and in the snapshot.",
			check: func(s *Survey, found report) {
				s.eachParity(func(r *rendered, p *Parity) {
					if !p.Title {
						a := r.page.document()
						found(p.URL, "", Evidence{Request: p.URL, Line: "title: " + r.doc.Title}, a.evidence("title: "+a.doc.Title))
					}
				})
			},
		},
		{
			ID: "links-only-by-script", Severity: Warning, Title: "people see links that crawlers do not get",
			Remedy: "Put them into the snapshot, or into the page itself.",
			check: func(s *Survey, found report) {
				s.eachParity(func(_ *rendered, p *Parity) { foundLinks(found, p.URL, p.OnlySeen) })
			},
		},
		{
			ID: "links-only-in-snapshot", Severity: Warning, Title: "crawlers get links that people do not see",
			Remedy: "Take them out of the snapshot, or show them.",
			check: func(s *Survey, found report) {
				s.eachParity(func(_ *rendered, p *Parity) { foundLinks(found, p.URL, p.OnlyFound) })
			},
		},
		{
			ID: "render-head-differs", Severity: Warning, Title: "canonical or robots are not the same in the rendered page",
			Remedy: "Write both on the server; scripts should not change them.",
			check: func(s *Survey, found report) {
				s.eachParity(func(r *rendered, p *Parity) {
					a := r.page.document()
					if !p.Canonical {
						found(p.URL, "canonical", Evidence{Request: p.URL, Line: canonicalLine(first(r.doc.Canonicals))}, a.evidence(canonicalLine(first(a.doc.Canonicals))))
					}
					if !p.Robots {
						found(p.URL, "robots", Evidence{Request: p.URL, Line: robotsOf(r.doc)}, a.evidence(robotsOf(a.doc)))
					}
				})
			},
		},
		{
			ID: "render-failed", Severity: Error, Title: "a browser cannot show the page",
			Remedy: "Open the page in a browser and look at its console.",
			check: func(s *Survey, found report) {
				for _, r := range s.rendered {
					if r.err != nil {
						found(r.page.url.Display, r.err.Error(), Evidence{Request: r.page.url.Display, Line: clip(r.err.Error())})
					}
				}
			},
		},
		{
			ID: "render-not-quiet", Severity: Warning, Title: "the page never comes to rest",
			Remedy: "Do not poll while the page is loading; a renderer has to guess when it is complete.",
			check: func(s *Survey, found report) {
				for _, r := range s.rendered {
					if r.err == nil && !r.result.Quiet {
						found(r.page.url.Display, "", Evidence{Request: r.page.url.Display, Line: "requests went on until the limit"})
					}
				}
			},
		},
		{
			ID: "render-refused", Severity: Info, Title: "requests of the rendered page were not let through",
			Remedy: "Allow the hosts with --render-host, if the page needs them.",
			check: func(s *Survey, found report) {
				for _, r := range s.rendered {
					if r.err == nil && len(r.result.Refused) > 0 {
						foundLinks(found, r.page.url.Display, r.result.Refused)
					}
				}
			},
		},
	}
}

// eachParity calls fn with every page that was rendered.
func (s *Survey) eachParity(fn func(*rendered, *Parity)) {
	for i := range s.rendered {
		if r := &s.rendered[i]; r.err == nil {
			fn(r, &r.parity)
		}
	}
}

// foundLinks reports a list of URLs, if there are any.
func foundLinks(found report, url string, links []string) {
	var lines []Evidence
	for _, l := range links[:min(len(links), shownLinks)] {
		lines = append(lines, Evidence{Request: url, Line: clip(l)})
	}
	if lines != nil {
		found(url, fmt.Sprintf("%d of them", len(links)), lines...)
	}
}
