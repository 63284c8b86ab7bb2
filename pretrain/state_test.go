package pretrain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/config"
	"pacia/harness/eventtest"
	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/model"
	"pacia/ops"
)

// resumed resumes a run until a step, at which it is stopped, or to its end.
func resumed(t *testing.T, o Options, l *Library, dir string, until int) error {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	return ops.Pinned(1, func() error {
		_, err := Run(ctx, o, l, dir, true, silent{after: until, stop: stop})
		return err
	})
}

// TestResume: a run that is stopped twice leaves the same bytes as one that is not. GraphLoG is
// stopped in the first epoch and after it.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := first300(t)
	deep := quick(MGSSL, 11)
	deep.Order, deep.Rare, deep.Levels = DepthFirst, 3, true
	all := []Options{deep}
	for _, task := range everyTask {
		all = append(all, quick(task, 11))
	}
	for _, o := range all {
		task := o.Task
		o.Dropout = 0.2
		whole, dir := t.TempDir(), t.TempDir()
		if _, err := pretrain(t.Context(), o, l, whole, silent{}); err != nil {
			t.Fatal(err)
		}
		for _, until := range []int{3, 9} {
			if err := resumed(t, o, l, dir, until); !errors.Is(err, ErrStopped) {
				t.Fatalf("%s: stopped at step %d: %v", task, until, err)
			}
		}
		if err := resumed(t, o, l, dir, -1); err != nil {
			t.Fatal(err)
		}
		encoder, log := files(t, whole)
		again, logAgain := files(t, dir)
		if !bytes.Equal(encoder, again) {
			t.Errorf("%s: the encoder differs", task)
		}
		if !bytes.Equal(log, logAgain) {
			t.Errorf("%s: the log is\n%s\nwant\n%s", task, logAgain, log)
		}
	}
}

// TestResumeShows: the TensorBoard events have every line of the log once, also after a resumption.
func TestResumeShows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l, dir := first300(t), t.TempDir()
	o := quick(MGSSL, 22)
	if err := resumed(t, o, l, dir, 15); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if err := resumed(t, o, l, dir, -1); err != nil {
		t.Fatal(err)
	}
	want := map[string][]int64{}
	_, log := files(t, dir)
	for line := range bytes.Lines(log) {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		of := "train/"
		if e.HeldOut != nil {
			of = "held_out/"
		}
		for _, name := range []string{"loss", "motifs_loss", "motifs_accuracy"} {
			want[of+name] = append(want[of+name], int64(e.Step))
		}
	}
	got := map[string][]int64{}
	for tag, points := range eventtest.Scalars(t, dir) {
		for _, p := range points {
			got[tag] = append(got[tag], p.Step)
		}
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("steps %v, want %v", got, want)
	}
}

// TestOlderState: a run of an older program with fewer options is resumed.
func TestOlderState(t *testing.T) {
	f := &safetensors.File{Metadata: map[string]string{"format": "pacia pretraining", "version": stateVersion, "run": `{"task":"masking","width":24,"step":3}`}}
	s, err := parseState("", f)
	want := Default()
	want.Width = 24
	if err != nil || s.Options != want || s.Step != 3 {
		t.Errorf("%+v (%v), want %+v", s, err, want)
	}
}

