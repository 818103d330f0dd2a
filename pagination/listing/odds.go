package listing

import "math"

// maxOdds is how likely random order may look as ordered as a list that is
// called ordered.
const maxOdds = 0.001

// hintedOdds is the bound where the page itself says that time orders it.
const hintedOdds = 0.02

// logOdds returns the logarithm of an upper bound of the probability that
// values in random order take at most wrong steps upwards. counts tells how
// often each value occurs; the values themselves do not matter.
//
// A sequence with at most w steps upwards consists of w+1 runs downwards, and
// is known from how many of each value are in each run: there are at most
// ∏ C(m+w, w) of them among n!/∏ m! sequences, if a value occurs m times.
func logOdds(counts []int, wrong int) float64 {
	n, p := 0, 0.0
	for _, m := range counts {
		n += m
		p += logFactorial(m+wrong) - logFactorial(wrong) // C(m+w, w) × m!
	}
	return min(0, p-logFactorial(n))
}

func logFactorial(n int) float64 {
	if n < len(logFactorials) {
		return logFactorials[n]
	}
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}

// logFactorials are those of most columns, which have few rows.
var logFactorials = func() (l [128]float64) {
	for n := range l {
		l[n], _ = math.Lgamma(float64(n) + 1)
	}
	return l
}()
