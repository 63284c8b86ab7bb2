package train

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/gnn/encoders"
	"pacia/internal/badinput"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
)

// A taughtRecorder notes the evaluations before the first episode too.
type taughtRecorder struct {
	supervisedRecorder
	taught []rundir.Evaluation
}

func (r *taughtRecorder) Taught(e rundir.Evaluation) { r.taught = append(r.taught, e) }

// bodyOf returns the tensors of the encoder and the readout in a checkpoint.
func bodyOf(t *testing.T, path string) map[string][]uint32 {
	t.Helper()
	all, _ := content(t, path)
	for name := range all {
		if strings.Contains(name, "/") || !strings.HasPrefix(name, "encoder.") && !strings.HasPrefix(name, "readout.") {
			delete(all, name)
		}
	}
	return all
}

// TestEveryEncoderLearnsLabelsFirst is the contract of train.supervised_epochs: the first episode of a run begins with
// an encoder, and with a readout where it has parameters, that learnt labels, and the file in the run's folder is such a start for other
// runs.
func TestEveryEncoderLearnsLabelsFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, encoder := range encoders.Choices() {
		t.Run(encoder, func(t *testing.T) {
			c, dir := tinyConfig(t), t.TempDir()
			assign(t, &c, "model.encoder="+encoder)
			if encoder == "mat" {
				assign(t, &c, "model.heads=2")
			}
			c.Train.Episodes = 1
			first := func(dir string) (*taughtRecorder, any) {
				rec := &taughtRecorder{}
				if _, err := Run(context.Background(), c, dir, false, rec); err != nil {
					t.Fatal(err)
				}
				return rec, rec.recorder.steps[0].Loss
			}
			_, untaught := first(filepath.Join(dir, "untaught"))
			c.Train.SupervisedEpochs = 2
			rec, loss := first(filepath.Join(dir, "run"))
			if len(rec.steps) == 0 || loss == untaught {
				t.Fatalf("%d supervised steps; the loss of the first episode is %v, and %v without them", len(rec.steps), loss, untaught)
			}
			file := filepath.Join(dir, "run", rundir.SupervisedFolder, rundir.BestFile)
			if byMolecule(c) {
				file = filepath.Join(dir, "run", rundir.SupervisedFolder, "encoder.safetensors")
			} else if len(rec.taught) == 0 || rec.taught[0].ValidationFigure() == nil {
				t.Error("no figure of the taught encoder on validation tasks was reported")
			}
			c.Train.SupervisedEpochs, c.Model.Pretrained = 0, file
			if _, again := first(filepath.Join(dir, "again")); again != loss {
				t.Errorf("from the file of the run the loss is %v, want %v", again, loss)
			}
		})
	}
}

// TestAReadoutIsTaught: the parameters of a readout learn labels with the encoder, and come with it from the file.
func TestAReadoutIsTaught(t *testing.T) {
	c, dir := tinyConfig(t), t.TempDir()
	assign(t, &c, "model.encoder=gin+fingerprint", "train.learning_rate=1e-30")
	c.Train.SupervisedEpochs, c.Train.Episodes, c.Train.WeightDecay = 1, 1, 0
	if _, err := Run(context.Background(), c, dir, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	taught, last := bodyOf(t, filepath.Join(dir, rundir.SupervisedFolder, rundir.BestFile)), bodyOf(t, filepath.Join(dir, rundir.LastFile))
	for name, bits := range taught {
		if strings.HasPrefix(name, "readout.") && !reflect.DeepEqual(last[name], bits) {
			t.Errorf("%s is not that of the taught encoder", name)
		}
	}
	if len(taught) == 0 || len(taught) != len(last) {
		t.Errorf("%d tensors are taught, the model has %d", len(taught), len(last))
	}
	c.Train.SupervisedEpochs, c.Model.Pretrained = 0, filepath.Join(dir, rundir.LastFile)
	assign(t, &c, "model.joined=24")
	_, err := Run(context.Background(), c, t.TempDir(), false, &recorder{})
	if !badinput.Is(err) || !strings.Contains(err.Error(), "the encoder does not fit model.pretrained: its readout") {
		t.Errorf("a readout of another width: error %v", err)
	}
}

// TestLabelsByTaskResume: a run that is stopped while a joined encoder learns labels ends, bit for bit, like one that was not.
func TestLabelsByTaskResume(t *testing.T) {
	c, whole, dir := tinyConfig(t), t.TempDir(), t.TempDir()
	assign(t, &c, "model.encoder=fingerprint")
	c.Train.SupervisedEpochs, c.Train.Episodes = 12, 3
	if _, err := Run(context.Background(), c, whole, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	part := &supervisedRecorder{onStep: func(step int) {
		if step == 3 {
			cancel()
		}
	}}
	if _, err := Run(ctx, c, dir, false, part); !errors.Is(err, ErrStopped) {
		t.Fatalf("stopped while labels are learnt: error %v", err)
	}
	rest := &supervisedRecorder{}
	if _, err := Run(context.Background(), c, dir, true, rest); err != nil {
		t.Fatal(err)
	}
	if len(rest.steps) == 0 || rest.steps[0] <= part.steps[len(part.steps)-1]-1 {
		t.Errorf("the steps go on with %v after %v", rest.steps, part.steps)
	}
	sameEnd(t, "stopped while labels are learnt", dir, whole)
	if _, err := checkpoint.Open(filepath.Join(dir, rundir.SupervisedFolder, rundir.BestFile)); err != nil {
		t.Error(err)
	}
}

// TestEpisodesOfOtherTasks: with train.supervised_share the encoder learns the labels of a share of the training tasks, and episodes are
// of the others, with the same division for every seed.
func TestEpisodesOfOtherTasks(t *testing.T) {
	all := []int{3, 5, 8, 9, 11}
	first, others := divided(all, 0.6)
	if len(first) != 3 || len(others) != 2 || !slices.Equal(slices.Sorted(slices.Values(slices.Concat(first, others))), all) {
		t.Errorf("of %v, %v are learnt first and %v have episodes", all, first, others)
	}
	if first, others := divided(all, 1); !slices.Equal(first, all) || !slices.Equal(others, all) {
		t.Errorf("with the share 1, %v are learnt first and %v have episodes", first, others)
	}
	c, dir := tinyConfig(t), t.TempDir()
	assign(t, &c, "model.encoder=fingerprint", "train.supervised_share=0.5")
	c.Train.SupervisedEpochs, c.Train.Episodes = 1, 2
	if _, err := Run(context.Background(), c, dir, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	names := func(path string) []string {
		_, meta := content(t, path)
		return meta.Tasks.Train
	}
	taught, trained := names(filepath.Join(dir, rundir.SupervisedFolder, rundir.LastFile)), names(filepath.Join(dir, rundir.LastFile))
	if len(taught) != len(trained)/2 || len(taught) == 0 {
		t.Errorf("%v are learnt first, of %v", taught, trained)
	}
	for _, seed := range []uint64{0, 1} {
		c.Seed = seed
		r, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range r.episodes.tasks {
			if slices.Contains(taught, r.data.Tasks[task].Name) && seed == 0 {
				t.Errorf("task %s has episodes and was learnt first", r.data.Tasks[task].Name)
			}
		}
		if len(r.episodes.tasks)+len(r.tasks.first) != len(r.tasks.train) {
			t.Errorf("%d tasks have episodes, %d are learnt first, of %d", len(r.episodes.tasks), len(r.tasks.first), len(r.tasks.train))
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
