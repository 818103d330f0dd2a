package urlnorm

import "bytes"

// finishPlain ends the URL of a reference without a state.
func (n *Normalizer) finishPlain(buf []byte, req keyRequest) (URL, error) {
	fetch := len(buf)
	if fetch > n.maxLength {
		return URL{}, n.tooLong(fetch)
	}
	buf, differs := appendKey(buf, req)
	s := string(buf)
	u := URL{Fetch: s[:fetch], Display: s[:fetch], Key: s[:fetch]}
	if differs {
		u.Key = s[fetch:]
	}
	return u, nil
}

// finishPretty ends the URL of a reference with a state. buf holds the part
// before the state.
func (n *Normalizer) finishPretty(buf []byte, req keyRequest, state string) (URL, error) {
	at := req.at
	sep := byte('?')
	if at.query < at.end {
		sep = '&'
	}
	buf = append(buf, sep)
	buf = append(buf, escapedFragment...)
	buf = append(buf, '=')
	buf = appendEncoded(buf, state, inSentState)
	return n.finishState(buf, req, state, Pretty)
}

// finishUgly ends the URL of a reference in ugly form, of which rest is the
// query without the token.
func (n *Normalizer) finishUgly(buf []byte, req keyRequest, rest, value []byte) (URL, error) {
	state := UnescapeState(string(value))
	// An empty query before the token is dropped: some crawlers ask for ?&.
	req.at.end = req.at.query
	if len(rest) > 0 {
		req.at.end += 1 + len(rest)
	}
	return n.finishState(buf, req, state, Ugly)
}

// finishState adds display URL and key to the fetch form in buf. req.at ends
// where the part that display URL and fetch form share does.
func (n *Normalizer) finishState(buf []byte, req keyRequest, state string, kind Kind) (URL, error) {
	fetch := len(buf)
	if fetch > n.maxLength {
		return URL{}, n.tooLong(fetch)
	}
	buf = append(buf, buf[:req.at.end]...)
	if state != "" {
		buf = append(buf, "#!"...)
		buf = appendDisplayState(buf, state)
	}
	display := len(buf)
	buf, differs := appendKey(buf, req)
	if !differs {
		buf = append(buf, buf[:req.at.end]...)
	}
	if state != "" {
		buf = append(buf, "#!"...)
		buf = appendKeyState(buf, state)
	}
	if bytes.Equal(buf[fetch:display], buf[display:]) {
		buf = buf[:display]
	}
	s := string(buf)
	u := URL{Fetch: s[:fetch], Display: s[fetch:display], Key: s[fetch:display], Kind: kind}
	if len(s) > display {
		u.Key = s[display:]
	}
	return u, nil
}

// finishFragment ends a URL whose fragment a rule of its host keeps, such as
// the #/route of a script: it counts in key and display URL.
func (n *Normalizer) finishFragment(buf []byte, req keyRequest, fragment string) (URL, error) {
	u, err := n.finishPlain(buf, req)
	if err != nil {
		return u, err
	}
	tail := string(appendEncoded([]byte{'#'}, fragment, inFragment))
	u.Display += tail
	u.Key += tail
	return u, nil
}
