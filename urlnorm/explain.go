package urlnorm

import (
	"strings"
)

// A Fired is one rule that changed something: the component before and after.
type Fired struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// An Explanation tells how a reference came by its names. On an error all
// names are empty and Error says why.
type Explanation struct {
	Input   string  `json:"input"`
	Base    string  `json:"base"`
	Fetch   string  `json:"fetch"`
	Key     string  `json:"key"`
	Display string  `json:"display"`
	Request string  `json:"request"` // what is sent; the fetch form
	Kind    string  `json:"kind"`
	Error   string  `json:"error"`
	Rules   []Fired `json:"rules"` // in the order in which they fired

	// Err is the error itself, for errors.Is.
	Err error `json:"-"`
}

func (e *Explanation) note(name, from, to string) {
	if from != to {
		e.Rules = append(e.Rules, Fired{name, from, to})
	}
}

// Explain resolves a reference as [Normalizer.Resolve] does and lists every
// rule that fired, the parser's steps first. It costs many times as much.
func (n *Normalizer) Explain(base *Base, ref string, cs Charset) Explanation {
	e := Explanation{Input: ref, Rules: []Fired{}}
	if base != nil {
		e.Base = base.String()
	}
	u, err := n.Resolve(base, ref, cs)
	if err != nil {
		e.Error, e.Err = err.Error(), err
		return e
	}
	e.Fetch, e.Key, e.Display, e.Request, e.Kind = u.Fetch, u.Key, u.Display, u.Fetch, u.Kind.String()
	// Neither can fail where Resolve did not.
	r, _ := split(base, ref)
	buf, req, _ := n.assemble(nil, base, &r, cs)
	sent := string(buf)
	e.note("trim", ref, clean(ref))
	e.explainAuthority(base, &r, sent, req.at)
	e.explainPath(base, &r, sent[req.at.path:req.at.query])
	e.explainQuery(&r, sent, req.at, cs)
	e.explainFragment(n, &r, u, req.rules)
	if u.Kind == Ugly {
		plain, _, _ := strings.Cut(u.Display, "#")
		req.at.end = len(plain)
	}
	e.explainKey(sent, req)
	e.explainState(u)
	return e
}

// explainAuthority notes what happened to all before the path.
func (e *Explanation) explainAuthority(base *Base, r *reference, sent string, at layout) {
	if r.form != absolute {
		raw, _, _ := strings.Cut(clean(e.Input), "#")
		e.note("resolve", raw, sent)
		return
	}
	if r.scheme == "" {
		e.note("resolve", "", base.prefix[:strings.IndexByte(base.prefix, ':')+1])
	} else {
		e.note("scheme-case", r.scheme, strings.ToLower(r.scheme))
	}
	if r.hasUser {
		_, rest, _ := strings.Cut(sent[:at.host], "://")
		e.note("userinfo-form", r.user+"@", rest)
	}
	host := sent[at.host:at.port]
	e.note(hostRule(r.host, host), r.host, host)
	if r.hasPort {
		e.note("default-port", ":"+r.port, sent[at.port:at.path])
	}
}

// hostRule names what turned a raw host into its serialised form.
func hostRule(raw, host string) string {
	switch {
	case isAddress(host):
		return "ip-form"
	case equalFold(raw, host):
		return "host-case"
	}
	return "idna"
}

// explainPath takes the path through the steps that appendPath takes at once.
func (e *Explanation) explainPath(base *Base, r *reference, path string) {
	if r.form == same || r.form == queryOnly {
		return
	}
	s := r.path
	step := func(rule, to string) {
		e.note(rule, s, to)
		s = to
	}
	step("backslash", strings.ReplaceAll(s, "\\", "/"))
	step("percent-encode", string(appendEncoded(nil, s, inPath|rawInPath)))
	if r.form == relative {
		s = base.path[:base.dir] + s
	}
	if s == "" {
		step("empty-path", "/")
	}
	step("stray-percent", strayPercentIn(s, path))
	step("path-pipe", pipeIn(s, path))
	step("dot-segments", path)
}

// strayPercentIn and pipeIn apply the two wire rules to s, if result shows
// that they were in force: then no such mark is left in it.
func strayPercentIn(s, result string) string {
	if mended := escapeStray(result, false); mended != result {
		return s
	}
	return escapeStray(s, false)
}

func pipeIn(s, result string) string {
	if strings.Contains(result, "|") {
		return s
	}
	return strings.ReplaceAll(s, "|", "%7C")
}

// explainQuery notes how the raw query was encoded.
func (e *Explanation) explainQuery(r *reference, sent string, at layout, cs Charset) {
	if !r.hasQuery || at.query == at.end {
		return
	}
	rule := "percent-encode"
	if !cs.isPlain(r.query) {
		rule = "charset"
	}
	e.note(rule, r.query, sent[at.query+1:at.end])
}

// explainFragment notes what became of the fragment.
func (e *Explanation) explainFragment(n *Normalizer, r *reference, u URL, rules *ruleset) {
	switch {
	case u.Kind == Pretty:
		e.note("ajax", "#"+r.fragment, u.Fetch[strings.LastIndex(u.Fetch, escapedFragment)-1:])
	case u.Kind == Ugly:
		e.note("ajax", u.Fetch, u.Display)
	case r.hasFrag && !rules.keepsFragment(r.fragment):
		e.note("fragment", "#"+r.fragment, "")
	}
}

// explainKey runs the pipeline and notes each rule with the component that it
// changed.
func (e *Explanation) explainKey(sent string, req keyRequest) {
	p := req.parse([]byte(sent))
	for i := range table {
		if !req.rules.has(i) || table[i].apply == nil {
			continue
		}
		before := p
		table[i].apply(&p, req.rules)
		from, to := before.components(), p.components()
		for c := range from {
			e.note(table[i].Name, from[c], to[c])
		}
	}
}

// components returns the text of each component with its delimiter.
func (p *parts) components() [5]string {
	c := [5]string{p.scheme, p.user, p.host, p.path, ""}
	if p.hasQuery {
		c[4] = "?" + p.query
	}
	return c
}

// explainState notes the form that a state has in the key.
func (e *Explanation) explainState(u URL) {
	_, state, ok := strings.Cut(u.Display, "#!")
	if !ok {
		return
	}
	encoded := string(appendEncoded(nil, state, inFragment))
	e.note("percent-encode", state, encoded)
	e.note("escape-case", encoded, upperEscapes(encoded))
}
