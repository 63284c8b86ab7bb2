package ops_test

import (
	"debug/elf"
	"os"
	"strings"
	"testing"
)

// Two OpenMP runtimes in one program compute wrong numbers. So the program must define
// every function of OpenMP that libtorch calls.
func TestOneOpenMP(t *testing.T) {
	program := symbols(t, "/proc/self/exe")
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	called := 0
	for _, library := range []string{"libtorch_cpu.so", "libc10.so"} {
		for name, defined := range symbols(t, mapped(t, string(maps), library)) {
			if defined || !strings.HasPrefix(name, "GOMP_") && !strings.HasPrefix(name, "omp_") {
				continue
			}
			called++
			if !program[name] {
				t.Errorf("%s calls %s, which is not in the program: name a function of its archive's member in openmp.c", library, name)
			}
		}
	}
	if called == 0 {
		t.Error("libtorch calls no function of OpenMP, so that this test checks nothing")
	}
}

// mapped returns the file of a library in the process's memory.
func mapped(t *testing.T, maps, library string) string {
	t.Helper()
	for line := range strings.Lines(maps) {
		if _, path, ok := strings.Cut(strings.TrimSpace(line), "/"); ok && strings.HasSuffix(path, "/"+library) {
			return "/" + path
		}
	}
	t.Fatalf("%s is not in the process's memory", library)
	return ""
}

// symbols returns the dynamic symbols of a file: whether each is defined there.
func symbols(t *testing.T, file string) map[string]bool {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	every, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, s := range every {
		found[s.Name] = s.Section != elf.SHN_UNDEF
	}
	return found
}
