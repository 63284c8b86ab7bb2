package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A driver in C, with the functions that gpu.py calls. gpus holds the compute capability of each GPU.
const fakeDriver = `
static const int gpus[][2] = {%s};
int cuInit(unsigned flags) { return 0; }
int cuDeviceGetCount(int *count) { *count = sizeof gpus / sizeof *gpus; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDriverGetVersion(int *version) { *version = %d; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
	*value = gpus[device][attribute == 76];
	return 0;
}
`

// driver compiles a libcuda.so.1 for a CUDA version, with GPUs of compute capabilities such as "{8, 6}, {9, 0}".
func driver(t *testing.T, version int, gpus string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	c := exec.Command("gcc", "-shared", "-o", filepath.Join(folder, "libcuda.so.1"), "-x", "c", "-")
	c.Stdin = strings.NewReader(fmt.Sprintf(fakeDriver, gpus, version))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return folder
}

func TestGPUNamesTheVariantItNeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct {
		variant string
		version int
		gpus    string
		want    string // empty: a GPU is supported
	}{
		{"", 11070, "{8, 6}", ""},
		{"cu117", 13000, "{8, 9}", ""},
		{"cu117", 13000, "{3, 5}", "no libtorch here serves it"},
		{"cu117", 13000, "{9, 0}", "write LIBTORCH=cu130"},
		{"cu117", 13000, "{9, 0}, {8, 6}", ""},
		{"cu117", 13000, "{9, 0}, {12, 0}", "(compute capability 9.0, 12.0): write LIBTORCH=cu130"},
		{"cu130", 13000, "{9, 0}", ""},
		{"cu130", 13000, "{12, 0}", ""},
		{"cu130", 13000, "{7, 0}", "write LIBTORCH=cu117"},
		{"cu130", 12080, "{8, 6}", "needs a driver for CUDA 13, this one is for 12.8"},
		{"cu117", 10020, "{7, 5}", "needs a driver for CUDA 11, this one is for 10.2"},
	} {
		out, err := run([]string{"LIBTORCH=" + c.variant, "LD_LIBRARY_PATH=" + driver(t, c.version, c.gpus)},
			"python3", "gpu.py")
		name := fmt.Sprintf("LIBTORCH=%s, compute capabilities %s, CUDA %d", c.variant, c.gpus, c.version)
		switch {
		case c.want == "" && (err != nil || out != ""):
			t.Errorf("%s: got %q, %v; want no output", name, out, err)
		case c.want != "" && (err == nil || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1):
			t.Errorf("%s: got %q, %v; want a failure and one line with %q", name, out, err, c.want)
		}
	}
}

// A make target for the GPU must not fetch gigabytes without a GPU.
func TestSetupStopsWithoutGPU(t *testing.T) {
	if exec.Command("python3", "gpu.py").Run() == nil {
		t.Skip("this machine has a GPU")
	}
	deps := filepath.Join(t.TempDir(), "deps")
	out, err := run([]string{"PACIA_CUDA=1", "PACIA_DEPS=" + deps}, "./setup")
	if err == nil || !strings.Contains(out, "PACIA_ANYWAY=1") || strings.Count(out, "\n") != 1 {
		t.Errorf("got %q, %v; want a failure and one line that names what is missing", out, err)
	}
	if _, err := os.Stat(deps); err == nil {
		t.Error("the set-up began without a GPU")
	}
}
