package crawler

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A server that does not know the scheme answers every ugly URL with the shell
// of the application, and a broken one with the same snapshot for every state.
// Neither may be indexed as the state's content, so the crawl has to know the
// shell before it asks for the first state. It learns it from the page itself
// when that is crawled, and else asks for it ahead of its turn, once.

// Bounds of what is remembered.
const (
	shellPages   = 4096      // pages with states whose shell is in memory; more are in the crawl file
	shellSights  = 1 << 16   // other pages whose sight is in memory
	shellsOfHost = 16        // shells per host: asked for ahead of their turn in a run, and compared with
	keptBody     = 256 << 10 // bytes of an answer that is kept until the page's own turn
	statesOfPage = 8         // different snapshots of one page's states
)

// sameSnapshot is how many states of a page may have one snapshot. Two are often
// two spellings of one state; a third shows that the server does not look.
const sameSnapshot = 2

// shells are the shells that a crawl knows. What is forgotten is learnt again.
type shells struct {
	store Store

	mu     sync.Mutex
	pages  map[string]*shellPage  // by the display URL without state
	sights map[uint64]sight       // of plain pages, by a hash of the display URL
	hosts  map[string]*hostShells // by name
	kept   int                    // answers in the store that wait for their page's turn
}

// A sight is what tells whether two documents show the same.
type sight struct {
	shows uint64 // title, visible text and links; 0 if there is nothing to compare
	body  uint64 // all bytes
}

// sameAs reports whether two documents are the same to a person. Nonces and
// time stamps in scripts do not make another page.
func (s sight) sameAs(o sight) bool { return s.body == o.body || s.shows != 0 && s.shows == o.shows }

// sightOf returns the sight of a page. Where there are neither words nor links,
// pictures may make the difference, and only the bytes count.
func sightOf(body []byte, doc *htmldoc.Page) sight {
	s := sight{body: hashBody(body)}
	if doc.Fingerprint != 0 || len(doc.Links) > 0 {
		h := hashOn(doc.Fingerprint, doc.Title)
		for i := range doc.Links {
			h = hashOn(h, doc.Links[i].Href)
		}
		s.shows = max(h, 1)
	}
	return s
}

// hashOn goes on with a hash by a string. A site that brings about equal hashes
// hides its own pages alone.
func hashOn(h uint64, s string) uint64 { return mix(h, xxhash.Sum64String(s)) }

// mix goes on with a hash by one value. The factor is the golden ratio's.
func mix(h, v uint64) uint64 { return (bits.RotateLeft64(h, 23) ^ v) * 0x9e3779b97f4a7c15 }

// A shellPage is a page with states.
type shellPage struct {
	sight    sight // zero if the page gave nothing to compare with
	etag     string
	modified string
	shared   bool            // states with different snapshots had one validator
	states   []stateSnapshot // the latest last
}

// A stateSnapshot is a snapshot with the first states that had it.
type stateSnapshot struct {
	body           uint64
	states         []uint64 // hashes, at most sameSnapshot+1
	etag, modified string
}

type hostShells struct {
	sights []sight
	asked  int // for the sake of a state, in this run
}

// newShells returns the shells that the crawl in store knows.
func newShells(store Store) (*shells, error) {
	s := &shells{store: store, pages: map[string]*shellPage{}, sights: map[uint64]sight{}, hosts: map[string]*hostShells{}}
	err := store.Shells(func(kept storage.Shell) error {
		if kept.Kept {
			s.kept++
		}
		return nil
	})
	return s, err
}

// forget makes room in a full map for one more; any one goes.
func forget[K comparable, V any](m map[K]V, limit int) {
	if len(m) < limit {
		return
	}
	for k := range m {
		delete(m, k)
		return
	}
}

