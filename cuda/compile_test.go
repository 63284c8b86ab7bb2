package cuda

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Architectures that CI compiles for: RTX 20, A100 and RTX 30 with the default libtorch, Hopper
// and RTX 50 with the newer one.
var architectures = []int{75, 80, 86, 90, 120}

// compilerFor returns a compiler that supports an architecture, or skips the test.
func compilerFor(t *testing.T, architecture int) *compiler {
	t.Helper()
	found, _ := compilers()
	for _, c := range found {
		if slices.Contains(c.architectures, architecture) {
			return c
		}
	}
	t.Skipf("no NVRTC here supports sm_%d: set %s to files libnvrtc.so.…, separated by colons, of CUDA 11.7 for sm_86, "+
		"of CUDA 13 for sm_90", architecture, compilerVariable)
	return nil
}

// TestKernelsCompile compiles all kernels for the supported GPUs: in single precision, and in
// double for one GPU of each compiler. With -v it lists the resources that they use.
func TestKernelsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, architecture := range architectures {
		for _, doubles := range []bool{false, true} {
			if doubles && architecture != 86 && architecture != 90 {
				continue
			}
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
				if !bytes.HasPrefix(image, []byte("\x7fELF")) {
					t.Errorf("the code is not machine code; it begins with %q", image[:min(20, len(image))])
				}
				needs := kernelNeeds(log)
				names := kernelNames(text)
				if len(needs) != len(names) || len(names) == 0 {
					t.Errorf("%d kernels were compiled, %d are in the sources: %v", len(needs), len(names), names)
				}
				for _, name := range names {
					t.Logf("%-28s %s", name, needs[name])
					if strings.Contains(needs[name], "SPILLS") {
						t.Errorf("%s keeps registers in memory: %s", name, needs[name])
					}
				}
			})
		}
	}
}

// TestKernelsCompileToPTX: for GPUs that a compiler does not support, it makes PTX, which the
// driver compiles.
func TestKernelsCompileToPTX(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := compilerFor(t, 86)
	text, err := program(sources, realType(false))
	if err != nil {
		t.Fatal(err)
	}
	code, _, err := c.compile(text, target{architecture: 86, ptx: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kernelNames(text) {
		if !bytes.Contains(code, []byte(".entry "+name+"(")) {
			t.Errorf("kernel %s is not in the code", name)
		}
	}
}

// TestErrorsNameFileAndLine: errors have the line in the file in kernels/, not in the whole text.
func TestErrorsNameFileAndLine(t *testing.T) {
	c := compilerFor(t, 86)
	files := fstest.MapFS{
		"kernels.inc":           {Data: []byte("#include \"kernels/one.cu\"\n#include \"kernels/two.cu\"\n")},
		"kernels/arguments.cuh": {Data: []byte("\n")},
		"kernels/shared.cuh":    {Data: []byte("\n")},
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

// kernelNeeds returns the resources that each kernel uses, from the compiler's log.
func kernelNeeds(log string) map[string]string {
	needs := map[string]string{}
	kernel := ""
	for _, line := range strings.Split(log, "\n") {
		if m := compiledKernel.FindStringSubmatch(line); m != nil {
			kernel = m[1]
		}
		if m := usedRegisters.FindStringSubmatch(line); m != nil {
			needs[kernel] = m[1] + needs[kernel]
		}
		if m := spilled.FindStringSubmatch(line); m != nil && m[1]+m[2] != "00" {
			needs[kernel] += ", SPILLS: " + m[0]
		}
	}
	return needs
}

var (
	compiledKernel = regexp.MustCompile(`Compiling entry function '(\w+)'`)
	usedRegisters  = regexp.MustCompile(`Used (\d+ registers.*)`)
	spilled        = regexp.MustCompile(`(\d+) bytes spill stores, (\d+) bytes spill loads`)
)

// TestCompilersOpen: all files in PACIA_NVRTC can be opened. Otherwise tests would be skipped.
func TestCompilersOpen(t *testing.T) {
	for _, file := range filepath.SplitList(os.Getenv(compilerVariable)) {
		if c, err := openCompiler(file); err != nil {
			t.Errorf("%s: %v", compilerVariable, err)
		} else {
			t.Log(c, c.architectures)
		}
	}
}
