package train

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pacia/data"
	"pacia/run/runconfig"
)

// openAssays returns the data set and episodes of a prepared run.
func openAssays(t *testing.T, c runconfig.Config) *run {
	t.Helper()
	r, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestEveryPassTakesEveryTaskOnce checks the sequence of tasks over many steps:
// four training tasks, three a step, so that steps span passes.
func TestEveryPassTakesEveryTaskOnce(t *testing.T) {
	c := assaysConfig(t)
	c.Train.TasksPerStep = 3
	r := openAssays(t, c)
	var sequence []int
	for number := 1; number <= 40; number++ {
		s, err := r.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		if s.Batch.Tasks != 3 || s.Episode != number {
			t.Fatalf("step %d has %d tasks and episode %d", number, s.Batch.Tasks, s.Episode)
		}
		for _, ep := range s.Tasks {
			sequence = append(sequence, ep.Task)
		}
	}
	orders := map[[4]int]bool{}
	for pass := range slices.Chunk(sequence, 4) {
		orders[[4]int(pass)] = true
		if sorted := slices.Sorted(slices.Values(pass)); !slices.Equal(sorted, r.tasks.train) {
			t.Errorf("a pass takes the tasks %v, want each of %v once", pass, r.tasks.train)
		}
	}
	if len(orders) < 10 {
		t.Errorf("30 passes have only %d orders", len(orders))
	}
}

// TestStepsDependOnSeedAndNumberAlone draws steps out of order and again.
func TestStepsDependOnSeedAndNumberAlone(t *testing.T) {
	c := assaysConfig(t)
	first, again := openAssays(t, c), openAssays(t, c)
	c.Seed++
	other := openAssays(t, c)
	var drawn []step
	for number := 1; number <= 10; number++ {
		s, err := first.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		drawn = append(drawn, s)
	}
	for number := 10; number >= 1; number-- {
		s, err := again.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, drawn[number-1]) {
			t.Errorf("step %d, drawn again, is another", number)
		}
		o, err := other.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(o.Tasks, s.Tasks) || o.Dropout == s.Dropout {
			t.Errorf("step %d is the same for two seeds", number)
		}
	}
}

// TestShuffledLabelsCarryNoInformation: shuffling a support set keeps its molecules
// and the number of labels of each class. Labels are right no more often than by chance.
func TestShuffledLabelsCarryNoInformation(t *testing.T) {
	c := assaysConfig(t)
	c.Episode.Shots = 10
	plain := openAssays(t, c)
	c.Train.ShuffleLabels = true
	shuffled := openAssays(t, c)
	var right, all int
	for position := range uint64(200) {
		a, err := plain.episodes.at(position, streamEpisode)
		if err != nil {
			t.Fatal(err)
		}
		b, err := shuffled.episodes.at(position, streamEpisode)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(slices.Sorted(slices.Values(a.Support)), slices.Sorted(slices.Values(b.Support))) ||
			!slices.Equal(a.SupportLabels, b.SupportLabels) || !slices.Equal(a.Query, b.Query) || !slices.Equal(a.QueryLabels, b.QueryLabels) {
			t.Fatalf("episode %d has other molecules or labels when shuffled", position)
		}
		r, n := agreement(shuffled.data, b)
		right, all = right+r, all+n
	}
	// The share of right labels has a standard deviation of 0.5/√4000 = 0.008.
	if share := float64(right) / float64(all); share < 0.46 || share > 0.54 {
		t.Errorf("%.3f of the shuffled labels are right, want 0.5", share)
	}
}

// agreement counts the support molecules that have the label of their task.
func agreement(ds *data.Dataset, ep data.Episode) (right, all int) {
	task := ds.Tasks[ep.Task]
	for i, row := range ep.Support {
		at := slices.Index(task.Rows, row)
		if task.Labels[at] == ep.SupportLabels[i] {
			right++
		}
	}
	return right, len(ep.Support)
}

func TestAheadKeepsOrderAndEnds(t *testing.T) {
	bad := errors.New("bad")
	var got []int
	values, stop := ahead(3, 6, func(i int) (int, error) {
		if i == 5 {
			return 0, bad
		}
		return i * i, nil
	})
	defer stop()
	for m := range values {
		if m.err != nil {
			m.value = -1
		}
		got = append(got, m.value)
	}
	if want := []int{9, 16, -1, 36}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAheadIsOverWhenStopped: after stop no value is being made, so that the data set can be closed.
func TestAheadIsOverWhenStopped(t *testing.T) {
	for range 20 {
		var open atomic.Bool
		open.Store(true)
		begun := make(chan struct{}, 1<<10)
		values, stop := ahead(1, 1<<40, func(i int) (int, error) {
			begun <- struct{}{}
			time.Sleep(time.Millisecond)
			if !open.Load() {
				t.Error("a value is made after the end")
			}
			return i, nil
		})
		<-values
		<-begun
		<-begun // the second value is being made
		stop()
		open.Store(false)
		if n := len(begun); n > 1 {
			t.Errorf("%d values were begun after the end", n)
		}
	}
}

// TestTwoEpisodesOfATask: the two episodes are adjacent, the first equals the episode of a run with
// one episode per task, and their molecules differ.
func TestTwoEpisodesOfATask(t *testing.T) {
	c := assaysConfig(t)
	c.Train.TasksPerStep = 3
	once, twice := openAssays(t, c), openAssays(t, c)
	twice.episodes.twice = true
	same := 0
	for number := 1; number <= 10; number++ {
		one, err := once.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		two, err := twice.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		if len(two.Tasks) != 6 || two.Batch.Tasks != 6 {
			t.Fatalf("step %d has %d episodes, want 6", number, len(two.Tasks))
		}
		for i, ep := range one.Tasks {
			first, second := two.Tasks[2*i], two.Tasks[2*i+1]
			if !reflect.DeepEqual(first, ep) || second.Task != ep.Task {
				t.Errorf("step %d: the episodes of task %d are %+v and %+v, and with one %+v", number, ep.Task, first, second, ep)
			}
			if reflect.DeepEqual(first.Support, second.Support) {
				same++
			}
		}
	}
	if same > 5 {
		t.Errorf("%d of 30 second episodes have the support of the first", same)
	}
}
