package atomicfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacia/internal/atomicfile"
)

// TestSweep: a folder loses the temporary files of killed processes, whatever their paths, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	leaveBehind(t, filepath.Join(dir, "events.1"))
	leaveBehind(t, filepath.Join(dir, "events.2"))
	if err := os.WriteFile(filepath.Join(dir, "events.20261128.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := atomicfile.TemporaryFolder(filepath.Join(dir, "used"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"events.20261128.tmp", filepath.Base(f.Path)}
	atomicfile.Sweep(dir)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	if err := f.Remove(); err != nil {
		t.Error(err)
	}
}

// TestNameless: a file without a name leaves none behind, and removes that of a process that could not.
func TestNameless(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	leaveBehind(t, path)
	f, err := atomicfile.Nameless(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&^0o600 != 0 || len(names(t, dir)) > 0 {
		t.Errorf("it is %v (%v), and the folder holds %v", info, err, names(t, dir))
	}
	if got := atomicfile.Unfinished(); len(got) > 0 {
		t.Errorf("the register still has %v", got)
	}
}
