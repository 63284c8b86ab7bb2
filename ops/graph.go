package ops

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
)

// Graph is a batch of molecules on a device.
type Graph struct {
	atoms           *ts.Tensor            // categories of the rows of h⁰
	largest         int                   // atomic number
	features        *ts.Tensor            // [A, k], of a graph that has them and no categories
	counts          counts                // fingerprints, of a graph that has them
	mol             *ts.Tensor            // [n+1] atoms of each molecule
	bonds           Level                 // from atoms to atoms
	levels          []Level               // of the first layers
	representatives []Representatives     // after 0, 1, … layers, of a graph that has features
	inputs          map[string]*ts.Tensor // of one encoder alone
	owned           []*ts.Tensor          // all of them
}

// Level is the structure on which one encoder layer runs: R rows of its output, and
// the rows of its input that each of them sums up.
//
// Legend: A atoms, R rows, E bonds, P rows before, B tasks.
type Level struct {
	rowptr, col, code *ts.Tensor // [R+1], [E], [E] bonds
	self              *ts.Tensor // [R] row of the input that row r continues; nil: row r itself
	spread            *ts.Tensor // [A] row of each atom, if the layer's output is copied to atoms; nil: it stays in rows
	like              *ts.Tensor // [A] atom whose dropout mask atom a uses; nil: each atom draws its own
	group, task       *ts.Tensor // [2B+1], [B+1] rows, or atoms if they are spread; [2] of distinct rows
	before            int        // P
	distinct          bool       // the layer's output has rows that represent several atoms
}

// Features returns the features [A, k] of the atoms, nil if they have categories.
func (g *Graph) Features() *ts.Tensor { return g.features }

// Molecules returns the offsets [n+1] of the atoms of each molecule.
func (g *Graph) Molecules() *ts.Tensor { return g.mol }

// Bonds returns the offsets [A+1] of the bonds into each atom, and their other ends [E] and codes [E].
func (g *Graph) Bonds() (rowptr, col, code *ts.Tensor) {
	return g.bonds.rowptr, g.bonds.col, g.bonds.code
}

// Groups returns the offsets [2B+1] of the rows of each task's support and queries.
func (g *Graph) Groups() *ts.Tensor { return g.bonds.group }

// Level returns the level of layer l, counted from 0.
func (g *Graph) Level(l int) *Level {
	if l < len(g.levels) {
		return &g.levels[l]
	}
	return &g.bonds
}

// NewGraph copies h to a device. h must have every bond in both directions with
// the same categories.
func NewGraph(h HostGraph, d Device) (*Graph, error) {
	if h.Group == nil {
		h.Group = []int32{0, 0, int32(len(h.RowPtr) - 1)}
	}
	if err := h.Check(); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	u := upload{to: new(Graph), device: d}
	u.topology(&h)
	if len(h.Features) > 0 {
		u.features(&h)
	} else {
		u.categoriesAndLevels(&h)
	}
	return u.graph("graph")
}

// GraphParts are tensors that hold a batch of molecules, as [HostGraph] lays
// them out, without levels. Atoms and bonds may be followed by padding, which
// belongs to no group. The content must have passed [HostGraph.Check], and atomic
// numbers must be in their table.
type GraphParts struct {
	RowPtr, Col      *ts.Tensor            // [A+1], [E]; nil: a molecule is one row, without bonds
	Code             *ts.Tensor            // [E] uint8: category.BondCode
	Mol, Group, Task *ts.Tensor            // [n+1], [2B+1], [B+1]
	Inputs           map[string]*ts.Tensor // by name, Categories [A, 2] and Features [A, k] among them
}

// Names of the inputs that are the rows of a graph of atoms.
const (
	Categories = "categories"
	Features   = "features"
)

// GraphOf returns a graph of tensors that still belong to the caller.
func GraphOf(p GraphParts) (*Graph, error) {
	offsets := p.RowPtr
	if offsets == nil {
		offsets = p.Mol
	}
	n, err := elements(offsets)
	if err != nil {
		return nil, err
	}
	return &Graph{atoms: p.Inputs[Categories], features: p.Inputs[Features], inputs: p.Inputs, mol: p.Mol, bonds: Level{
		rowptr: p.RowPtr, col: p.Col, code: p.Code, group: p.Group, task: p.Task, before: n - 1,
	}}, nil
}

// upload copies arrays to the tensors of a graph, until the first error.
type upload struct {
	to     *Graph
	device Device
	err    error
}

