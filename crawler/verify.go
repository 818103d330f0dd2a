package crawler

import (
	"fmt"

	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Verify checks a crawl file as storage does, and the seen set and the counts
// against the entries: every key is known that has an entry, no other is, and
// every key counts once, where it stands. It calls problem with what is wrong
// and returns how many entries there are. The file is open for reads alone.
func Verify(db *storage.DB, problem func(string)) (entries uint64, err error) {
	v := &verification{db: db, problem: problem}
	if err := v.prepare(); err != nil {
		return 0, err
	}
	err = db.Verify(func(a storage.Audited) {
		entries++
		v.check(&a)
	}, problem)
	if err == nil {
		err = v.failed
	}
	if err != nil {
		return entries, err
	}
	return entries, v.sum()
}

type verification struct {
	db      *storage.DB
	problem func(string)
	norm    *urlnorm.Normalizer // nil if the crawl was never started
	keys    *frontier.Keys
	counts  [frontier.NumOutcomes]int64 // as the entries have them
	hashes  int64                       // that the entries account for
	// cleans says that a site gives Clean-param lines, by which the key of a
	// URL can be another one since the site's robots.txt was read. What a key
	// was then cannot be told, and the sums are not checked.
	cleans bool
	failed error
}

func (v *verification) prepare() (err error) {
	config, err := v.db.Config()
	if err != nil || config == nil {
		return err
	}
	settings, err := ParseSettings(config)
	if err != nil {
		return err
	}
	if v.norm, err = settings.Normalizer(); err != nil {
		return err
	}
	if was, is := v.db.Norm(), v.norm.ID(); was != is {
		return fmt.Errorf("the keys were made under the normalisation rules %q, which this version does not have (%q)", was, is)
	}
	if v.keys, err = frontier.ReadKeys(v.db, v.db.Secret()); err != nil {
		return err
	}
	return v.db.AllRobots(func(r storage.Robots) error {
		v.cleans = v.cleans || len(robots.Parse(r.Body).CleanParams()) > 0
		return nil
	})
}

// key returns the key of an entry's URL.
func (v *verification) key(url string) string {
	u, err := v.norm.Resolve(nil, url, urlnorm.Charset{})
	if err != nil {
		return ""
	}
	return u.Key
}

// check looks for the key of an entry, and counts it.
func (v *verification) check(a *storage.Audited) {
	if v.norm == nil {
		return
	}
	key := v.key(a.URL)
	switch {
	case key == "":
		v.problem(fmt.Sprintf("entry %v: %s is no URL", a.ID, a.URL))
	case v.cleans:
	case a.Class == frontier.ClassRefused && v.keys.Refusal(key) != a.Refusal:
		v.problem(fmt.Sprintf("entry %v (%s) is refused as %v, its key as %v", a.ID, a.URL, a.Refusal, v.keys.Refusal(key)))
	case a.Class != frontier.ClassRefused && !v.keys.Queued(key):
		v.problem(fmt.Sprintf("entry %v (%s): its key is not known", a.ID, a.URL))
	}
	switch {
	case v.continues(a, key):
	case a.Class == frontier.ClassRefused && v.keys.Queued(key): // later, for a better reason
		v.hashes++
		return
	default:
		v.hashes++
	}
	if a.State < frontier.NumOutcomes {
		v.counts[a.State]++
	}
}

// continues reports whether an entry carries on for the one where it was found,
// which then has no outcome of its own: a snapshot does for its page, and the
// target of a redirect that is another spelling of the same URL.
func (v *verification) continues(a *storage.Audited, key string) bool {
	if a.Class == frontier.ClassRefused || a.Via != frontier.ViaSnapshot && a.Via != frontier.ViaRedirect || v.failed != nil {
		return false
	}
	parent, found, err := v.db.Entry(a.Parent)
	if err != nil || !found || v.key(parent.URL) != key {
		v.failed = err
		return false
	}
	p, found, err := v.db.Page(a.Parent)
	if err != nil || !found {
		v.failed = err
		return false
	}
	if p.Outcome < frontier.NumOutcomes {
		v.counts[p.Outcome]--
	}
	return true
}

// sum compares what was counted with what the crawl has counted.
func (v *verification) sum() error {
	if v.norm == nil || v.cleans {
		return nil
	}
	counts, err := v.db.Counts()
	if err != nil {
		return err
	}
	for o, n := range v.counts {
		if int64(counts[o]) != n {
			v.problem(fmt.Sprintf("%d URLs are %v, the crawl has counted %d", n, frontier.Outcome(o), counts[o]))
		}
	}
	if got := int64(v.keys.Len()); got != v.hashes {
		v.problem(fmt.Sprintf("the entries have %d keys, but %d are known", v.hashes, got))
	}
	return nil
}
