package train

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// TestANewerBestModel: after a kill, best.ckpt may be newer than last.ckpt. A run that goes on to its end
// ends as one that was not killed, and a shorter one selects among its own models.
func TestANewerBestModel(t *testing.T) {
	c, whole := assaysConfig(t), t.TempDir()
	c.Train.EvaluateEvery, c.Train.CheckpointEvery, c.Train.Selection = 1, 3, runconfig.SelectValidation
	var early []byte
	rec := &recorder{onStep: func(episode int) {
		if episode == 4 {
			awaitSaved(t, whole, 3)
			early = []byte(readFile(t, filepath.Join(whole, rundir.LastFile)))
		}
	}}
	if _, err := runWith(context.Background(), newFake, c, whole, false, rec); err != nil {
		t.Fatal(err)
	}
	if _, best := content(t, filepath.Join(whole, rundir.BestFile)); best.Episode() <= 3 {
		t.Fatalf("best.ckpt is of episode %d: the test shows nothing", best.Episode())
	}
	for _, episodes := range []int{3, 12} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, rundir.LastFile), early, 0o600); err != nil {
			t.Fatal(err)
		}
		c.Train.Episodes = episodes
		_, s := trainFake(t, c, dir, true)
		_, best := content(t, filepath.Join(dir, rundir.BestFile))
		if e := best.Progress.BestValidation; best.Episode() != s.BestEpisode || e.ValidationFigure() == nil || e.Episode != s.BestEpisode {
			t.Errorf("%d episodes: best.ckpt is of episode %d, the summary's of %d", episodes, best.Episode(), s.BestEpisode)
		}
		if episodes == 12 {
			sameEnd(t, "from episode 3", dir, whole)
		}
	}
}

// TestAFinishedRunWithoutItsLastModel: its results are not overwritten.
func TestAFinishedRunWithoutItsLastModel(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	trainFake(t, c, dir, false)
	if err := os.Remove(filepath.Join(dir, rundir.LastFile)); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	_, err := runWith(context.Background(), newFake, c, dir, true, &recorder{})
	if want := "the run has ended, and its last.ckpt was removed"; !badinput.Is(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if !reflect.DeepEqual(files(t, dir), before) {
		t.Error("the folder was changed")
	}
}
