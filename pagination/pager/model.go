package pager

// Weights are what training finds: the score of each feature under each label,
// and of each pair of labels of neighbours in one group.
type Weights struct {
	Feature    [numFeatures][numRoles]int16
	Transition [numRoles][numRoles]int16 // from, to
}

// WeightUnit is the value of one in [Weights]. Whole numbers give the same
// labels on every machine.
const WeightUnit = 1.0 / 1024

// decode gives the candidates the labels whose scores together are greatest,
// group by group.
func (l *Labeler) decode() {
	for i := range l.groups {
		g := &l.groups[i]
		l.decodeGroup(int(g.from), int(g.to))
	}
}

// decodeGroup is Viterbi's algorithm over the candidates from lo to hi.
func (l *Labeler) decodeGroup(lo, hi int) {
	w := l.weights
	l.scores = resize(l.scores, hi-lo)
	l.from = resize(l.from, hi-lo)
	for i := lo; i < hi; i++ {
		var s [numRoles]int32
		l.features = l.extract(l.features[:0], i)
		for _, f := range l.features {
			row := &w.Feature[f]
			for y := range s {
				s[y] += int32(row[y])
			}
		}
		if i > lo {
			l.extend(&s, i-lo)
		}
		l.scores[i-lo] = s
	}
	best := Role(0)
	for y := Role(1); y < numRoles; y++ {
		if l.scores[hi-lo-1][y] > l.scores[hi-lo-1][best] {
			best = y
		}
	}
	for i := hi - 1; i >= lo; i-- {
		l.cands[i].label = best
		best = Role(l.from[i-lo][best])
	}
}

// extend adds to the scores s of the ith candidate those of the best way to
// each label.
func (l *Labeler) extend(s *[numRoles]int32, i int) {
	prev, t := &l.scores[i-1], &l.weights.Transition
	for y := range s {
		best := 0
		for x := 1; x < int(numRoles); x++ {
			if prev[x]+int32(t[x][y]) > prev[best]+int32(t[best][y]) {
				best = x
			}
		}
		s[y] += prev[best] + int32(t[best][y])
		l.from[i][y] = uint8(best)
	}
}
