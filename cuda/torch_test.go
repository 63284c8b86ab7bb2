package cuda

import (
	"strings"
	"testing"
)

// TestBuildForTheCPU: functions that need libtorch's CUDA half return an error that names the build.
func TestBuildForTheCPU(t *testing.T) {
	if err := Synchronize(0); err == nil || !strings.Contains(err.Error(), "built for the CPU") {
		t.Skipf("this build has libtorch's CUDA half: %v", err)
	}
	_, stream := UseOwnStream(0)
	_, graph := NewGraph(0)
	for what, err := range map[string]error{
		"UseOwnStream": stream, "NewGraph": graph, "a launch": launchOnTorchStream(),
	} {
		if err == nil || !strings.Contains(err.Error(), "built for the CPU; make build-gpu") {
			t.Errorf("%s: got %v, want a message of the build", what, err)
		}
	}
}
