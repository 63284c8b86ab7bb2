package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: n molecules, A atoms, M masked atoms, d width, H levels of prototypes.
//
//	s(a, b) = a·b / (|a||b| + ε),  e(a, b) = exp(s(a, b)/τ)

// graphLoG compares molecules with copies that have hidden atoms (Xu et al.
// 2021). x = P(h) and y = P(g) are projections of atoms and of means over molecules,
// x′ and y′ are the same with hidden atoms:
//
//	intra = mean over masked atoms j of −log(Σ masked i of its molecule e(x_i, x′_j) / (Σ all i of it e(x_i, x′_j) + ε))
//	inter = mean over molecules b of −log(e(y_b, y′_b) / (Σ_a e(y_a, y′_b) + ε))
//	loss  = intra + inter, and after the first epoch + 0.1 of the prototypes' (prototypes.go)
type graphLoG struct {
	body
	share      float64
	projection perceptron
	prototypes *prototypes
}

// Constants of the published program.
const (
	graphLoGShare    = 0.3
	temperature      = 0.04 // τ
	similarityEps    = 1e-6 // ε
	prototypesWeight = 0.1  // γ
)

func newGraphLoG(o Options, b body) (*graphLoG, error) {
	d := b.encoder.Width()
	b.set.Part("head")
	t := &graphLoG{body: b, share: o.share(graphLoGShare)}
	t.projection = perceptron{b.set.Linear("head.projection.0", d, d, true, 0), b.set.Linear("head.projection.1", d, d, true, 0)}
	t.prototypes = newPrototypes(b)
	return t, b.set.Err()
}

// views is a batch of molecules with and without hidden atoms.
type views struct {
	task   *graphLoG
	whole  batch
	hidden batch
	blocks []block

	choices [][]float64 // of each part of the prototypes: 1/number of choices
}

// block holds molecules of similar size, padded to the atoms of the largest.
type block struct {
	n, atoms, masks int       // of the block, of its largest molecule
	all             []int32   // [n, atoms] rows of x; surplus places are row 0
	masked          []int32   // [n, masks] rows of x′
	there           []float64 // [n, atoms, 1] 1 for atoms, 0 for padding
	positive        []float64 // [n, atoms, 1] 1 for masked atoms
	asked           []int32   // rows of [n, masks] without padding
	even            []float64 // [len(asked)] share of masked atoms: the ratio if all atoms were equal
}

// blockSizes are the largest numbers of atoms of a molecule in each block, so that not
// all molecules are padded to the largest.
var blockSizes = []int{32, 64, math.MaxInt}

func (t *graphLoG) ask(rows []int32, random func(row int32) *rand.Rand) question {
	if len(rows) < 2 { // no other molecule
		return nil
	}
	q := &views{task: t, whole: newBatch(), hidden: newBatch()}
	atoms, masked := make([][]int32, len(rows)), make([][]int32, len(rows))
	for i, row := range rows {
		g := t.store.Graph(int(row))
		atoms[i] = q.whole.add(g, all)
		q.hidden.add(g, all)
		for _, v := range random(row).Perm(g.Len())[:masks(g.Len(), t.share)] {
			at := atoms[i][v]
			q.hidden.hide(at)
			masked[i] = append(masked[i], at)
		}
	}
	for k, most := range blockSizes {
		var some, hidden [][]int32
		for i := range atoms {
			if n := len(atoms[i]); n <= most && (k == 0 || n > blockSizes[k-1]) {
				some, hidden = append(some, atoms[i]), append(hidden, masked[i])
			}
		}
		if len(some) > 0 {
			q.blocks = append(q.blocks, newBlock(some, hidden))
		}
	}
	return q
}

func newBlock(atoms, masked [][]int32) block {
	b := block{n: len(atoms)}
	for i := range atoms {
		b.atoms, b.masks = max(b.atoms, len(atoms[i])), max(b.masks, len(masked[i]))
	}
	b.all, b.masked = make([]int32, b.n*b.atoms), make([]int32, b.n*b.masks)
	b.there, b.positive = make([]float64, b.n*b.atoms), make([]float64, b.n*b.atoms)
	for i := range atoms {
		first := atoms[i][0]
		for k, v := range atoms[i] {
			b.all[i*b.atoms+k], b.there[i*b.atoms+k] = v, 1
		}
		for k, v := range masked[i] {
			b.masked[i*b.masks+k] = v
			b.positive[i*b.atoms+int(v-first)] = 1
			b.asked = append(b.asked, int32(i*b.masks+k))
			b.even = append(b.even, float64(len(masked[i]))/float64(len(atoms[i])))
		}
	}
	return b
}

// siteHidden is the first key of the second pass.
const siteHidden = 1000

