package train

import (
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/bounded"
	"pacia/internal/badinput"
	"pacia/run/checkpoint"
)

// FuzzCut: with any content of metrics.jsonl, a run continues from it, or refuses it with a
// *badinput.Error and does not change it.
func FuzzCut(f *testing.F) {
	f.Add([]byte(`{"episode":1,"loss":0.7}`+"\n"+`{"episode":2,"auc_test":0.5,"queries":7}`+"\n"), 1)
	f.Add([]byte(`{"selected":1}`+"\n{}\n"), 0)
	f.Add([]byte("\n"), 3)
	f.Fuzz(func(t *testing.T, content []byte, episode int) {
		path := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Do(t, func() {
			log, err := openMetrics(path)
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			err = log.cut(progress{checkpoint.Progress{Episode: episode}})
			left := readFile(t, path)
			switch {
			case err != nil && (!badinput.Is(err) || left != string(content)):
				t.Errorf("%v, and %q is left", err, left)
			case err == nil && len(left) > len(content):
				t.Errorf("%q is left", left)
			}
		})
	})
}
