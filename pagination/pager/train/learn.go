package main

import (
	"math"
	"math/rand/v2"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// options say how to learn.
type options struct {
	epochs   int
	seed     uint64
	rate, l2 float64
	drop     float64 // share of the lexical features that a step does not see
	blind    bool    // learn from every page once more without its words
	invented float64 // weight of an invented page
	folds    int     // of the cross-validation
}

const (
	roles = 4

	// fullWeight is the number of candidates from which on a page's candidates
	// count less, so that a forum with a pager in each of a hundred rows does
	// not outweigh the rest.
	fullWeight = 60

	// damping bounds the first steps of AdaGrad.
	damping = 0.1
)

// A vector holds a value per role.
type vector [roles]float64

// A sequence is the candidates of one group with their roles.
type sequence struct {
	features [][]uint16
	want     []pager.Role
}

// A document is the groups of one page.
type document struct {
	sequences []sequence
	weight    float64
}

// documentOf returns the candidates of a page, blind to words if asked to.
func documentOf(p *labelled.Page, o options, blind bool) document {
	d := document{weight: 1}
	if p.Invented {
		d.weight = o.invented
	}
	n := 0
	for _, group := range pager.New(nil).Observe(p.Doc, p.URL, p.URLs, blind) {
		var s sequence
		for _, c := range group {
			s.features = append(s.features, c.Features)
			s.want = append(s.want, p.Want[c.Link])
		}
		d.sequences = append(d.sequences, s)
		n += len(group)
	}
	if n > fullWeight {
		d.weight *= math.Sqrt(fullWeight / float64(n))
	}
	return d
}

// parameters are the weights of the model, as floating-point numbers.
type parameters struct {
	feature    []vector
	transition [roles]vector // by the role before
}

// A learner fits a linear-chain conditional random field by stochastic
// gradient descent with the step sizes of AdaGrad.
type learner struct {
	o       options
	random  *rand.Rand
	w       parameters
	squares parameters // sums of squared gradients

	// Of the current sequence.
	seen  [][]uint16 // features that were not dropped
	score []vector   // of each candidate by itself
	alpha []vector   // log-sum of the ways to a role, its own score included
	beta  []vector   // log-sum of the ways from a role
}

// learn returns the weights for pages: the mean of those after each epoch of
// the second half, which is steadier than the last. The same pages and options
// give the same weights.
func learn(pages []*labelled.Page, o options) *pager.Weights {
	out := new(pager.Weights)
	l := &learner{o: o, random: rand.New(rand.NewPCG(o.seed, 0))}
	l.w.feature = make([]vector, len(out.Feature))
	l.squares.feature = make([]vector, len(out.Feature))
	var docs []document
	for _, p := range pages {
		docs = append(docs, documentOf(p, o, false))
		if o.blind {
			docs = append(docs, documentOf(p, o, true))
		}
	}
	sum := parameters{feature: make([]vector, len(out.Feature))}
	for epoch := range o.epochs {
		for _, i := range l.random.Perm(len(docs)) {
			for _, s := range docs[i].sequences {
				l.step(s, docs[i].weight)
			}
		}
		if epoch >= o.epochs/2 {
			sum.add(&l.w)
		}
	}
	n := float64(o.epochs - o.epochs/2)
	for f := range sum.feature {
		out.Feature[f] = quantized(sum.feature[f], n)
	}
	for x := range sum.transition {
		out.Transition[x] = quantized(sum.transition[x], n)
	}
	return out
}

func (p *parameters) add(q *parameters) {
	for f := range p.feature {
		for y := range roles {
			p.feature[f][y] += q.feature[f][y]
		}
	}
	for x := range p.transition {
		for y := range roles {
			p.transition[x][y] += q.transition[x][y]
		}
	}
}

// quantized returns the mean of n vectors, given their sum, in the unit of
// [pager.Weights].
func quantized(sum vector, n float64) (out [roles]int16) {
	for y := range sum {
		w := math.Round(sum[y] / n / pager.WeightUnit)
		out[y] = int16(max(math.MinInt16, min(math.MaxInt16, w)))
	}
	return out
}

// step moves the weights along the gradient of the likelihood of s.
func (l *learner) step(s sequence, weight float64) {
	l.look(s)
	l.forward()
	l.backward()
	last := len(s.want) - 1
	z := logSum(l.alpha[last])
	for i, want := range s.want {
		for y := range roles {
			grad := hit(int(want) == y) - math.Exp(l.alpha[i][y]+l.beta[i][y]-z)
			for _, f := range l.seen[i] {
				l.move(&l.w.feature[f][y], &l.squares.feature[f][y], grad*weight)
			}
		}
	}
	// The transitions take the step that their old values call for: alpha and
	// beta were computed from them.
	old := l.w.transition
	for i := 1; i <= last; i++ {
		for x := range roles {
			for y := range roles {
				p := math.Exp(l.alpha[i-1][x] + old[x][y] + l.score[i][y] + l.beta[i][y] - z)
				grad := hit(int(s.want[i-1]) == x && int(s.want[i]) == y) - p
				l.move(&l.w.transition[x][y], &l.squares.transition[x][y], grad*weight)
			}
		}
	}
}

func hit(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// look scores each candidate of s by the features that are not dropped.
func (l *learner) look(s sequence) {
	l.seen, l.score = l.seen[:0], l.score[:0]
	for _, features := range s.features {
		var score vector
		var seen []uint16
		for _, f := range features {
			if l.o.drop > 0 && pager.Lexical(f) && l.random.Float64() < l.o.drop {
				continue
			}
			seen = append(seen, f)
			for y := range score {
				score[y] += l.w.feature[f][y]
			}
		}
		l.seen, l.score = append(l.seen, seen), append(l.score, score)
	}
}

func (l *learner) forward() {
	l.alpha = append(l.alpha[:0], l.score[0])
	for i := 1; i < len(l.score); i++ {
		var a vector
		for y := range a {
			var ways vector
			for x := range ways {
				ways[x] = l.alpha[i-1][x] + l.w.transition[x][y]
			}
			a[y] = logSum(ways) + l.score[i][y]
		}
		l.alpha = append(l.alpha, a)
	}
}

func (l *learner) backward() {
	n := len(l.score)
	l.beta = append(l.beta[:0], make([]vector, n)...)
	for i := n - 2; i >= 0; i-- {
		for x := range roles {
			var ways vector
			for y := range ways {
				ways[y] = l.w.transition[x][y] + l.score[i+1][y] + l.beta[i+1][y]
			}
			l.beta[i][x] = logSum(ways)
		}
	}
}

// move takes one step of AdaGrad with the L2 penalty.
func (l *learner) move(w, squares *float64, grad float64) {
	grad -= l.o.l2 * *w
	*squares += grad * grad
	*w += l.o.rate * grad / (damping + math.Sqrt(*squares))
}

// logSum returns the logarithm of the sum of the exponentials of v.
func logSum(v vector) float64 {
	m := max(v[0], v[1], v[2], v[3])
	s := 0.0
	for _, x := range v {
		s += math.Exp(x - m)
	}
	return m + math.Log(s)
}
