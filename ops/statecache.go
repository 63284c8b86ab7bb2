package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"
	"strings"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// Legend: C rows of a table, R of them that are written, d width.

// NewTable is a table [C, d] on the CPU for states that are kept from batch to
// batch. Nothing is in it: its memory is taken as rows are written.
func NewTable(rows, width int, double bool) (*ts.Tensor, error) {
	kind := gotch.Float
	if double {
		kind = gotch.Double
	}
	return made(fmt.Sprintf("table of %d rows", rows), func() (*ts.Tensor, error) {
		return ts.Empty([]int64{int64(rows), int64(width)}, kind, gotch.CPU)
	})
}

// narrow is the width below which products are not made of tiles: kNarrow of ops/product.
const narrow = 8

// RowsAlone reports whether in products of float32 of at least 16 rows, and of so
// many columns, a row is the same to the bit whichever others there are: it is so of
// our own, and of a library's it need not be.
func RowsAlone(columns int) bool {
	return columns >= narrow && strings.HasPrefix(Products(), "tiles")
}

// SetRows writes h [R, d] to the rows which [R] of a table [C, d].
func SetRows(table, which, h *ts.Tensor) error {
	p := pointers([]*ts.Tensor{table, which, h})
	return failing("rows of a table", C.pacia_set_rows(p[0], p[1], p[2]))
}
