package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// classify gives an error that came before the response header its kind. Errors
// whose kind was known where they arose come through as they are.
func classify(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == errTotal:
		return failed(KindTimeoutTotal, errTotal)
	case cause != nil:
		return cause
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return failed(kindOf(err), err)
}

// kindOf reads the kind of an error of the network or of net/http.
func kindOf(err error) Kind {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return KindRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return KindReset
	case timedOut(err):
		return KindTimeoutHeader
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return KindNetwork
	}
	// net/http has no types for these.
	switch msg := err.Error(); {
	case strings.Contains(msg, "headers exceeded"), strings.Contains(msg, "header list larger"),
		strings.Contains(msg, "too many 1xx"):
		return KindHeaderSize
	case strings.Contains(msg, "http2: "), strings.Contains(msg, "stream error"), strings.Contains(msg, "server closed idle"):
		return KindReset
	}
	return KindProtocol
}

// timedOut reports whether a deadline of the network ended it.
func timedOut(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}
