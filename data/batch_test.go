package data

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data/molecule"
)

var batchSMILES = []string{
	"CCO", "C", "F/C=C/F", "[C@](F)(Cl)(Br)I", "c1ccccc1N", "CC(=O)O", "[Na+].[Cl-]", "O=C(Nc1ccc(Cl)cc1)c1ccccc1", "*C#N", "C1CC1",
}

func batchStore(t testing.TB) *molecule.Store { return molecule.NewStore(graphs(t, batchSMILES...)) }

// checkBatch compares every molecule of a batch with the store and checks the
// boundaries. groups are the rows of the store, two groups for each task.
func checkBatch(t *testing.T, s *molecule.Store, b *Batch, groups [][]int32) {
	t.Helper()
	var molecules []int32
	wantGroups := []int32{0}
	for _, g := range groups {
		molecules = append(molecules, g...)
		wantGroups = append(wantGroups, wantGroups[len(wantGroups)-1]+int32(atomsOf(s, g)))
	}
	if !slices.Equal(b.GroupPtr, wantGroups) {
		t.Errorf("GroupPtr %v, want %v", b.GroupPtr, wantGroups)
	}
	if len(b.MolPtr) != len(molecules)+1 || b.MolPtr[0] != 0 || b.RowPtr[0] != 0 {
		t.Fatalf("MolPtr %v, RowPtr[0] %d for %d molecules", b.MolPtr, b.RowPtr[0], len(molecules))
	}
	atoms := int(b.MolPtr[len(molecules)])
	if len(b.Atoms) != 2*atoms || len(b.RowPtr) != atoms+1 || int(b.RowPtr[atoms]) != len(b.Col) || len(b.Bond) != 2*len(b.Col) {
		t.Fatalf("%d atoms: %d of Atoms, %d of RowPtr to %d, %d of Col, %d of Bond",
			atoms, len(b.Atoms), len(b.RowPtr), b.RowPtr[atoms], len(b.Col), len(b.Bond))
	}
	for m, row := range molecules {
		g, first, last := s.Graph(int(row)), b.MolPtr[m], b.MolPtr[m+1]
		edge := b.RowPtr[first]
		got := molecule.Graph{Atoms: b.Atoms[2*first : 2*last], Bond: b.Bond[2*edge : 2*b.RowPtr[last]]}
		for _, p := range b.RowPtr[first : last+1] {
			got.RowPtr = append(got.RowPtr, p-edge)
		}
		got.Col = make([]uint16, 0, g.Edges())
		for _, c := range b.Col[edge:b.RowPtr[last]] {
			if c < first || c >= last {
				t.Fatalf("molecule %d, atoms %d..%d: an edge comes from atom %d", m, first, last-1, c)
			}
			got.Col = append(got.Col, uint16(c-first))
		}
		if !reflect.DeepEqual(got, g) {
			t.Errorf("molecule %d is\n%+v\nrow %d of the store is\n%+v", m, got, row, g)
		}
	}
}

