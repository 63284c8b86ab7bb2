package study

import (
	"context"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/report/scores"
)

// measured returns a task with a number of molecules at each depth, half of
// them active.
func measured(counts map[int32]int) scores.Task {
	t := scores.Task{Name: "t"}
	for depth, n := range counts {
		for i := range n {
			t.Depths, t.Labels = append(t.Depths, depth), append(t.Labels, uint8(i%2))
		}
	}
	return t
}

func TestGroupDepths(t *testing.T) {
	for _, tt := range []struct {
		counts map[int32]int
		want   [2]int
		ok     bool
	}{
		{map[int32]int{1: 10, 2: 10, 4: 10, 5: 10}, [2]int{1, 4}, true}, // the paper's
		{map[int32]int{1: 10, 2: 10, 4: 9, 5: 10}, [2]int{1, 5}, true},
		{map[int32]int{2: 30, 3: 12}, [2]int{2, 3}, true},
		{map[int32]int{2: 30, 3: 9}, [2]int{}, false},
		{map[int32]int{5: 30}, [2]int{}, false},
	} {
		if got, ok := groupDepths([]scores.Task{measured(tt.counts)}); got != tt.want || ok != tt.ok {
			t.Errorf("%v: %v, %t; want %v, %t", tt.counts, got, ok, tt.want, tt.ok)
		}
	}
}

// TestReadGroups: at the depth that the model assigns, molecules that are read at every depth have the
// probability that Of measured.
func TestReadGroups(t *testing.T) {
	m, meta := untrained(t, "N", "D")
	pinned(t, func() error {
		// The run's record agrees with the model, as both are made here.
		src, err := scores.Open(context.Background(), meta)
		if err != nil {
			return err
		}
		defer src.Close()
		recorded, _, err := evaluate.Tasks(context.Background(), evaluate.AdapterOf(m), src.Data, src.Test,
			evaluate.Options{Seed: meta.Config.Seed, Number: uint64(meta.Episode()), Rule: data.Draw{Shots: meta.Config.Episode.Shots}})
		if err != nil {
			return err
		}
		tasks, err := scores.TestTasks(context.Background(), m, meta, recorded)
		if err != nil {
			return err
		}
		// An untrained model may assign the same depth to all molecules, so the depths are invented.
		given := make([][]int32, len(tasks))
		for k := range tasks {
			given[k] = slices.Clone(tasks[k].Depths)
			for i := range tasks[k].Depths {
				tasks[k].Depths[i] = int32(1 + i/2%3)
			}
		}
		g, err := ReadGroups(context.Background(), m, meta, tasks, 100*len(tasks))
		if err != nil {
			return err
		}
		if g.Depths != [2]int{1, 3} || g.Layers() != 3 || g.Count(0)+g.Count(1) != 100*len(tasks) {
			t.Fatalf("depths %v; %d and %d molecules", g.Depths, g.Count(0), g.Count(1))
		}
		for k, task := range tasks {
			at := map[int32]int{}
			for i, row := range task.Rows {
				at[row] = i
			}
			r := g.Reading(task.Name)
			for i, row := range r.Rows {
				want, depth := task.Scores[at[row]], given[k][at[row]]
				// Batches of other sizes change the order of sums.
				if got := r.ByDepth[i][depth-1]; r.Depths[i] != task.Depths[at[row]] || math.Abs(float64(got-want)) > 1e-4 {
					t.Fatalf("%s, row %d in group %d of %d: P %v at depth %d, measured %v", task.Name, row, r.Depths[i], task.Depths[at[row]], got, depth, want)
				}
			}
		}
		return nil
	})
}

// TestGroupAUC: the ROC-AUC of a group uses only its own molecules. It is a mean over the tasks
// that have enough of both classes.
func TestGroupAUC(t *testing.T) {
	var good, few Reading
	good.Task, few.Task = "good", "few"
	for i := range 20 {
		good.Rows, good.Labels = append(good.Rows, int32(i)), append(good.Labels, uint8(i%2))
		good.Depths = append(good.Depths, int32(1+3*(i/10)))
	}
	few.Rows, few.Labels, few.Depths = []int32{1, 2}, []uint8{0, 1}, []int32{1, 1}
	g := &Groups{Depths: [2]int{1, 4}, Tasks: []Reading{good, few}}
	score := func(_ string, i int) (float32, bool) {
		right := float32(good.Labels[i])
		if good.Depths[i] == 4 {
			right = -right // ranked the wrong way round
		}
		return right, true
	}
	for group, want := range []float64{1, 0} {
		if auc, tasks := g.Mean(metrics.ROCAUC[float32], group, score); auc != want || tasks != 1 || g.Count(group) != 10+2*(1-group) {
			t.Errorf("group %d: %v of %d tasks, %d molecules; want %v of 1", group, auc, tasks, g.Count(group), want)
		}
	}
	if _, tasks := g.Mean(metrics.ROCAUC[float32], 0, func(string, int) (float32, bool) { return 0, false }); tasks != 0 {
		t.Errorf("%d tasks without scores", tasks)
	}
}
