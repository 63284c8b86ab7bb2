package ops

import "github.com/sugarme/gotch/ts"

// What the tests of package ops_test know of the inside.

// BlockPairs is the largest number of pairs in a block of several molecules.
const BlockPairs = blockPairs

// Blocks returns the molecules of each block.
func (h *SpaceGraph) Blocks() [][]int { return h.blocks() }

// Size returns the nodes of a molecule.
func (h *SpaceGraph) Size(m int) int { return h.size(m) }

// Rows returns the number of rows of a level.
func (l *HostLevel) Rows() int { return l.rows() }

// InputRows returns the number of rows before a layer.
func (v *Level) InputRows() int { return v.before }

// Tasks returns the offsets [B+1] of the rows of each task.
func (g *Graph) Tasks() *ts.Tensor { return g.bonds.task }

// Molecules returns the offsets [n+1] of the atoms of each molecule.
func (g *Graph) Molecules() *ts.Tensor { return g.mol }

// Phi lists the adapted tensors.
func (p *PAR) Phi() []*ts.Tensor { return p.phi() }

// Overlaps returns the number of kernels that began on the emulator while another thread ran one.
func Overlaps() int64 { return overlaps() }

// RowThreads returns the number of threads for each row of d elements.
func RowThreads(d int64) int { return rowThreads(d) }
