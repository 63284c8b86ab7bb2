package ops_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestIllegalAccess: a kernel that reads outside of allocated memory breaks the GPU for its
// process, and a later call reports a lost device. On the emulator the test itself would crash.
func TestIllegalAccess(t *testing.T) {
	if os.Getenv("PACIA_TEST_DEVICE") == "" {
		t.Skip("needs a GPU: set PACIA_TEST_DEVICE=cuda")
	}
	const reported = "the device counts as lost"
	if os.Getenv("PACIA_TEST_BREAK") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestIllegalAccess$")
		child.Env = append(os.Environ(), "PACIA_TEST_BREAK=1")
		if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), reported) {
			t.Errorf("%v, want %q\n%s", err, reported, out)
		}
		return
	}
	opstest.Locked(t, 1)
	opstest.Emulated(t)
	l := opstest.New(t, 1, false)
	g := l.Graph(opstest.Molecules(l.Rand, [][]int{{3}, {4}}))
	y, err := ops.SegmentMean(l.Leaf("h", 0, 1, 7, 40), g, l.Ints(math.MaxInt32-1))
	if err == nil {
		_, err = ops.ReadAs[float64](y)
	}
	if errors.Is(err, ops.ErrDeviceLost) {
		fmt.Println(reported)
	}
	fmt.Println(err)
	os.Exit(0) // tensors cannot be dropped on a broken device
}
