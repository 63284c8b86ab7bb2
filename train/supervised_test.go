package train

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/methods"
	"pacia/pretrain"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// A supervisedRecorder notes the steps before the first episode.
type supervisedRecorder struct {
	recorder
	steps  []int
	onStep func(step int)
}

func (r *supervisedRecorder) Supervised(step, _ int, _ float64) {
	r.steps = append(r.steps, step)
	if r.onStep != nil {
		r.onStep(step)
	}
}

// TestLabelsAreLearntBeforeTheFirstEpisode: the first episode begins with the encoder of the
// run's own pretraining on the labels of the training tasks. A run that is stopped within
// the pretraining ends, bit for bit, like one that was not.
func TestLabelsAreLearntBeforeTheFirstEpisode(t *testing.T) {
	c, whole, dir := tinyConfig(t), t.TempDir(), t.TempDir()
	c.Train.SupervisedEpochs, c.Train.Episodes = 3, 4
	all := &supervisedRecorder{}
	if _, err := Run(context.Background(), c, whole, false, all); err != nil {
		t.Fatal(err)
	}
	if len(all.steps) < 2 || len(all.recorder.steps) != 4 {
		t.Fatalf("%d supervised steps and %d episodes, want some and 4", len(all.steps), len(all.recorder.steps))
	}
	ctx, cancel := context.WithCancel(context.Background())
	part := &supervisedRecorder{onStep: func(step int) {
		if step == 2 {
			time.Sleep(time.Second)
			cancel()
		}
	}}
	if _, err := Run(ctx, c, dir, false, part); !errors.Is(err, ErrStopped) {
		t.Fatalf("stopped within the pretraining: error %v", err)
	}
	rest := &supervisedRecorder{}
	if _, err := Run(context.Background(), c, dir, true, rest); err != nil {
		t.Fatal(err)
	}
	if rest.steps[0] != 3 {
		t.Errorf("the pretraining goes on with step %d, want 3", rest.steps[0])
	}
	sameEnd(t, "stopped within the pretraining", dir, whole)
	var line struct{ Elapsed float64 }
	var learnt struct{ Seconds float64 }
	first, _, _ := strings.Cut(readFile(t, filepath.Join(dir, rundir.MetricsFile)), "\n")
	err := errors.Join(json.Unmarshal([]byte(first), &line),
		json.Unmarshal([]byte(readFile(t, filepath.Join(dir, rundir.SupervisedFolder, pretrain.SummaryFile))), &learnt))
	if err != nil || line.Elapsed < learnt.Seconds-0.001 { // it is rounded
		t.Errorf("the first episode ends after %v s, the pretraining took %v s (%v)", line.Elapsed, learnt.Seconds, err)
	}

	plain := t.TempDir()
	c.Train.SupervisedEpochs = 0
	without := &supervisedRecorder{}
	if _, err := Run(context.Background(), c, plain, false, without); err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(without.recorder.steps[0].Loss, all.recorder.steps[0].Loss) {
		t.Error("the first episode has the loss of one without a pretraining")
	}
	started := t.TempDir()
	c.Model.Pretrained = filepath.Join(whole, rundir.SupervisedFolder, pretrain.EncoderFile)
	from := &supervisedRecorder{}
	if _, err := Run(context.Background(), c, started, false, from); err != nil {
		t.Fatal(err)
	}
	if from.recorder.steps[0].Loss != all.recorder.steps[0].Loss {
		t.Errorf("from the pretraining's encoder the first loss is %v, want %v", from.recorder.steps[0].Loss, all.recorder.steps[0].Loss)
	}
}

// TestLabelsThatWouldTeachNothing: a method without an encoder, and weights that would be replaced, are
// refused before anything is read. A run that was begun with such weights is resumed.
func TestLabelsThatWouldTeachNothing(t *testing.T) {
	untrained := assaysConfig(t)
	untrained.Train.SupervisedEpochs, untrained.Train.Episodes = 1, 0
	var err error
	if untrained.Model, err = methods.ForPreset(model.Paper, "similarity"); err != nil {
		t.Fatal(err)
	}
	started := tinyConfig(t)
	started.Train.SupervisedEpochs, started.Train.Init = 1, "other.ckpt"
	for _, tt := range []struct {
		c    runconfig.Config
		want string
	}{
		{untrained, "train.supervised_epochs: model.method=similarity has no encoder"},
		{started, "train.supervised_epochs: an encoder that learnt labels would replace that of train.init"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Run(context.Background(), tt.c, dir, true, &recorder{})
		if _, made := os.Stat(dir); !badinput.Is(err) || !strings.HasPrefix(err.Error(), tt.want) || made == nil {
			t.Errorf("got %v (folder: %v), want a fault that begins with %q, and no folder", err, made, tt.want)
		}
	}
	if err := checkSupervised(started, false); err != nil {
		t.Errorf("a run that has begun: %v", err)
	}
}

// TestClassesAreSwapped: half of the episodes have swapped classes, in the support set and
// the queries.
func TestClassesAreSwapped(t *testing.T) {
	c := assaysConfig(t)
	c.Train.SwapClasses = true
	r := openAssays(t, c)
	swapped := 0
	for number := 1; number <= 100; number++ {
		s, err := r.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range s.Tasks {
			right, all := agreement(r.data, ep)
			ep.Support, ep.SupportLabels = ep.Query, ep.QueryLabels
			if q, n := agreement(r.data, ep); (q == n) != (right == all) || q > 0 && q < n {
				t.Fatalf("step %d: %d of %d labels of queries are the task's, where %d of %d of the support set are", number, q, n, right, all)
			}
			switch right {
			case 0:
				swapped++
			case all:
			default:
				t.Fatalf("step %d: %d of %d labels are the task's, want all or none", number, right, all)
			}
		}
	}
	if swapped < 70 || swapped > 130 { // of 200; 70 is 4.2 standard deviations away
		t.Errorf("%d of 200 episodes are swapped, want about half", swapped)
	}
}
