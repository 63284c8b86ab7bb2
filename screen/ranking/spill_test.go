package ranking

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pacia/internal/badinput"
	"pacia/model"
)

func asIs(p float32) float64 { return float64(p) }

func TestRankedRowsKeepTheirCells(t *testing.T) {
	s, err := NewSpill(t.TempDir() + "/ranked.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, r := range []struct {
		fields []string
		p      float32
		mark   Mark
	}{
		{[]string{"CC", "a,b"}, 0.25, InSupportActive},
		{[]string{"N", "two\nlines"}, 0.75, InSupportInactive},
		{[]string{"P"}, 0.25, 0},
		{[]string{"O", `a "name"`}, 1e-7, InSupportActive | InSupportInactive},
	} {
		if err := s.Add(r.fields, r.p, 3, r.mark); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	if err := s.WriteRanked(&got, []string{"smiles", "name"}, asIs, nil); err != nil {
		t.Fatal(err)
	}
	const want = "smiles,name,rank,probability,depth,in_support\n" +
		"N,\"two\nlines\",1,0.75,3,inactive\n" +
		"CC,\"a,b\",2,0.25,3,active\n" +
		"P,,3,0.25,3,\n" +
		"O,\"a \"\"name\"\"\",4,1e-07,3,both\n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestRankingIsAStableSort: with many rows and few different probabilities, the order is that of a stable sort.
// Rows that cross the ends of buffers are complete.
func TestRankingIsAStableSort(t *testing.T) {
	const n = 20000
	s, err := NewSpill(t.TempDir() + "/ranked.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.runBytes = 1 << 17
	r := rand.New(rand.NewPCG(1, 2))
	p := make([]float32, n)
	order := make([]int, n)
	for i := range n {
		p[i], order[i] = float32(r.IntN(50))/50, i
		if err := s.Add([]string{strconv.Itoa(i), string(bytes.Repeat([]byte{'x'}, r.IntN(200)))}, p[i], 1, 0); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	if len(s.runs) < 10 {
		t.Fatalf("%d runs: too few to be merged", len(s.runs))
	}
	var out bytes.Buffer
	var numbers []int
	if err := s.WriteRanked(&out, []string{"i", "x"}, asIs, func(r Ranked) {
		if r.Cells.At(0) != strconv.Itoa(r.Number) {
			t.Errorf("row %d is passed as %q", r.Number, r.Cells)
		}
		numbers = append(numbers, r.Number)
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(numbers, order) {
		t.Error("the rows are passed in another order")
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != n+1 {
		t.Fatalf("%d rows came back, want %d", len(rows)-1, n)
	}
	for rank, row := range rows[1:] {
		if row[0] != strconv.Itoa(order[rank]) || row[2] != strconv.Itoa(rank+1) {
			t.Fatalf("rank %d holds row %s (rank column %s), want row %d", rank+1, row[0], row[2], order[rank])
		}
	}
}

// TestSpillTakesNoMemory: a hundred thousand rows and a million rows take the same memory.
func TestSpillTakesNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	held := func(n int) uint64 {
		s, err := NewSpill(t.TempDir() + "/ranked.csv")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		fields := []string{"", "c1ccccc1"}
		for i := range n {
			fields[0] = strconv.Itoa(i)
			if err := s.Add(fields, float32(i%1000)/1000, 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		var most runtime.MemStats
		written := 0
		if err := s.WriteRanked(io.Discard, []string{"i", "smiles"}, asIs, func(Ranked) {
			if written++; written == n/2 {
				runtime.GC()
				runtime.ReadMemStats(&most)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if s.Len() != n || written != n {
			t.Errorf("%d rows, %d written, want %d", s.Len(), written, n)
		}
		return most.HeapAlloc
	}
	few, many := held(100_000), held(1_000_000)
	if many > few+5<<20 {
		t.Errorf("%d bytes are held with 1,000,000 rows, %d with a tenth of them", many, few)
	}
}

func TestSpillLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	s, err := NewSpill(dir + "/ranked.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is in the folder: a killed program would leave it", left[0].Name())
	}
	if _, err := NewSpill(dir + "/none/ranked.csv"); !badinput.Is(err) {
		t.Errorf("missing folder: %v, want an error", err)
	}
}

func TestInvalidListsRowsAndReasons(t *testing.T) {
	v, err := NewInvalid(t.TempDir()+"/ranked.csv", &Table{Names: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := v.Add(Row{Line: 7, Fields: []string{"C("}}, errors.New("a bracket, never closed")); err != nil {
		t.Fatal(err)
	}
	if err := v.Flush(); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 { // concurrent readers
		wg.Go(func() {
			var got bytes.Buffer
			if err := v.CopyTo(&got); err != nil {
				t.Error(err)
			}
			if want := "row,smiles,reason\n7,C(,\"a bracket, never closed\"\n"; got.String() != want || v.Len() != 1 {
				t.Errorf("%d rows, got\n%s\nwant\n%s", v.Len(), got.String(), want)
			}
		})
	}
	wg.Wait()
}

// TestRoundedToOne: rows whose probabilities are rounded to 1 are ranked by their log-odds, also in rows that
// were kept of parts, and the others as before.
func TestRoundedToOne(t *testing.T) {
	spill := func() *Spill {
		s, err := NewSpill(t.TempDir() + "/ranked.csv")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	s, all := spill(), spill()
	for i, z := range []float32{20, -1, 30, 25, 30} {
		score := Score{Score: model.Score{Probability: 1, LogOdds: z}}
		if z < 0 {
			score.Probability = 0.25
		}
		if err := s.AddScore(Row{Fields: []string{strconv.Itoa(i)}}, score); err != nil {
			t.Fatal(err)
		}
	}
	var kept bytes.Buffer
	k, err := s.Store(&kept, RowLimit{}, true)
	if err == nil {
		err = all.Append(bytes.NewReader(kept.Bytes()), k)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []*Spill{s, all} {
		var order []int
		if err := of.Each(func(r Ranked) error { order = append(order, r.Number); return nil }); err != nil {
			t.Fatal(err)
		}
		if want := []int{2, 4, 3, 0, 1}; !slices.Equal(order, want) {
			t.Errorf("the order is %v, want %v", order, want)
		}
	}
}
