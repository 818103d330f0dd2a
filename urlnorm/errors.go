package urlnorm

import "errors"

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
