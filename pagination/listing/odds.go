package listing

import "math"

// maxOdds is how likely random order may look as ordered as a list that is
// called ordered.
const maxOdds = 0.001

// hintedOdds is the bound where the page itself says that time orders it.
const hintedOdds = 0.02

// logOdds returns the logarithm of an upper bound of the probability that
// values in random order take at most wrong steps upwards, and how many
// different values there are. What they are does not matter.
//
// A sequence with at most w steps upwards consists of w+1 runs downwards, and
// is known from how many of each value are in each run: there are at most
// ∏ C(m+w, w) of them among n!/∏ m! sequences, if a value occurs m times.
func logOdds(sorted []int64, wrong int) (odds float64, values int) {
	p := 0.0
	for from := 0; from < len(sorted); values++ {
		m := 1
		for from+m < len(sorted) && sorted[from+m] == sorted[from] {
			m++
		}
		p += logFactorial(m+wrong) - logFactorial(wrong) // C(m+w, w) × m!
		from += m
	}
	return min(0, p-logFactorial(len(sorted))), values
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
