package why

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data/rdkit"
	"pacia/internal/each"
	"pacia/model"
)

// TestChanges: the groups that differ between two molecules of a series are found and named, with the places to
// which they are joined.
func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		q, r, want string
	}{
		{"CC(=O)Nc1ccc(F)cc1", "CC(=O)Nc1ccc(OC)cc1", "[*:1]F > [*:1]OC"},
		{"CC(=O)Nc1cccc(F)c1", "CC(=O)Nc1cccc(OC)c1", "[*:1]F > [*:1]OC"},
		{"CC(=O)Nc1ccccc1Cl", "CC(=O)Nc1ccccc1", "[*:1]Cl > [*:1][H]"},
		{"CC(=O)Nc1ccccc1", "CC(=O)Nc1ccccc1C(F)(F)F", "[*:1][H] > [*:1]C(F)(F)F"},
		{"CC(=O)Nc1ccc(F)cc1Cl", "CC(=O)Nc1ccc(Br)cc1", "[*:1]Cl > [*:1][H]; [*:1]F > [*:1]Br"},
		{"O=C(NCc1ccncc1)c1ccc2[nH]ccc2c1", "O=C(NCc1ccccc1)c1ccc2[nH]ccc2c1", "[*:1]:n:[*:2] > [*:1]:c:[*:2]"},
		{"O=C(NC1CCNC1)c1ccc2[nH]ccc2c1", "O=C(NC1CCCC1)c1ccc2[nH]ccc2c1", "[*:1]N[*:2] > [*:1]C[*:2]"},
		{"O=C(Nc1ccsc1)c1ccc2[nH]ccc2c1", "O=C(Nc1ccccc1)c1ccc2[nH]ccc2c1", "[*:1]c1ccsc1 > [*:1]c1ccccc1"},
		{"Cc1ccc(Oc2ccc(Br)cc2)cc1", "Cc1ccc(Sc2ccc(Br)cc2)cc1", "[*:1]O[*:2] > [*:1]S[*:2]"},
		{"O=C(O)CCNC(=O)c1ccc2[nH]ccc2c1", "CCCNC(=O)c1ccc2[nH]ccc2c1", "[*:1]C(=O)O > [*:1]C"},
		{"O=C(O)CNC(=O)c1ccc2[nH]ccc2c1", "O=C(O)CCCNC(=O)c1ccc2[nH]ccc2c1", "[*:1]C(=O)O > [*:1]CCC(=O)O"},
		{"N#Cc1ccc2[nH]ccc2c1", "Cc1ccc2[nH]ccc2c1", "[*:1]C#N > [*:1]C"},
		{"CC(=O)NCCNC(=O)c1ccc2[nH]ccc2c1", "NC(=O)NCCNC(=O)c1ccc2[nH]ccc2c1", "[*:1]C > [*:1]N"},
		{"CN(Cc1ccccc1)c1ccc2[nH]ccc2c1", "c1ccc(COc2ccc3[nH]ccc3c2)cc1", "[*:1]N(C)[*:2] > [*:1]O[*:2]"},
		{"CC(=O)Nc1ccc(C(F)F)cc1", "CC(=O)Nc1ccc(C)cc1", "[*:1](F)F > [*:1][H]"},
	} {
		q, r := readMolecule(t, tt.q), readMolecule(t, tt.r)
		m := align(&q.graph, &r.graph)
		if !m.shares(&q, &r) {
			t.Errorf("%s and %s have only %d atoms of a core in common", tt.q, tt.r, m.same)
		}
		found := changesOf(&q.graph, &r.graph, &m)
		all := found.divide(0)
		for _, c := range all {
			for i := range c.sites {
				c.sites[i].number = int32(i + 1)
			}
		}
		if _, err := name(t.Context(), &q, &r, []int32{0}, all); err != nil {
			t.Fatal(err)
		}
		got := each.Of(all, func(c Change) string { return c.Here + " > " + c.There })
		if slices.Sort(got); strings.Join(got, "; ") != tt.want {
			t.Errorf("%s beside %s: %s, want %s", tt.q, tt.r, strings.Join(got, "; "), tt.want)
		}
	}
}

