package robots

import (
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		status, hops int
		want         Answer
	}{
		{200, 0, UseBody},
		{204, 0, UseBody},
		{206, 5, UseBody},
		{301, 0, Follow},
		{302, 4, Follow},
		{307, 0, Follow},
		{308, 0, Follow},
		{302, 5, AllowAll},
		{300, 0, AllowAll},
		{305, 0, AllowAll},
		{304, 0, KeepCopy},
		{304, 5, KeepCopy},
		{401, 0, AllowAll},
		{403, 0, AllowAll},
		{404, 0, AllowAll},
		{410, 0, AllowAll},
		{451, 0, AllowAll},
		{499, 0, AllowAll},
		{429, 0, DenyAndRetry},
		{500, 0, DenyAndRetry},
		{503, 5, DenyAndRetry},
		{599, 0, DenyAndRetry},
		{0, 0, DenyAndRetry},
		{0, 5, DenyAndRetry},
		{100, 0, DenyAndRetry},
		{600, 0, DenyAndRetry},
		{999, 0, DenyAndRetry},
	} {
		if got := Judge(tc.status, tc.hops); got != tc.want {
			t.Errorf("Judge(%d, %d) = %v, want %v", tc.status, tc.hops, got, tc.want)
		}
	}
}

func TestLifetime(t *testing.T) {
	for _, tc := range []struct {
		header []string
		want   time.Duration
	}{
		{nil, MaxLifetime},
		{[]string{""}, MaxLifetime},
		{[]string{"public"}, MaxLifetime},
		{[]string{"max-age=3600"}, time.Hour},
		{[]string{`public, Max-Age="3600"`}, time.Hour},
		{[]string{"max-age=60"}, MinLifetime},
		{[]string{"max-age=0"}, MinLifetime},
		{[]string{"max-age=999999"}, MaxLifetime},
		{[]string{"max-age=99999999999999999999999"}, MaxLifetime},
		{[]string{"max-age=-1"}, MinLifetime},
		{[]string{"max-age"}, MinLifetime},
		{[]string{"max-age=3600", "no-cache"}, MinLifetime},
		{[]string{"no-store, max-age=3600"}, MinLifetime},
		{[]string{"max-age=7200, max-age=3600"}, time.Hour},
		{[]string{"s-maxage=3600, x-max-age=1"}, MaxLifetime},
	} {
		if got := Lifetime(tc.header); got != tc.want {
			t.Errorf("Lifetime(%q) = %v, want %v", tc.header, got, tc.want)
		}
	}
}

func TestRetryAfterDoublesToAnHour(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 30 * time.Second, 1: 30 * time.Second, 2: time.Minute, 7: 32 * time.Minute, 8: time.Hour, 1000: time.Hour,
	} {
		if got := RetryAfter(failures); got != want {
			t.Errorf("RetryAfter(%d) = %v, want %v", failures, got, want)
		}
	}
}
