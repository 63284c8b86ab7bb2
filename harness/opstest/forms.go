package opstest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"pacia/ops"
)

// Examples are calculations of operations on leaves, by the name of the operation.
type Examples map[string][]Example

// Example is a calculation of one operation on leaves.
type Example struct {
	Name   string
	Seed   uint64
	Run    Calculation
	Smooth bool // finite differences can follow it: it is small and has no kinks
	Rows   bool // it runs on loops only
}

// Add adds an example of an operation.
func (all Examples) Add(operation, name string, seed int, smooth bool, f Calculation) {
	all[operation] = append(all[operation], Example{name, uint64(seed), f, smooth, false})
}

// ForLoops makes the last example of an operation run on loops only, if yes.
func (all Examples) ForLoops(operation string, yes bool) {
	list := all[operation]
	list[len(list)-1].Rows = yes
}

// Check tests the operations of the C++ in folders of the working directory. Each must have an example. The
// plain form, which defines an operation, is compared with finite differences, differentiated once and twice. Each
// other form is compared with the plain form, forward and backward. The kernels run on the emulator, with their
// threads in one order and in the other.
func (all Examples) Check(t *testing.T) {
	names := entered(t)
	if names == nil { // scripts/gpu-tests runs tests away from the sources
		names = slices.Sorted(maps.Keys(all))
	}
	for _, name := range names {
		if len(all[name]) == 0 {
			t.Errorf("%s has no example", name)
		}
		followed := false
		for i, e := range all[name] {
			if testing.Short() { // two examples; differences follow the first of the smooth ones
				if i == 2 {
					break
				}
				e.Smooth, followed = e.Smooth && !followed, followed || e.Smooth
			}
			t.Run(name+", "+e.Name, func(t *testing.T) { e.check(t, ops.Named(name)) })
		}
	}
}

var rowOfTable = regexp.MustCompile(`(?m)^PACIA_OP\w*\("([^"]+)"`)

// entered returns the names of the operations that the C++ in folders of the working directory enters in the table.
func entered(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*/*.[ch][ch]")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Dir(file) == "testdata" })
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rowOfTable.FindAllSubmatch(text, -1) {
			names = append(names, string(row[1]))
		}
	}
	if len(files) > 0 && names == nil {
		t.Error("no operation was found")
	}
	return names
}

func (e Example) check(t *testing.T, o ops.Operation) {
	Locked(t, 2)
	want := By(ops.Plain, e.Run)
	if e.Smooth {
		CheckGradients(t, e.Seed, want)
		checkTwice(t, e.Seed, want)
	}
	if o.Has(ops.Loops) {
		SameOutcomes(t, e.Seed, By(ops.Loops, e.Run), want)
	}
	if !o.Has(ops.Kernels) || e.Rows || testing.Short() {
		return
	}
	Emulated(t)
	SameOutcomes(t, e.Seed, By(ops.Kernels, e.Run), want)
	if Device == ops.CPU {
		ops.EmulateBackwards()
		SameOutcomes(t, e.Seed, By(ops.Kernels, e.Run), want)
	}
}
