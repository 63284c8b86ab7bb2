package trust

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/harness/modeltest"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/model/shared/counts"
	"pacia/ops"
	"pacia/weights"
)

// TestFolds: with most 0, each fold has one molecule of each class, and those of the smaller class are reused.
// Otherwise there are few folds, and each molecule is in one of them.
func TestFolds(t *testing.T) {
	labels := []uint8{1, 0, 0, 1, 0}
	for _, tt := range []struct {
		most int
		want [][]int
	}{
		{0, [][]int{{1, 0}, {2, 3}, {4, 0}}},
		{2, [][]int{{1, 4, 0}, {2, 3}}},
		{5, [][]int{{1, 4, 0}, {2, 3}}}, // no part lacks a class
	} {
		if got := folds(labels, tt.most); !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("folds of %v, at most %d: %v, want %v", labels, tt.most, got, tt.want)
		}
	}
	if got := folds([]uint8{0, 0, 1}, 0); got != nil {
		t.Errorf("the only active molecule is left out: %v", got)
	}
}

// TestPaired compares the difference with the two ROC-AUCs, and σ with the standard deviation over many draws.
func TestPaired(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, draws = 40, 400
	labels := make([]uint8, n)
	for i := range n / 2 {
		labels[i] = 1
	}
	var sum, squares, sigmas float64
	for range draws {
		a, b := make([]float64, n), make([]float64, n)
		for i, label := range labels {
			common := r.NormFloat64()
			a[i], b[i] = common+r.NormFloat64()+float64(label), common+math.Round(r.NormFloat64())
		}
		d, sigma := paired(labels, a, b)
		if want := metrics.ROCAUC(labels, a) - metrics.ROCAUC(labels, b); math.Abs(d-want) > 1e-12 {
			t.Fatalf("difference %v, of the ROC-AUCs %v", d, want)
		}
		sum, squares, sigmas = sum+d, squares+d*d, sigmas+sigma
	}
	spread := math.Sqrt(squares/draws - sum*sum/draws/draws)
	if mean := sigmas / draws; math.Abs(mean/spread-1) > 0.12 { // a standard deviation of 400 draws is accurate to 4 %
		t.Errorf("σ is %.4f in the mean, the differences of %d draws have a standard deviation of %.4f", mean, draws, spread)
	}
}

// TestPairedOfFew: four molecules that happen to be in order prove little.
func TestPairedOfFew(t *testing.T) {
	d, sigma := paired([]uint8{0, 0, 1, 1}, []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1})
	if want := math.Sqrt(5./48) / 2; d != 0.5 || math.Abs(sigma-want) > 1e-15 {
		t.Errorf("difference %v, σ %v, want 0.5 and %v", d, sigma, want)
	}
}

// TestVerdict: the share of known molecules counts. With few molecules only a large difference changes the
// verdict.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		d, sigma, known float64
		want            Verdict
	}{
		{0, 0.14, 0, AsGood},
		{0.2, 0.14, 0, AsGood},
		{0.35, 0.14, 0, Better},
		{-0.35, 0.14, 0, NotBetter},
		{0, 0.14, 1, Better},
		{-0.5, 0.14, 1, AsGood},
		{0.1, 0.03, 0, Better},
		{-0.1, 0.03, 0, NotBetter},
	} {
		if got := verdict(expected(tt.d, tt.sigma, tt.known)); got != tt.want {
			t.Errorf("difference %v ± %v, %v known: %q, want %q", tt.d, tt.sigma, tt.known, got, tt.want)
		}
	}
}

// TestUnclearVerdicts: the sentence for a verdict that the check does not support includes the evidence in favour
// of the model: known molecules of the library, or a better check than the similarity search.
func TestUnclearVerdicts(t *testing.T) {
	for _, tt := range []struct {
		difference float64
		known      int // molecules of 100
		want       string
	}{
		{0, 0, "too few to tell"},
		{0, 100, "though the model knows many of the library's molecules"},
		{0.5, 0, "though it ranks them better than similarity search does"},
		{0.5, 100, "though it ranks them better than similarity search does"},
	} {
		p := &Panel{Support: 20, Folds: 10, Model: 0.5, Similarity: 0.5 - tt.difference, difference: tt.difference, sigma: 0.14, chance: 0.13}
		p.molecules, p.fromBefore = 100, tt.known
		if got := p.sentence(); !strings.HasSuffix(got, tt.want) || !strings.HasPrefix(got, "not shown") {
			t.Errorf("difference %v, %d known: %q does not end with %q", tt.difference, tt.known, got, tt.want)
		}
	}
}

