package cuda

import (
	"os"
	"os/exec"
	"testing"
)

// TestTagCompiles: the files with the build tag cuda compile with the libtorch of this
// build. Linking them needs CUDA's libraries.
func TestTagCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if os.Getenv("CGO_CXXFLAGS") == "" {
		t.Fatal("the flags of scripts/env.sh are not set")
	}
	if out, err := exec.Command("go", "build", "-tags", "cuda", ".").CombinedOutput(); err != nil {
		t.Errorf("go build -tags cuda: %v\n%s", err, out)
	}
}
