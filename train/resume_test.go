package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/harness/eventtest"
	"pacia/internal/badinput"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// metricsOf returns the lines of metrics.jsonl without the times.
func metricsOf(t *testing.T, dir string) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(files(t, dir)[rundir.MetricsFile]) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, name := range []string{"seconds", "time", "elapsed"} {
			delete(entry, name)
		}
		lines = append(lines, entry)
	}
	return lines
}

// sameEnd compares two finished runs, except their times.
func sameEnd(t *testing.T, name, got, want string) {
	t.Helper()
	for _, file := range []string{rundir.LastFile, rundir.BestFile} {
		gotTensors, gotMeta := content(t, filepath.Join(got, file))
		wantTensors, wantMeta := content(t, filepath.Join(want, file))
		if !reflect.DeepEqual(gotTensors, wantTensors) {
			t.Errorf("%s: the tensors of %s differ", name, file)
		}
		if !reflect.DeepEqual(gotMeta, wantMeta) {
			t.Errorf("%s: %s holds\n%+v, want\n%+v", name, file, gotMeta, wantMeta)
		}
	}
	if g, w := metricsOf(t, got), metricsOf(t, want); !reflect.DeepEqual(g, w) {
		t.Errorf("%s: metrics.jsonl differs: %d lines, want %d", name, len(g), len(w))
	}
	if g, w := eventsOf(t, got), eventsOf(t, want); !reflect.DeepEqual(g, w) {
		t.Errorf("%s: the events differ: %v, want %v", name, g, w)
	}
}

// eventsOf returns what TensorBoard shows of a run, without the times.
func eventsOf(t *testing.T, dir string) map[string][]eventtest.Point {
	t.Helper()
	events := eventtest.Scalars(t, dir)
	for tag, points := range events {
		if strings.HasSuffix(tag, "/seconds") {
			delete(events, tag)
		}
		for i := range points {
			points[i].Time = 0
		}
	}
	return events
}

// TestMoreEpisodesChangeACosine: more episodes change the learning rates that follow, which a note
// reports. With a constant rate there is no note.
func TestMoreEpisodesChangeACosine(t *testing.T) {
	for schedule, want := range map[string]int{runconfig.Cosine: 1, runconfig.Constant: 0} {
		c, dir := assaysConfig(t), t.TempDir()
		c.Train.Schedule = schedule
		trainFake(t, c, dir, false)
		if again, _ := trainFake(t, c, dir, true); len(again.start.Notes) != 0 {
			t.Errorf("%s: the same run again has the notes %q", schedule, again.start.Notes)
		}
		c.Train.Episodes += 4
		more, _ := trainFake(t, c, dir, true)
		notes := more.start.Notes
		if len(notes) != want || want > 0 && !strings.Contains(notes[0], "of a run of 16 episodes; until now it was that of 12") {
			t.Errorf("%s: with more episodes the notes are %q", schedule, notes)
		}
	}
}

// TestAStoppedRunEndsLikeOneThatWasNot stops after each episode in turn, with or
// without an evaluation or a save, and resumes.
func TestAStoppedRunEndsLikeOneThatWasNot(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, selection := range []string{runconfig.SelectValidation, runconfig.SelectTest, runconfig.SelectLast} {
		c := assaysConfig(t)
		c.Train.Selection = selection
		whole := t.TempDir()
		_, want := trainFake(t, c, whole, false)
		for stop := 1; stop <= 12; stop++ {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(context.Background())
			rec := &recorder{onStep: func(episode int) {
				if episode == stop {
					cancel()
				}
			}}
			if _, err := runWith(ctx, newFake, c, dir, false, rec); !errors.Is(err, ErrStopped) {
				t.Fatalf("stopped at %d: error %v", stop, err)
			}
			if _, meta := content(t, filepath.Join(dir, rundir.LastFile)); meta.Episode() != stop {
				t.Fatalf("stopped at %d: saved is episode %d", stop, meta.Episode())
			}
			again, got := trainFake(t, c, dir, true)
			if again.start.Episode != stop {
				t.Errorf("stopped at %d: resumes at %d", stop, again.start.Episode)
			}
			name := fmt.Sprintf("%s, stopped at %d", selection, stop)
			sameEnd(t, name, dir, whole)
			got.Seconds, want.Seconds = 0, 0
			got.Seal, want.Seal = nil, nil // of metrics with their times
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: summary\n%+v, want\n%+v", name, got, want)
			}
		}
	}
}

func TestResumeStartsWhereNothingIs(t *testing.T) {
	c, whole, dir := assaysConfig(t), t.TempDir(), filepath.Join(t.TempDir(), "new")
	trainFake(t, c, whole, false)
	trainFake(t, c, dir, true)
	sameEnd(t, "resumed from nothing", dir, whole)
	// Resuming a finished run makes no steps and changes nothing.
	rec, _ := trainFake(t, c, dir, true)
	if len(rec.steps) != 0 || len(rec.evaluations) != 0 {
		t.Errorf("a finished run makes %d steps and %d evaluations", len(rec.steps), len(rec.evaluations))
	}
	sameEnd(t, "resumed when finished", dir, whole)
}

