package why

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/internal/each"
	"pacia/model"
)

// A series is an assay in which most molecules have one core: each shares at least half of its atoms with the
// medoid, the molecule that is most like all others. The core is the medoid's atoms that nine of ten of these
// share.
type series struct {
	name   string
	smiles []string
	labels []uint8
	in     []bool // has at least half of its atoms in common with the medoid
	medoid structure
	core   []bool // of the medoid's atoms
}

// TestSeries takes the first assays by name in which this share of the molecules has a core of this number of atoms.
const assays, least, atoms = 20, 0.55, 10

// testSeries returns the first series among the assays of the folder PACIA_ASSAYS, CSV files such as those of
// FS-Mol's test/. It skips the test without such a folder.
func testSeries(t *testing.T) (all []series) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("PACIA_ASSAYS"), "*.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("PACIA_ASSAYS names no folder of assays")
	}
	for _, file := range files {
		if s := seriesOf(t, file); s.covers() >= least && each.Count(s.core, func(in bool) bool { return in }) >= atoms {
			all = append(all, s)
		}
	}
	t.Logf("%d assays have a core of %d atoms in %.0f %% of the molecules", len(all), atoms, 100*least)
	return all[:min(len(all), assays)]
}

func (s *series) covers() float64 {
	return float64(each.Count(s.in, func(in bool) bool { return in })) / float64(len(s.in))
}

func seriesOf(t *testing.T, file string) series {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := series{name: strings.TrimSuffix(filepath.Base(file), ".csv")}
	var all []structure
	for _, row := range rows[1:] {
		label, err := strconv.ParseUint(row[1], 10, 8)
		if err != nil || slices.Contains(s.smiles, row[0]) {
			continue
		}
		s.smiles, s.labels, all = append(s.smiles, row[0]), append(s.labels, uint8(label)), append(all, readMolecule(t, row[0]))
	}
	like := make([]float64, len(all))
	for i := range all {
		for j := range i {
			v := all[i].likeness(&all[j])
			like[i], like[j] = like[i]+v, like[j]+v
		}
	}
	s.medoid = all[slices.Index(like, slices.Max(like))]
	count, of := make([]int, s.medoid.atoms), 0
	for i := range all {
		m := align(&s.medoid.graph, &all[i].graph)
		s.in = append(s.in, m.shares(&s.medoid, &all[i]))
		if !s.in[i] {
			continue
		}
		of++
		for x := range count {
			if m.core(&s.medoid.graph, &all[i].graph, int32(x)) {
				count[x]++
			}
		}
	}
	s.core = each.Of(count, func(n int) bool { return 10*n >= 9*of })
	return s
}

// varies reports which atoms of a molecule are not on the core.
func (s *series) varies(t *testing.T, smiles string) []bool {
	m := readMolecule(t, smiles)
	placed := align(&s.medoid.graph, &m.graph)
	varied := make([]bool, m.atoms)
	for y, x := range placed.back {
		varied[y] = x < 0 || !s.core[x] || !placed.core(&s.medoid.graph, &m.graph, x)
	}
	return varied
}

// explainedOf ranks an assay by ten active and ten inactive molecules, and explains all others of the series.
func explainedOf(t *testing.T, m *model.Model, s *series) *explained {
	var support, library, labels = []string{}, []string{}, []uint8{}
	var taken [2]int
	for _, i := range rand.New(rand.NewPCG(0, 0)).Perm(len(s.smiles)) { // as pacia data example draws
		if l := s.labels[i]; taken[l] < 10 {
			taken[l]++
			support, labels = append(support, s.smiles[i]), append(labels, l)
		} else if s.in[i] {
			library = append(library, s.smiles[i])
		}
	}
	a := adapted(t, m, support, labels)
	explain := func(smiles []string) []model.Explanation {
		e, err := a.Explain(queries(t, m, smiles...))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	of := &explained{builder: NewBuilder(support, make([]string, len(support)), labels, nil, 0)}
	beside := explain(support)
	for i := range beside {
		of.beside = append(of.beside, &beside[slices.Index(support, of.builder.SMILES(i))])
	}
	for i, e := range explain(library) {
		r, err := of.builder.Reasons(t.Context(), library[i], &e)
		if err != nil {
			t.Fatal(err)
		}
		of.reasons = append(of.reasons, r)
	}
	return of
}
