package ops

import "github.com/sugarme/gotch/ts"

// What the tests of package ops_test know of the inside.

// Rows returns the number of rows of a level.
func (l *HostLevel) Rows() int { return l.rows() }

// InputRows returns the number of rows before a layer.
func (v *Level) InputRows() int { return v.before }

// Tasks returns the offsets [B+1] of the rows of each task.
func (g *Graph) Tasks() *ts.Tensor { return g.bonds.task }

// Overlaps returns the number of kernels that began on the emulator while another thread ran one.
func Overlaps() int64 { return overlaps() }

// RowThreads returns the number of threads for each row of d elements.
func RowThreads(d int64) int { return rowThreads(d) }
