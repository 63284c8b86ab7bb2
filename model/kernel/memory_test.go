package kernel

import (
	"math"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/internal/each"
	"pacia/model/shared/counts"
)

// TestMemory: the entries read back are the labels of three of four tasks, minus the share of
// actives and divided by their length with few, and nothing of the fourth task.
func TestMemory(t *testing.T) {
	modeltest.Locked(t, 1)
	_, k, d := memorised(t, ForPreset("").(Settings))
	knows, err := k.SeenInTraining()
	if err != nil {
		t.Fatal(err)
	}
	prints := d.Store.(*molecule.Store).Fingerprints()
	for row := range d.Store.Len() {
		want := map[int32]float64{}
		sum := 0.0
		for i, number := range []int{0, 1, 3} {
			task := d.Tasks[number]
			share := 0.0
			for _, l := range task.Labels {
				share += float64(l) / float64(len(task.Labels))
			}
			for j, r := range task.Rows {
				if int(r) == row {
					want[int32(i)] = (float64(task.Labels[j]) - share) / math.Sqrt(share*(1-share)+smooth)
					sum += want[int32(i)] * want[int32(i)]
				}
			}
		}
		bit, count := prints.At(row)
		got := k.memory.of(counts.Vector{Bit: bit, Count: count})
		if known := knows(bit, count); known != (len(want) >= enough) {
			t.Errorf("molecule %d has %d labels, and is known: %v", row, len(want), known)
		}
		if len(want) < enough {
			if got.entries != nil || got.mean != 0 {
				t.Errorf("molecule %d has %d labels and is known", row, len(want))
			}
			continue
		}
		if len(got.entries) != len(want) {
			t.Errorf("molecule %d has %d labels, want %d", row, len(got.entries), len(want))
		}
		mean := 0.0
		for _, v := range want {
			mean += v / float64(len(want)+3)
		}
		if math.Abs(got.mean-mean) > 1e-6 {
			t.Errorf("molecule %d has the mean label %v, want %v", row, got.mean, mean)
		}
		for _, e := range got.entries {
			if w := want[e.task] / math.Sqrt(sum+few); math.Abs(float64(e.value)-w) > 1e-6 {
				t.Errorf("molecule %d, task %d: %v, want %v", row, e.task, e.value, w)
			}
		}
	}
}

// TestMeasuredMemory: if a task has values, their ranks replace its labels, with mean 0 and the deviation of
// labels. A task without values keeps its labels. If actives are few, inactive molecules can have ranks above
// the mean, and are still inactive. A different number of labels than the model has stored is refused.
func TestMeasuredMemory(t *testing.T) {
	modeltest.Locked(t, 1)
	m, k, d := memorised(t, ForPreset("").(Settings))
	for j := range d.Tasks[0].Labels {
		d.Tasks[0].Labels[j] = uint8(min(j%4, 1)) ^ 1 // a quarter
	}
	for i := range d.Tasks[:2] {
		for j, l := range d.Tasks[i].Labels {
			d.Tasks[i].Values = append(d.Tasks[i].Values, data.Measured{Value: float64(j) + 100*float64(l)})
		}
	}
	if err := m.Remember(d, []int{0, 1, 3}); err != nil {
		t.Fatal(err)
	}
	if err := k.memory.read(); err != nil {
		t.Fatal(err)
	}
	prints := d.Store.(*molecule.Store).Fingerprints()
	for i, number := range []int{0, 1, 3} {
		task := d.Tasks[number]
		n, of := float64(len(task.Rows)), make([]float64, len(task.Rows)) // value of each molecule
		share, mean, variance := 0.0, 0.0, 0.0
		for j, l := range task.Labels {
			of[j] = float64(l)
			share += float64(l) / n
			if i < 2 {
				lower := each.Count(task.Values, func(v data.Measured) bool { return v.Value < task.Values[j].Value })
				of[j] = math.Round(256*(float64(lower)+0.5)/n) / 256
			}
			mean += of[j] / n
		}
		for _, v := range of {
			variance += (v - mean) * (v - mean) / n
		}
		for j, row := range task.Rows {
			bit, count := prints.At(int(row))
			known := k.memory.of(counts.Vector{Bit: bit, Count: count})
			length := few
			for _, e := range known.entries {
				length -= few * float64(e.value) * float64(e.value) // Σ v² = few Σ e² / (1 − Σ e²)
			}
			for _, e := range known.entries {
				want := (of[j] - mean) / math.Sqrt(variance) * math.Sqrt(share*(1-share)/(share*(1-share)+smooth))
				if int(e.task) != i {
					continue
				}
				if got := float64(e.value) * few / math.Sqrt(length); math.Abs(got-want) > 1e-5 {
					t.Errorf("molecule %d is %v in task %d, want %v", row, got, number, want)
				}
				if e.active() != (task.Labels[j] == 1) {
					t.Errorf("molecule %d with the label %d in task %d is active there: %t", row, task.Labels[j], number, e.active())
				}
			}
		}
	}
	d.Tasks[3].Rows, d.Tasks[3].Labels = d.Tasks[3].Rows[1:], d.Tasks[3].Labels[1:]
	modeltest.Fails(t, m.Remember(d, []int{0, 1, 3}), "35 labels of", "the model remembers 36 of")
}

// TestRepeatedLabels: labels of one task add up, so that the cosines of several molecules are a
// valid matrix of cosines.
func TestRepeatedLabels(t *testing.T) {
	rows := table{ends: make([]int32, 1)}
	for i, labels := range [][]float64{{1, 1, -2, 3}, {-1, -1, 1, 2}, {-1, 1, -2}} {
		rows.add(uint64(i), labels, []scale{{0.5, 1 / math.Sqrt(0.27)}, {0.5, 1 / math.Sqrt(0.27)}, {0.25, 1 / math.Sqrt(0.2075)}})
	}
	k := &kernel{memory: &memory{rows: &rows, tasks: 3}}
	known := make([]row, 3)
	for i := range known {
		from, to := rows.ends[i], rows.ends[i+1]
		known[i] = row{entries: rows.entries[from:to]}
	}
	x, y := 0.5/math.Sqrt(0.27), 0.75/math.Sqrt(0.2075) // one label of the first two tasks, of the third
	v := [][3]float64{{2 * x, -x, y}, {-x, x, 0}, {0, -x, 0}}
	p, got := profileOf(known, k.memory.tasks), make([]float64, 3)
	for i := range v {
		clear(got)
		p.cosines(known[i].entries, 1, got)
		for j := range v {
			dot, a, b := 0.0, 0.0, 0.0
			for c := range 3 {
				dot, a, b = dot+v[i][c]*v[j][c], a+v[i][c]*v[i][c], b+v[j][c]*v[j][c]
			}
			if want := dot / math.Sqrt((a+few)*(b+few)); math.Abs(got[j]-want) > 1e-6 {
				t.Errorf("the cosine of %d and %d is %v, want %v", i, j, got[j], want)
			}
		}
	}
}
