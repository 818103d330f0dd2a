package robots

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// today is the day on which the corpus judges unavailable_after.
var today = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestDirectivesCorpus(t *testing.T) {
	var corpus struct {
		Page []struct {
			ID, HTML, Agent  string
			Headers          []string
			Index, Follow    bool
			UnavailableAfter string `json:"unavailable_after"`
		}
	}
	if err := json.Unmarshal(corpusFile(t, "robots-directives.json"), &corpus); err != nil {
		t.Fatal(err)
	}
	for _, c := range corpus.Page {
		t.Run(c.ID, func(t *testing.T) {
			var tags []string
			for _, h := range c.Headers {
				_, value, _ := strings.Cut(h, ":")
				tags = append(tags, value)
			}
			d := ParseDirectives(metas(c.HTML), tags, c.Agent)
			if d.Indexable(today) != c.Index || d.NoFollow == c.Follow {
				t.Errorf("%+v; want index %v, follow %v", d, c.Index, c.Follow)
			}
			if c.UnavailableAfter == "" {
				if !d.UnavailableAfter.IsZero() {
					t.Errorf("unavailable after %v, want never", d.UnavailableAfter)
				}
				return
			}
			want, ok := parseDate(c.UnavailableAfter)
			if !ok || !d.UnavailableAfter.Equal(want) {
				t.Errorf("unavailable after %v, want %v", d.UnavailableAfter, c.UnavailableAfter)
			}
		})
	}
}

// metas returns the named metas of a page.
func metas(page string) []Meta {
	var all []Meta
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Data != "meta" {
			continue
		}
		var m Meta
		for _, a := range token.Attr {
			switch a.Key {
			case "name":
				m.Name = a.Val
			case "content":
				m.Content = a.Val
			}
		}
		all = append(all, m)
	}
	return all
}
