package ops_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

var firstInclude = regexp.MustCompile(`(?m)^#include [<"](.*)[>"]`)

// TestFirstHeader: if a header comes before libtorch.hh, loops that call its functions cannot
// use vectors and take several times as long (see there). Also, the compiler uses the
// precompiled form of the first header only.
func TestFirstHeader(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".cc") || name == "table.cc" { // the table has no tensors
			return err
		}
		text, err := os.ReadFile(name)
		if m := firstInclude.FindSubmatch(text); m == nil || string(m[1]) != "core/libtorch.hh" {
			t.Errorf("%s does not begin with core/libtorch.hh", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
