package source

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pacia/data"
)

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a file with the graph stores in a folder of the test.
func open(t testing.TB, path, cache string) *data.Dataset {
	t.Helper()
	d, err := Open(context.Background(), path, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
