package sweep_test

import (
	"path/filepath"
	"testing"

	"pacia/sweep"
)

// The files that come with pacia can be read, and their settings are valid.
func TestFilesOfTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files, err := filepath.Glob("../examples/sweeps/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	t.Setenv("PACIA_DATA_PATH", "file.csv") // for files without data.path
	for _, file := range files {
		if p, err := sweep.Read(file); err != nil || len(p.Runs) < 2 {
			t.Errorf("%s: %v", file, err)
		}
	}
}
