package pacia

import (
	"cmp"
	"fmt"
	"slices"

	"pacia/gnn/params"
	"pacia/ops"
)

// outputs returns the width of a joint hypernetwork's output: w and b of width d
// if node embeddings are adapted, plus p if depth is.
func outputs(setting string, d int) int {
	n := 0
	if adapts(setting, "N") {
		n += 2 * d
	}
	if adapts(setting, "D") {
		n++
	}
	return n
}

// taskAdapter lays out the hypernetworks of one encoder layer (Eqs. 9, 10).
func taskAdapter(p *params.Set, c Settings, d int, name string) adapter {
	if c.Hyper.Form == "joint" {
		width := cmp.Or(c.Hyper.Width, d)
		return adapter{joint: jointHyper(p, name, c.Hyper, d, prototypes(c.Hyper, d), width, outputs(c.Adapt.Encoder, d))}
	}
	var a adapter
	if adapts(c.Adapt.Encoder, "N") {
		a.w = splitHyper(p, name+".w", c.Hyper, d, d)
		a.b = splitHyper(p, name+".b", c.Hyper, d, d)
	}
	if adapts(c.Adapt.Encoder, "D") {
		a.p = splitHyper(p, name+".p", c.Hyper, d, 1)
	}
	return a
}

// queryAdapter lays out the hypernetworks of the predictor (Eq. 11), which
// serve all relation layers.
func queryAdapter(p *params.Set, c Settings) adapter {
	if c.Adapt.Predictor == "none" {
		return adapter{}
	}
	d := c.Relation.Width
	if c.Hyper.Form == "joint" {
		h := jointHyper(p, "query", c.Hyper, d, prototypes(c.Hyper, d)+d, cmp.Or(c.Hyper.Query, 2*d), outputs(c.Adapt.Predictor, d))
		h.Query = true
		return adapter{joint: h}
	}
	var a adapter
	if adapts(c.Adapt.Predictor, "N") {
		a.w = splitHyper(p, "query.w", c.Hyper, d, d)
		a.b = splitHyper(p, "query.b", c.Hyper, d, d)
	}
	if adapts(c.Adapt.Predictor, "D") {
		a.p = depthHyper(p, "query.p", c.Hyper, d)
	}
	return a
}

// jointHyper lays out the paper's hypernetwork: layers of width d on every molecule,
// then as many on the class means (and the query), residual where widths allow.
func jointHyper(p *params.Set, name string, c Hyper, d, in, width, out int) *ops.Hypernetwork {
	hidden := ops.Leaky
	if c.Dropout > 0 {
		hidden |= ops.Dropout
	}
	h := newHyper(p, name, d, c, hidden)
	widths := lastWidths(c, in, width, out)
	for i := range c.Layers {
		follow := residual(widths[i], widths[i+1])
		if i < c.Layers-1 {
			follow |= hidden
		}
		h.Last = append(h.Last, lastLayer(p, fmt.Sprintf("%s.last.%d", name, i), c, widths, i, follow))
	}
	return h
}

// lastLayer lays out layer i of the MLP after the class means.
func lastLayer(p *params.Set, name string, c Hyper, widths []int, i int, follow ops.Follow) ops.Linear {
	if i < c.Layers-1 || c.Start != startZero {
		return p.Linear(name, widths[i], widths[i+1], true, follow)
	}
	last := p.Zeros(name, widths[i], widths[i+1])
	last.Follow = follow &^ ops.Residual
	return last
}

// newHyper lays out the first part of a hypernetwork, up to the class means.
func newHyper(p *params.Set, name string, d int, c Hyper, hidden ops.Follow) *ops.Hypernetwork {
	return &ops.Hypernetwork{
		Molecule:   moleculeMLP(p, name, d, c, hidden),
		Unlabelled: !c.Labels,
		Averaged:   c.Prototypes == "mean",
	}
}

// prototypes returns the joint width of the two class means of width d.
func prototypes(c Hyper, d int) int {
	if c.Prototypes == "mean" {
		return d
	}
	return 2 * d
}

// lastWidths returns the widths of the input and of each layer of the MLP of Eqs. 10 and 11.
func lastWidths(c Hyper, in, hidden, out int) []int {
	widths := append([]int{in}, slices.Repeat([]int{hidden}, c.Layers-1)...)
	return append(widths, out)
}

// splitHyper lays out the hypernetwork of the published code, without a residual on
// the layer after the class means and on the last one.
func splitHyper(p *params.Set, name string, c Hyper, d, out int) *ops.Hypernetwork {
	h := newHyper(p, name, d, c, ops.Leaky)
	h.Last = splitLast(p, name, lastWidths(c, prototypes(c, d), d, out), 0)
	return h
}

// depthHyper lays out the controller of depth in the published code: one linear
// layer on the class means before the query's node is joined.
func depthHyper(p *params.Set, name string, c Hyper, d int) *ops.Hypernetwork {
	h := newHyper(p, name, d, c, ops.Leaky)
	h.Query = true
	h.Means = []ops.Linear{p.Linear(name+".means", prototypes(c, d), d, true, 0)}
	h.Last = splitLast(p, name, lastWidths(c, 2*d, 2*d, 1), ops.Residual)
	return h
}

// splitLast lays out layers of these widths. The first of them is followed by
// LeakyReLU and first.
func splitLast(p *params.Set, name string, widths []int, first ops.Follow) (layers []ops.Linear) {
	last := len(widths) - 2
	for i := range last + 1 {
		follow := ops.Leaky | ops.Residual
		switch i {
		case last:
			follow = 0
		case 0:
			follow = ops.Leaky | first
		}
		layers = append(layers, p.Linear(fmt.Sprintf("%s.last.%d", name, i), widths[i], widths[i+1], true, follow))
	}
	return layers
}

// moleculeMLP lays out the MLP of Eq. 9 on a molecule joined with its label, of
// width d+2, with residuals on all layers except the first.
func moleculeMLP(p *params.Set, name string, d int, c Hyper, follow ops.Follow) (layers []ops.Linear) {
	in := d
	if c.Labels {
		in += 2
	}
	for i := range c.Layers {
		layers = append(layers, p.Linear(fmt.Sprintf("%s.molecule.%d", name, i), in, d, true, follow))
		in, follow = d, follow|ops.Residual
	}
	return layers
}

func residual(in, out int) ops.Follow {
	if in == out {
		return ops.Residual
	}
	return 0
}