func TestAssemble(t *testing.T) {
	s := batchStore(t)
	eps := []Episode{
		{Task: 4, Shots: 2, Support: []int32{3, 1, 7, 0}, SupportLabels: []uint8{0, 0, 1, 1}, Query: []int32{2, 9}, QueryLabels: []uint8{1, 0}},
		{Task: 2, Shots: 2, Support: []int32{5, 5, 6, 8}, SupportLabels: []uint8{0, 0, 1, 1}, Query: []int32{4}, QueryLabels: []uint8{1}},
	}
	b, err := Assemble(s, eps)
	if err != nil {
		t.Fatal(err)
	}
	checkBatch(t, s, b, [][]int32{eps[0].Support, eps[0].Query, eps[1].Support, eps[1].Query})
	if b.Tasks != 2 || b.Support != 4 || b.Shots != 2 {
		t.Errorf("%d tasks, %d support molecules, %d shots; want 2, 4, 2", b.Tasks, b.Support, b.Shots)
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"SupportMol", b.SupportMol, []int32{0, 1, 2, 3, 6, 7, 8, 9}},
		{"QueryMol", b.QueryMol, []int32{4, 5, 10}},
		{"QueryTask", b.QueryTask, []int32{0, 0, 1}},
		{"SupportLabel", b.SupportLabel, []uint8{0, 0, 1, 1, 0, 0, 1, 1}},
		{"QueryLabel", b.QueryLabel, []uint8{1, 0, 1}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestAssembleDraws checks the layout for many random steps.
func TestAssembleDraws(t *testing.T) {
	s := batchStore(t)
	task := &Task{Name: "assay"}
	for i := range s.Len() {
		task.Rows, task.Labels = append(task.Rows, int32(i)), append(task.Labels, uint8(i%2))
	}
	for n := range uint64(50) {
		r := Rand(0, "step", n)
		eps := make([]Episode, 1+n%4)
		var groups [][]int32
		for i := range eps {
			var err error
			if eps[i], err = drawTraining(task, i, 1+int(n%3), 1+i, r); err != nil {
				t.Fatal(err)
			}
			groups = append(groups, eps[i].Support, eps[i].Query)
		}
		b, err := Assemble(s, eps)
		if err != nil {
			t.Fatal(err)
		}
		checkBatch(t, s, b, groups)
	}
}

func TestAssembleParts(t *testing.T) {
	s := batchStore(t)
	e, err := NewSupport([]int32{8, 2, 4, 6, 0}, []uint8{1, 0, 1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := AssembleSupport(s, e)
	if err != nil {
		t.Fatal(err)
	}
	checkBatch(t, s, b, [][]int32{{2, 6, 8, 4, 0}, {}})
	if b.Tasks != 1 || b.Support != 5 || b.Shots != 2 || len(b.QueryMol) != 0 || !slices.Equal(b.SupportLabel, []uint8{0, 0, 1, 1, 1}) {
		t.Errorf("support batch %+v", b)
	}
	q, err := AssembleQueries(s, []int32{7, 7, 1})
	if err != nil {
		t.Fatal(err)
	}
	checkBatch(t, s, q, [][]int32{{}, {7, 7, 1}})
	if q.Tasks != 1 || q.Support != 0 || len(q.SupportMol) != 0 || !slices.Equal(q.QueryMol, []int32{0, 1, 2}) ||
		!slices.Equal(q.QueryTask, []int32{0, 0, 0}) {
		t.Errorf("query batch %+v", q)
	}
}

func TestAssembleErrors(t *testing.T) {
	s := batchStore(t)
	one := func(e Episode) error { _, err := Assemble(s, []Episode{e}); return err }
	_, none := Assemble(s, nil)
	_, noSupport := AssembleSupport(s, Episode{Query: []int32{1}})
	_, noQueries := AssembleQueries(s, nil)
	_, uneven := Assemble(s, []Episode{
		{Support: []int32{1, 2}, SupportLabels: []uint8{0, 1}}, {Support: []int32{1}, SupportLabels: []uint8{0}},
	})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{none, "no episodes"},
		{noSupport, "no support molecules"},
		{noQueries, "no molecules"},
		{uneven, "episode 1 has 1 support molecules, episode 0 has 2"},
		{one(Episode{Support: []int32{10}, SupportLabels: []uint8{0}}), "molecule 10 is not in a store of 10"},
		{one(Episode{Query: []int32{-1}}), "molecule -1 is not in a store of 10"},
		{one(Episode{Support: []int32{1}}), "1 support molecules and 0 labels"},
		{one(Episode{Query: []int32{1, 2}, QueryLabels: []uint8{1}}), "2 queries and 1 labels"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("got %v, want %q", tt.err, tt.want)
		}
	}
}

func BenchmarkAssemble(b *testing.B) {
	s := batchStore(b)
	e := Episode{Shots: 10, Support: make([]int32, 20), SupportLabels: make([]uint8, 20), Query: make([]int32, 16), QueryLabels: make([]uint8, 16)}
	for i := range e.Support {
		e.Support[i] = int32(i % s.Len())
	}
	eps := slices.Repeat([]Episode{e}, 9)
	for b.Loop() {
		if _, err := Assemble(s, eps); err != nil {
			b.Fatal(err)
		}
	}
}
