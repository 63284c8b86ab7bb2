package cuda

// #cgo CXXFLAGS: -Wall -Wextra -Wno-unused-parameter -I${SRCDIR}/include
// #cgo LDFLAGS: -ldl
// #cgo cuda LDFLAGS: -ltorch_cpu -lc10
// #include <stdlib.h>
// #include "compiler.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"
)

// compilerVariable is the environment variable with a list of files of NVRTC, separated by
// colons. After these, NVRTC is looked up by its names in CUDA 11, 12 and 13, on the
// program's run path, which includes libtorch's, and among the system's libraries.
const compilerVariable = "PACIA_NVRTC"

var compilerNames = []string{"libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13"}

// compiler is one NVRTC library.
type compiler struct {
	c             *C.pacia_nvrtc
	version       [2]int
	path          string
	architectures []int // that it supports, ascending: 86 for sm_86
}

func (c *compiler) String() string {
	return fmt.Sprintf("NVRTC %d.%d (%s)", c.version[0], c.version[1], c.path)
}

func openCompiler(file string) (*compiler, error) {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	var c compiler
	var info C.pacia_nvrtc_info
	if err := failure(C.pacia_nvrtc_open(name, &c.c, &info)); err != nil {
		return nil, err
	}
	c.version = [2]int{int(info.major), int(info.minor)}
	c.path = C.GoString(info.path)
	for _, a := range unsafe.Slice(info.architectures, info.n) {
		c.architectures = append(c.architectures, int(a))
	}
	return &c, nil
}

// compilers returns the libraries that can be opened. If there are none, the error
// has the reasons.
var compilers = sync.OnceValues(func() ([]*compiler, error) {
	var found []*compiler
	var missing []error
	seen := map[string]bool{}
	for _, file := range append(filepath.SplitList(os.Getenv(compilerVariable)), compilerNames...) {
		if file == "" {
			continue
		}
		c, err := openCompiler(file)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		if !seen[c.path] {
			seen[c.path] = true
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no NVRTC, which compiles the kernels: set %s to the file libnvrtc.so.… of libtorch's packages (%w)",
			compilerVariable, errors.Join(missing...))
	}
	return found, nil
})

// options returns the options of the compiler. Arithmetic is as in C++, without fast
// mathematics, except that a product and a sum may be contracted.
func options(t target) []string {
	return []string{"--gpu-architecture=" + t.String(), "--std=c++17", "--ptxas-options=-v"}
}

// compile compiles a program for t. log is the compiler's output if it succeeds. An
// error names file and line.
func (c *compiler) compile(program string, t target) (image []byte, log string, err error) {
	text, flags := C.CString(program), C.CString(strings.Join(options(t), "\n"))
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(flags))
	var out C.pacia_nvrtc_output
	if err := failure(C.pacia_nvrtc_compile(c.c, text, flags, C.bool(t.ptx), &out)); err != nil {
		return nil, "", err
	}
	defer C.free(unsafe.Pointer(out.image))
	defer C.free(unsafe.Pointer(out.log))
	return C.GoBytes(unsafe.Pointer(out.image), C.int(out.size)), C.GoString(out.log), nil
}

// failure converts a message of C++ to an error. All functions use it, in particular
// those of streams and graphs, because an error of a step on the device is reported by a
// later call.
func failure(message *C.char) error {
	if message == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(message))
	return Classified(errors.New(strings.TrimSpace(C.GoString(message))))
}