// TestResumeFaults: a folder that cannot be resumed is refused, and not changed.
func TestResumeFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := first300(t)
	o, dir := quick(Masking, 6), t.TempDir()
	if err := resumed(t, o, l, dir, 3); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	begun, there, err := Begun(dir)
	if err != nil || !there || begun != o {
		t.Errorf("begun with %+v, %v (%v)", begun, there, err)
	}
	_, before := files(t, dir)
	other := o
	other.LearningRate = 0.5
	shorter := o
	shorter.Steps = 2
	fewer := *l
	fewer.Hash = "of others"
	for name, tt := range map[string]struct {
		o    Options
		l    *Library
		want string
	}{
		"option":  {other, l, "the run was begun with --learning-rate 0.01, now it is 0.5; write --learning-rate 0.01 to resume it, or another --out"},
		"steps":   {shorter, l, "3 steps are done, 2 are asked for; write --steps 3 or more"},
		"library": {o, &fewer, "the run was begun with other molecules than those of "},
	} {
		if err := resumed(t, tt.o, tt.l, dir, -1); !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want the fault %s", name, err, tt.want)
		}
	}
	if _, err := pretrain(t.Context(), o, l, dir, silent{}); !badinput.Is(err) || !strings.Contains(err.Error(), "the folder holds a pretraining") {
		t.Errorf("without --resume: %v", err)
	}
	if _, now := files(t, dir); !bytes.Equal(now, before) {
		t.Error("the log was changed")
	}
	state := filepath.Join(dir, StateFile)
	text, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	put(t, state, text)
	if err := resumed(t, o, l, dir, -1); !badinput.Is(err) || !strings.Contains(err.Error(), StateFile) {
		t.Errorf("damaged: %v", err)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	if err := resumed(t, o, l, dir, -1); !badinput.Is(err) || !strings.Contains(err.Error(), "holds an encoder, but no "+StateFile) {
		t.Errorf("without its state: %v", err)
	}
}

// TestKilled resumes a run that was killed before its first save, or after lines that
// are later than its last save.
func TestKilled(t *testing.T) {
	l := first300(t)
	o, whole := quick(Masking, 6), t.TempDir()
	if _, err := pretrain(t.Context(), o, l, whole, silent{}); err != nil {
		t.Fatal(err)
	}
	encoder, log := files(t, whole)
	unsaved, lines := t.TempDir(), t.TempDir()
	put(t, filepath.Join(unsaved, LogFile), log[:20])
	if err := resumed(t, o, l, lines, 4); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	_, stopped := files(t, lines)
	put(t, filepath.Join(lines, LogFile), append(stopped, "{\"epoch\":7"...))
	for _, dir := range []string{unsaved, lines} {
		if err := resumed(t, o, l, dir, -1); err != nil {
			t.Fatal(err)
		}
		if e, g := files(t, dir); !bytes.Equal(e, encoder) || !bytes.Equal(g, log) {
			t.Error("another encoder or log than that of a run that was not ended")
		}
	}
}

// TestStart: a run begins with the encoder of the file, and refuses one that does not fit.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := first300(t)
	o, first := quick(Masking, 5), t.TempDir()
	cfg, err := config.Default(model.Paper, "")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := config.Write(&text, cfg); err != nil {
		t.Fatal(err)
	}
	o.Settings = text.String()
	if _, err := pretrain(t.Context(), o, l, first, silent{}); err != nil {
		t.Fatal(err)
	}
	was := weights(t, first)
	var is []float32
	var second Options
	for _, task := range []string{MGSSL, Supervised} {
		second = quick(task, 1)
		second.Start, second.LearningRate = filepath.Join(first, EncoderFile), 1e-30
		dir := t.TempDir()
		if _, err := pretrain(t.Context(), second, l, dir, silent{}); err != nil {
			t.Fatal(err)
		}
		is = weights(t, dir)
		same := 0
		for i := range was {
			if was[i] == is[i] {
				same++
			}
		}
		if 10*same < 9*len(was) { // all except running averages
			t.Errorf("%s: %d of %d weights are those of the file", task, same, len(was))
		}
	}
	second.Width = 25
	other := filepath.Join(t.TempDir(), "other")
	_, err = pretrain(t.Context(), second, l, other, silent{})
	if want := "the encoder does not fit --start: its encoder.atom has shape [120 24], the model's [120 25]; write --encoder gin, --layers 3 and --width 24"; !badinput.Is(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a folder was made")
	}
	if slices.Equal(was, is) {
		t.Error("no running average moved")
	}
}
