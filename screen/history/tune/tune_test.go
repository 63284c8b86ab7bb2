package tune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/past"
)

// memory returns past assays of these names, of n molecules, each with an own draw of labels.
func memory(file string, n int, names ...string) *past.Memory {
	keys := each.Of(each.Order[int](n), func(i int) uint64 { return uint64(3*i + 7) })
	return past.New(file, "", keys, each.Of(names, func(name string) past.Column {
		r := rand.New(rand.NewPCG(hash(name), 1))
		c := past.Column{Name: name}
		for row := range int32(n) {
			c.Rows, c.Labels = append(c.Rows, row), append(c.Labels, past.LabelOf(r.IntN(3) == 0))
		}
		return c
	}))
}

// trialsOf returns trials of the draws of m with random numbers in place of a model's.
func trialsOf(m *past.Memory) []Trial {
	return each.Of(drawn(m), func(d draw) Trial {
		support, queries := d.molecules()
		r := rand.New(rand.NewPCG(d.seed, 2))
		numbers := func(n int) []float32 {
			return each.Of(each.Order[int](n), func(int) float32 { return r.Float32() })
		}
		n, k := len(support.keys)+len(queries.keys), len(support.keys)
		return Trial{Assay: d.name, Keys: slices.Concat(support.keys, queries.keys), Trial: model.Trial{
			Support: k, Labels: slices.Concat(support.labels, queries.labels),
			Kernel: numbers(n * k), Structure: numbers(n * k), Expected: numbers(n), Alike: d.seed%2 == 0,
		}}
	})
}

// TestDraw: the molecules of a trial have the labels of its assay, none is drawn twice, both classes are in the support set and
// among the queries, and the draw does not depend on other assays. Assays that are too small have none.
func TestDraw(t *testing.T) {
	m := memory("a.csv", 300, "one", "two", "three")
	for _, d := range drawn(m) {
		alone := drawn(memory("a.csv", 300, d.name[len("a.csv: "):]))
		if support, queries := d.molecules(); true {
			s, q := alone[0].molecules()
			if !reflect.DeepEqual(support, s) || !reflect.DeepEqual(queries, q) {
				t.Errorf("%s: other molecules are drawn beside other assays", d.name)
			}
			if n := len(support.keys); n != ofSupport || len(queries.keys) != activeQueries+inactiveQueries {
				t.Errorf("%s: %d molecules and %d queries", d.name, n, len(queries.keys))
			}
			all := slices.Concat(support.keys, queries.keys)
			labels := slices.Concat(support.labels, queries.labels)
			measured := 0
			parts, assays := past.PartsOf([]*past.Memory{m}, nil)
			for i, key := range all {
				for _, l := range parts[0].Append(nil, key) {
					if nameOf(assays[l.Assay]) != d.name {
						continue
					}
					if measured++; l.Active != (labels[i] > 0) {
						t.Errorf("%s: molecule %d has another label", d.name, key)
					}
				}
			}
			slices.Sort(all)
			if measured != len(all) || len(slices.Compact(all)) != len(labels) {
				t.Errorf("%s: %d molecules of %d are measured and different", d.name, measured, len(labels))
			}
		}
	}
	for inactive, want := range map[int]int{5: 0, 6: 3, 16: 8, 100: 12} {
		if got, active := shots(inactive, 9); got != want && min(got, active) >= fewest {
			t.Errorf("%d inactive and 9 active molecules: %d and %d in the support set", inactive, got, active)
		}
	}
	if n := len(drawn(memory("a.csv", 8, "small"))); n != 0 {
		t.Errorf("%d trials of 8 molecules", n)
	}
}