// TestEpisodesCanBeAdded: twelve episodes and then twelve more are 24.
func TestEpisodesCanBeAdded(t *testing.T) {
	c, whole, dir := assaysConfig(t), t.TempDir(), t.TempDir()
	trainFake(t, c, dir, false)
	c.Train.Episodes = 24
	trainFake(t, c, whole, false)
	trainFake(t, c, dir, true)
	sameEnd(t, "12 + 12", dir, whole)
}

func TestWhatCannotBeResumed(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	trainFake(t, c, dir, false)
	before := files(t, dir)
	other := filepath.Join(t.TempDir(), "assays.csv")
	if err := os.WriteFile(other, []byte(strings.Replace(readFile(t, c.Data.Path), "CC", "C", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		resume bool
		change func(*runconfig.Config)
		want   string
	}{
		{"no --resume", false, func(*runconfig.Config) {}, "holds a run already"},
		{"another seed", true, func(c *runconfig.Config) { c.Seed = 1 }, "begun with seed=7, now it is 1; write seed=7"},
		{"another width", true, func(c *runconfig.Config) { c.Model.Width = 8 }, "model.width=300, now it is 8"},
		{"other data", true, func(c *runconfig.Config) { c.Data.Path = other }, "other data"},
		{"fewer episodes", true, func(c *runconfig.Config) { c.Train.Episodes = 11 },
			"the run is in episode 12, train.episodes is 11; write train.episodes=12"},
	} {
		now := c
		tt.change(&now)
		_, err := runWith(context.Background(), newFake, now, dir, tt.resume, &recorder{})
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		if !reflect.DeepEqual(files(t, dir), before) {
			t.Errorf("%s: the folder was changed", tt.name)
		}
	}
}

// TestSettingsOnAnotherDevice: the precision of a GPU becomes that of a CPU, and another setting
// is still refused. Seeds may be added, not left out.
func TestSettingsOnAnotherDevice(t *testing.T) {
	before := assaysConfig(t)
	before.Device, before.Precision, before.Train.Replicas = "cuda", "tf32", 3
	now := before
	now.Device, now.Precision, now.Train.Replicas = runconfig.CPU, "float32", 5
	if err := sameSettings("config.yaml", before, now); err != nil {
		t.Error(err)
	}
	now.Train.Replicas = 2
	if err := sameSettings("config.yaml", before, now); err == nil || !strings.Contains(err.Error(), "train.replicas=3, now it is 2") {
		t.Errorf("two of three seeds: %v", err)
	}
	now = before
	now.Precision = "float32"
	if err := sameSettings("config.yaml", before, now); err == nil || !strings.Contains(err.Error(), "precision=tf32") {
		t.Errorf("another precision on the same device: %v", err)
	}
}

// TestAnotherProcessWasFaster: files that another process writes to the folder while this
// one reads its data are detected before anything is changed.
func TestAnotherProcessWasFaster(t *testing.T) {
	for _, tt := range []struct {
		name           string
		before, resume bool
		want           string
	}{
		{"a new run", false, false, "the folder holds a run already (metrics.jsonl); write --resume"},
		{"resumed from nothing", false, true, "another process has trained into this folder meanwhile; give the command again"},
		{"resumed", true, true, "another process has trained into this folder meanwhile; give the command again"},
	} {
		c, dir := assaysConfig(t), filepath.Join(t.TempDir(), "run")
		if tt.before {
			trainFake(t, c, dir, false)
			c.Train.Episodes = 24
		}
		var left map[string]string
		slow := func(cfg runconfig.Config, tasks []int) (learner, error) {
			trainFake(t, c, dir, tt.before)
			left = files(t, dir)
			return newFake(cfg, tasks)
		}
		_, err := runWith(context.Background(), slow, c, dir, tt.resume, &recorder{})
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		if !reflect.DeepEqual(files(t, dir), left) {
			t.Errorf("%s: what the other process left was changed", tt.name)
		}
	}
}

// TestAFolderTakesOneSetOfReplicas: replicas lock their folder, and check it again
// before they begin.
func TestAFolderTakesOneSetOfReplicas(t *testing.T) {
	dir := t.TempDir()
	first, err := takeFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := takeFolder(dir, true); !badinput.Is(err) {
		t.Errorf("a second process gets %v, want a fault", err)
	}
	if err := os.WriteFile(filepath.Join(dir, rundir.ConfigFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := takeFolder(dir, false); !badinput.Is(err) || !strings.Contains(err.Error(), "holds a run already") {
		t.Errorf("after the first has ended: %v, want a fault", err)
	}
	again, err := takeFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
