package fsmol

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/source"
)

// TestGraphs: with RDKit's graphs, the tasks are the same except for molecules that RDKit
// refuses.
func TestGraphs(t *testing.T) {
	dir := folder(t)
	bad := alkanes(t, 3, "F")
	bad[1].SMILES = "C(C"
	if err := writeTask(filepath.Join(dir, "test", "E"+suffix), slices.Values(bad)); err != nil {
		t.Fatal(err)
	}
	d := read(t, dir, true)
	g, err := d.parsed(context.Background(), "fsmol", source.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Tasks) != 5 || g.Store.Len() != d.store.Len()-1 || len(g.Skipped) != 1 || g.Skipped[0].SMILES != "C(C" {
		t.Fatalf("%d tasks, %d molecules, left out %v", len(g.Tasks), g.Store.Len(), g.Skipped)
	}
	if last := g.Tasks[4]; !slices.Equal(last.Labels, []uint8{1, 0}) || len(last.Rows) != 2 || g.Store.Atoms(int(last.Rows[1])) != 4 {
		t.Errorf("task %+v", last)
	}
	for i := range 4 {
		for j, row := range d.tasks[i].Rows {
			if got, want := g.Store.Atoms(int(g.Tasks[i].Rows[j])), d.store.Atoms(int(row)); got != want {
				t.Errorf("task %d, molecule %d: %d atoms, want %d", i, j, got, want)
			}
		}
	}
}

func TestAssemble(t *testing.T) {
	d := read(t, folder(t), true)
	graphs, err := d.parsed(context.Background(), "fsmol", source.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint32(3) {
		var eps, likewise []data.Episode
		for _, task := range []int{0, 3} {
			e, err := data.DrawStratified(&d.tasks[task], task, 6, 0, seed)
			if err != nil {
				t.Fatal(err)
			}
			eps = append(eps, e)
			f, err := data.DrawStratified(&graphs.Tasks[task], task, 6, 0, seed)
			if err != nil {
				t.Fatal(err)
			}
			likewise = append(likewise, f)
		}
		b, err := data.Assemble(d.store, eps)
		if err != nil {
			t.Fatal(err)
		}
		same, err := data.Assemble(graphs.Store, likewise)
		if err != nil {
			t.Fatal(err)
		}
		checkBoundaries(t, b, same)
		checkMolecules(t, d.smiles, b, eps)
	}
	want := "data.Assemble: episode 0 of task 0: molecule 99 is not in a store of 39"
	if _, err := data.Assemble(d.store, []data.Episode{{Query: []int32{99}}}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// checkBoundaries compares the fields that do not depend on the atoms' features with the
// batch of RDKit's graphs.
func checkBoundaries(t *testing.T, got, want *data.Batch) {
	t.Helper()
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"Tasks", got.Tasks, want.Tasks}, {"Support", got.Support, want.Support}, {"Shots", got.Shots, want.Shots},
		{"MolPtr", got.MolPtr, want.MolPtr}, {"GroupPtr", got.GroupPtr, want.GroupPtr},
		{"SupportMol", got.SupportMol, want.SupportMol}, {"QueryMol", got.QueryMol, want.QueryMol}, {"QueryTask", got.QueryTask, want.QueryTask},
		{"SupportLabel", got.SupportLabel, want.SupportLabel}, {"QueryLabel", got.QueryLabel, want.QueryLabel},
	} {
		if !reflect.DeepEqual(f.got, f.want) {
			t.Errorf("%s\n got %v\nwant %v", f.name, f.got, f.want)
		}
	}
}

// checkMolecules compares features, and bonds in both directions, with those from RDKit.
func checkMolecules(t *testing.T, smiles []string, b *data.Batch, eps []data.Episode) {
	t.Helper()
	m, features := 0, b.Floats(molecule.Features)
	for _, e := range eps {
		for _, row := range slices.Concat(e.Support, e.Query) {
			of, err := FromSMILES(smiles[row])
			if err != nil {
				t.Fatal(err)
			}
			first, g := b.MolPtr[m], of.Graph
			for v, bits := range g.Atoms {
				at := int(first) + v
				if got := features[Features*at : Features*(at+1)]; !slices.Equal(got, appendFeatures(nil, bits)) {
					t.Fatalf("molecule %d, atom %d: features %v", m, v, got)
				}
				var want []int32
				var types []uint8 // and a 0 each
				for k := range g.Bonds {
					for i, end := range g.Bonds[k] {
						if int(end) == v {
							want, types = append(want, first+int32(g.Bonds[k][i^1])), append(types, uint8(k), 0)
						}
					}
				}
				from, to := b.RowPtr[at], b.RowPtr[at+1]
				if !slices.Equal(b.Col[from:to], want) || !slices.Equal(b.Bond[2*from:2*to], types) {
					t.Fatalf("molecule %d, atom %d: joined with %v by %v, want %v by %v", m, v, b.Col[from:to], b.Bond[2*from:2*to], want, types)
				}
			}
			m++
		}
	}
	if n := int(b.MolPtr[m]); len(b.MolPtr) != m+1 || len(b.Atoms) != 0 || len(b.Bond) != 2*len(b.Col) || len(features) != Features*n || len(b.RowPtr) != n+1 || len(b.Col) != int(b.RowPtr[n]) {
		t.Errorf("%d molecules, %d atoms: %d of MolPtr, %d features", m, n, len(b.MolPtr), len(features))
	}
}

// BenchmarkReadTask reads molecules as large as the published one, with its 200
// descriptors.
func BenchmarkReadTask(b *testing.B) {
	molecules := make([]Molecule, 100)
	for i := range molecules {
		m, err := FromSMILES(publishedSMILES + strings.Repeat("C", i%10))
		if err != nil {
			b.Fatal(err)
		}
		for k := range 200 {
			m.Descriptors = append(m.Descriptors, float32(i*k)/7)
		}
		molecules[i] = m
	}
	path := filepath.Join(b.TempDir(), "T"+suffix)
	if err := writeTask(path, slices.Values(molecules)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := readTask(b.Context(), path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(molecules))/b.Elapsed().Seconds(), "molecules/s")
}
