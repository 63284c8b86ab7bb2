package kernel

import (
	"math"
	"testing"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/model/shared/taught"
	"pacia/ops"
)

// TestPredicted: molecules that no past assay measured have the labels that a network predicts from their vectors, in assays that
// count. Others, and those without a vector, do not change.
func TestPredicted(t *testing.T) {
	const width = 2
	molecules := molecules{
		counts: []counts.Vector{
			{Bit: []uint16{1}, Count: []uint16{1}}, {Bit: []uint16{2}, Count: []uint16{1}}, {Bit: []uint16{3}, Count: []uint16{1}},
		},
		vectors: []float32{1, 0, 0, 1, float32(math.NaN()), 0},
	}
	var columns []past.Column
	for range 3 {
		active, inactive := past.LabelOf(true), past.LabelOf(false)
		columns = append(columns, past.Column{Rows: []int32{0, 1, 2, 3}, Labels: []past.Label{active, inactive, active, inactive}})
	}
	memory := past.New("past.csv", "", []uint64{remembered.Key(molecules.counts[0]), 11, 12, 13}, columns)
	err := ops.Pinned(1, func() error {
		var labels [][]past.Label // of the vectors (1, 0) and (0, 1)
		var vectors []float32
		for i := range 64 {
			of := make([]past.Label, 3)
			for a := range of {
				of[a] = past.LabelOf((i+a)%2 == 0)
				of[a].Assay = int32(a)
			}
			labels, vectors = append(labels, of), append(vectors, float32((i+1)%2), float32(i%2))
		}
		network, err := taught.Teach(t.Context(), taught.Examples{Width: width, Vectors: vectors, Labels: labels, Assays: 3}, "")
		if err != nil {
			return err
		}
		memory.Taught = network.Bytes()
		for _, specific := range []bool{false, true} {
			h := model.History{Specific: specific}
			h.Parts, h.Assays = past.PartsOf([]*past.Memory{memory}, func(_, assay int) bool { return assay == 0 })
			check(t, newHistory(h), molecules)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, h *history, m molecules) {
	t.Helper()
	if err := ops.InScope(func(s *ops.Scope) { m.past = h.rows(m, s) }); err != nil {
		t.Fatal(err)
	}
	first, second := m.past[0], m.past[1]
	if !first.measured() || m.past[2].has() || second.measured() || !second.has() {
		t.Fatalf("rows %v", m.past)
	}
	// The vector (0, 1) is inactive in the assay that does not count, and active, then inactive in the others.
	if e := second.entries; len(e) != 2 || e[0].task != 0 || e[0].value < 0.5 || e[1].task != 1 || e[1].value > -0.5 {
		t.Errorf("predicted labels %v", second.entries)
	}
	mean := predictedMean * float64(second.entries[0].value+second.entries[1].value) / 5
	if h.Specific {
		mean = 0
	}
	if math.Abs(second.mean-mean) > 1e-6 {
		t.Errorf("the mean of predicted labels is %v, want %v", second.mean, mean)
	}
	c := h.recollect(m.past[:2], []float64{1, -1})
	length := 0.0
	for _, e := range c.weigh(second) {
		length += float64(e.value) * float64(e.value)
	}
	if length == 0 || length > 0.5 || math.Abs(c.self(second)-c.weight*length) > 1e-6 || c.self(first) != c.weight {
		t.Errorf("predicted labels have the squared length %v, and %v and %v with themselves", length, c.self(second), c.self(first))
	}
	if bare := m.withoutVectors(); bare.past[1].has() || !bare.past[0].measured() || bare.vectors != nil || !m.past[1].has() {
		t.Errorf("without vectors the rows are %v", bare.past)
	}
}
