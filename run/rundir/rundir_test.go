package rundir_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/run/rundir"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	settings = "seed: 3\ndata:\n  path: \"\"\ntrain:\n  episodes: 4\n  learning_rate: 0.001\n"
	steps    = `{"episode":1,"loss":0.7,"grad_norm":1,"seconds":1}` + "\n" + `{"episode":2,"loss":0.7,"grad_norm":1,"seconds":1}` + "\n"
	untested = `{"episode":3,"auc_validation":0.5,"test":null,"queries":9,"seconds":1,"metric":"delta_auprc","delta_auprc_validation":0.25}` + "\n"
	measured = `{"episode":2,"auc_test":0.625,"test":[{"task":"a","auc":0.5},{"task":"b","auc":0.75}],"queries":9,"seconds":1}` + "\n"
)

func TestReadAFinishedRun(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "run/config.yaml", settings)
	put(t, "run/metrics.jsonl", steps+measured+untested+`{"episode":4,"auc`)
	put(t, "run/summary.json", `{"dataset":"d","seed":3,"episodes":4,"auc_last":0.5}`)
	r, err := rundir.Read("run")
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.Seed != 3 || len(r.Evaluations) != 2 || r.Evaluations[1].TestFigure() != nil ||
		*r.Evaluations[1].ValidationFigure() != 0.25 || r.Evaluations[0].TestMean[0] != 0.625 || r.Evaluations[0].Test[1].Task != "b" {
		t.Errorf("read %+v", r)
	}
	if want := []rundir.Loss{{Episode: 1, Loss: 0.7}, {Episode: 2, Loss: 0.7}}; !slices.Equal(r.Losses, want) {
		t.Errorf("losses %v, want %v", r.Losses, want)
	}
	if got := r.Settings.Without("seed").String(); got != "data.path=\ntrain.episodes=4\ntrain.learning_rate=0.001\n" {
		t.Errorf("settings %q", got)
	}
}

func TestFaultsNameTheFolderAndTheMend(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "half/config.yaml", settings)
	put(t, "half/metrics.jsonl", steps)
	put(t, "more/config.yaml", settings)
	put(t, "more/metrics.jsonl", steps)
	put(t, "more/summary.json", `{"episodes":2}`) // resumed with more episodes since
	put(t, "broken/config.yaml", "seed: [")
	put(t, "none/notes.txt", "")
	for _, tt := range []struct{ dir, want string }{
		{"half", "half: the run has not finished: 2 of 4 episodes; pacia train --resume --out half continues it; --skip-unfinished leaves it out"},
		{"more", "more: the run has not finished: 2 of 4 episodes; pacia train --resume --out more continues it; --skip-unfinished leaves it out"},
		{"broken", "broken/config.yaml: cannot be understood: "},
		{"some/seed-10", "some/seed-10: the run has not begun; give the command again that made the others, " +
			"or leave it out with --skip-unfinished"},
		{"none", "none: is not the folder of a run: it holds no config.yaml; name what pacia train --out or pacia sweep --out made"},
	} {
		_, err := rundir.Read(tt.dir)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !badinput.Is(err) {
			t.Errorf("%s: %v\nwant %s", tt.dir, err, tt.want)
		}
	}
	for _, tt := range []struct{ dir, want string }{
		{"nowhere", "nowhere: is not the folder of a run: no such file or directory; check its name"},
		{"none/notes.txt", "none/notes.txt: is not the folder of a run: it is a file; check its name"},
	} {
		if _, err := rundir.Expand(tt.dir); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.dir, err, tt.want)
		}
	}
}

func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "one/config.yaml", settings)
	put(t, "ten/config.yaml", "seed: 9\ntrain: {replicas: 3}")
	for _, seed := range []string{"11", "10", "9"} {
		put(t, "ten/seed-"+seed+"/config.yaml", settings)
	}
	put(t, "some/config.yaml", "seed: 8\ntrain: {replicas: 3}") // a third has not begun
	for _, seed := range []string{"8", "9"} {
		put(t, "some/seed-"+seed+"/config.yaml", settings)
	}
	for _, dir := range []string{"sweep", "sw[e]*p"} { // such characters are letters
		put(t, dir+"/state/b.json", "{}")
		put(t, dir+"/state/a.json", "{}")
	}
	put(t, "t[e]n/config.yaml", "seed: 9\ntrain: {replicas: 2}")
	for _, seed := range []string{"10", "9"} {
		put(t, "t[e]n/seed-"+seed+"/config.yaml", settings)
	}
	for _, tt := range []struct {
		dir  string
		want []string
	}{
		{"one", []string{"one"}},
		{"ten", []string{"ten/seed-9", "ten/seed-10", "ten/seed-11"}},
		{"some", []string{"some/seed-8", "some/seed-9", "some/seed-10"}},
		{"sweep", []string{"sweep/a", "sweep/b"}},
		{"sw[e]*p", []string{"sw[e]*p/a", "sw[e]*p/b"}},
		{"t[e]n", []string{"t[e]n/seed-9", "t[e]n/seed-10"}},
	} {
		if got, err := rundir.Expand(tt.dir); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v (%v), want %v", tt.dir, got, err, tt.want)
		}
	}
}

// A follower reads appended lines, keeps the last evaluation, and starts again if the file
// became shorter.
func TestFollower(t *testing.T) {
	t.Chdir(t.TempDir())
	f := rundir.Follower{Dir: "run"}
	if p := f.Progress(); p.Episode != 0 || p.Figure != nil {
		t.Errorf("before the run: %+v", p)
	}
	put(t, "run/metrics.jsonl", steps+measured+`{"episode":3,"lo`)
	if p := f.Progress(); p.Episode != 2 || p.Figure == nil || *p.Figure != 0.625 {
		t.Errorf("after two steps: %+v", p)
	}
	put(t, "run/metrics.jsonl", steps+measured+`{"episode":3,"loss":0.6}`+"\n")
	if p := f.Progress(); p.Episode != 3 || p.Figure == nil {
		t.Errorf("after three steps: %+v", p)
	}
	put(t, "run/metrics.jsonl", steps)
	if p := f.Progress(); p.Episode != 2 || p.Figure != nil {
		t.Errorf("cut to two steps: %+v", p)
	}
}
