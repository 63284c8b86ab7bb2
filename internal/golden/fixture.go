package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// folder is the variable that names a folder from which all fixtures are taken.
const folder = "PACIA_FIXTURES"

// Fixture returns the path of a fixture by its name: in the folder that PACIA_FIXTURES
// names, or else in fixtures, below the folder that PACIA_SHARED names, by default shared
// beside the repository. A test without its fixture is skipped.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	from := os.Getenv(folder)
	if from == "" {
		from = filepath.Join(Path("PACIA_SHARED", filepath.Join(root(t), "..", "shared")), "fixtures")
	}
	file := filepath.Join(from, name)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("%s is not here; set PACIA_SHARED to the folder above fixtures, or %s to another of its form", file, folder)
	}
	return file
}

// Kept returns the path of a fixture that the repository has a copy of: the file that an
// environment variable names, or one of the copy's name in the folder that PACIA_FIXTURES
// names, or else the copy.
func Kept(variable, copied string) string {
	if from := os.Getenv(folder); from != "" {
		file := filepath.Join(from, filepath.Base(copied))
		if _, err := os.Stat(file); err == nil {
			copied = file
		}
	}
	return Path(variable, copied)
}

// root is the folder of the module, which tests run below.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("no go.mod above the test's folder: %v", err)
	return ""
}