func (q *views) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		h, hidden := t.embed(&q.whole, m, s), t.embed(&q.hidden, m.Site(siteHidden), s)
		x, y := t.projection.forward(h, s), t.projection.forward(t.means(h, q.whole.MolPtr, s), s)
		x2, y2 := t.projection.forward(hidden, s), t.projection.forward(t.means(hidden, q.hidden.MolPtr, s), s)
		var parts []*ts.Tensor
		for i := range q.blocks {
			parts = append(parts, q.intra(&q.blocks[i], x, x2, s))
		}
		intra := s.Keep(ts.Cat(parts, 0))
		inter := inter(y, y2, s)
		a.loss = s.Keep(mean(intra, s).Add(mean(inter, s), false))
		a.logits = []*ts.Tensor{intra, inter}
		if t.prototypes.begun {
			var levels []*ts.Tensor
			levels, q.choices = t.prototypes.losses(y, s)
			for _, l := range levels {
				weighed := s.Times(mean(l, s), prototypesWeight)
				a.loss, a.logits = s.Keep(a.loss.Add(weighed, false)), append(a.logits, l)
			}
		}
	})
}

// intra returns the intra losses of a block's masked atoms [len(asked)].
func (q *views) intra(b *block, x, hidden *ts.Tensor, s *ops.Scope) *ts.Tensor {
	t, n := q.task, int64(b.n)
	left := s.Keep(t.rows(x, b.all, s).Reshape([]int64{n, int64(b.atoms), -1}, false))
	right := s.Keep(t.rows(hidden, b.masked, s).Reshape([]int64{n, int64(b.masks), -1}, false))
	e := similar(left, right, s) // [n, atoms, masks]
	share := func(weights []float64) *ts.Tensor {
		return sum(s.Keep(e.Mul(t.numbers(weights, s, n, int64(b.atoms), 1), false)), 1, s)
	}
	losses := ratio(share(b.positive), share(b.there), s)
	return t.rows(s.Keep(losses.Reshape([]int64{-1}, false)), b.asked, s)
}

// inter returns the inter losses of the molecules [n].
func inter(y, hidden *ts.Tensor, s *ops.Scope) *ts.Tensor {
	e := similar(y, hidden, s) // [n, n]
	return ratio(s.Keep(e.Diagonal(0, 0, 1, false)), sum(e, 0, s), s)
}

// similar returns e(a, b) [..., n, m] of rows a [..., n, d] and b [..., m, d].
func similar(x, y *ts.Tensor, s *ops.Scope) *ts.Tensor {
	last := int64(len(x.MustSize())) - 1
	turned := func(z *ts.Tensor) *ts.Tensor { return s.Keep(z.Transpose(last-1, last, false)) }
	length := func(z *ts.Tensor) *ts.Tensor {
		two := ts.FloatScalar(2)
		defer two.MustDrop()
		return s.Keep(z.NormScalaroptDim(two, []int64{last}, true, false))
	}
	lengths := plus(s.Keep(length(x).Matmul(turned(length(y)), false)), similarityEps, s)
	cosine := s.Keep(s.Keep(x.Matmul(turned(y), false)).Div(lengths, false))
	return s.Keep(s.Times(cosine, 1/temperature).Exp(false))
}

// ratio returns −log(some/(all + ε)).
func ratio(some, all *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(s.Keep(plus(all, similarityEps, s).Log(false)).Sub(s.Keep(some.Log(false)), false))
}

func (q *views) tallies(logits [][]float64) []tally {
	list := []tally{{name: "atoms"}, {name: "molecules"}}
	list[0].ratios(logits[0], q.even())
	n := len(logits[1])
	list[1].ratios(logits[1], uniform(n, n))
	for i, losses := range logits[2:] {
		t := tally{name: partName(i), weight: prototypesWeight}
		t.ratios(losses, q.choices[i])
		list = append(list, t)
	}
	return list
}

// even returns the ratios of the masked atoms if all atoms were equal.
func (q *views) even() (all []float64) {
	for _, b := range q.blocks {
		all = append(all, b.even...)
	}
	return all
}

// uniform returns 1/choices, n times.
func uniform(n, choices int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1 / float64(choices)
	}
	return list
}

// ratios adds losses −log of ratios. An answer is right if its ratio is above the one for equal
// candidates.
func (t *tally) ratios(losses, even []float64) {
	for i, x := range losses {
		t.loss += x
		t.asked++
		if x < -math.Log(even[i]) {
			t.right++
		}
	}
}

// without returns the figures if all candidates were equal, so that no answer is right.
func (t *graphLoG) without(_ []int32, asked []question) Figures {
	var list []tally
	for _, q := range asked {
		v := q.(*views)
		atoms, molecules := tally{name: "atoms"}, tally{name: "molecules"}
		for _, share := range v.even() {
			atoms.asked, atoms.loss = atoms.asked+1, atoms.loss-math.Log(share)
		}
		n := len(v.whole.MolPtr) - 1
		molecules.asked, molecules.loss = n, float64(n)*math.Log(float64(n))
		list = append(list, atoms, molecules)
	}
	return figures(list...)
}
