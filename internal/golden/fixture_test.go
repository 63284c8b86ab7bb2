package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolders: PACIA_FIXTURES comes before PACIA_SHARED and before the copies in the
// repository, but after a variable that names a single file.
func TestFolders(t *testing.T) {
	other, shared := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(other, "a"), filepath.Join(shared, "fixtures", "a")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("the fixture is %s, want %s", got, want)
		}
	}
	t.Setenv(folder, "")
	t.Setenv("PACIA_SHARED", shared)
	same(Fixture(t, "a"), filepath.Join(shared, "fixtures", "a"))
	same(Kept("PACIA_FIXTURE", "copies/a"), "copies/a")
	t.Setenv(folder, other)
	same(Fixture(t, "a"), filepath.Join(other, "a"))
	same(Kept("PACIA_FIXTURE", "copies/a"), filepath.Join(other, "a"))
	same(Kept("PACIA_FIXTURE", "copies/b"), "copies/b")
	t.Setenv("PACIA_FIXTURE", "mine")
	same(Kept("PACIA_FIXTURE", "copies/a"), "mine")
}

// TestWithoutFixture: a test without its fixture is skipped.
func TestWithoutFixture(t *testing.T) {
	t.Setenv(folder, t.TempDir())
	skipped := false
	t.Run("missing", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Fixture(t, "a")
	})
	if !skipped {
		t.Error("a test without its fixture was run")
	}
}
