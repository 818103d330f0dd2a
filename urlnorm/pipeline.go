package urlnorm

import "strings"

// parts are the components of the key that the rules work on. Delimiters are
// not part of them: hasQuery tells an empty query from none.
type parts struct {
	scheme, user, host, port, path, query string

	hasQuery bool
	// linkUser says that the userinfo was brought by a link.
	linkUser bool
	// fetch is the fetch form and at its layout, for conditions on the URL.
	fetch string
	at    layout
}

// parse cuts the buffer of a request, which holds serialised components.
func (req keyRequest) parse(buf []byte) parts {
	at := req.at
	s := string(buf[:at.end])
	p := parts{scheme: "http", host: s[at.host:at.port], path: s[at.path:at.query], linkUser: req.dropUser, fetch: s, at: at}
	if at.https {
		p.scheme = "https"
	}
	if prefix := len(p.scheme) + len("://"); at.host > prefix {
		p.user = s[prefix : at.host-1]
	}
	if at.port < at.path {
		p.port = s[at.port+1 : at.path]
	}
	if at.query < at.end {
		p.query, p.hasQuery = s[at.query+1:], true
	}
	return p
}

func (p *parts) appendTo(dst []byte) []byte {
	dst = append(dst, p.scheme...)
	dst = append(dst, "://"...)
	if p.user != "" {
		dst = append(dst, p.user...)
		dst = append(dst, '@')
	}
	dst = append(dst, p.host...)
	if p.port != "" {
		dst = append(dst, ':')
		dst = append(dst, p.port...)
	}
	dst = append(dst, p.path...)
	if p.hasQuery {
		dst = append(dst, '?')
		dst = append(dst, p.query...)
	}
	return dst
}

// appendPipelineKey makes the key rule by rule.
func appendPipelineKey(buf []byte, req keyRequest) []byte {
	p := req.parse(buf)
	for i := range table {
		if req.rules.has(i) && table[i].apply != nil {
			table[i].apply(&p, req.rules)
		}
	}
	return p.appendTo(buf)
}

// filterQuery keeps the parameters for which keep is true. keep may be asked
// twice for one of them.
func (p *parts) filterQuery(keep func(param string) bool) {
	if !p.hasQuery {
		return
	}
	all := true
	for param := range strings.SplitSeq(p.query, "&") {
		if all = keep(param); !all {
			break
		}
	}
	if all {
		return // as nearly always, and then without a copy
	}
	params := strings.Split(p.query, "&")
	kept := params[:0]
	for _, param := range params {
		if keep(param) {
			kept = append(kept, param)
		}
	}
	p.query = strings.Join(kept, "&")
}
