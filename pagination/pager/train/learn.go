package main

import (
	"math"
	"math/rand/v2"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

type options struct {
	folds, epochs  int
	seed           uint64
	rate, l2, drop float64
	blind          bool
	invented       float64
}

const labels = 4

// A sequence is the candidates of one group with their labels.
type sequence struct {
	features [][]uint16
	want     []pager.Role
}

// sequencesOf returns the groups of candidates of a page.
func sequencesOf(l *pager.Labeler, p *labelled.Page, blind bool) []sequence {
	var out []sequence
	for _, obs := range l.Observe(p.Doc, p.URL, p.URLs, blind) {
		var s sequence
		for _, o := range obs {
			s.features = append(s.features, o.Features)
			s.want = append(s.want, p.Want[o.Link])
		}
		out = append(out, s)
	}
	return out
}

// A learner fits a linear-chain conditional random field by stochastic
// gradient descent with AdaGrad's step sizes.
type learner struct {
	o         options
	w, g2     [][labels]float64
	t, t2     [labels][labels]float64
	random    *rand.Rand
	emissions [][labels]float64
	alpha     [][labels]float64
	beta      [][labels]float64
	kept      [][]uint16
}

// learn returns the weights for pages.
func learn(pages []*labelled.Page, o options) *pager.Weights {
	out := new(pager.Weights)
	l := &learner{
		o: o, random: rand.New(rand.NewPCG(o.seed, 0)),
		w: make([][labels]float64, len(out.Feature)), g2: make([][labels]float64, len(out.Feature)),
	}
	var docs [][]sequence
	var importance []float64
	for _, p := range pages {
		docs = append(docs, sequencesOf(pager.New(nil), p, false))
		if o.blind {
			docs = append(docs, sequencesOf(pager.New(nil), p, true))
		}
		for len(importance) < len(docs) {
			importance = append(importance, importanceOf(p, o))
		}
	}
	sum := make([][labels]float64, len(l.w))
	var tsum [labels][labels]float64
	averaged := 0
	for epoch := range o.epochs {
		for _, d := range l.random.Perm(len(docs)) {
			// A page of a thousand rows must not outweigh the others.
			n := 0
			for _, s := range docs[d] {
				n += len(s.want)
			}
			weight := importance[d]
			if n > 60 {
				weight *= math.Sqrt(60 / float64(n))
			}
			for _, s := range docs[d] {
				l.step(s, weight)
			}
		}
		if epoch >= o.epochs/2 {
			averaged++
			for i := range l.w {
				for y := range l.w[i] {
					sum[i][y] += l.w[i][y]
				}
			}
			for x := range l.t {
				for y := range l.t[x] {
					tsum[x][y] += l.t[x][y]
				}
			}
		}
	}
	for i := range sum {
		for y := range sum[i] {
			out.Feature[i][y] = quantized(sum[i][y] / float64(averaged))
		}
	}
	for x := range tsum {
		for y := range tsum[x] {
			out.Transition[x][y] = quantized(tsum[x][y] / float64(averaged))
		}
	}
	return out
}

// step moves the weights along the gradient of the likelihood of s.
func (l *learner) step(s sequence, weight float64) {
	n := len(s.want)
	l.emissions, l.alpha, l.beta = l.emissions[:0], l.alpha[:0], l.beta[:0]
	l.kept = l.kept[:0]
	for _, fs := range s.features {
		var e [labels]float64
		var kept []uint16
		for _, f := range fs {
			if l.o.drop > 0 && pager.Lexical(f) && l.random.Float64() < l.o.drop {
				continue
			}
			kept = append(kept, f)
			for y := range e {
				e[y] += l.w[f][y]
			}
		}
		l.kept = append(l.kept, kept)
		l.emissions = append(l.emissions, e)
	}
	l.alpha = append(l.alpha, l.emissions[0])
	for i := 1; i < n; i++ {
		var a [labels]float64
		for y := range a {
			var v [labels]float64
			for x := range v {
				v[x] = l.alpha[i-1][x] + l.t[x][y]
			}
			a[y] = logSum(v) + l.emissions[i][y]
		}
		l.alpha = append(l.alpha, a)
	}
	l.beta = append(l.beta, make([][labels]float64, n)...)
	for i := n - 2; i >= 0; i-- {
		for x := range labels {
			var v [labels]float64
			for y := range v {
				v[y] = l.t[x][y] + l.emissions[i+1][y] + l.beta[i+1][y]
			}
			l.beta[i][x] = logSum(v)
		}
	}
	z := logSum(l.alpha[n-1])
	for i := range n {
		for y := range labels {
			p := math.Exp(l.alpha[i][y] + l.beta[i][y] - z)
			grad := -p
			if int(s.want[i]) == y {
				grad++
			}
			for _, f := range l.kept[i] {
				l.update(&l.w[f][y], &l.g2[f][y], grad*weight)
			}
		}
	}
	for i := 1; i < n; i++ {
		for x := range labels {
			for y := range labels {
				grad := -math.Exp(l.alpha[i-1][x] + l.t[x][y] + l.emissions[i][y] + l.beta[i][y] - z)
				if int(s.want[i-1]) == x && int(s.want[i]) == y {
					grad++
				}
				l.update(&l.t[x][y], &l.t2[x][y], grad*weight)
			}
		}
	}
}

func (l *learner) update(w, g2 *float64, grad float64) {
	grad -= l.o.l2 * *w
	*g2 += grad * grad
	*w += l.o.rate * grad / (1e-1 + math.Sqrt(*g2))
}

func logSum(v [labels]float64) float64 {
	m := max(v[0], v[1], v[2], v[3])
	s := 0.0
	for _, x := range v {
		s += math.Exp(x - m)
	}
	return m + math.Log(s)
}

// quantized returns w in the unit of [pager.Weights].
func quantized(w float64) int16 {
	return int16(max(math.MinInt16, min(math.MaxInt16, math.Round(w/pager.WeightUnit))))
}

func importanceOf(p *labelled.Page, o options) float64 {
	if p.Invented {
		return o.invented
	}
	return 1
}
