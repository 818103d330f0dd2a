package frontier

import (
	"math/rand/v2"
	"time"
)

// A Pace spaces the requests to one host for somebody who asks for single
// documents, without a frontier, by the same rules as a crawl. It is for one
// goroutine.
type Pace struct {
	host   Host
	polite Politeness
	rnd    *rand.Rand // of the jitter
}

// NewPace returns the pace of a host that was never asked.
func NewPace(p Politeness, rnd *rand.Rand) *Pace { return &Pace{polite: p, rnd: rnd} }

// Next returns when the host may be asked next; parked says that it failed so
// often that it is to be left alone.
func (p *Pace) Next() (at time.Time, parked bool) { return p.host.Next, p.host.Pause == Parked }

// AddressGap returns how long the host's address is left alone after an answer.
func (p *Pace) AddressGap() time.Duration { return p.polite.AddressGap }

// Answered takes the result of a request into account.
func (p *Pace) Answered(r *Request) { p.host.settle(p.polite, r, p.rnd) }

// AskDelay takes the Crawl-delay of the host's robots.txt into account.
func (p *Pace) AskDelay(d time.Duration) { p.host.askDelay(p.polite, d) }

// Paused reports whether the host waits for more than its gap.
func (p *Pace) Paused() bool { return p.host.Pause != NotPaused && time.Now().Before(p.host.Next) }
