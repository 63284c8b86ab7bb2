package ops

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

var firstInclude = regexp.MustCompile(`(?m)^#include [<"](.*)[>"]`)

// TestFirstHeader: functions of headers that come before simd.hh cannot be put into
// vector loops, which then take several times as long (see there).
func TestFirstHeader(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".cc") {
			return err
		}
		text, err := os.ReadFile(name)
		if m := firstInclude.FindSubmatch(text); m == nil || !strings.HasSuffix(string(m[1]), "simd.hh") {
			t.Errorf("%s does not begin with core/simd.hh", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
