package rundir

import (
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/bounded"
	"pacia/internal/badinput"
)

// FuzzRead checks that a folder with any content is either read as a run or refused as bad
// input.
func FuzzRead(f *testing.F) {
	const metrics = `{"episode":2,"auc_test":0.5,"test":[{"task":"a","auc":0.5}],"queries":70}` + "\n"
	f.Add([]byte("train: {episodes: 2}\n"), []byte(metrics), []byte(`{"episodes":2,"auc_last":0.5}`))
	f.Add([]byte("train: {episodes: 2}\n"), []byte(metrics[:20]), []byte(`{"episodes":2,"seal":{"sha256":""}}`))
	f.Add([]byte("a: &a [*a]\n"), []byte{}, []byte(`{"seal":{"sha256":"0000000000000000000000000000000000000000000000000000000000000000"}}`))
	f.Add([]byte("train: {replicas: 3}\n"), []byte("[]\n"), []byte("[]"))
	f.Fuzz(func(t *testing.T, config, metrics, summary []byte) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{ConfigFile: config, MetricsFile: metrics, SummaryFile: summary} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		bounded.Do(t, func() {
			if _, err := Read(dir); err != nil && !badinput.Is(err) {
				t.Errorf("%v, want a fault", err)
			}
			if _, err := Expand(dir); err != nil && !badinput.Is(err) {
				t.Errorf("%v, want a fault", err)
			}
			follower := Follower{Dir: dir}
			follower.Progress()
		})
	})
}
