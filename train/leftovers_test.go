package train

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pacia/internal/atomicfile"
)

// TestLeftoversOfAnEarlierAttempt: the folders of a run and of replicas lose the temporary files of killed processes, also
// of names with a time, and keep those of users.
func TestLeftoversOfAnEarlierAttempt(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Train.Replicas, c.Train.Episodes = 2, 2
	var before []string
	for _, folder := range []string{dir, seedDir(dir, c.Seed), seedDir(dir, c.Seed+1)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Join(folder, "events.out.tfevents.1700000000.pacia"), errors.New("killed")
		failed := atomicfile.Write(path, func(f *os.File) error { before = append(before, f.Name()); return err })
		users := path + ".20261128.tmp"
		if !errors.Is(failed, err) {
			t.Fatal(failed)
		}
		if err := errors.Join(os.WriteFile(before[len(before)-1], []byte("half"), 0o600), os.WriteFile(users, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(users); err != nil {
				t.Errorf("a file of the user: %v", err)
			}
		}()
	}
	if _, err := replicasWith(context.Background(), newFake, c, dir, true, &choir{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range before {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s stays (%v)", name, err)
		}
	}
}
