package data

import (
	"errors"
	"slices"
	"testing"

	"pacia/data/stratified"
	"pacia/internal/badinput"
)

// someLabels returns n labels, every k-th active.
func someLabels(n, k int) []uint8 {
	labels := make([]uint8, n)
	for i := range labels {
		if i%k == 0 {
			labels[i] = 1
		}
	}
	return labels
}

// labelled returns a task with these labels.
func labelled(labels []uint8) *Task {
	return &Task{Name: "CHEMBL1", Labels: labels, Rows: make([]int32, len(labels))}
}

// TestStratifiedOrder: the draw equals scikit-learn's with the actives first, as
// class 0, as in the benchmark.
func TestStratifiedOrder(t *testing.T) {
	labels := someLabels(100, 3)
	var order []int32
	class := make([]uint8, 0, 100)
	for i := 0; i < 100; i += 3 {
		order, class = append(order, int32(i)), append(class, 0)
	}
	for i := range int32(100) {
		if i%3 != 0 {
			order, class = append(order, i), append(class, 1)
		}
	}
	for _, queries := range []int{0, 20, 1000} {
		s, q, err := labelled(labels).stratified(16, queries, 7)
		if err != nil {
			t.Fatal(err)
		}
		left := 84
		if queries == 20 {
			left = 20
		}
		wantS, wantQ, err := stratified.Split(class, 16, left, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range [][]int32{wantS, wantQ} {
			for i := range part {
				part[i] = order[part[i]]
			}
		}
		if !slices.Equal(s, wantS) || !slices.Equal(q, wantQ) {
			t.Errorf("%d queries:\n got %v %v\nwant %v %v", queries, s, q, wantS, wantQ)
		}
	}
}

func TestStratifiedTooSmall(t *testing.T) {
	for _, tt := range []struct {
		labels  []uint8
		support int
		want    string
	}{
		{someLabels(17, 2), 16, "too few molecules: 17, a support set of 16 leaves fewer than 2 queries"},
		{someLabels(10, 2), 16, "too few molecules: 10, a support set of 16 leaves fewer than 2 queries"},
		{someLabels(40, 100), 16, "too few molecules: a class with 1 of 40"},
		{make([]uint8, 40), 16, "too few molecules: a class with 0 of 40"},
		{someLabels(40, 20), 36, "too few molecules: a support set of 36 takes 2 of a class with 2 of 40"},
		{someLabels(40, 20), 4, "too few molecules: a support set of 4 takes 0 of a class with 2 of 40"},
		{nil, 16, "too few molecules: 0, a support set of 16 leaves fewer than 2 queries"},
	} {
		_, _, err := labelled(tt.labels).stratified(tt.support, 0, 0)
		if !errors.Is(err, ErrTooSmall) || err.Error() != tt.want {
			t.Errorf("%d of %d: %v, want %s", tt.support, len(tt.labels), err, tt.want)
		}
		task := labelled(tt.labels)
		if _, err := DrawStratified(task, 0, tt.support, 0, 0); !badinput.Is(err) || !errors.Is(err, ErrTooSmall) {
			t.Errorf("an episode of %d of %d: %v", tt.support, len(tt.labels), err)
		}
	}
}

func TestDrawStratified(t *testing.T) {
	task := &Task{Name: "CHEMBL1", Labels: someLabels(60, 4)}
	for i := range task.Labels {
		task.Rows = append(task.Rows, int32(1000+i))
	}
	e, err := DrawStratified(task, 3, 16, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, q, err := task.stratified(16, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if e.Task != 3 || e.Shots != 4 || !slices.Equal(e.SupportLabels, []uint8{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("task %d, %d shots, labels %v", e.Task, e.Shots, e.SupportLabels)
	}
	rows := func(positions []int32) (rows []int32) {
		for _, p := range positions {
			rows = append(rows, task.Rows[p])
		}
		return rows
	}
	if !slices.Equal(e.Query, rows(q)) {
		t.Errorf("queries %v, want %v", e.Query, rows(q))
	}
	if got, want := slices.Sorted(slices.Values(e.Support)), slices.Sorted(slices.Values(rows(s))); !slices.Equal(got, want) {
		t.Errorf("support %v, want %v", got, want)
	}
	for i, row := range append(slices.Clone(e.Support), e.Query...) {
		if want := append(slices.Clone(e.SupportLabels), e.QueryLabels...)[i]; task.Labels[row-1000] != want {
			t.Errorf("molecule %d has label %d in the episode", row, want)
		}
	}
}
