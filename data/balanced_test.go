package data

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pacia/internal/badinput"
)

func TestDrawTraining(t *testing.T) {
	tests := []struct {
		inactive, active, shots, queries int
		wantQueries                      int
	}{
		{40, 30, 10, 16, 16},
		{40, 30, 1, 16, 16},
		{12, 11, 10, 16, 3},  // fewer others than queries
		{40, 4, 10, 16, 16},  // active repeated: all four are support
		{1, 25, 10, 100, 15}, // inactive repeated ten times
		{11, 10, 10, 5, 1},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			task := newTask(tt.inactive, tt.active)
			for n := range uint64(50) {
				e, err := drawTraining(task, 7, tt.shots, tt.queries, Rand(0, "draw", n))
				if err != nil {
					t.Fatal(err)
				}
				if e.Task != 7 || e.Shots != tt.shots || len(e.Query) != tt.wantQueries {
					t.Fatalf("task %d, %d shots, %d queries; want 7, %d, %d", e.Task, e.Shots, len(e.Query), tt.shots, tt.wantQueries)
				}
				checkEpisode(t, task, e)
			}
		})
	}
}

func TestDrawTest(t *testing.T) {
	task := newTask(40, 11)
	e, err := DrawTest(task, 3, 10, Rand(0, "draw", 0))
	if err != nil {
		t.Fatal(err)
	}
	checkEpisode(t, task, e)
	if len(e.Query) != 31 || !slices.IsSorted(e.Query) {
		t.Errorf("queries %v: want all 31 others in the order of the file", e.Query)
	}
	if all := slices.Sorted(slices.Values(slices.Concat(e.Support, e.Query))); !slices.Equal(all, task.Rows) {
		t.Errorf("support and queries are %v, want each molecule once: %v", all, task.Rows)
	}
}

// checkEpisode checks the properties of every draw: K inactive, then K active
// molecules; the labels of the task; a class repeated only if necessary, and evenly;
// queries that differ from each other and from the support.
func checkEpisode(t *testing.T, task *Task, e Episode) {
	t.Helper()
	k := e.Shots
	label := make(map[int32]uint8)
	for i, row := range task.Rows {
		label[row] = task.Labels[i]
	}
	if len(e.Support) != 2*k || slices.Contains(e.SupportLabels[:k], 1) || slices.Contains(e.SupportLabels[k:], 0) {
		t.Fatalf("support labels %v, want %d inactive, then %d active", e.SupportLabels, k, k)
	}
	times := make(map[int32]int)
	for i, row := range e.Support {
		times[row]++
		if got, ok := label[row]; !ok || got != e.SupportLabels[i] {
			t.Fatalf("support molecule %d is labelled %d, in the task %d (measured: %v)", row, e.SupportLabels[i], got, ok)
		}
	}
	for row, n := range times {
		members := len(task.Class(label[row]))
		if least, most := k/members, (k+members-1)/members; n < least || n > most {
			t.Fatalf("molecule %d of a class of %d came %d times in %d shots, want %d to %d", row, members, n, k, least, most)
		}
	}
	for i, row := range e.Query {
		if times[row]++; times[row] > 1 {
			t.Fatalf("query %d is in the support or drawn twice", row)
		}
		if got, ok := label[row]; !ok || got != e.QueryLabels[i] {
			t.Fatalf("query %d is labelled %d, in the task %d (measured: %v)", row, e.QueryLabels[i], got, ok)
		}
	}
}

func TestDrawFaults(t *testing.T) {
	training := func(inactive, active, shots, queries int) error {
		_, err := drawTraining(newTask(inactive, active), 0, shots, queries, Rand(0, "", 0))
		return err
	}
	test := func(inactive, active, shots int) error {
		_, err := DrawTest(newTask(inactive, active), 0, shots, Rand(0, "", 0))
		return err
	}
	tests := []struct {
		err  error
		want string
	}{
		{training(20, 0, 5, 16), "column assay: 20 inactive and 0 active molecules, training needs both; leave the task out of data.split"},
		{training(0, 0, 5, 16), "column assay: 0 inactive and 0 active molecules, training needs both; leave the task out of data.split"},
		{training(10, 3, 10, 16), "column assay: 10 inactive and 3 active molecules, no query is left beside a support set of 10 of each; " +
			"lower episode.shots, or leave the task out of data.split"},
		{newTask(4, 5).CheckTraining(5), "column assay: 4 inactive and 5 active molecules, no query is left beside a support set of 5 of each; " +
			"lower episode.shots, or leave the task out of data.split"},
		{training(20, 20, 0, 16), "episode.shots is 0; write 1 or more"},
		{training(20, 20, 5, 0), "episode.queries is 0; write 1 or more"},
		{test(40, 10, 10), "column assay: 40 inactive and 10 active molecules, a test with 10 of each needs at least 11, so that both are among the queries; " +
			"lower episode.shots, or leave the task out of data.split"},
		{test(40, 3, 10), "column assay: 40 inactive and 3 active molecules, a test with 10 of each needs at least 11, so that both are among the queries; " +
			"lower episode.shots, or leave the task out of data.split"},
		{test(40, 30, -1), "episode.shots is -1; write 1 or more"},
	}
	for _, tt := range tests {
		var f *badinput.Error
		if !errors.As(tt.err, &f) || f.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", tt.err, tt.want)
		}
	}
}

// TestDrawsAreRepeatable compares draws with equal and with other numbers.
func TestDrawsAreRepeatable(t *testing.T) {
	task := newTask(40, 30)
	draw := func(seed uint64, stream string, n uint64) []int32 {
		e, err := drawTraining(task, 0, 10, 16, Rand(seed, stream, n))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(e.Support, e.Query)
	}
	first := draw(1, "episode", 5)
	if again := draw(1, "episode", 5); !slices.Equal(first, again) {
		t.Errorf("the same draw gives %v and %v", first, again)
	}
	for name, other := range map[string][]int32{
		"seed": draw(2, "episode", 5), "stream": draw(1, "evaluation", 5), "number": draw(1, "episode", 6),
	} {
		if slices.Equal(first, other) {
			t.Errorf("another %s gives the same draw %v", name, first)
		}
	}
}

// TestSortedClassesDrawAlike: SortClasses does not change a draw.
func TestSortedClassesDrawAlike(t *testing.T) {
	plain, sorted := newTask(40, 30), newTask(40, 30)
	sorted.SortClasses()
	a, errA := drawTraining(plain, 0, 10, 16, Rand(0, "", 0))
	b, errB := drawTraining(sorted, 0, 10, 16, Rand(0, "", 0))
	if errA != nil || errB != nil || !slices.Equal(a.Support, b.Support) || !slices.Equal(a.Query, b.Query) {
		t.Errorf("draws differ: %v (%v), %v (%v)", a, errA, b, errB)
	}
}