// page returns what is known of a page with states, also if it was learnt in an
// earlier run; nil if that is nothing. s.mu is held.
func (s *shells) page(url, host string) (*shellPage, error) {
	if pg := s.pages[url]; pg != nil {
		return pg, nil
	}
	stored, found, err := s.store.Shell(url)
	if err != nil {
		return nil, err
	}
	if found {
		return s.put(&stored, host), nil
	}
	if known, ok := s.sights[hashBody([]byte(url))]; ok {
		return s.put(&storage.Shell{URL: url, Sight: known.shows, BodyHash: known.body}, host), nil
	}
	return nil, nil
}

// put takes a shell into memory. s.mu is held.
func (s *shells) put(shell *storage.Shell, host string) *shellPage {
	pg := s.pages[shell.URL]
	if pg == nil {
		forget(s.pages, shellPages)
		pg = &shellPage{}
		s.pages[shell.URL] = pg
	}
	pg.shared = pg.shared || shell.Shared
	pg.sight, pg.etag, pg.modified = sight{shell.Sight, shell.BodyHash}, shell.ETag, shell.Modified
	if pg.sight != (sight{}) {
		h := s.host(host)
		if !slices.Contains(h.sights, pg.sight) && len(h.sights) < shellsOfHost {
			h.sights = append(h.sights, pg.sight)
		}
	}
	return pg
}

func (s *shells) host(name string) *hostShells {
	h := s.hosts[name]
	if h == nil {
		forget(s.hosts, trackedHosts)
		h = &hostShells{}
		s.hosts[name] = h
	}
	return h
}

// learn takes the shell of a page with states into account.
func (s *shells) learn(shell *storage.Shell, host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(shell, host)
	if shell.Kept {
		s.kept++
	}
}

// sawPage remembers a plain page, in case that states of it turn up.
func (s *shells) sawPage(url string, at sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	forget(s.sights, shellSights)
	s.sights[hashBody([]byte(url))] = at
}

// wanting reports whether the page behind a state has to be asked for before
// the state, and counts it as asked for.
func (s *shells) wanting(url, host string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pg, err := s.page(url, host)
	if pg != nil || err != nil {
		return false, err
	}
	h := s.host(host)
	if h.asked >= shellsOfHost {
		return false, nil
	}
	h.asked++
	return true, nil
}

// judge returns why a snapshot is none, or "". The page is named by its display
// URL without the state, which may be empty. Validators that say nothing about
// the state are taken out of the record.
func (s *shells) judge(page, state, host string, at sight, record *storage.Page) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pg, err := s.page(page, host)
	if err != nil {
		return "", err
	}
	if pg == nil {
		pg = s.put(&storage.Shell{URL: page}, host)
	}
	etag, modified := record.ETag, record.Modified
	distrust(record, pg.etag, pg.modified)
	if pg.shared {
		record.ETag, record.Modified = "", ""
	}
	if pg.sight.sameAs(at) {
		return "the snapshot is the shell itself", nil
	}
	if state == "" {
		return "", nil
	}
	for _, other := range s.host(host).sights {
		if other.sameAs(at) {
			return "the snapshot is the shell of another page", nil
		}
	}
	same := pg.saw(state, at.body, etag, modified)
	for i := range pg.states {
		if o := &pg.states[i]; o.body != at.body && distrust(record, o.etag, o.modified) {
			pg.shared = true
		}
	}
	if same > sameSnapshot {
		return "the same snapshot as that of other states", nil
	}
	return "", nil
}

// distrust takes validators out of a record that another document has too, and
// reports whether there was one that would have been relied on: the time counts
// only where there is no tag.
func distrust(record *storage.Page, etag, modified string) bool {
	shared := record.ETag != "" && record.ETag == etag || record.ETag == "" && record.Modified != "" && record.Modified == modified
	if record.ETag == etag {
		record.ETag = ""
	}
	if record.Modified == modified {
		record.Modified = ""
	}
	return shared
}

// sharesValidators reports whether the validators of a page's states are known to
// say nothing.
func (s *shells) sharesValidators(url, host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pg, err := s.page(url, host)
	return err == nil && pg != nil && pg.shared
}