// graph returns the copied graph, or the first error with the given name.
func (u *upload) graph(called string) (*Graph, error) {
	if u.err != nil {
		u.to.Drop()
		return nil, fmt.Errorf("%s: %w", called, u.err)
	}
	return u.to, nil
}

// topology copies all except the categories of the atoms.
func (u *upload) topology(h *HostGraph) {
	u.to.mol = u.ints(h.MolPtr)
	u.to.bonds = u.bonds(h.RowPtr, h.Col, h.Bond)
	u.to.bonds.before = len(h.RowPtr) - 1
	u.groups(h.Group)
}

// groups copies the rows [2B+1] of each task's support and queries.
func (u *upload) groups(group []int32) {
	task := make([]int32, 0, len(group)/2+1)
	for i := 0; i < len(group); i += 2 {
		task = append(task, group[i])
	}
	u.to.bonds.group, u.to.bonds.task = u.ints(group), u.ints(task)
}

func (u *upload) features(h *HostGraph) {
	atoms := int64(len(h.RowPtr) - 1)
	u.to.features = u.keep(New(h.Features, []int64{atoms, int64(len(h.Features)) / atoms}, u.device))
	for _, l := range h.Levels {
		u.to.representatives = append(u.to.representatives, Representatives{u.ints(l.Self), u.ints(l.Row)})
	}
}

func (u *upload) categoriesAndLevels(h *HostGraph) {
	g := u.to
	if len(h.Levels) == 0 {
		g.atoms, g.largest = u.categories(h.Atoms), largest(h.Atoms)
		return
	}
	g.atoms, g.largest = u.categories(h.Levels[0].Atoms), largest(h.Levels[0].Atoms)
	for i, l := range h.Levels[1:] {
		level := u.bonds(l.RowPtr, l.Col, l.Bond)
		level.before, level.self = h.before(i+1), u.ints(l.Self)
		row := l.Row
		if i == len(h.Levels)-2 && h.Table == 0 {
			row = h.Row
		}
		if len(row) > 0 {
			level.spread, level.group, level.task = u.ints(row), g.bonds.group, g.bonds.task
		} else {
			level.distinct, level.group = true, u.ints([]int32{0, int32(l.rows())})
			level.task = level.group
		}
		if len(l.Like) > 0 {
			level.like = u.ints(l.Like)
		}
		g.levels = append(g.levels, level)
	}
}

func (u *upload) bonds(rowptr, col []int32, bond []uint8) Level {
	code := make([]uint8, len(col))
	for i := range code {
		code[i] = category.BondCode(bond[2*i], bond[2*i+1])
	}
	return Level{rowptr: u.ints(rowptr), col: u.ints(col), code: u.keep(Vector(code, u.device))}
}

// largest is the largest of the first categories: the atomic number.
func largest(pairs []uint8) int {
	n := 0
	for i := 0; i < len(pairs); i += 2 {
		n = max(n, int(pairs[i]))
	}
	return n
}

func (u *upload) categories(pairs []uint8) *ts.Tensor {
	return u.keep(New(pairs, []int64{int64(len(pairs) / 2), 2}, u.device))
}

func (u *upload) ints(values []int32) *ts.Tensor { return u.keep(Vector(values, u.device)) }

func (u *upload) keep(t *ts.Tensor, err error) *ts.Tensor {
	u.err = cmp.Or(u.err, err)
	u.to.owned = append(u.to.owned, t)
	return t
}

// Vector copies values to a device as a tensor of one dimension.
func Vector[T Element](values []T, d Device) (*ts.Tensor, error) {
	return New(values, []int64{int64(len(values))}, d)
}

// Add adds a named input to the graph, such as numbers per atom, bond or molecule, as a tensor of the given shape.
func Add[T Element](g *Graph, name string, values []T, shape []int64, d Device) error {
	t, err := New(values, shape, d)
	if err != nil {
		return fmt.Errorf("graph: %s: %w", name, err)
	}
	if g.inputs == nil {
		g.inputs = map[string]*ts.Tensor{}
	}
	g.inputs[name], g.owned = t, append(g.owned, t)
	return nil
}

// Input returns a named input.
func (g *Graph) Input(name string) (*ts.Tensor, error) {
	t, there := g.inputs[name]
	if !there {
		return nil, fmt.Errorf("graph: it comes without %s", name)
	}
	return t, nil
}

// Drop releases the graph's tensors.
func (g *Graph) Drop() {
	Drop(g.owned...)
	*g = Graph{}
}
