package ops

// #include "product/few.h"
// #include "tensors/tensors.h"
import "C"

import (
	"fmt"
	"strings"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// Legend: C rows of a table, R rows to write, d width.

// NewTable returns a table [C, d] on the CPU for states that are kept from batch to
// batch. It is not initialised: the system allocates its memory as rows are written.
func NewTable(rows, width int, double bool) (*ts.Tensor, error) {
	kind := gotch.Float
	if double {
		kind = gotch.Double
	}
	return call(fmt.Sprintf("table of %d rows", rows), func() (*ts.Tensor, error) {
		return ts.Empty([]int64{int64(rows), int64(width)}, kind, gotch.CPU)
	})
}

// RowsAlone returns the number of rows from which each row of a product in float32 is
// independent of the other rows, bit for bit. This holds for the products of this package, but
// not always for those of a library: then ok is false.
func RowsAlone() (rows int, ok bool) {
	return C.PACIA_FEW, strings.HasPrefix(Products(), "tiles")
}

// SetRows writes h [R, d] to the rows which [R] of a table [C, d].
func SetRows(table, which, h *ts.Tensor) error {
	p := pointers([]*ts.Tensor{table, which, h})
	return failing("rows of a table", C.pacia_set_rows(p[0], p[1], p[2]))
}