func readMolecule(t *testing.T, smiles string) structure {
	t.Helper()
	m, err := moleculeOf(t.Context(), smiles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAlignIsBijective: atoms are placed on each other one by one, with the same bonds.
func TestAlignIsBijective(t *testing.T) {
	for _, tt := range [][2]string{
		{"C1CCC2(CC1)OCCO2", "C1CCC2(CC1)OCCCO2"}, {"CC(C)(C)C", "CCCCC"}, {"c1ccc2ccccc2c1", "C1CCC2CCCCC2C1"}, {"[Na+].[Cl-]", "CCO"},
		{"C", "C"}, {"C1CCCCC1CCC1CCCCC1", "C1CCCCC1CCC1CCCCC1"}, {"C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"},
	} {
		q, r := readMolecule(t, tt[0]), readMolecule(t, tt[1])
		m := align(&q.graph, &r.graph)
		for x, y := range m.onto {
			if y < 0 {
				continue
			}
			if m.back[y] != int32(x) {
				t.Errorf("%v: atom %d is placed on %d, which is placed on %d", tt, x, y, m.back[y])
			}
			for _, l := range q.links[x] {
				if to := m.onto[l.to]; to >= 0 && !slices.Contains(r.links[y], link{to, l.kind, l.ring}) {
					t.Errorf("%v: the bond from %d to %d is not in the other molecule", tt, x, l.to)
				}
			}
		}
	}
}

// TestContrast: the changes add up to the difference of the log-odds, the atoms of the core have no share, and the
// molecule that differs least is taken, of each class.
func TestContrast(t *testing.T) {
	support := []string{"CC(=O)Nc1ccc(OC)cc1", "CC(=O)Nc1ccc(Cl)cc1C", "O=S(=O)(O)CCCCC", "CC(=O)Nc1ccc(Br)cc1"}
	b := NewBuilder(support, make([]string, 4), []uint8{0, 0, 1, 1}, nil, -0.7)
	of := func(smiles string, logOdds float64) *model.Explanation {
		m := readMolecule(t, smiles)
		bits := map[uint16]bool{}
		for _, e := range m.environments {
			bits[e.Bit()] = true
		}
		e := &model.Explanation{LogOdds: logOdds, Support: []float64{0.1, 0.2, 0.3, 0.4}, Bits: make([]float64, len(bits)), Rest: logOdds - 1}
		for i := range e.Bits {
			e.Bits[i] = float64(i%5) * 0.01
		}
		return e
	}
	const q = "CC(=O)Nc1ccc(F)cc1"
	r, err := b.Reasons(t.Context(), q, of(q, 1.5))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Contrast(t.Context(), r, func(i int) *model.Explanation { return of(b.SMILES(i), -0.25) }); err != nil {
		t.Fatal(err)
	}
	if len(r.Contrasts) != 2 || r.Contrasts[0].SMILES != support[0] || r.Contrasts[1].SMILES != support[3] {
		t.Fatalf("contrasts %+v, want those with %s and %s", r.Contrasts, support[0], support[3])
	}
	if sum := sumOf(r.Neighbors) + r.Others + r.AnyAssay + r.Prior; math.Abs(sum-r.LogOdds) > 1e-12 || math.Abs(r.LogOdds-0.8) > 1e-12 {
		t.Errorf("shares add up to %v, the log-odds are %v, want 0.8", sum, r.LogOdds)
	}
	for _, c := range r.Contrasts {
		sum := 0.0
		for _, one := range c.Changes {
			sum += one.Share
		}
		if math.Abs(sum-1.75) > 1e-12 || math.Abs(c.Difference-1.75) > 1e-12 || math.Abs(c.LogOdds+0.95) > 1e-12 {
			t.Errorf("beside %s: changes add up to %v of the difference %v, with log-odds %v", c.SMILES, sum, c.Difference, c.LogOdds)
		}
		for a, share := range c.Here.Shares {
			if (share != nil) != (a == 8) {
				t.Errorf("beside %s: atom %d has the share %v; only F differs", c.SMILES, a, share)
			}
		}
		if !strings.Contains(c.Core, ":1]") || len(c.Here.Onto) != 11 {
			t.Errorf("beside %s: core %s, places %v", c.SMILES, c.Core, c.Here.Onto)
		}
	}
}

// TestExtremeMolecules: molecules of extreme form have reasons, in the number of atoms that the model sees.
func TestExtremeMolecules(t *testing.T) {
	all := []string{
		"[H][H]", "[2H]C([2H])([2H])O", "[H]OC", "C", "[Na+].[Cl-]", "*CC*", "[nH]1cccc1", "C1CC1C1CC1", "C12C3C4C1C5C2C3C45",
		strings.Repeat("C", 500), strings.Repeat("NCC(=O)", 40) + "O", strings.Repeat("CC(O)", 49) + "C", "c1ccc2c(c1)c1ccccc1c1ccccc21",
		"F/C=C/F", "C[C@H](N)C(=O)O", "[O-][N+](=O)c1ccccc1", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "C[Si](C)(C)C",
	}
	labels := make([]uint8, len(all))
	for i := range labels {
		labels[i] = uint8(i % 2)
	}
	b := NewBuilder(all, make([]string, len(all)), labels, nil, 0)
	of := func(m *structure) *model.Explanation {
		bits := map[uint16]bool{}
		for _, e := range m.environments {
			bits[e.Bit()] = true
		}
		return &model.Explanation{LogOdds: 1, Support: slices.Repeat([]float64{0.1}, len(all)), Bits: make([]float64, len(bits))}
	}
	for _, smiles := range all {
		m := readMolecule(t, smiles)
		if len(m.links) != m.atoms {
			t.Errorf("%s has %d atoms in environments, %d in the graph", smiles, m.atoms, len(m.links))
		}
		r, err := b.Reasons(t.Context(), smiles, of(&m))
		if err != nil {
			t.Fatal(err)
		}
		read := func(i int) *model.Explanation { other := readMolecule(t, b.SMILES(i)); return of(&other) }
		if err := b.Contrast(t.Context(), r, read); err != nil {
			t.Errorf("%s: %v", smiles, err)
		}
		for _, c := range r.Contrasts {
			for _, drawn := range []struct {
				smiles string
				look   rdkit.Look
			}{{smiles, c.Here.Look()}, {c.SMILES, c.There.Look()}} {
				if _, err := rdkit.DrawLook(t.Context(), drawn.smiles, drawn.look, 220, 150); err != nil && len(smiles) <= rdkit.LargestDrawn {
					t.Errorf("%s: %v", drawn.smiles, err)
				}
			}
		}
	}
}
