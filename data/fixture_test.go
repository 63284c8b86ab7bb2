package data

import (
	"context"
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/harness/golden"
)

// referenceGraph is a graph from the published code.
type referenceGraph struct {
	X         [][2]uint8 `json:"x"`
	EdgeIndex [2][]int32 `json:"edge_index"`
	EdgeAttr  [][2]uint8 `json:"edge_attr"`
	Batch     []int32    `json:"batch"`
}

type reference struct {
	SupportSMILES []string       `json:"support_smiles"`
	QuerySMILES   []string       `json:"query_smiles"`
	SupportGraph  referenceGraph `json:"support_graph"`
	QueryGraph    referenceGraph `json:"query_graph"`
}

func readReference(t *testing.T) reference {
	t.Helper()
	var r reference
	golden.Decode(t, golden.Fixture(t, "pacia_reference.json.gz"), &r)
	return r
}

// TestReferenceFeatures checks atoms, edges and the order of edges (each bond
// in both directions, in the order of bonds) against the published code.
func TestReferenceFeatures(t *testing.T) {
	ref := readReference(t)
	for _, set := range []struct {
		name   string
		smiles []string
		want   referenceGraph
	}{
		{"support", ref.SupportSMILES, ref.SupportGraph},
		{"query", ref.QuerySMILES, ref.QueryGraph},
	} {
		var got referenceGraph
		for i, smiles := range set.smiles {
			m, err := rdkit.Parse(smiles)
			if err != nil {
				t.Fatal(err)
			}
			base := int32(len(got.X))
			for a := 0; a < len(m.Atoms); a += 2 {
				got.X = append(got.X, [2]uint8(m.Atoms[a:a+2]))
				got.Batch = append(got.Batch, int32(i))
			}
			for b := 0; b < len(m.Ends); b += 2 {
				u, v, attr := base+m.Ends[b], base+m.Ends[b+1], [2]uint8(m.Bonds[b:b+2])
				got.EdgeIndex[0] = append(got.EdgeIndex[0], u, v)
				got.EdgeIndex[1] = append(got.EdgeIndex[1], v, u)
				got.EdgeAttr = append(got.EdgeAttr, attr, attr)
			}
		}
		if !slices.Equal(got.X, set.want.X) || !slices.Equal(got.Batch, set.want.Batch) {
			t.Errorf("%s: atoms\n got %v\nwant %v", set.name, got.X, set.want.X)
		}
		if !slices.Equal(got.EdgeIndex[0], set.want.EdgeIndex[0]) || !slices.Equal(got.EdgeIndex[1], set.want.EdgeIndex[1]) {
			t.Errorf("%s: edges\n got %v\nwant %v", set.name, got.EdgeIndex, set.want.EdgeIndex)
		}
		if !slices.Equal(got.EdgeAttr, set.want.EdgeAttr) {
			t.Errorf("%s: edge features\n got %v\nwant %v", set.name, got.EdgeAttr, set.want.EdgeAttr)
		}
	}
}

// TestReferenceBatch checks that an assembled batch has the edges of the reference,
// grouped by the atom they enter, in their order.
func TestReferenceBatch(t *testing.T) {
	ref := readReference(t)
	s, rows, errs := molecule.ParseSMILES(context.Background(), ref.SupportSMILES, 2)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := AssembleQueries(s, rows)
	if err != nil {
		t.Fatal(err)
	}
	want := ref.SupportGraph
	for v := range len(b.Atoms) / 2 {
		if got := [2]uint8(b.Atoms[2*v : 2*v+2]); got != want.X[v] {
			t.Errorf("atom %d: %v, want %v", v, got, want.X[v])
		}
		e := b.RowPtr[v]
		for i, to := range want.EdgeIndex[1] {
			if to != int32(v) {
				continue
			}
			attr := [2]uint8(b.Bond[2*e : 2*e+2])
			if b.Col[e] != want.EdgeIndex[0][i] || attr != want.EdgeAttr[i] {
				t.Errorf("edge %d into atom %d: from %d %v, want from %d %v", e-b.RowPtr[v], v, b.Col[e], attr,
					want.EdgeIndex[0][i], want.EdgeAttr[i])
			}
			e++
		}
		if e != b.RowPtr[v+1] {
			t.Errorf("atom %d has %d edges, want %d", v, b.RowPtr[v+1]-b.RowPtr[v], e-b.RowPtr[v])
		}
	}
}
