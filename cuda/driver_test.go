package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unsafe"
)

// fakeDriver compiles testdata/driver.c and makes it the driver. It returns a
// function that reads the lines that the driver has written.
func fakeDriver(t *testing.T) func() []string {
	t.Helper()
	dir := t.TempDir()
	library, log := filepath.Join(dir, "libcuda.so.1"), filepath.Join(dir, "log")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, "testdata/driver.c").CombinedOutput()
	if err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	t.Setenv("PACIA_FAKE_LOG", log)
	t.Setenv(cacheVariable, dir)
	before := driverFile
	driverFile = library
	t.Cleanup(func() { driverFile = before })
	return func() []string {
		text, _ := os.ReadFile(log)
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// dropoutAlone leaves out all kernels except dropout, so that compiling takes half a second
// in place of six.
func dropoutAlone(t *testing.T) {
	t.Helper()
	alone := fstest.MapFS{"kernels.inc": {Data: []byte("#include \"kernels/common.cuh\"\n#include \"kernels/dropout.cu\"\n")}}
	for _, name := range []string{"arguments.cuh", "shared.cuh", "common.cuh", "dropout.cu"} {
		data, err := embedded.ReadFile("kernels/" + name)
		if err != nil {
			t.Fatal(err)
		}
		alone["kernels/"+name] = &fstest.MapFile{Data: data}
	}
	sources = alone
}

// TestLaunches: kernels are compiled for their device and loaded once, by the first
// thread that needs them. They are launched in the device's context, on the given
// stream, with the given arguments.
func TestLaunches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	compilerFor(t, 86)
	compilerFor(t, 80)
	// In a separate process, which has no kernels yet and keeps those it loads.
	if os.Getenv("PACIA_TEST_LAUNCHES") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestLaunches$")
		child.Env = append(os.Environ(), "PACIA_TEST_LAUNCHES=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	dropoutAlone(t)
	lines := fakeDriver(t)
	var stream int // stands for one
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := launch("dropout", false, i%2, [3]int{5, 6, 32}, int32(i), unsafe.Pointer(&stream)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := Open(0); err != nil {
		t.Error(err)
	}
	if err := launch("dropout", true, 1, [3]int{1, 2, 64}, 77, nil); err != nil {
		t.Error(err)
	}
	want := []string{
		"modules are loaded LAZY",
		"load context of GPU 0: machine code", "load context of GPU 1: machine code",
		"load context of GPU 1: machine code",
		"dropout, context of GPU 1: 1 2 1 blocks of 64 1 1, shared 0, stream (nil), extra (nil), first 77, in the context of GPU 1",
	}
	for i := range 8 {
		want = append(want, fmt.Sprintf("dropout, context of GPU %[1]d: 5 6 1 blocks of 32 1 1, shared 0, stream %[3]p, "+
			"extra (nil), first %[2]d, in the context of GPU %[1]d", i%2, i, &stream))
	}
	got := lines()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the driver's calls are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	for _, c := range []struct {
		name    string
		kernel  string
		device  int
		threads int
		want    string
	}{
		{"no such kernel", "dropin", 0, 32, "no kernel dropin was compiled"},
		{"a kernel that fails", "dropout", 0, 13,
			"the device is lost: kernel dropout on 2 x 1 blocks of 13 threads: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"},
		{"no such device", "dropout", 2, 32, "GPU 2: CUDA_ERROR_INVALID_VALUE: unknown to the driver"},
		{"a device that cannot be", "dropout", -1, 32, "GPU -1: at most 64 GPUs are supported"},
	} {
		err := launch(c.kernel, false, c.device, [3]int{2, 1, c.threads}, 0, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if errors.Is(err, ErrLost) != (c.threads == 13) {
			t.Errorf("%v counts as a lost device: %t", err, errors.Is(err, ErrLost))
		}
	}
}

func TestDescribe(t *testing.T) {
	c := compilerFor(t, 86)
	driverFile = "libcuda-that-is-not-there.so"
	t.Cleanup(func() { driverFile = "libcuda.so.1" })
	t.Setenv(cacheVariable, "/somewhere")
	got := Describe()
	if got.Driver != "" || len(got.Devices) > 0 || got.NVRTC == "" || got.Cache != "/somewhere" ||
		!strings.Contains(got.Problem, "libcuda-that-is-not-there.so") {
		t.Errorf("without a driver: got %+v", got)
	}

	fakeDriver(t)
	got = Describe()
	want := []Device{{"RTX 3090", [2]int{8, 6}, 10e9}, {"A100", [2]int{8, 0}, 11e9}}
	if !strings.Contains(got.Driver, "CUDA 13.0") || !slices.Equal(got.Devices, want) ||
		got.NVRTC != c.String() || got.Problem != "" {
		t.Errorf("with a driver: got %+v", got)
	}
}
