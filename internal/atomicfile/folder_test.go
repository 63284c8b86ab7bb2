package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacia/internal/atomicfile"
)

// names returns what a folder holds.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestNewFolder: a folder appears whole or not at all, and replaces nothing but an empty folder.
func TestNewFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	failure := errors.New("stop")
	fill := func(err error) func(string) error {
		return func(dir string) error {
			if got := atomicfile.Unfinished(); !slices.Equal(got, []string{dir}) {
				t.Errorf("the register has %v, want %s", got, dir)
			}
			return errors.Join(os.WriteFile(filepath.Join(dir, "new"), nil, 0o600), err)
		}
	}
	for _, name := range []string{"empty", "full", "target"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile("full/old", nil, 0o600), os.WriteFile("file", nil, 0o600), os.Symlink("target", "link")); err != nil {
		t.Fatal(err)
	}
	before := names(t, ".")
	for path, want := range map[string]error{"full": fs.ErrExist, "file": nil, "none": failure, "empty": failure, "link": failure} {
		if err := atomicfile.NewFolder(path, fill(failure)); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	if got := names(t, "."); !slices.Equal(got, before) {
		t.Errorf("after failures the folder holds %v", got)
	}
	for _, path := range []string{"none/", "empty", "link"} {
		if err := atomicfile.NewFolder(path, fill(nil)); err != nil || !slices.Equal(names(t, path), []string{"new"}) {
			t.Errorf("%s: %v, holds %v", path, err, names(t, path))
		}
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is replaced (%v)", err)
	}
	if got := atomicfile.Unfinished(); len(got) > 0 {
		t.Errorf("the register still has %v", got)
	}
}

// TestTemporaryFolder: folders of killed processes are removed, but neither those in use nor others.
func TestTemporaryFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "scratch")
	used, err := atomicfile.TemporaryFolder(path, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	ended, err := atomicfile.TemporaryFolder(path, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	killed := ended.Path
	linked, err := atomicfile.TemporaryFolder(path, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	link, thesis := linked.Path, filepath.Join(dir, "scratch-mine")
	if err := errors.Join(ended.Remove(), linked.Remove(), os.MkdirAll(filepath.Join(killed, "sub"), 0o700), os.Mkdir(thesis, 0o700),
		os.Symlink(thesis, link), os.Mkdir(filepath.Join(dir, "scratch.20261128.tmp"), 0o700)); err != nil {
		t.Fatal(err)
	}
	f, err := atomicfile.TemporaryFolder(path, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(used.Path), filepath.Base(f.Path), filepath.Base(link), "scratch-mine", "scratch.20261128.tmp"}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	if err := errors.Join(f.Remove(), used.Remove()); err != nil || len(names(t, dir)) != 3 {
		t.Errorf("removed: %v, left %v", err, names(t, dir))
	}
}
