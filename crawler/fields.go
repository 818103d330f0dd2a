package crawler

import (
	"net/http"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// addFields adds to a document what its header says in place of its head: a
// Refresh, which browsers take as they do the meta, and a canonical
// [RFC8288 §3] [RFC6596].
func addFields(doc *htmldoc.Page, h http.Header) {
	if v := h.Get("Refresh"); v != "" && doc.Refresh == nil {
		if r, ok := htmldoc.ParseRefresh(v); ok {
			doc.Refresh = &r
			if r.URL != "" {
				doc.Links = append(doc.Links, htmldoc.Link{Index: -1, Kind: htmldoc.MetaRefresh, Href: r.URL})
			}
		}
	}
	for _, v := range h["Link"] {
		for v != "" {
			var target string
			var isCanonical bool
			if target, isCanonical, v = cutLinkValue(v); isCanonical {
				doc.Canonicals = append(doc.Canonicals, target)
			}
		}
	}
}

// cutLinkValue returns the target of the first link of a Link field, whether it
// is the canonical of the page, and the links that follow.
func cutLinkValue(field string) (target string, isCanonical bool, rest string) {
	_, field, ok := strings.Cut(field, "<")
	if !ok {
		return "", false, ""
	}
	target, field, ok = strings.Cut(field, ">")
	if !ok {
		return "", false, ""
	}
	hasRel, ofOther := false, false
	for field != "" && field[0] != ',' {
		var param string
		param, field = cutParameter(field)
		name, value, _ := strings.Cut(param, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "rel":
			if !hasRel { // only the first counts
				hasRel = true
				for token := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(value), `"`)) {
					isCanonical = isCanonical || strings.EqualFold(token, "canonical")
				}
			}
		case "anchor":
			ofOther = true // the link is one of another document
		}
	}
	return target, isCanonical && !ofOther, strings.TrimPrefix(field, ",")
}

// cutParameter returns what stands before the next ; or the , that ends the
// link, both outside quotes, and what follows.
func cutParameter(s string) (param, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			return s[:i], s[i+1:]
		case c == ',' && !quoted:
			return s[:i], s[i:]
		}
	}
	return s, ""
}
