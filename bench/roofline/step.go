package roofline

// Sizes of a training step and of the model.
type Sizes struct {
	Atoms, Bonds              int // A; E, both directions of each
	Tasks, Support, Queries   int // B, N of a task, Q of all
	Layers, Width             int // L_enc, d
	RelationLayers, NodeWidth int // L_rel, w
	Hidden                    int // w' of the pair network, w'/2 in its second layer
	SingleNode                bool
	Film                      Hyper // of each encoder layer
	Depth                     Hyper // of the relation graphs
	DepthByLayer              bool  // its dropout has places for each of their layers
	ClassifierOfEach          bool  // the classes have MLPs of their own
	Parameters                int
}

// Hyper are hypernetworks of three layers on every molecule (Eqs. 9 to 11).
type Hyper struct {
	Networks int   // that go side by side; 0: none
	Means    bool  // the means of the classes go through a layer before the query joins them
	Last     []int // widths of what goes in, and of each layer after that
}

// Line is one kernel or product of a step, in all of its launches.
type Line struct {
	Part, Name string
	Product    bool // a matrix product, cuBLAS's
	Launches   int
	Operations float64
	Bytes      float64
}

// size of a number, in bytes.
const number = 4

// work collects lines; those of one name are added up.
type work struct {
	part  string
	lines []Line
}

func (w *work) add(l Line) {
	l.Part = w.part
	for i := range w.lines {
		if o := &w.lines[i]; o.Part == l.Part && o.Name == l.Name {
			o.Launches += l.Launches
			o.Operations += l.Operations
			o.Bytes += l.Bytes
			return
		}
	}
	w.lines = append(w.lines, l)
}

// kernel adds a kernel that makes so many operations and moves so many numbers.
func (w *work) kernel(name string, operations, numbers int) {
	w.add(Line{Name: name, Launches: 1, Operations: float64(operations), Bytes: number * float64(numbers)})
}

// product adds [m, k]·[k, n].
func (w *work) product(name string, m, k, n int) {
	w.add(Line{Name: name, Product: true, Launches: 1, Operations: 2 * float64(m) * float64(k) * float64(n),
		Bytes: number * (float64(m)*float64(k) + float64(k)*float64(n) + float64(m)*float64(n))})
}

// rowChunk is kRowChunk of the kernels: matrices with no more rows are summed in one
// launch.
const rowChunk = 256

// sums adds the sum over rows of a gradient, through what followed the product.
func (w *work) sums(rows, width int) {
	w.kernel("linear_back", 2*rows*width, 3*rows*width)
	if chunks := (rows + rowChunk - 1) / rowChunk; chunks > 1 {
		w.kernel("chunks_sum", chunks*width, (chunks+1)*width)
	}
}

// linear adds a layer forward and back: its product, the steps after it, and on the way
// back the products for the inputs and for the weights.
func (w *work) linear(rows, in, out int, bias, follows bool) {
	w.product("products forward", rows, in, out)
	if follows {
		w.kernel("after_linear", 2*rows*out, 2*rows*out)
	}
	switch {
	case bias:
		w.sums(rows, out)
	case follows:
		w.kernel("after_linear_back", rows*out, 3*rows*out)
	}
	w.product("products back", rows, out, in)
	w.product("products back", out, rows, in)
}

// mlp adds layers of these widths; nothing follows the last one.
func (w *work) mlp(rows int, widths ...int) {
	for i := 1; i < len(widths); i++ {
		w.linear(rows, widths[i-1], widths[i], true, i < len(widths)-1)
	}
}

// Step lists the work of a training step.
func Step(s Sizes) []Line {
	w := &work{part: "encoder"}
	w.encoder(s)
	w.part = "projection"
	for _, molecules := range s.apart() {
		w.mlp(molecules, s.Width, s.NodeWidth, s.NodeWidth)
	}
	w.part = "relation graphs"
	for i := range s.RelationLayers {
		w.relation(s, s.pairs(i == 0))
	}
	if s.Depth.Networks > 0 {
		w.part = "depth"
		times, graphs := 1, s.RelationLayers*s.Queries
		if s.DepthByLayer {
			times, graphs = s.RelationLayers, s.Queries
		}
		for range times {
			w.hypernetworks(s.Depth, graphs*s.Support, graphs, s.NodeWidth)
		}
	}
	w.part = "classifier and loss"
	w.classifier(s)
	w.part = "optimiser"
	w.kernel("adam_squares", 2*s.Parameters, s.Parameters)
	w.kernel("adam_plan", 0, 0)
	w.kernel("adam_update", 12*s.Parameters, 7*s.Parameters)
	return w.lines
}

// apart are the support molecules and the queries, which are read out and projected one
// after the other.
func (s Sizes) apart() []int { return []int{s.Tasks * s.Support, s.Queries} }

// pairs of a relation layer, i < j. In the first one the support molecules of a task are
// the same for all of its queries.
func (s Sizes) pairs(first bool) int {
	if first {
		return s.Tasks*s.Support*(s.Support-1)/2 + s.Queries*s.Support
	}
	return s.Queries * s.Support * (s.Support + 1) / 2
}