// TestJoined: trials that are added in two steps are those that are added at once, also above the largest number of them; an assay
// that is added again has the new trial, or none; and bytes are read back, unless they are damaged.
func TestJoined(t *testing.T) {
	names := func(file string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprint(file, i))
		}
		return all
	}
	a, b := memory("a.csv", 40, names("a", 400)...), memory("b.csv", 40, names("b", 300)...)
	parts, _ := past.PartsOf([]*past.Memory{a, b}, nil)
	both := past.Compose(parts)
	once, steps := trialsOf(both), Joined(trialsOf(a), trialsOf(b), b)
	if !reflect.DeepEqual(once, steps) || len(once) > Most {
		t.Errorf("%d trials at once, %d in two steps, or others", len(once), len(steps))
	}
	if small := memory("a.csv", 8, "a1"); len(Counting(Joined(trialsOf(a), trialsOf(small), small), small)) != 0 {
		t.Error("a trial of an assay that was replaced is kept")
	}
	few := steps[:3]
	bytes := Marshal(few)
	if again, err := Unmarshal(bytes); err != nil || !reflect.DeepEqual(again, few) {
		t.Errorf("trials are not read back: %v", err)
	}
	for cut := 1; cut < len(bytes); cut += 97 {
		if some, err := Unmarshal(bytes[:cut]); err == nil && len(some) == 0 {
			t.Errorf("%d of %d bytes are accepted", cut, len(bytes))
		}
	}
	for i := range 12 {
		bad := slices.Clone(bytes)
		bad[i] ^= 0x80
		if again, err := Unmarshal(bad); err == nil && reflect.DeepEqual(again, few) {
			t.Errorf("a flip in byte %d changes nothing", i)
		}
	}
}

// TestOthers: the trial's assay, a copy of it, and a reversed one do not count, and a related one only up to its correlation.
func TestOthers(t *testing.T) {
	keys := each.Of(each.Order[int](100), func(i int) uint64 { return uint64(i + 1) })
	names := []string{"same", "copy", "reversed", "related", "none"}
	columns := each.Of(names, func(name string) past.Column { return past.Column{Name: name} })
	for row := range int32(100) {
		on := row%4 == 0
		for i, label := range []bool{on, on, !on, on != (row%8 == 0), row%7 == 0} {
			columns[i].Rows, columns[i].Labels = append(columns[i].Rows, row), append(columns[i].Labels, past.LabelOf(label))
		}
	}
	m := past.New("a.csv", "", keys, columns)
	trial := trialsOf(m)[slices.IndexFunc(trialsOf(m), func(t Trial) bool { return t.Assay == "a.csv: same" })]
	for limit, want := range map[float64]int{near: 2, 0.3: 1} {
		if h := others(m, &trial, limit); len(h.Assays) != want {
			t.Errorf("limit %v: %d past assays count, want %d", limit, len(h.Assays), want)
		}
	}
	var c correlation
	if c.add(1, 1); c.strength() != 0 {
		t.Error("one molecule has a correlation")
	}
	for i := range 12 {
		c.add(float64(i), -2*float64(i))
	}
	if got := c.strength(); got < 0.9 || got > 1 || math.IsNaN(got) {
		t.Errorf("correlation %v", got)
	}
}

// TestBest: other weights are chosen only if they are surely better with related assays, and no worse without.
func TestBest(t *testing.T) {
	row := func(mean, spread float64) []figures {
		return each.Of(each.Order[int](20), func(i int) figures { return figures{0, mean + spread*float64(i%2)} })
	}
	usual := row(0.3, 0)
	for _, c := range []struct {
		what          string
		with, without []figures
		want          int
	}{
		{"better", row(0.32, 0.01), row(0.31, 0), 1},
		{"better by chance", row(0.25, 0.11), row(0.31, 0), 0},
		{"worse without related assays", row(0.32, 0.01), row(0.29, 0), 0},
		{"worse", row(0.29, 0), row(0.32, 0), 0},
	} {
		if got := bestOf([][]figures{usual, c.with}, [][]figures{usual, c.without}); got != c.want {
			t.Errorf("%s: weights %d, want %d", c.what, got, c.want)
		}
	}
	few := [][]figures{usual[:5], row(0.4, 0)[:5]}
	if got := bestOf(few, few); got != 0 {
		t.Error("weights are chosen by five trials")
	}
}
