package urlnorm

import (
	"fmt"
	"strings"
)

// SSURT returns a fetch form or a key with its host reversed, in the sortable
// form of [URLCANON]:
//
//	http://user@www.example.com:8080/path?q → com,example,www,//8080:http@user:/path?q
//
// In the order of bytes all URLs of a host stand together, and all hosts of a
// domain. IP addresses stay as they are. A comma in a label, which the URL
// Standard allows, becomes %2C, which no host contains. The form is lossless,
// see [FromSSURT]. What is no serialised http or https URL is ErrSyntax.
func SSURT(fetch string) (string, error) {
	scheme, rest, ok := strings.Cut(fetch, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return "", fmt.Errorf("%w: SSURT of %q", ErrSyntax, clip(fetch))
	}
	host, port, path := authority(fetch)
	if host == port || path == len(fetch) {
		return "", fmt.Errorf("%w: SSURT of %q", ErrSyntax, clip(fetch))
	}
	b := make([]byte, 0, len(fetch)+8)
	b = appendReversed(b, fetch[host:port])
	b = append(b, "//"...)
	if port < path {
		b = append(b, fetch[port+1:path]...)
		b = append(b, ':')
	}
	b = append(b, scheme...)
	if user := len(fetch) - len(rest); user < host {
		b = append(b, '@')
		b = append(b, fetch[user:host-1]...)
	}
	b = append(b, ':')
	return string(append(b, fetch[path:]...)), nil
}

// appendReversed appends the labels of a domain in reverse order, each with a
// comma behind it.
func appendReversed(b []byte, host string) []byte {
	if isAddress(host) {
		return append(b, host...)
	}
	for {
		dot := strings.LastIndexByte(host, '.')
		b = append(b, strings.ReplaceAll(host[dot+1:], ",", "%2C")...)
		b = append(b, ',')
		if dot < 0 {
			return b
		}
		host = host[:dot]
	}
}

// isAddress reports whether a serialised host is an IP address. A domain
// cannot end in a number, so the check need not parse.
func isAddress(host string) bool {
	return host[0] == '[' || endsInNumber([]byte(host))
}

// FromSSURT undoes SSURT. A string that SSURT cannot have made is ErrSyntax.
func FromSSURT(s string) (string, error) {
	u, ok := fromSSURT(s)
	if ok {
		// Only what maps back to itself was made by SSURT.
		back, err := SSURT(u)
		ok = err == nil && back == s
	}
	if !ok {
		return "", fmt.Errorf("%w: %q is no SSURT", ErrSyntax, clip(s))
	}
	return u, nil
}

func fromSSURT(s string) (string, bool) {
	host, rest, ok := strings.Cut(s, "//")
	if !ok || host == "" {
		return "", false
	}
	head, path, ok := strings.Cut(rest, ":/")
	if !ok {
		return "", false
	}
	port := ""
	if isDigit(rest[0]) {
		if port, head, ok = strings.Cut(head, ":"); !ok {
			return "", false
		}
		port = ":" + port
	}
	scheme, user, hasUser := strings.Cut(head, "@")
	if hasUser {
		user += "@"
	}
	return scheme + "://" + user + forward(host) + port + "/" + path, true
}

// forward undoes appendReversed.
func forward(host string) string {
	reversed, ok := strings.CutSuffix(host, ",")
	if !ok {
		return host
	}
	labels := strings.Split(reversed, ",")
	b := make([]byte, 0, len(host))
	for i := len(labels) - 1; i >= 0; i-- {
		b = append(b, strings.ReplaceAll(labels[i], "%2C", ",")...)
		if i > 0 {
			b = append(b, '.')
		}
	}
	return string(b)
}
