package crawler

import (
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// HostFigures are what a crawl has sent to one host, and how it treats it now.
type HostFigures struct {
	Host       string  `json:"host"`
	Requests   uint64  `json:"requests"`
	Errors     uint64  `json:"errors"`      // of these, not answered or with an error of the server
	Bytes      uint64  `json:"bytes"`       // of bodies, as sent
	Gap        float64 `json:"gap"`         // seconds from an answer to the next request, as adapted so far
	CrawlDelay float64 `json:"crawl_delay"` // seconds, as robots.txt asks; 0 if it does not
	Waiting    uint64  `json:"waiting"`     // URLs in its queues
	Paused     string  `json:"paused"`      // why it gets no requests for now; "" if it does
	Until      string  `json:"until"`       // in UTC; "" unless paused
}

// AddHosts adds the figures of every host to the status, those of one domain
// together.
func (s *Status) AddHosts(db *storage.DB) error {
	s.PerHost = []HostFigures{}
	return db.HostsByName(func(h frontier.Host) error {
		f := HostFigures{
			Host: h.Name, Requests: h.Requests, Errors: h.Errors, Bytes: h.Bytes,
			Gap: h.Gap.Seconds(), CrawlDelay: h.CrawlDelay.Seconds(), Waiting: h.Waiting(), Paused: h.Pause.String(),
		}
		if h.Pause != frontier.NotPaused {
			f.Until = h.Next.UTC().Format(statusTime)
		}
		s.PerHost = append(s.PerHost, f)
		return nil
	})
}

// statusTime is how a status gives times.
const statusTime = "2006-01-02T15:04:05Z"
