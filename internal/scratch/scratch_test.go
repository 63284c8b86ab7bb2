package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolder checks that a process has one folder, and removes neither those of others nor folders called like it.
func TestFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	thesis := filepath.Join(temp, "pacia-scratch-mine", "thesis")
	if err := os.MkdirAll(thesis, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Folder(); again != dir || err != nil || !strings.HasPrefix(dir, filepath.Join(temp, "pacia-scratch-")) {
		t.Errorf("one process has two folders, %s and %s (%v)", dir, again, err)
	}
	Remove()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder stays")
	}
	if _, err := os.Lstat(thesis); err != nil {
		t.Error(err)
	}
}
