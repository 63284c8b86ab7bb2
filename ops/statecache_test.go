package ops_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestTablesGoBack: a table that was written to releases its memory when it is dropped.
func TestTablesGoBack(t *testing.T) {
	opstest.Locked(t, 1)
	const rows, width = 1 << 20, 64
	const each = 4 * rows * width // bytes
	begin := addressSpace(t)
	for range 8 {
		table, err := ops.NewTable(rows, width, false)
		if err != nil {
			t.Fatal(err)
		}
		h, which := ts.MustOfSlice(make([]float32, width)).MustView([]int64{1, width}, true), ts.MustOfSlice([]int64{3})
		if err := ops.SetRows(table, which, h); err != nil {
			t.Fatal(err)
		}
		ops.Drop(table, h, which)
	}
	if more := addressSpace(t) - begin; more > 2*each {
		t.Errorf("%d MB more are mapped after 8 tables of %d MB were dropped", more>>20, each>>20)
	}
}

// addressSpace returns the size of this process's address space, in bytes.
func addressSpace(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc")
	}
	pages, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.Atoi(pages)
	if err != nil {
		t.Fatal(err)
	}
	return n * os.Getpagesize()
}
