package fetch

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

// An idlePool keeps connections for reuse: each for a limited time, and no more
// than a number of them over all hosts.
type idlePool struct {
	max  int
	keep time.Duration

	mu     sync.Mutex // guards the rest
	byKey  map[connKey][]*list.Element
	order  *list.List  // of *conn, the one idle for longest first
	reaper *time.Timer // runs while order is not empty
	closed bool
}

func newIdlePool(limit int, keep time.Duration) *idlePool {
	return &idlePool{max: limit, keep: keep, byKey: make(map[connKey][]*list.Element), order: list.New()}
}

// take returns the connection for key that was used last, or nil.
func (p *idlePool) take(key connKey) *conn {
	for {
		c := p.pop(key)
		if c == nil || c.usable() {
			return c
		}
		c.close()
	}
}

func (p *idlePool) pop(key connKey) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	es := p.byKey[key]
	if len(es) == 0 {
		return nil
	}
	e := es[len(es)-1]
	p.remove(e)
	return e.Value.(*conn)
}

// remove takes e out of the pool; p.mu is held.
func (p *idlePool) remove(e *list.Element) {
	key := p.order.Remove(e).(*conn).key
	es := p.byKey[key]
	i := slices.Index(es, e)
	if es = slices.Delete(es, i, i+1); len(es) == 0 {
		delete(p.byKey, key)
		return
	}
	p.byKey[key] = es
}

// put takes c over.
func (p *idlePool) put(c *conn) {
	if surplus := p.push(c); surplus != nil {
		surplus.close()
	}
}

// push adds c and returns the connection that has to go for it, if any.
func (p *idlePool) push(c *conn) (surplus *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return c
	}
	if p.order.Len() >= p.max {
		e := p.order.Front()
		surplus = e.Value.(*conn)
		p.remove(e)
	}
	c.idleEnd = time.Now().Add(p.keep)
	p.byKey[c.key] = append(p.byKey[c.key], p.order.PushBack(c))
	if p.order.Len() == 1 {
		p.rearm(p.keep)
	}
	return surplus
}

// rearm lets reap run after d; p.mu is held.
func (p *idlePool) rearm(d time.Duration) {
	if p.reaper == nil {
		p.reaper = time.AfterFunc(d, p.reap)
		return
	}
	p.reaper.Reset(d)
}

// reap closes what has been idle for too long.
func (p *idlePool) reap() {
	for _, c := range p.expired(time.Now()) {
		c.close()
	}
}

func (p *idlePool) expired(now time.Time) []*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	var old []*conn
	for e := p.order.Front(); e != nil; e = p.order.Front() {
		c := e.Value.(*conn)
		if left := c.idleEnd.Sub(now); left > 0 {
			p.rearm(left)
			break
		}
		p.remove(e)
		old = append(old, c)
	}
	return old
}

// close closes all connections and takes no more.
func (p *idlePool) close() {
	p.mu.Lock()
	p.closed = true
	var all []*conn
	for e := p.order.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*conn))
	}
	p.order.Init()
	clear(p.byKey)
	if p.reaper != nil {
		p.reaper.Stop()
	}
	p.mu.Unlock()
	for _, c := range all {
		c.close()
	}
}
