package train

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
)

func TestMetricsAreCutBackToTheCheckpoint(t *testing.T) {
	const (
		one   = `{"episode":1,"loss":0.7}` + "\n"
		two   = `{"episode":2,"loss":0.6}` + "\n"
		eval  = `{"episode":2,"auc_test":0.5}` + "\n"
		three = `{"episode":3,"loss":0.5}` + "\n"
	)
	for _, tt := range []struct {
		name, before string
		episode      int
		want         string
	}{
		{"later episodes", one + two + eval + three, 2, one + two + eval},
		{"nothing to cut", one + two, 2, one + two},
		{"a line that was not finished", one + two[:10], 1, one},
		{"only the end of a line is missing", one + two[:len(two)-1], 1, one},
		{"from the start", one + two, 0, ""},
		{"empty", "", 0, ""},
		{"the selected model", one + two + `{"selected":2,"auc_test":0.5}` + "\n", 2, one + two},
	} {
		path := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := openMetrics(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(log.cut(progress{checkpoint.Progress{Episode: tt.episode}}), log.Add(map[string]int{"episode": 9}), log.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := tt.want + `{"episode":9}` + "\n"; string(got) != want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, want)
		}
	}
}

// TestMetricsHaveTimes: lines have the training time, which continues over a resumption.
func TestMetricsHaveTimes(t *testing.T) {
	c := assaysConfig(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	rec := &recorder{onStep: func(episode int) {
		if episode == 5 {
			cancel()
		}
	}}
	if _, err := runWith(ctx, newFake, c, dir, false, rec); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	stopped := time.Now()
	trainFake(t, c, dir, true)
	var last time.Time
	elapsed := 0.0
	for line := range strings.Lines(files(t, dir)[rundir.MetricsFile]) {
		var e struct {
			Time    time.Time
			Elapsed *float64
			Episode int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Elapsed == nil || *e.Elapsed < elapsed || e.Time.Before(last) {
			t.Fatalf("%q after %v and %v s", line, last, elapsed)
		}
		if e.Episode > 5 && e.Time.Before(stopped.Truncate(time.Millisecond)) {
			t.Errorf("%q is reported as from before the run was resumed", line)
		}
		last, elapsed = e.Time, *e.Elapsed
	}
	if elapsed == 0 {
		t.Error("no time has passed")
	}
}

// TestMetricsOfSomethingElseStay: a file that the run cannot have written is refused
// and left unchanged.
func TestMetricsOfSomethingElseStay(t *testing.T) {
	const (
		one  = `{"episode":1,"loss":0.7}` + "\n"
		two  = `{"episode":2,"loss":0.6}` + "\n"
		eval = `{"episode":2,"auc_test":0.5,"queries":70}` + "\n"
	)
	for _, tt := range []struct{ name, text, want string }{
		{"a damaged line", one + `{"episode":2,"lo` + "\x00" + `s":0.6}` + "\n" + eval, "row 2: is not a line that a run writes: invalid character"},
		{"what is not an entry", one + "{}\n" + two, "row 2: is not a line that a run writes; the file is damaged"},
		{"a poem", "Roses are red\n", "row 1: is not a line that a run writes: invalid character"},
		{"too short", one, "is not of the run that would be resumed: it ends with step 1, the checkpoint with 2; put back"},
		{"its last line cut", one + two[:10], "is not of the run that would be resumed: it ends with step 1, the checkpoint with 2; put back"},
		{"empty", "", "is not of the run that would be resumed: it ends with step 0, the checkpoint with 2; put back"},
		{"another result", one + two + strings.Replace(eval, "0.5", "0.6", 1), "is not of the run that would be resumed: row 3 has another result than the checkpoint; put back"},
	} {
		path := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := openMetrics(path)
		if err != nil {
			t.Fatal(err)
		}
		last := &rundir.Evaluation{Episode: 2, TestMean: metrics.Values{0.5}, Queries: 70}
		err = log.cut(progress{checkpoint.Progress{Episode: 2, Last: last}})
		if !badinput.Is(err) || !strings.HasPrefix(err.Error(), path+": "+tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		if got := readFile(t, path); got != tt.text {
			t.Errorf("%s: the file holds %q now", tt.name, got)
		}
	}
}

func TestAFolderTakesOneRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	first, err := openMetrics(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openMetrics(path); !badinput.Is(err) {
		t.Errorf("a second run gets %v, want a fault", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := openMetrics(path)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}
