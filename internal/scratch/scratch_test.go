package scratch

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolder checks that the folder of a killed process is removed, and that folders in use and
// other folders stay.
func TestFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	folderOf := func(name string) string {
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	killed, used, other := folderOf(prefix+"1"), folderOf(prefix+"2"), folderOf("thesis")
	link := filepath.Join(temp, prefix+"3")
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(used)
	if err != nil || !locks(f) {
		t.Fatal("no lock", err)
	}
	defer f.Close()
	dir, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Folder(); again != dir || err != nil {
		t.Errorf("one process has two folders, %s and %s (%v)", dir, again, err)
	}
	for path, want := range map[string]bool{killed: false, used: true, other: true, link: true, dir: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	Remove()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder stays")
	}
}
