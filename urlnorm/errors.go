package urlnorm

import (
	"errors"
	"fmt"
	"strings"
)

// What is not a crawlable URL gives one of these, wrapped with the detail.
// Test with [errors.Is].
var (
	// ErrScheme: a scheme other than http and https.
	ErrScheme = errors.New("urlnorm: scheme is not http or https")
	// ErrRelative: a relative reference, and no base to resolve it against.
	ErrRelative = errors.New("urlnorm: relative reference without a base")
	// ErrNoHost: no host name where one must stand.
	ErrNoHost = errors.New("urlnorm: no host")
	// ErrHost: a host that is no domain name and no IP address.
	ErrHost = errors.New("urlnorm: invalid host")
	// ErrPort: a port that is no number or over 65535.
	ErrPort = errors.New("urlnorm: invalid port")
	// ErrTooLong: longer than Config.MaxLength.
	ErrTooLong = errors.New("urlnorm: URL too long")
	// ErrSyntax: a string that is not of the form a function asks for.
	ErrSyntax = errors.New("urlnorm: invalid syntax")

	// ErrConfig: an unknown profile or rule, a rule that cannot be switched,
	// or a mistake in a file of host rules.
	ErrConfig = errors.New("urlnorm: invalid configuration")
)

// A refError is the error of one reference. Pages are full of references that
// nobody can crawl, so its text is made only when somebody reads it.
type refError struct {
	kind error
	text string // the part of the reference that is wrong
}

func (e *refError) Error() string { return fmt.Sprintf("%v: %q", e.kind, e.text) }

func (e *refError) Unwrap() error { return e.kind }

// refuse returns the error of a reference. It keeps a copy of the start of
// text, not the page that text is a part of.
func refuse(kind error, text string) error {
	return &refError{kind: kind, text: strings.Clone(clip(text))}
}

// clip shortens s for an error message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
