package style

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	includeFolder = regexp.MustCompile(`-I\$\{SRCDIR\}(\S*)`)
	firstInclude  = regexp.MustCompile(`(?m)^#include [<"](.*)[>"]`)
)

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
		for _, named := range includeFolder.FindAllSubmatch(text, -1) {
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

// TestFirstHeader: if a header comes before libtorch.hh, loops that call its functions cannot
// use vectors and take several times as long (see there). Also, the compiler uses the
// precompiled form of the first header only.
func TestFirstHeader(t *testing.T) {
	found := 0
	for _, file := range tracked(t) {
		ours := strings.HasPrefix(file, "ops/") || strings.Contains(file, "/op/")
		if !ours || filepath.Ext(file) != ".cc" || file == "ops/table.cc" { // the table has no tensors
			continue
		}
		found++
		text := read(t, filepath.Join(moduleRoot(t), file))
		if m := firstInclude.FindStringSubmatch(text); m == nil || m[1] != "core/libtorch.hh" {
			t.Errorf("%s does not begin with core/libtorch.hh", file)
		}
	}
	if found < 40 {
		t.Errorf("only %d sources of operations were found", found)
	}
}
