package storage

import (
	"cmp"
	"errors"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// An Audited is an entry as Verify found it.
type Audited struct {
	frontier.Entry
	State frontier.Outcome // what became of it so far
	Page  *Page            // its page record; nil if it has none
}

// Verify reads everything in the file and checks it against everything else:
// the pages of bbolt, the form of every record, that hosts and the entries of
// every queue are numbered without a gap, and that each entry waits or has an
// outcome and never both. It calls each with every entry and problem with what
// is wrong. The error is what kept it from reading on; it wraps ErrDamaged if
// that is damage. The file must be open for reads alone, so that nothing
// changes meanwhile.
func (db *DB) Verify(each func(Audited), problem func(string)) error {
	v := &verifier{db: db, rd: db.reader(), each: each, problem: problem, retries: map[frontier.ID]bool{}}
	for _, step := range []func() error{v.file, v.records, v.readHosts, v.readRetries, v.readEntries} {
		if err := step(); err != nil {
			return fmt.Errorf("storage: verify %s: %w", db.path, err)
		}
	}
	return nil
}

type verifier struct {
	db      *DB
	rd      *reader
	each    func(Audited)
	problem func(string)
	hosts   []frontier.Host // by ID − 1
	names   int             // in the index of names
	retries map[frontier.ID]bool
}

func (v *verifier) problemf(format string, args ...any) { v.problem(fmt.Sprintf(format, args...)) }

// file runs bbolt's own check.
func (v *verifier) file() error {
	return v.db.view(func(tx *bolt.Tx) error {
		for fault := range tx.Check() {
			v.problemf("bbolt: %v", fault)
		}
		return nil
	})
}

// records reads what belongs to no host.
func (v *verifier) records() error {
	for _, read := range []func() error{
		func() error { _, err := v.db.Counts(); return err },
		func() error { return v.db.AllSeries(func(Series) error { return nil }) },
		func() error { return v.db.Shells(func(Shell) error { return nil }) },
		func() error { _, err := v.db.Leases(); return err },
		func() error { _, err := v.db.ErrandCrashes(); return err },
		func() error { return v.db.AllRobots(func(Robots) error { return nil }) },
		func() error { return v.db.HostsByName(func(frontier.Host) error { v.names++; return nil }) },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) readHosts() error {
	names := map[string]frontier.HostID{}
	err := v.db.Hosts(func(h frontier.Host) error {
		if want := frontier.HostID(len(v.hosts) + 1); h.ID != want {
			return fmt.Errorf("%w: host %d stands where %d is due", ErrDamaged, h.ID, want)
		}
		if other, double := names[h.Name]; double {
			v.problemf("hosts %d and %d are both called %s", other, h.ID, h.Name)
		}
		names[h.Name] = h.ID
		v.hosts = append(v.hosts, h)
		return nil
	})
	if err == nil && v.names != len(v.hosts) {
		v.problemf("the index of names has %d hosts of %d", v.names, len(v.hosts))
	}
	return err
}

// host returns a host by its ID; nil if there is none.
func (v *verifier) host(id frontier.HostID) *frontier.Host {
	if id == 0 || int(id) > len(v.hosts) {
		return nil
	}
	return &v.hosts[id-1]
}

func (v *verifier) readRetries() error {
	return v.db.Retries(func(r frontier.Retry) error {
		v.retries[r.ID] = true
		if h := v.host(r.Host); h == nil || r.Class >= frontier.NumClasses {
			v.problemf("%v waits for another try, but has no queue", r.ID)
		} else if r.Seq >= h.Head[r.Class] {
			v.problemf("%v waits for another try, and in its queue", r.ID)
		}
		return nil
	})
}

// readEntries goes through entries and page records side by side: both are in
// the order of their IDs.
func (v *verifier) readEntries() error {
	next, stop := iter.Pull2(v.pages())
	defer stop()
	page, pageErr, more := next()
	at := &queueEnd{}
	err := v.rd.scan(tableURL, nil, func(k, value []byte) error {
		id, ok := parseID(k)
		h := v.host(id.Host)
		if !ok || h == nil {
			return fmt.Errorf("%w: entry %x has no host", ErrDamaged, k)
		}
		e, err := decodeEntry(id, value, h.Name)
		if err != nil {
			return fmt.Errorf("%w: entry %v: %w", ErrDamaged, id, err)
		}
		v.follow(at, id)
		for ; more && pageErr == nil && compareIDs(page.ID, id) < 0; page, pageErr, more = next() {
			v.problemf("page record %v has no entry", page.ID)
		}
		if pageErr != nil {
			return pageErr
		}
		a := Audited{Entry: e}
		if more && page.ID == id {
			a.Page = &page
		}
		a.State = v.stateOf(&a, h)
		v.each(a)
		if a.Page != nil {
			page, pageErr, more = next()
		}
		return nil
	})
	if err != nil {
		return err
	}
	for ; more && pageErr == nil; page, pageErr, more = next() {
		v.problemf("page record %v has no entry", page.ID)
	}
	v.follow(at, frontier.ID{Host: frontier.HostID(len(v.hosts) + 1)})
	return pageErr
}

// pages is all page records, in order.
func (v *verifier) pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		err := v.db.reader().scan(tablePage, nil, func(k, value []byte) error {
			id, ok := parseID(k)
			p, err := decodePage(id, value)
			if !ok || err != nil {
				return fmt.Errorf("%w: page %x", ErrDamaged, k)
			}
			if !yield(p, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(Page{}, err)
		}
	}
}

// errEnough ends a scan whose rest nobody wants.
var errEnough = errors.New("enough")

// A queueEnd is where the entries of one queue are expected to go on.
type queueEnd struct {
	host  frontier.HostID
	class frontier.Class
	seq   uint32
}

// follow checks that id is the next entry: the one after that before, or the
// first of a later queue, with nothing missing between.
func (v *verifier) follow(at *queueEnd, id frontier.ID) {
	for at.host != id.Host || at.class != id.Class {
		if h := v.host(at.host); h != nil {
			if end := tail(h, at.class); at.seq != end {
				v.problemf("entries %d/%d/%d to %d are missing", at.host, at.class, at.seq, end-1)
			}
		}
		at.seq = 0
		if at.class++; at.class > frontier.ClassRefused {
			at.host, at.class = at.host+1, 0
		}
		if int(at.host) > len(v.hosts) {
			return
		}
	}
	if h := v.host(id.Host); h != nil && id.Seq >= tail(h, id.Class) {
		v.problemf("entry %v is beyond the end of its queue, %d", id, tail(h, id.Class))
	} else if id.Seq != at.seq {
		v.problemf("entries %d/%d/%d to %d are missing", id.Host, id.Class, at.seq, id.Seq-1)
	}
	at.seq = id.Seq + 1
}

// tail returns how many entries of a class the host has had.
func tail(h *frontier.Host, c frontier.Class) uint32 {
	switch {
	case c < frontier.NumClasses:
		return h.Tail[c]
	case c == frontier.ClassRefused:
		return h.Refused
	}
	return 0
}

// stateOf returns where an entry stands, and checks that only one place says so.
func (v *verifier) stateOf(a *Audited, h *frontier.Host) frontier.Outcome {
	if a.Class == frontier.ClassRefused {
		if !a.Refusal.Refused() {
			v.problemf("entry %v is refused as %v", a.ID, a.Refusal)
		}
		if a.Page != nil {
			v.problemf("entry %v is refused, and has a page record", a.ID)
		}
		return a.Refusal
	}
	decided := a.Page != nil && a.Page.Outcome != frontier.Waiting
	waits := a.Class < frontier.NumClasses && a.Seq >= h.Head[a.Class] || v.retries[a.ID]
	switch {
	case waits && decided:
		v.problemf("entry %v (%s) waits, and has the outcome %v", a.ID, a.URL, a.Page.Outcome)
	case !waits && !decided:
		v.problemf("entry %v (%s) is lost: it waits nowhere and has no outcome", a.ID, a.URL)
	case decided:
		return a.Page.Outcome
	}
	return frontier.Waiting
}

func compareIDs(a, b frontier.ID) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Seq, b.Seq))
}
