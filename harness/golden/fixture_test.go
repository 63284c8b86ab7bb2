package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFixture checks that a fixture comes from PACIA_FIXTURES if it exists there, and otherwise from
// the copies.
func TestFixture(t *testing.T) {
	const a, b = "pna_reference.json.gz", "par_reference.json.gz"
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, a), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(folder, other)
	if got, want := Fixture(t, a), filepath.Join(other, a); got != want {
		t.Errorf("the fixture is %s, want %s", got, want)
	}
	for _, name := range []string{a, b} {
		if name == a {
			t.Setenv(folder, t.TempDir())
		}
		same, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(Fixture(t, name)); err != nil || len(got) != len(same) {
			t.Errorf("%s has %d bytes, want the copy's %d (%v)", name, len(got), len(same), err)
		}
	}
}
