package source

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/split"
	"pacia/harness/golden"
)

// TestMoleculeNet checks the published counts, the splits, and that every task
// of a split can be drawn from with ten shots.
func TestMoleculeNet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tests := []struct {
		name                                string
		molecules, tasks, train, test       int
		active0, inactive0, active, active9 int // of the first task, and active of all and of task 9
		long                                bool
	}{
		{name: "tox21", molecules: 7831, tasks: 12, train: 9, test: 3, active0: 309, inactive0: 6956, active: 5862, active9: 372},
		{name: "sider", molecules: 1427, tasks: 27, train: 21, test: 6, active0: 743, inactive0: 684, active: 21868, active9: 727},
		{name: "toxcast", molecules: 8576, tasks: 617, train: 450 - 88, test: 167 - 11, active0: 443, inactive0: 1288, active: 126651, active9: 64},
		{name: "muv", molecules: 93087, tasks: 17, train: 12, test: 5, active0: 27, inactive0: 14814, active: 489, active9: 28, long: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && testing.Short() {
				t.Skip("parsing 93,087 molecules is not short")
			}
			d := open(t, golden.Shared(t, "data/moleculenet/"+tt.name+".csv.gz"), t.TempDir())
			if d.Store.Len() != tt.molecules || len(d.Tasks) != tt.tasks || len(d.Skipped) != 0 {
				t.Errorf("%d molecules, %d tasks, %d left out; want %d, %d, 0",
					d.Store.Len(), len(d.Tasks), len(d.Skipped), tt.molecules, tt.tasks)
			}
			active := 0
			for i := range d.Tasks {
				active += len(d.Tasks[i].Class(1))
			}
			got := [4]int{len(d.Tasks[0].Class(1)), len(d.Tasks[0].Class(0)), active, len(d.Tasks[9].Class(1))}
			if want := [4]int{tt.active0, tt.inactive0, tt.active, tt.active9}; got != want {
				t.Errorf("active and inactive of task 0, active of all and of task 9: %v, want %v", got, want)
			}
			checkDraws(t, d, tt.name, tt.train, tt.test)
		})
	}
}

func checkDraws(t *testing.T, d *data.Dataset, name string, train, test int) {
	t.Helper()
	s, err := split.Parse("auto", d)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Train) != train || len(s.Test) != test {
		t.Errorf("split: %d and %d tasks, want %d and %d", len(s.Train), len(s.Test), train, test)
	}
	named, err := split.Parse(name, d)
	if err != nil || !slices.Equal(named.Train, s.Train) || !slices.Equal(named.Test, s.Test) {
		t.Errorf("split %q differs from auto (%v)", name, err)
	}
	draw := func(task int, f func(*data.Task, *rand.Rand) (data.Episode, error)) {
		e, err := f(&d.Tasks[task], data.Rand(0, "test", uint64(task)))
		if err == nil {
			_, err = data.Assemble(d.Store, []data.Episode{e})
		}
		if err != nil {
			t.Errorf("task %d: %v", task, err)
		}
	}
	for _, task := range s.Train {
		draw(task, func(t *data.Task, r *rand.Rand) (data.Episode, error) {
			return data.Draw{Shots: 10}.Training(t, task, 16, r)
		})
	}
	for _, task := range s.Test {
		draw(task, func(t *data.Task, r *rand.Rand) (data.Episode, error) { return data.DrawTest(t, task, 10, r) })
	}
}
