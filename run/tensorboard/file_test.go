package tensorboard_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pacia/harness/eventtest"
	"pacia/internal/badinput"
	"pacia/run/tensorboard"
)

const (
	first   = `{"episode":1,"loss":0.75,"grad_norm":2,"learning_rate":0.5,"seconds":0.125,"time":"2026-11-22T16:34:21.500Z","elapsed":1.5}` + "\n"
	second  = `{"episode":2,"loss":0.5,"grad_norm":1,"seconds":0.25}` + "\n" // of an earlier version
	measure = `{"episode":2,"auc_validation":0.5,"delta_auprc_validation":0.25,"test":null,"queries":4,"seconds":8,"metric":"roc_auc","time":"2026-11-22T16:34:23.000Z"}` + "\n"
	tested  = `{"episode":2,"auc_test":0.625,"delta_auprc_test":0.125,"queries":4,"adaptivity":{"swapped":{"auc":0.375,"delta_auprc":-0.125}}}` + "\n"
	last    = `{"selected":2,"auc_test":0.625,"delta_auprc_test":0.125,"queries":4}` + "\n"
)

// TestLines checks the values of each kind of line, at its step and time.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	f, err := tensorboard.Create(dir, strings.NewReader(first+second+`{"episode":3,"loss":0.1`))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{measure, tested, last} {
		if err := f.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	at := func(text string) float64 {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return float64(when.UnixMilli()) / 1000
	}
	a, b := at("2026-11-22T16:34:21.500Z"), at("2026-11-22T16:34:23.000Z")
	want := map[string][]point{
		"train/loss":                      {{1, 0.75, a}, {2, 0.5, a}},
		"train/grad_norm":                 {{1, 2, a}, {2, 1, a}},
		"train/learning_rate":             {{1, 0.5, a}},
		"train/seconds":                   {{1, 0.125, a}, {2, 0.25, a}},
		"validation/roc_auc":              {{2, 0.5, b}},
		"validation/delta_auprc":          {{2, 0.25, b}},
		"evaluation/seconds":              {{2, 8, b}},
		"test/roc_auc":                    {{2, 0.625, b}},
		"test/delta_auprc":                {{2, 0.125, b}},
		"test/roc_auc_labels_swapped":     {{2, 0.375, b}},
		"selected/roc_auc":                {{2, 0.625, b}},
		"selected/delta_auprc":            {{2, 0.125, b}},
		"test/delta_auprc_labels_swapped": {{2, -0.125, b}},
	}
	got := map[string][]point{}
	for tag, points := range eventtest.Scalars(t, dir) {
		for _, p := range points {
			got[tag] = append(got[tag], point{p.Step, p.Value, p.Time})
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

// TestPretraining checks the figures of a step and of the held-out molecules, with those of each
// part. Lines have no time: their events have the time of the file, or the current time.
func TestPretraining(t *testing.T) {
	dir, before := t.TempDir(), time.Now()
	f, err := tensorboard.Create(dir, strings.NewReader(`{"epoch":0,"step":0,"held_out":{"loss":1.5,"parts":[{"name":"other pairs","asked":4,"accuracy":0.25,"loss":1.25}]}}`+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = f.Add([]byte(`{"epoch":1,"step":10,"training":{"loss":0.5,"parts":[{"name":"atoms","asked":8,"accuracy":0.75,"loss":0.5}]}}` + "\n"))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	got := map[string][2]float64{}
	for tag, points := range eventtest.Scalars(t, dir) {
		p := points[0]
		if got[tag] = [2]float64{float64(p.Step), float64(p.Value)}; len(points) != 1 || p.Time < float64(before.UnixMilli())/1000-1 || p.Time > float64(after.UnixMilli())/1000+1 {
			t.Errorf("%s: %v, want one between %v and %v", tag, points, before, after)
		}
	}
	want := map[string][2]float64{
		"held_out/loss": {0, 1.5}, "held_out/other_pairs_loss": {0, 1.25}, "held_out/other_pairs_accuracy": {0, 0.25},
		"train/loss": {10, 0.5}, "train/atoms_loss": {10, 0.5}, "train/atoms_accuracy": {10, 0.75},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// point is an eventtest.Point.
type point struct {
	step  int64
	value float32
	time  float64
}

// TestAnew checks that a file replaces the earlier one under a name that sorts after it, and
// that files of other programs are kept.
func TestAnew(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for range 3 {
		f, err := tensorboard.Create(dir, strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Add([]byte(second)), f.Close()); err != nil {
			t.Fatal(err)
		}
		if got := eventtest.Scalars(t, dir)["train/loss"]; len(got) != 2 {
			t.Fatalf("%d steps, want 2: %v", len(got), got)
		}
		found, err := filepath.Glob(filepath.Join(dir, "events*"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(names); n > 0 && found[0] <= names[n-1] {
			t.Errorf("%s comes after %s", found[0], names[n-1])
		}
		names = append(names, found...)
	}
	theirs := filepath.Join(dir, "events.out.tfevents.1732312345.host")
	if err := os.WriteFile(theirs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := tensorboard.Create(dir, strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
	if _, err := tensorboard.Create(filepath.Join(dir, "none"), strings.NewReader("")); !badinput.Is(err) {
		t.Errorf("no folder: %v, want a fault", err)
	}
}

// TestForeignEvents: of the files with the names of earlier event files, only those that this package wrote are removed.
func TestForeignEvents(t *testing.T) {
	dir := t.TempDir()
	f, err := tensorboard.Create(dir, strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	written, _ := filepath.Glob(filepath.Join(dir, "*"))
	text, err := os.ReadFile(written[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/8] ^= 1 // in the first event
	others := map[string][]byte{
		"events.out.tfevents.0000000001.pacia": nil, "events.out.tfevents.0000000002.pacia": []byte("mine"),
		"events.out.tfevents.0000000003.pacia": text,
	}
	for name, text := range others {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(written[0], filepath.Join(dir, "events.out.tfevents.0000000004.pacia")); err != nil {
		t.Fatal(err)
	}
	if f, err = tensorboard.Create(dir, strings.NewReader(first)); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := os.Stat(written[0]); err == nil {
		t.Error("the earlier file of the package stays")
	}
	for name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a foreign file is gone: %v", err)
		}
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "*")); len(all) != 5 {
		t.Errorf("the folder holds %v, want 3 files, a link and the new file", all)
	}
}
