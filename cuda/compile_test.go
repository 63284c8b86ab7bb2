package cuda

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Those that CI compiles for: RTX 30 with the default libtorch, Hopper with the
// newer one.
var architectures = []int{86, 90}

// compilerFor returns a compiler that knows an architecture, or skips the test.
func compilerFor(t *testing.T, architecture int) *compiler {
	t.Helper()
	found, err := compilers()
	for _, c := range found {
		if slices.Contains(c.architectures, architecture) {
			return c
		}
	}
	t.Skipf("no NVRTC here knows sm_%d (%v, %v): set %s to a colon-separated list of files libnvrtc.so.…, "+
		"of CUDA 11.7 for sm_86, of CUDA 13 for sm_90", architecture, found, err, compilerVariable)
	return nil
}

// TestKernelsCompile: all kernels, for the GPUs that are promised. With -v it
// lists what they need of a multiprocessor.
func TestKernelsCompile(t *testing.T) {
	for _, architecture := range architectures {
		for _, doubles := range []bool{false, true} {
			t.Run(fmt.Sprintf("sm_%d/%s", architecture, realType(doubles)), func(t *testing.T) {
				c := compilerFor(t, architecture)
				text, err := program(sources, realType(doubles))
				if err != nil {
					t.Fatal(err)
				}
				image, log, err := c.compile(text, target{architecture: architecture})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(c, len(image), log)
			})
		}
	}
}

// TestErrorsNameFileAndLine: of the file in kernels/, not of the whole text.
func TestErrorsNameFileAndLine(t *testing.T) {
	c := compilerFor(t, 86)
	files := fstest.MapFS{
		"kernels.inc":           {Data: []byte("#include \"kernels/one.cu\"\n#include \"kernels/two.cu\"\n")},
		"kernels/arguments.cuh": {Data: []byte("\n")},
		"kernels/one.cu":        {Data: []byte("extern \"C\" __global__ void one(real *x) {\n  *x = 1;\n}\n")},
		"kernels/two.cu":        {Data: []byte("// Two.\n\nextern \"C\" __global__ void two(real *x) { *y = 1; }\n")},
	}
	text, err := program(files, "float")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = c.compile(text, target{architecture: 86})
	if err == nil || !strings.Contains(err.Error(), `kernels/two.cu(3): error: identifier "y" is undefined`) {
		t.Errorf("got %v, want an error in line 3 of kernels/two.cu", err)
	}
}

var _ fs.FS
