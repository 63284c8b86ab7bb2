package why

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/embedded"
	"pacia/data/molecule"
	"pacia/examples"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/methods"
)

// columnOf returns a column of a table.
func columnOf(t *testing.T, text, name string) (cells []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], name)
	for _, row := range rows[1:] {
		cells = append(cells, row[at])
	}
	return cells
}

func unpacked(t *testing.T, packed []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// models calls use with each model that can be explained.
func models(t *testing.T, use func(name string, m *model.Model)) {
	t.Helper()
	for _, name := range []string{"similarity", "gp", "kernel"} {
		if name == "kernel" {
			use(name, shipped(t))
			continue
		}
		c, err := methods.ForPreset(model.Paper, name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := methods.New(c, model.Options{Device: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		use(name, m)
		m.Drop()
	}
}

// masked returns a batch of one molecule whose fingerprint does not count the environments with these atoms.
func masked(b *data.Batch, m *structure, atoms []int32) *data.Batch {
	fewer := map[uint16]uint16{}
	for _, s := range m.environments {
		if slices.ContainsFunc(atoms, func(a int32) bool { return slices.Contains(s.Atoms, a) }) {
			fewer[s.Bit()]++
		}
	}
	bit, count := b.Fingerprints.At(0)
	f := molecule.Fingerprints{Ptr: []int32{0, 0}}
	for i, v := range bit {
		if left := count[i] - fewer[v]; left > 0 {
			f.Bit, f.Count = append(f.Bit, v), append(f.Count, left)
		}
	}
	f.Ptr[1] = int32(len(f.Bit))
	changed := *b
	changed.Fingerprints = f
	return &changed
}

// TestMasking: removing the environments of the three atoms with the largest shares changes the log-odds
// more than removing those of three random other atoms, on average and for two of three
// molecules.
func TestMasking(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n, draws = 3, 5
	support, labels := columnOf(t, examples.Support, "smiles"), columnOf(t, examples.Support, "active")
	library := columnOf(t, examples.Library, "smiles")
	library = append(library, columnOf(t, unpacked(t, embedded.CSV()), "smiles")[:100]...)
	modeltest.Locked(t, 1)
	models(t, func(name string, m *model.Model) {
		of := make([]uint8, len(labels))
		for i, l := range labels {
			of[i] = map[string]uint8{"1": 1}[l]
		}
		a := adapted(t, m, support, of)
		builder := NewBuilder(support, make([]string, len(support)), of, nil, 0)
		var top, random float64
		better, all := 0, 0
		r := rand.New(rand.NewPCG(1, 2))
		for _, smiles := range library {
			change, others := changes(t, m, a, builder, smiles, n, draws, r)
			if math.IsNaN(change) {
				continue
			}
			all++
			top, random = top+change, random+others
			if change > others {
				better++
			}
		}
		t.Logf("%s: the log-odds change by %.4f without the top atoms, %.4f without random ones; more for %d of %d molecules",
			name, top/float64(all), random/float64(all), better, all)
		if top <= random || 3*better < 2*all || all < 100 {
			t.Errorf("%s: the change is not larger on average or for two of three molecules, or there are too few molecules", name)
		}
	})
}

// changes returns how far the log-odds move without n atoms: those with the largest shares, and random ones. Top
// is NaN if the molecule is too small or known from training.
func changes(
	t *testing.T, m *model.Model, a *model.Adapted, builder *Builder, smiles string, n, draws int, r *rand.Rand,
) (top, random float64) {
	t.Helper()
	b := queries(t, m, smiles)
	explained, err := a.Explain(b)
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := builder.Reasons(t.Context(), smiles, &explained[0])
	if err != nil {
		t.Fatal(err)
	}
	if sum := reasons.Others + reasons.AnyAssay; math.Abs(sumOf(reasons.Neighbors)+sum-reasons.LogOdds) > 1e-5 {
		t.Errorf("%s: the shares add up to %v, the log-odds are %v", smiles, sumOf(reasons.Neighbors)+sum, reasons.LogOdds)
	}
	atoms := 0.0
	for _, s := range reasons.Atoms {
		atoms += s
	}
	if len(reasons.Atoms) == 0 || math.Abs(atoms-reasons.Fingerprints) > 1e-9 {
		t.Errorf("%s: %d atoms have the share %v together, fingerprints %v", smiles, len(reasons.Atoms), atoms, reasons.Fingerprints)
	}
	if len(reasons.Atoms) < 3*n || reasons.Known != nil { // a known molecule without some atoms is no longer known
		return math.NaN(), 0
	}
	own, err := moleculeOf(t.Context(), smiles)
	if err != nil {
		t.Fatal(err)
	}
	moved := func(atoms []int32) float64 {
		after, err := a.Explain(masked(b, &own, atoms))
		if err != nil {
			t.Fatal(err)
		}
		return math.Abs(after[0].LogOdds - reasons.LogOdds)
	}
	order := make([]int32, len(reasons.Atoms))
	for i := range order {
		order[i] = int32(i)
	}
	sign := 1.0 // the sign of the larger sum of shares: atoms of both signs would cancel
	if atoms < 0 {
		sign = -1
	}
	slices.SortFunc(order, func(x, y int32) int { return cmp.Compare(sign*reasons.Atoms[y], sign*reasons.Atoms[x]) })
	top = moved(order[:n])
	for range draws {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		random += moved(order[:n]) / float64(draws)
	}
	return top, random
}

func sumOf(neighbors []Neighbor) (sum float64) {
	for _, n := range neighbors {
		sum += n.Share
	}
	return sum
}
