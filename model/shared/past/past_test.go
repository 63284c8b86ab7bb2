package past

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pacia/internal/safetensors"
)

// table returns random assays of n molecules; several rows may be of one molecule.
func table(seed uint64, n, assays int) (keys []uint64, columns []Column) {
	random := rand.New(rand.NewPCG(seed, 1))
	for range n {
		keys = append(keys, uint64(random.IntN(2*n)))
	}
	for a := range assays {
		c := Column{Name: string(rune('A' + a)), Valued: a%2 == 0}
		for row := range n {
			if random.IntN(3) == 0 {
				l := LabelOf(random.IntN(2) == 0)
				if c.Valued {
					l.Rank = uint8(1 + random.IntN(Parts-1))
				}
				c.Rows, c.Labels = append(c.Rows, int32(row)), append(c.Labels, l)
			}
		}
		columns = append(columns, c)
	}
	return keys, columns
}

// labelsOf returns all labels of a memory.
func labelsOf(m *Memory) map[uint64][]Label {
	parts, _ := PartsOf([]*Memory{m}, nil)
	all := map[uint64][]Label{}
	for _, key := range m.keys {
		all[key] = parts[0].Append(nil, key)
	}
	return all
}

// TestNew: each molecule has the labels of its rows, merged for each assay, and the sums are of these.
func TestNew(t *testing.T) {
	keys, columns := table(1, 300, 130)
	m := New("f.csv", "2026-01-02", keys, columns)
	want := map[uint64][]Label{}
	for a, c := range columns {
		rows := map[uint64][]Label{}
		for i, row := range c.Rows {
			rows[keys[row]] = append(rows[keys[row]], c.Labels[i])
		}
		var sums Sums
		for key, labels := range rows {
			active, ranks := 0, 0
			for _, l := range labels {
				ranks += int(l.Rank)
				if l.Active {
					active++
				}
			}
			l := Label{Assay: int32(a), Rank: uint8(float64(ranks)/float64(len(labels)) + 0.5)}
			l.Active = 2*active > len(labels) || 2*active == len(labels) && l.Rank > 64
			want[key] = append(want[key], l)
			sums.add(l)
		}
		if got := m.Assays[a]; got != (Assay{c.Name, "f.csv", "2026-01-02", c.Valued, sums}) {
			t.Errorf("assay %d: %+v, want %+v", a, got, sums)
		}
	}
	if got := labelsOf(m); !reflect.DeepEqual(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	parts, _ := PartsOf([]*Memory{m}, nil)
	if l := parts[0].Append(nil, 1<<47); len(l) > 0 {
		t.Errorf("an unknown molecule has the labels %v", l)
	}
}

// TestMerged: repeats have the mean rank, and the activity of most.
func TestMerged(t *testing.T) {
	yes, no := LabelOf(true), LabelOf(false)
	for _, tt := range []struct {
		of   []Label
		want Label
	}{
		{[]Label{yes, no, yes}, Label{Active: true, Rank: 85}},
		{[]Label{yes, no}, Label{Rank: 64}},
		{[]Label{{Active: true, Rank: 70}, {Rank: 20}}, Label{Rank: 45}},
	} {
		if got := merged(tt.of); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.of, got, tt.want)
		}
	}
}

// TestCompose: assays that are added one after the other make the same memory as all at once, and one that is left out makes
// the memory in which it never was.
func TestCompose(t *testing.T) {
	memories := make([]*Memory, 3)
	for i := range memories {
		keys, columns := table(uint64(i), 200, 5+100*i)
		memories[i] = New(string(rune('a'+i)), "", keys, columns)
	}
	compose := func(without func(memory, assay int) bool, of ...*Memory) *Memory {
		parts, _ := PartsOf(of, without)
		return Compose(parts)
	}
	all := compose(nil, memories...)
	if steps := compose(nil, compose(nil, memories[0], memories[1]), memories[2]); !reflect.DeepEqual(steps, all) {
		t.Error("in two steps the memory differs")
	}
	if n := len(memories[0].Assays) + len(memories[1].Assays) + len(memories[2].Assays); len(all.Assays) != n {
		t.Errorf("%d assays, want %d", len(all.Assays), n)
	}
	first := len(memories[0].Assays)
	without := compose(func(_, a int) bool { return a >= first && a < first+len(memories[1].Assays) }, all)
	if !reflect.DeepEqual(without, compose(nil, memories[0], memories[2])) {
		t.Error("without assays the memory differs from one that never had them")
	}
}

// TestFile: a memory is read as it was written, beside tensors.
func TestFile(t *testing.T) {
	keys, columns := table(4, 500, 20)
	m := New("f.csv", "2026-01-02", keys, columns)
	m.Weights, m.Trials = Weights{1, 2, 3}, []byte{7, 8, 9}
	path := filepath.Join(t.TempDir(), "m.safetensors")
	about, arrays, err := m.Arrays()
	if err != nil {
		t.Fatal(err)
	}
	tensor := safetensors.Tensor{Name: "w", Shape: []int64{3}, Type: safetensors.F16, Read: func() ([]float32, error) { return []float32{1, 2, 3}, nil }}
	if err := safetensors.Write(path, map[string]string{Metadata: about}, []safetensors.Tensor{tensor}, arrays...); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(labelsOf(got), labelsOf(m)) || !slices.Equal(got.Assays, m.Assays) || got.Weights != m.Weights || !slices.Equal(got.Trials, m.Trials) {
		t.Error("the memory differs after reading")
	}
	if len(f.Tensors) != 1 || f.Tensors[0].Name != "w" {
		t.Errorf("tensors %v", f.Tensors)
	}
}

// TestForged: arrays that cannot be of a memory are refused, and labels of assays that are not there are passed over.
func TestForged(t *testing.T) {
	keys, columns := table(5, 50, 4)
	for name, change := range map[string]func(m *Memory){
		"keys":    func(m *Memory) { m.keys[0], m.keys[1] = m.keys[1], m.keys[0] },
		"ends":    func(m *Memory) { m.ends[3] = 1 },
		"labels":  func(m *Memory) { m.labels = m.labels[1:] },
		"fewer":   func(m *Memory) { m.ends = m.ends[1:] },
		"actives": func(m *Memory) { m.Assays[0].Actives = m.Assays[0].Molecules + 1 },
		"weights": func(m *Memory) { m.Weights.Hits = -1 },
	} {
		m := New("", "", keys, columns)
		if change(m); !errors.Is(m.check(), ErrDamaged) {
			t.Errorf("%s: %v", name, m.check())
		}
	}
	m := New("", "", keys, columns)
	for i := range m.labels {
		m.labels[i] = 0xff
	}
	for key, labels := range labelsOf(m) {
		for _, l := range labels {
			if int(l.Assay) >= len(m.Assays) {
				t.Errorf("molecule %d has a label in assay %d", key, l.Assay)
			}
		}
	}
}
