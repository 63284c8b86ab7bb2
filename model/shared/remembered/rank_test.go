package remembered

import (
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/gnn/params"
	"pacia/harness/modeltest"
	"pacia/ops"
)

// TestRanks: larger values have larger ranks, equal values equal ones, and an unknown value has the rank of
// its class's median. If most values are unknown, there are no ranks.
func TestRanks(t *testing.T) {
	missing := math.NaN()
	for _, c := range []struct {
		labels []uint8
		values []float64
		want   []uint8 // 256ths
	}{
		{[]uint8{0, 1, 0, 1}, []float64{-5, 3, 2, 900}, []uint8{32, 160, 96, 224}},
		{[]uint8{0, 0, 1, 1}, []float64{4, 4, 5, 6}, []uint8{64, 64, 160, 224}},
		{[]uint8{0, 0, 1, 1, 0, 0}, []float64{1, 2, missing, 7, 4, missing}, []uint8{32, 96, 224, 224, 160, 96}},
		{[]uint8{0, 0, 1}, []float64{1, missing, missing}, nil},
		{[]uint8{0, 1}, nil, nil},
	} {
		task := data.Task{Labels: c.labels}
		for _, v := range c.values {
			task.Values = append(task.Values, data.Measured{Value: v})
		}
		if got := Ranks(&task, parts); !slices.Equal(got, c.want) {
			t.Errorf("values %v have the ranks %v, want %v", c.values, got, c.want)
		}
	}
}

// TestRanksAreReadBack: ranks are read back with the place of the task and the label, also for many tasks.
func TestRanksAreReadBack(t *testing.T) {
	modeltest.Locked(t, 1)
	all := []Label{{Key: 1, Task: 0, On: 1, Rank: 255}, {Key: 1, Task: 65534, On: 0, Rank: 1}, {Key: 2, Task: 3, On: 0, Rank: 0}}
	p := &params.Set{Device: ops.CPU}
	t.Cleanup(p.Drop)
	var l Labels
	l.LayOut(p, 2, len(all))
	if err := l.Write(all); err != nil {
		t.Fatal(err)
	}
	var got []Label
	if err := l.Read(65535, func(key uint64, labels []float64) error {
		for _, label := range labels {
			task, on, rank := Split(label)
			one := Label{Key: key, Task: int32(task), Rank: uint8(parts * rank)}
			if on {
				one.On = 1
			}
			got = append(got, one)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, all) {
		t.Errorf("read back: %v, want %v", got, all)
	}
}
