package listing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLogOddsBoundsWhatRandomOrderDoes counts, over all orders of small sets of
// values, how many have at most so many wrong steps.
func TestLogOddsBoundsWhatRandomOrderDoes(t *testing.T) {
	for _, values := range [][]int64{{1, 2, 3, 4, 5, 6}, {1, 1, 2, 3, 4}, {1, 1, 1, 2, 2, 3}, {7, 7, 7, 7}} {
		for wrong := range 3 {
			fits, all := 0, 0
			permute(slices.Clone(values), 0, func(p []int64) {
				all++
				n := 0
				for i := 1; i < len(p); i++ {
					if isWrong(p[i-1], p[i], NewestFirst) {
						n++
					}
				}
				if n <= wrong {
					fits++
				}
			})
			exact := float64(fits) / float64(all)
			odds, _ := logOdds(slices.Sorted(slices.Values(values)), wrong)
			bound := math.Exp(odds)
			if bound < exact-1e-9 || wrong == 0 && bound > exact+1e-9 {
				t.Errorf("logOdds(%v, %d) = log %g; the share of all orders is %g", values, wrong, bound, exact)
			}
		}
	}
}

func permute(p []int64, k int, f func([]int64)) {
	if k == len(p) {
		f(p)
		return
	}
	for i := k; i < len(p); i++ {
		p[k], p[i] = p[i], p[k]
		permute(p, k+1, f)
		p[k], p[i] = p[i], p[k]
	}
}

// TestRandomOrderIsNoOrder holds the rate of false verdicts on random columns.
func TestRandomOrderIsNoOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const columns = 20000
	called := 0
	for range columns {
		values := make([]int64, 4+rng.IntN(30))
		days := int64(1 + rng.IntN(40))
		for i := range values {
			values[i] = rng.Int64N(days)
		}
		if tr := trendOf(values, 1); tr.clear(maxOdds) {
			called++
		}
	}
	if limit := int(columns * maxOdds); called > limit {
		t.Errorf("%d of %d random columns are called ordered, want at most %d", called, columns, limit)
	}
}

func TestTrendOf(t *testing.T) {
	for _, tc := range []struct {
		name   string
		values []int64
		order  Order
		clear  bool
		pinned int
	}{
		{"seven falling", []int64{9, 8, 7, 6, 5, 4, 3}, NewestFirst, true, 0},
		{"seven rising", []int64{1, 2, 3, 4, 5, 6, 7}, OldestFirst, true, 0},
		{"six are too few", []int64{9, 8, 7, 6, 5, 4}, NewestFirst, false, 0},
		{"three days of ten rows", []int64{3, 3, 3, 3, 2, 2, 2, 1, 1, 1}, NewestFirst, true, 0},
		{"one day", []int64{5, 5, 5, 5, 5, 5, 5, 5}, NewestFirst, false, 0},
		{"two pinned", []int64{2, 1, 30, 29, 28, 27, 26, 25, 24, 23}, NewestFirst, true, 2},
		{"one wrong step in twelve", []int64{12, 11, 10, 9, 7, 8, 6, 5, 4, 3, 2, 1}, NewestFirst, true, 0},
		{"shuffled", []int64{3, 9, 1, 7, 2, 8, 5, 4, 6, 0}, NewestFirst, false, 0},
		{"six lists of ten, each in order", slices.Repeat([]int64{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 6), NewestFirst, false, 0},
		{"nothing", nil, NewestFirst, false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := trendOf(tc.values, 1)
			if got.clear(maxOdds) != tc.clear || tc.clear && (got.order != tc.order || got.pinned != tc.pinned) {
				t.Errorf("trendOf(%v) = %+v, clear %t; want %v, clear %t, pinned %d", tc.values, got, got.clear(maxOdds), tc.order, tc.clear, tc.pinned)
			}
		})
	}
}

func TestDateInAddress(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/2014/05/06/slug":       "2014-05-06",
		"http://a.test/2014/5/6/":             "2014-05-06",
		"http://a.test/2014-05-06-slug":       "2014-05-06",
		"http://a.test/n/20140506_1.html":     "2014-05-06",
		"http://a.test/2014/05/slug":          "",
		"http://a.test/item/2014":             "",
		"http://a.test/20149906/x":            "",
		"http://2014-05-06.test/x":            "",
		"http://a.test/id/12014/05/06/":       "",
		"http://a.test/a/123456789012345678/": "",
	} {
		if got := dateInAddress(url); got != want {
			t.Errorf("dateInAddress(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestNumberFromEnd(t *testing.T) {
	for _, tc := range []struct {
		url  string
		k    int
		want int64
		ok   bool
	}{
		{"http://a.test/story-5100.html", 0, 5100, true},
		{"http://a.test/thread-77-1-2.html", 0, 2, true},
		{"http://a.test/thread-77-1-2.html", 1, 1, true},
		{"http://a1.test/x", 0, 0, false},
		{"http://a.test/9999999999999999999999", 0, 0, false},
	} {
		if got, ok := numberFromEnd(tc.url, tc.k); ok != tc.ok || ok && got != tc.want {
			t.Errorf("numberFromEnd(%q, %d) = %d, %t, want %d, %t", tc.url, tc.k, got, ok, tc.want, tc.ok)
		}
	}
}

func TestSortInAddress(t *testing.T) {
	for url, want := range map[string]sortMode{
		"http://a.test/?sort=new":         sortsNewest,
		"http://a.test/#!sort=price":      sortsOther,
		"http://a.test/?orderby=dateline": sortsTime,
		"http://a.test/?q=price":          sortsUnknown,
		"http://a.test/sort=new":          sortsUnknown,
	} {
		if got, word := sortInAddress(url); got != want {
			t.Errorf("sortInAddress(%q) = %d %q, want %d", url, got, word, want)
		}
	}
}

func TestNamesFrame(t *testing.T) {
	for _, tc := range []struct {
		names string
		want  bool
	}{
		{"sidebar", true},
		{"widget-area", true},
		{"Right-Sidebar", true},
		{"nav-below", true},
		{"footer", true},
		{"recent-posts", false},
		{"content-sidebar-wrap", false},
		{"main-content", false},
		{"inside", false},
		{"post", false},
		{"", false},
	} {
		if got := namesFrame(tc.names); got != tc.want {
			t.Errorf("namesFrame(%q) = %t, want %t", tc.names, got, tc.want)
		}
	}
}

func TestOrderNamesAllOrders(t *testing.T) {
	got := fmt.Sprint(Undecided, NewestFirst, OldestFirst, Unordered)
	if want := "undecided newest-first oldest-first unordered"; got != want {
		t.Errorf("orders = %s, want %s", got, want)
	}
}
