package pager

import (
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Label is the method that the function of the same name calls.
func (l *Labeler) Label(p *htmldoc.Page, pageURL string, urls []urlnorm.URL) Result {
	r := Result{Labels: make([]Role, len(p.Links)), Main: -1, Next: -1, Prev: -1}
	if l.prepare(p, pageURL, urls) {
		l.decode()
		l.settle()
		for i := range l.cands {
			r.Labels[l.cands[i].link] = l.cands[i].label
		}
		l.collectPagers(&r)
	}
	l.labelHead(&r)
	if p.Outline != nil {
		l.collectMore(&r)
	}
	l.page, l.urls = nil, nil
	return r
}

// prepare finds candidates and groups and reports whether there is any.
func (l *Labeler) prepare(p *htmldoc.Page, pageURL string, urls []urlnorm.URL) bool {
	l.page, l.pageURL, l.urls = p, withoutPlace(pageURL), urls
	l.readHead()
	if p.Outline == nil || !l.collect() {
		return false
	}
	l.aimAll()
	l.gather()
	l.countRepeats()
	for i := range l.groups {
		l.study(&l.groups[i])
	}
	return len(l.groups) > 0
}

// readHead finds what the head says is next and previous.
func (l *Labeler) readHead() {
	l.headNext, l.headPrev = "", ""
	for i := range l.page.Links {
		switch l.page.Links[i].Kind {
		case htmldoc.LinkNext:
			l.headNext = l.urls[i].Fetch
		case htmldoc.LinkPrev:
			l.headPrev = l.urls[i].Fetch
		}
	}
}

// An Observation is a candidate as training sees it.
type Observation struct {
	Link     int // in Page.Links
	Features []uint16
}

// Observe returns the candidates of a page, group by group, in the order in
// which the model labels them. It is what training uses. If blind is set, no
// word is understood, as if the page were in a language that is not in the
// lexicon.
func (l *Labeler) Observe(p *htmldoc.Page, pageURL string, urls []urlnorm.URL, blind bool) [][]Observation {
	l.blind = blind
	defer func() { l.blind = false }()
	if !l.prepare(p, pageURL, urls) {
		return nil
	}
	var out [][]Observation
	for _, g := range l.groups {
		var seq []Observation
		for i := int(g.from); i < int(g.to); i++ {
			seq = append(seq, Observation{int(l.cands[i].link), l.extract(nil, i)})
		}
		out = append(out, seq)
	}
	return out
}

// New returns a labeler with weights w, nil for those of the program.
func New(w *Weights) *Labeler {
	if w == nil {
		w = &trained
	}
	return &Labeler{weights: w}
}