// saw notes the snapshot of a state and returns how many states had it so far.
func (pg *shellPage) saw(state string, body uint64, etag, modified string) int {
	i := slices.IndexFunc(pg.states, func(o stateSnapshot) bool { return o.body == body })
	if i < 0 {
		if len(pg.states) >= statesOfPage {
			// What many states had is what matters; of the others the oldest goes.
			gone := max(0, slices.IndexFunc(pg.states, func(o stateSnapshot) bool { return len(o.states) == 1 }))
			pg.states = slices.Delete(pg.states, gone, gone+1)
		}
		i = len(pg.states)
		pg.states = append(pg.states, stateSnapshot{body: body, etag: etag, modified: modified})
	}
	o := &pg.states[i]
	h := hashBody([]byte(state))
	switch at := slices.Index(o.states, h); {
	case at >= 0:
		return at + 1 // as when it was asked for before
	case len(o.states) <= sameSnapshot:
		o.states = append(o.states, h)
		return len(o.states)
	}
	return sameSnapshot + 1
}

// pictures begin the elements that show something without words.
var pictures = [...]string{"<img", "<svg", "<video", "<object", "<embed", "<iframe"}

// isEmpty reports whether a document shows nothing at all, as when whatever makes
// the snapshots of a site has failed.
func isEmpty(body []byte, doc *htmldoc.Page) bool {
	if doc.Title != "" || doc.Fingerprint != 0 || len(doc.Links) > 0 {
		return false
	}
	lower := bytes.ToLower(body)
	return !slices.ContainsFunc(pictures[:], func(tag string) bool { return bytes.Contains(lower, []byte(tag)) })
}

// judgeSnapshot returns why what was answered is no snapshot, or "".
func (c *Crawler) judgeSnapshot(p *page, doc *htmldoc.Page) string {
	plain, state, _ := strings.Cut(p.at.Display, "#!")
	if state == "" && p.Via != frontier.ViaSnapshot {
		return "" // nobody said that there is a snapshot
	}
	if isEmpty(p.resp.Body, doc) {
		return "the snapshot is empty"
	}
	before := c.shells.sharesValidators(plain, p.Host)
	why, err := c.shells.judge(plain, state, p.Host, p.sight, p.record)
	if err == nil && !before && c.shells.sharesValidators(plain, p.Host) {
		err = c.noteShared(p, plain)
	}
	if err != nil { // as if nothing was known of the page; the store's failure ends the run anyway
		return ""
	}
	return why
}

// noteShared makes durable that the validators of a page's states say nothing.
func (c *Crawler) noteShared(p *page, plain string) error {
	shell, _, err := c.store.Shell(plain)
	if err != nil {
		return err
	}
	shell.URL, shell.Shared = plain, true
	p.shell = &shell
	return nil
}

// sawPlain remembers a plain page as the shell of its states: durably if it is
// known to have some. One that gave nothing to compare with is remembered too,
// so that it is not asked for again.
func (c *Crawler) sawPlain(p *page) {
	if p.at.Kind != urlnorm.Plain || p.Sitemap || p.again {
		return
	}
	c.shells.sawPage(p.at.Display, p.sight)
	if p.shell == nil && p.record.Outcome != frontier.OptedIn && !hasOwnStates(p) {
		return
	}
	p.shell = newShell(p.at.Display, p.resp, p.sight)
	p.shell.Shared = c.shells.sharesValidators(p.at.Display, p.Host)
	c.shells.learn(p.shell, p.Host)
}

// hasOwnStates reports whether a page links to a state of itself.
func hasOwnStates(p *page) bool {
	for i := range p.links {
		if state, ok := strings.CutPrefix(p.links[i].URL, p.at.Display); ok && len(state) > len("#!") && strings.HasPrefix(state, "#!") {
			return true
		}
	}
	return false
}
