package train

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pacia/fault"
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
		{"a line that was not finished", one + two[:10], 2, one},
		{"only the end of a line is missing", one + two[:len(two)-1], 2, one},
		{"from the start", one + two, 0, ""},
		{"empty", "", 5, ""},
		{"what is no entry", one + "{}\n" + two, 2, one},
	} {
		path := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := openMetrics(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(log.cut(tt.episode), log.add(map[string]int{"episode": 9}), log.Close()); err != nil {
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

func TestAFolderTakesOneRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	first, err := openMetrics(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openMetrics(path); !fault.Is(err) {
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
