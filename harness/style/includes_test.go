package style

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var include = regexp.MustCompile(`-I\$\{SRCDIR\}(\S*)`)

// TestIncludeFolders: each folder that a line of cgo names with -I is there. Go's cache holds objects that were compiled before
// a folder moved, so that a build alone does not tell.
func TestIncludeFolders(t *testing.T) {
	found := 0
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".go" {
			continue
		}
		path := filepath.Join(moduleRoot(t), file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range include.FindAllSubmatch(text, -1) {
			found++
			if info, err := os.Stat(filepath.Join(filepath.Dir(path), string(named[1]))); err != nil || !info.IsDir() {
				t.Errorf("%s: %s is not a folder", file, named[0])
			}
		}
	}
	if found == 0 {
		t.Error("no line of cgo names a folder")
	}
}
