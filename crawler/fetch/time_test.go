package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// A script is an engine without a network: it waits, then its body comes in
// pieces, each after a wait. What it does ends with the context.
type script struct {
	header time.Duration // until the response
	every  time.Duration // until each piece
	pieces int           // < 0: for ever
}

func (s script) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := wait(r.Context(), s.header); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{}, Body: &scriptBody{ctx: r.Context(), s: s}}, nil
}

type scriptBody struct {
	ctx context.Context
	s   script
}

func (b *scriptBody) Read(p []byte) (int, error) {
	if b.s.pieces == 0 {
		return 0, io.EOF
	}
	if err := wait(b.ctx, b.s.every); err != nil {
		return 0, err
	}
	b.s.pieces--
	return copy(p, "x"), nil
}

func (b *scriptBody) Close() error { return nil }

// wait returns after d, or earlier with the error of ctx.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// The default limits, to the second, in a bubble where time costs nothing.
func TestDefaultLimitsOfTime(t *testing.T) {
	for _, tc := range []struct {
		name string
		s    script
		want outcome
		took time.Duration
	}{
		{"slow but steady", script{header: 10 * time.Second, every: 10 * time.Second, pieces: 3}, outcome{status: 200, body: "xxx"}, 40 * time.Second},
		{"a long pause is not too long", script{every: 19 * time.Second, pieces: 1}, outcome{status: 200, body: "x"}, 19 * time.Second},
		{"stalled", script{header: time.Second, every: time.Minute, pieces: 2}, outcome{status: 200, cut: CutIdle}, 21 * time.Second},
		{"drips for ever", script{every: 11 * time.Second, pieces: -1}, outcome{status: 200, body: "xxxxxxxxxx", cut: CutTime}, 2 * time.Minute},
		{"never answers", script{header: time.Hour}, outcome{kind: KindTimeoutTotal, retry: true}, 2 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newTestClient(t, Options{Transport: tc.s})
			start := time.Now()
			got := fetchOutcome(t, c, "http://a.test/")
			if took := time.Since(start); got != tc.want || took != tc.took {
				t.Errorf("%s: got %+v after %v, want %+v after %v", tc.name, got, took, tc.want, tc.took)
			}
		})
	}
}

func TestAnswersOfTheResolverAreKeptForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c := newTestClient(t, Options{Transport: script{}, Resolver: ResolverFunc(func(_ context.Context, host string) ([]netip.Addr, error) {
			asked++
			if host == "sick.test" {
				return nil, errors.New("no answer")
			}
			return []netip.Addr{netip.MustParseAddr("9.9.9.9")}, nil
		})})
		ask := func(host string, want int) {
			t.Helper()
			c.Resolve(t.Context(), host)
			if asked != want {
				t.Errorf("%d look-ups, want %d", asked, want)
			}
		}
		ask("a.test", 1)
		time.Sleep(addrLifetime - time.Second)
		ask("a.test", 1)
		time.Sleep(time.Second)
		ask("a.test", 2)
		ask("sick.test", 3)
		ask("sick.test", 3)
		time.Sleep(failureLifetime)
		ask("sick.test", 4)
	})
}

func TestLookupTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestClient(t, Options{Transport: script{}, Resolver: ResolverFunc(func(ctx context.Context, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})})
		_, err := c.Resolve(t.Context(), "a.test")
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindDNS || !e.Retry {
			t.Errorf("Resolve: %v", err)
		}
	})
}
