package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// folder is the environment variable of a folder with other fixtures of the same form.
const folder = "PACIA_FIXTURES"

// Fixture returns the path of a fixture: in the folder of PACIA_FIXTURES if the file exists
// there, or else this package's copy.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	if from := os.Getenv(folder); from != "" {
		file := filepath.Join(from, name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return filepath.Join(module(t), "harness", "golden", "testdata", name)
}

// Shared returns the path of a public data set that is not in the repository. It is below the folder
// of PACIA_SHARED, by default the folder shared beside the repository. Shared skips the test if the
// file is missing.
func Shared(t testing.TB, path string) string {
	t.Helper()
	file := filepath.Join(Path("PACIA_SHARED", filepath.Join(filepath.Dir(module(t)), "shared")), filepath.FromSlash(path))
	if _, err := os.Stat(file); err != nil {
		t.Skipf("%s is not here; PACIA_SHARED names the folder that has %s", file, path)
	}
	return file
}

// module returns the folder above the test's that has this package's copies. It is the root of the
// module, or of tests that were packed for another machine.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "harness", "golden", "testdata")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above the test's has harness/golden/testdata")
		}
		dir = filepath.Dir(dir)
	}
}
