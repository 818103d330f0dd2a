package urlnorm

import (
	"bytes"
	"strings"
)

// A trackingParam is a query parameter that says how a visitor came, and not
// what he sees.
type trackingParam struct {
	name  string
	hosts []string // only on these hosts and their subdomains; nil: everywhere
	not   uint8    // never where the URL contains one of these keepWords
	wide  bool     // only under the rule tracking-wide
}

// keepWords are what conditions look for in a URL, case ignored. A page that
// unsubscribes its visitor needs to know whom.
var keepWords = [...]string{"unsubscribe", "emailwebview", "/email/"}

const (
	notUnsubscribe = 1 << iota
	notWebView
	notEmail
)

// trackingParams holds the names that at least two of the lists of Brave,
// ClearURLs, DuckDuckGo and Zyte agree on, with the scopes and conditions of
// Brave's [BRAVE-QF], and as wide those that only one of them has. Every name
// beginning with utm_ is one as well, and under tracking-wide with mtm_.
var trackingParams = []trackingParam{
	{name: "__hsfp"},
	{name: "__hssc"},
	{name: "__hstc"},
	{name: "__s"},
	{name: "_gl"},
	{name: "_hsenc"},
	{name: "_openstat"},
	{name: "action_object_map"},
	{name: "action_ref_map"},
	{name: "action_type_map"},
	{name: "dclid"},
	{name: "fb_action_ids"},
	{name: "fb_action_types"},
	{name: "fb_ref"},
	{name: "fb_source"},
	{name: "fbclid"},
	{name: "ga_campaign"},
	{name: "ga_content"},
	{name: "ga_medium"},
	{name: "ga_place"},
	{name: "ga_source"},
	{name: "ga_term"},
	{name: "gclid"},
	{name: "gs_l"},
	{name: "hmb_campaign"},
	{name: "hmb_medium"},
	{name: "hmb_source"},
	{name: "hsCtaTracking"},
	{name: "mc_eid"},
	{name: "ml_subscriber"},
	{name: "ml_subscriber_hash"},
	{name: "msclkid"},
	{name: "mtm_cid"},
	{name: "oly_anon_id"},
	{name: "oly_enc_id"},
	{name: "rb_clickid"},
	{name: "s_cid"},
	{name: "srsltid"},
	{name: "twclid"},
	{name: "vero_conv"},
	{name: "vero_id"},
	{name: "wickedid"},
	{name: "yclid"},

	{name: "ck_subscriber_id", not: notUnsubscribe},
	{name: "mkt_tok", not: notUnsubscribe | notWebView},
	{name: "h_sid", not: notEmail},
	{name: "h_slt", not: notEmail},

	// Names too short or too common to mean the same everywhere.
	{name: "igsh", hosts: []string{"instagram.com"}},
	{name: "igshid", hosts: []string{"instagram.com"}},
	{name: "ref_src", hosts: []string{"twitter.com", "x.com"}},
	{name: "ref_url", hosts: []string{"twitter.com", "x.com"}},
	{name: "si", hosts: []string{"youtube.com", "youtu.be"}},

	{name: "_bhlid", wide: true},
	{name: "_branch_match_id", wide: true},
	{name: "_branch_referrer", wide: true},
	{name: "_kx", wide: true},
	{name: "at_recipient_id", wide: true},
	{name: "at_recipient_list", wide: true},
	{name: "bbeml", wide: true},
	{name: "bsft_clkid", wide: true},
	{name: "bsft_uid", wide: true},
	{name: "et_rid", wide: true},
	{name: "fb_comment_id", wide: true},
	{name: "gbraid", wide: true},
	{name: "guce_referrer", wide: true},
	{name: "guce_referrer_sig", wide: true},
	{name: "irclickid", wide: true},
	{name: "oft_c", wide: true},
	{name: "oft_ck", wide: true},
	{name: "oft_d", wide: true},
	{name: "oft_id", wide: true},
	{name: "oft_ids", wide: true},
	{name: "oft_k", wide: true},
	{name: "oft_lk", wide: true},
	{name: "oft_sk", wide: true},
	{name: "pk_cid", wide: true},
	{name: "sc_customer", wide: true},
	{name: "sc_eh", wide: true},
	{name: "sc_uid", wide: true},
	{name: "ss_email_id", wide: true},
	{name: "unicorn_click_id", wide: true},
	{name: "vgo_ee", wide: true},
	{name: "wbraid", wide: true},
	{name: "ymclid", wide: true},
	{name: "ysclid", wide: true},
}

// trackingByName and trackingLengths index trackingParams. The second has,
// for a first byte, a bit for every length of a name, and turns most
// parameters away without a look at the map.
var trackingByName, trackingLengths = indexTracking()

func indexTracking() (map[string]*trackingParam, [256]uint32) {
	byName := make(map[string]*trackingParam, len(trackingParams))
	var lengths [256]uint32
	for i := range trackingParams {
		p := &trackingParams[i]
		byName[p.name] = p
		lengths[p.name[0]] |= 1 << len(p.name)
	}
	return byName, lengths
}

// A tracker applies the rules tracking and tracking-wide to the parameters of
// one URL.
type tracker struct {
	rules *ruleset
	fetch []byte // the URL, for scopes and conditions
	at    layout

	words  uint8 // bit i: the URL contains keepWords[i]
	looked bool  // words is valid
}

// drops reports whether a parameter, name=value with escapes normalised, is
// dropped. One without a value stays: it tracks nobody, and may be a flag of
// the site's own.
func (t *tracker) drops(pair []byte) bool {
	if !t.rules.has(ruleTracking) {
		return false
	}
	i := bytes.IndexByte(pair, '=')
	if i < 1 || i == len(pair)-1 || i > 31 {
		return false
	}
	name := pair[:i]
	if i > len("utm_") && string(name[:4]) == "utm_" {
		return true
	}
	if i > len("mtm_") && string(name[:4]) == "mtm_" && t.rules.has(ruleTrackingWide) {
		return true
	}
	if trackingLengths[name[0]]>>i&1 == 0 {
		return false
	}
	p := trackingByName[string(name)]
	return p != nil && (!p.wide || t.rules.has(ruleTrackingWide)) && t.inScope(p) && t.free(p)
}

// inScope reports whether the URL's host is one of those that p counts on.
func (t *tracker) inScope(p *trackingParam) bool {
	if p.hosts == nil {
		return true
	}
	host := strings.TrimSuffix(string(t.fetch[t.at.host:t.at.port]), ".")
	for _, h := range p.hosts {
		if inDomain(host, h) {
			return true
		}
	}
	return false
}

// free reports whether no condition of p keeps it. The URL is searched once:
// it may repeat such a parameter a thousand times.
func (t *tracker) free(p *trackingParam) bool {
	if p.not == 0 {
		return true
	}
	if !t.looked {
		t.looked = true
		url := strings.ToLower(string(t.fetch))
		for i, word := range keepWords {
			if strings.Contains(url, word) {
				t.words |= 1 << i
			}
		}
	}
	return t.words&p.not == 0
}

// inDomain reports whether host is the domain or a subdomain of it.
func inDomain(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || rest[len(rest)-1] == '.')
}
