package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// folder is the variable that names a folder of other fixtures of the same form.
const folder = "PACIA_FIXTURES"

// Fixture returns the path of a fixture by its name: in the folder that PACIA_FIXTURES
// names, if it is there, or else this package's copy.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	if from := os.Getenv(folder); from != "" {
		file := filepath.Join(from, name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return filepath.Join(module(t), "internal", "golden", "testdata", name)
}

// Shared returns the path of a public data set that the repository does not have, below the folder
// that PACIA_SHARED names, by default shared beside the repository. A test without it is skipped.
func Shared(t testing.TB, path string) string {
	t.Helper()
	file := filepath.Join(Path("PACIA_SHARED", filepath.Join(filepath.Dir(module(t)), "shared")), filepath.FromSlash(path))
	if _, err := os.Stat(file); err != nil {
		t.Skipf("%s is not here; PACIA_SHARED names the folder that has %s", file, path)
	}
	return file
}

// module is the folder above the test's that has this package's copies: the module's, or that of
// tests which were packed for another machine.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "internal", "golden", "testdata")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above the test's has internal/golden/testdata")
		}
		dir = filepath.Dir(dir)
	}
}
