package evaluate

import (
	"context"
	"math"
	"testing"

	"pacia/data"
)

// TestWeightsOfGrade: a task that is too small for some draws has the weight of any other task.
func TestWeightsOfGrade(t *testing.T) {
	ds := openAssays(t)
	few := data.Task{Name: "few"} // 5 actives of 20: a support set of 2 has one of them or none
	for i, row := range ds.Tasks[6].Rows {
		label := ds.Tasks[6].Labels[i]
		if len(few.Class(label)) < [2]int{15, 5}[label] {
			few.Rows, few.Labels = append(few.Rows, row), append(few.Labels, label)
		}
	}
	ds.Tasks = append(ds.Tasks, few)
	number, o := len(ds.Tasks)-1, Options{Rule: data.Draw{Support: 2}, Draws: 8}
	held := 0
	for k := range o.Draws {
		if _, err := o.Draw(ds, number, k); err == nil {
			held++
		}
	}
	if held == 0 || held == o.Draws {
		t.Fatalf("the task holds %d of %d draws", held, o.Draws)
	}
	all, err := Grade(context.Background(), (&oracle{score: rings}).adapt, ds, []int{number}, o)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, g := range all {
		sum += g.Weight
	}
	if len(all) != held*18 || math.Abs(sum-1) > 1e-12 { // the rounding of at most 144 sums
		t.Errorf("%d molecules of %d draws weigh %v, want 1", len(all), held, sum)
	}
}
