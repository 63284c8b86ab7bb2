package split

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pacia/data"
	"pacia/internal/badinput"
)

func named(name string, tasks ...string) *data.Dataset {
	d := &data.Dataset{Name: name}
	for _, t := range tasks {
		d.Tasks = append(d.Tasks, data.Task{Name: t})
	}
	return d
}

func numbered(name string, n int) *data.Dataset {
	d := named(name)
	for i := range n {
		d.Tasks = append(d.Tasks, data.Task{Name: fmt.Sprintf("t%d", i)})
	}
	return d
}

func TestParse(t *testing.T) {
	assays := named("assays", "A-1", "B/b", "C, c", "D", "E")
	tests := []struct {
		spec        string
		d           *data.Dataset
		train, test []int
	}{
		{"0-2/3-4", assays, []int{0, 1, 2}, []int{3, 4}},
		{"4, 0 ,2-3/1", assays, []int{4, 0, 2, 3}, []int{1}},
		{"A-1,D/E", assays, []int{0, 3}, []int{4}},
		{"A-1,B/b/D", assays, []int{0, 1}, []int{3}}, // the slash that leaves tasks on both sides
		{"D/B/b,E", assays, []int{3}, []int{1, 4}},
		{"tox21", numbered("mine", 12), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{9, 10, 11}},
		{"muv", numbered("mine", 17), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []int{12, 13, 14, 15, 16}},
	}
	for _, tt := range tests {
		s, err := Parse(tt.spec, tt.d)
		if err != nil || !slices.Equal(s.Train, tt.train) || !slices.Equal(s.Test, tt.test) {
			t.Errorf("%q: %v (%v), want %v / %v", tt.spec, s, err, tt.train, tt.test)
		}
	}
}

func TestToxCastExclusions(t *testing.T) {
	s, err := Parse("toxcast", numbered("mine", 617))
	if err != nil {
		t.Fatal(err)
	}
	out := func(n int) bool { return !slices.Contains(s.Train, n) && !slices.Contains(s.Test, n) }
	for n, want := range map[int]bool{
		0: false, 342: false, 343: true, 353: false, 354: true, 358: true, 359: false, 375: false, 386: false, 405: false,
		407: false, 424: true, 425: false, 441: false, 448: false, 449: true, 450: true, 453: true, 454: false, 476: false,
		479: false, 480: true, 483: true, 484: false, 616: false,
	} {
		if out(n) != want {
			t.Errorf("task %d left out: %v, want %v", n, out(n), want)
		}
	}
	if len(s.Train) != 362 || len(s.Test) != 156 || slices.Max(s.Train) != 448 || slices.Min(s.Test) != 454 {
		t.Errorf("%d training tasks to %d, %d test tasks from %d; want 362 to 448, 156 from 454",
			len(s.Train), slices.Max(s.Train), len(s.Test), slices.Min(s.Test))
	}
}

func TestParseFaults(t *testing.T) {
	assays := named("assays", "alpha", "beta", "gamma")
	const how = `; write the tasks as TRAIN/TEST, such as "0-8/9-11" or "assay_a,assay_b/assay_c"`
	for spec, want := range map[string]string{
		"auto":              "no split of tasks is published for data set assays" + how,
		"tox21":             `split "tox21" has 12 tasks, data set assays has 3` + how,
		"embedded":          `split "embedded" is of the embedded data set, not of assays` + how,
		"tox12":             `split "tox12" is not known; write auto, all, tox21, sider, muv, toxcast or embedded, or the tasks as TRAIN/TEST, such as "0-8/9-11"`,
		"0-1/2-3":           `the split names tasks "2-3", data set assays has 3; write numbers from 0 to 2, the smaller one first`,
		"1-0/2":             `the split names tasks "1-0", data set assays has 3; write numbers from 0 to 2, the smaller one first`,
		"0,1/1":             "the split names task 1 (beta) twice; name each task once",
		"0,alpha/1":         "the split names task 0 (alpha) twice; name each task once",
		"alpha/gama":        `the split names task "gama", which data set assays does not have; the nearest is "gamma"; tasks can also be written as numbers, 0 to 2`,
		"0-1/":              "an empty item in the test tasks of the split" + how,
		"0,,1/2":            "an empty item in the training tasks of the split" + how,
		"0-1/2-99999999999": `the split names tasks "2-99999999999", data set assays has 3; write numbers from 0 to 2, the smaller one first`,
	} {
		_, err := Parse(spec, assays)
		var f *badinput.Error
		if !errors.As(err, &f) || f.Error() != want {
			t.Errorf("%q\n got %v\nwant %s", spec, err, want)
		}
	}
}

func TestHoldOut(t *testing.T) {
	s := data.Split{Train: []int{0, 2, 3, 5, 8, 9}, Test: []int{1}}
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 3, 5: 5, 6: 5, 99: 5} {
		train, valid := HoldOut(s, n, 7, nil)
		all := slices.Sorted(slices.Values(slices.Concat(train, valid)))
		if len(valid) != want || !slices.Equal(all, s.Train) || !slices.IsSorted(train) || !slices.IsSorted(valid) {
			t.Errorf("HoldOut(%d): %v and %v, want %d for validation and each task once, in order", n, train, valid, want)
		}
	}
	times := make(map[int]int)
	for seed := range uint64(600) {
		_, valid := HoldOut(s, 2, seed, nil)
		_, again := HoldOut(s, 2, seed, nil)
		if !slices.Equal(valid, again) {
			t.Fatalf("seed %d holds out %v and then %v", seed, valid, again)
		}
		for _, task := range valid {
			times[task]++
		}
	}
	odd := func(task int) bool { return task%2 == 1 } // 3, 5, 9
	for seed := range uint64(20) {
		if _, valid := HoldOut(s, 3, seed, odd); !slices.Equal(valid, []int{3, 5, 9}) {
			t.Errorf("seed %d holds out %v, where 3, 5 and 9 fit", seed, valid)
		}
		if _, valid := HoldOut(s, 4, seed, odd); len(valid) != 4 {
			t.Errorf("seed %d holds out %v, want 4 though only 3 fit", seed, valid)
		}
	}
	for _, task := range s.Train { // 200 expected, standard deviation 11.5
		if times[task] < 140 || times[task] > 260 {
			t.Errorf("task %d was held out %d times in 600, want about 200", task, times[task])
		}
	}
}