// scripted is an adapter whose scores are a function of the support labels.
type scripted struct {
	score   func(labels []uint8, query *data.Batch) []float32
	adapted int
}

func (a *scripted) adapt(b *data.Batch) (evaluate.Adapted, error) {
	a.adapted++
	return scriptedTask{a, b.SupportLabel}, nil
}

type scriptedTask struct {
	*scripted
	labels []uint8
}

func (a scriptedTask) ScoreAll(q *data.Batch) (model.Scored, error) {
	return each.Of(a.score(a.labels, q), func(p float32) model.Score { return model.Score{Probability: p} }), nil
}
func (scriptedTask) Support() int       { return 0 }
func (scriptedTask) Device() ops.Device { return ops.CPU }
func (scriptedTask) Drop()              {}

// shareOf scores each query by the share of actives in the support labels.
func shareOf(labels []uint8, q *data.Batch) []float32 {
	p := make([]float32, len(q.QueryMol))
	for i := range p {
		for _, label := range labels {
			p[i] += float32(label) / float32(len(labels))
		}
	}
	return p
}

// TestTheShareOfActives: a model that uses only the share of actives is at chance. It
// would have a ROC-AUC of 0 if a single molecule were left out at a time.
func TestTheShareOfActives(t *testing.T) {
	s := modeltest.RandomStore(1, 12)
	labels := []uint8{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	rows := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	a := scripted{score: shareOf}
	by := folds(labels, 0)
	scores, err := held(context.Background(), a.adapt, s, rows, supportLabels{labels: labels}, by, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	if err != nil || len(by) != 6 || a.adapted != 6 {
		t.Fatalf("%d folds, adapted %d times (%v), want 6", len(by), a.adapted, err)
	}
	if auc := metrics.ROCAUC(labels, scores); auc != 0.5 {
		t.Errorf("ROC-AUC %v, want 0.5", auc)
	}
}

// TestNumberOfFolds: a small support set is left out one by one, a large one in parts.
func TestNumberOfFolds(t *testing.T) {
	s := modeltest.RandomStore(1, 20)
	labels, rows := make([]uint8, 20), make([]int32, 20)
	for i := range rows {
		rows[i], labels[i] = int32(i), uint8(i%2)
	}
	v, _ := vectors(s, rows)
	for most, want := range map[int]int{20: 10, 19: parts, 0: parts} {
		p, a := newPanel(v, labels, nil), scripted{score: shareOf}
		if err := p.measure(context.Background(), a.adapt, s, rows, v, supportLabels{labels: labels}, most); err != nil || p.Folds != want || a.adapted != 2*want {
			t.Errorf("up to %d one by one: %d folds (%v), adapted %d times; want %d folds", most, p.Folds, err, a.adapted, want)
		}
	}
}

// TestPanelOfSimilarity: the method and the panel's own search agree on real molecules.
func TestPanelOfSimilarity(t *testing.T) {
	modeltest.Locked(t, 1)
	spec, err := methods.Find("similarity")
	if err != nil {
		t.Fatal(err)
	}
	m := modeltest.New(t, spec, modeltest.Small(t, spec, model.Paper), model.Options{})
	smiles := []string{"CCO", "CCCO", "CCCCO", "CCC(C)O", "CCN", "CCCN", "CCCCN", "CC(C)N"}
	labels := []uint8{1, 1, 1, 1, 0, 0, 0, 0}
	members := []*model.Model{m}
	read, err := evaluate.NewReader(members, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(context.Background(), members, parsed(read, smiles, labels))
	if err != nil {
		t.Fatal(err)
	}
	if p.Folds != 4 || !p.OneByOne || p.Model != p.Similarity || p.Model+p.Swapped != 1 || p.Model < 0.7 {
		t.Errorf("%+v: want 4 folds, equal ROC-AUCs of 0.7 or more, and their complement when swapped", p.Lines())
	}
	library, _, _ := molecule.FingerprintsOnly().ParseSMILES(context.Background(), []string{"CCO", "CCCN", "c1ccccc1"}, 1)
	p.Add(library)
	text := strings.Join([]string{p.Lines()[1][1], p.Lines()[2][1]}, "|")
	if want := "nearest support molecule at Tanimoto 1.00 (median), 0.00 (10th percentile); 1 outside the domain|as good as similarity search here"; !strings.HasPrefix(text, want) {
		t.Errorf("%q, want %q", text, want)
	}
	p, err = New(context.Background(), members, parsed(read, smiles[3:], labels[3:]))
	if err != nil || p.Unmeasured != errOne.Error() || p.Verdict() != AsGood || !strings.Contains(p.Lines()[0][1], "one molecule alone") {
		t.Errorf("one active molecule: %v (%v)", p.Lines(), err)
	}
	const unmeasured = "not shown to be better than similarity search; no support molecules were left out"
	if f := p.Figures(); f.Verdict != "unclear" || f.Sentence != unmeasured {
		t.Errorf("one active molecule: the verdict is %s: %s", f.Verdict, f.Sentence)
	}
}

// TestAModelThatFails: measure returns the model's error, from which New makes Unmeasured.
func TestAModelThatFails(t *testing.T) {
	v := make([]counts.Vector, 4)
	for i := range v {
		v[i] = counts.Vector{Bit: []uint16{uint16(i)}, Count: []uint16{1}}
	}
	p := Panel{Library: Library{index: counts.NewIndex(v)}}
	broken := func(*data.Batch) (evaluate.Adapted, error) { return nil, errors.New("no memory") }
	err := p.measure(context.Background(), broken, modeltest.RandomStore(1, 4), []int32{0, 1, 2, 3}, v, supportLabels{labels: []uint8{0, 0, 1, 1}}, 4)
	modeltest.Fails(t, err, "no memory")
}

// TestLibraryCounts: known molecules and those outside the domain are counted, and quantiles are right.
func TestLibraryCounts(t *testing.T) {
	support := counts.Vector{Bit: []uint16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Count: slices.Repeat([]uint16{1}, 10)}
	l := Library{labels: []uint8{1, 0}, index: counts.NewIndex([]counts.Vector{support, {}}), knows: func(bit, _ []uint16) bool { return len(bit) > 5 }}
	for n := range 10 {
		near := l.add([]counts.Vector{{Bit: support.Bit[:n+1], Count: support.Count[:n+1]}})
		if want := (Near{Active: 0, Inactive: 1, ToActive: float32(n+1) / 10, Known: n >= 5}); len(near) != 1 || near[0] != want {
			t.Errorf("%d of 10 bits: near are %v, want %v", n+1, near, want)
		}
		if inside := n+1 >= 4; near[0].Inside() != inside { // 0.4 is the first above 0.35
			t.Errorf("%d of 10 bits: inside the domain: %t", n+1, !inside)
		}
	}
	if l.outside != 3 {
		t.Errorf("%d molecules are outside the domain, want the 3 of 1 to 3 bits", l.outside)
	}
	if l.quantile(0.1) != 0.1 || l.quantile(0.5) != 0.5 || l.quantile(1) != 1 || l.known() != 0.5 {
		t.Errorf("quantiles %v, %v, %v, known %v; want 0.1, 0.5, 1, 0.5", l.quantile(0.1), l.quantile(0.5), l.quantile(1), l.known())
	}
}

// TestLargeSupportSets: a support set above the limit is not measured.
func TestLargeSupportSets(t *testing.T) {
	labels := make([]uint8, largest+1)
	err := newPanel(nil, labels, nil).measure(context.Background(), nil, nil, nil, nil, supportLabels{labels: labels}, 0)
	modeltest.Fails(t, err, "more than 1,000")
}

// BenchmarkPanel measures a panel of twenty molecules with the model that ships.
func BenchmarkPanel(b *testing.B) {
	trained, err := weights.Open("")
	if err != nil {
		b.Fatal(err)
	}
	defer trained.Close()
	smiles, labels := make([]string, 20), make([]uint8, 20)
	for i := range smiles {
		smiles[i], labels[i] = "c1ccccc1"+strings.Repeat("C", i)+"N", uint8(i%2)
	}
	err = ops.Pinned(1, func() error {
		m, err := trained.Model("cpu")
		if err != nil {
			return err
		}
		defer m.Drop()
		read, err := evaluate.NewReader([]*model.Model{m}, false)
		if err != nil {
			return err
		}
		for b.Loop() {
			if _, err := New(context.Background(), []*model.Model{m}, parsed(read, smiles, labels)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
