package model

import (
	"fmt"
	"slices"
	"strings"

	"pacia/ops"
	"pacia/params"
)

// adapts says whether a setting of adapt.* contains N or D.
func adapts(setting, what string) bool { return setting != "none" && strings.Contains(setting, what) }

// outputs is the width of a joint hypernetwork's output: w and b of width d
// where node embeddings are adapted, p where depth is.
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

// taskAdapter lays out the hypernetworks of one encoder layer (Eqs. 6, 7).
func taskAdapter(p *params.Set, c Config, name string) adapter {
	if c.Hyper.Form == "joint" {
		width := c.Hyper.Width
		if width == 0 {
			width = c.Width
		}
		return adapter{joint: jointHyper(p, name, c, c.Width, prototypes(c.Hyper, c.Width), width, outputs(c.Adapt.Encoder, c.Width))}
	}
	var a adapter
	if adapts(c.Adapt.Encoder, "N") {
		a.w = splitHyper(p, name+".w", c.Hyper, c.Width, c.Width)
		a.b = splitHyper(p, name+".b", c.Hyper, c.Width, c.Width)
	}
	if adapts(c.Adapt.Encoder, "D") {
		a.p = splitHyper(p, name+".p", c.Hyper, c.Width, 1)
	}
	return a
}

// queryAdapter lays out the hypernetworks of the predictor (Eq. 8), which
// serve all relation layers.
func queryAdapter(p *params.Set, c Config) adapter {
	if c.Adapt.Predictor == "none" {
		return adapter{}
	}
	d := c.Relation.Width
	if c.Hyper.Form == "joint" {
		width := c.Hyper.Query
		if width == 0 {
			width = 2 * d
		}
		h := jointHyper(p, "query", c, d, prototypes(c.Hyper, d)+d, width, outputs(c.Adapt.Predictor, d))
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

// jointHyper is the paper's: so many layers of width d on every molecule, then
// as many on the class means (and the query), residual where widths allow.
func jointHyper(p *params.Set, name string, c Config, d, in, width, out int) *ops.Hypernetwork {
	hidden := ops.Leaky
	if c.Hyper.Dropout > 0 {
		hidden |= ops.Dropout
	}
	h := newHyper(p, name, d, c.Hyper, hidden)
	widths := lastWidths(c.Hyper, in, width, out)
	for i := range c.Hyper.Layers {
		follow := residual(widths[i], widths[i+1])
		if i < c.Hyper.Layers-1 {
			follow |= hidden
		}
		h.Last = append(h.Last, p.Linear(fmt.Sprintf("%s.last.%d", name, i), widths[i], widths[i+1], true, follow))
	}
	return h
}

// newHyper lays out what a hypernetwork begins with.
func newHyper(p *params.Set, name string, d int, c HyperConfig, hidden ops.Follow) *ops.Hypernetwork {
	return &ops.Hypernetwork{
		Molecule:   moleculeMLP(p, name, d, c, hidden),
		Unlabelled: !c.Labels,
		Averaged:   c.Prototypes == "mean",
	}
}

// prototypes is the width of the two class means of width d together.
func prototypes(c HyperConfig, d int) int {
	if c.Prototypes == "mean" {
		return d
	}
	return 2 * d
}

// lastWidths are those of the input and of each layer of the MLP of Eqs. 7 and 8.
func lastWidths(c HyperConfig, in, hidden, out int) []int {
	widths := append([]int{in}, slices.Repeat([]int{hidden}, c.Layers-1)...)
	return append(widths, out)
}

// splitHyper is the published code's: no residual on the layer after the
// class means and on the last.
func splitHyper(p *params.Set, name string, c HyperConfig, d, out int) *ops.Hypernetwork {
	h := newHyper(p, name, d, c, ops.Leaky)
	h.Last = splitLast(p, name, lastWidths(c, prototypes(c, d), d, out), 0)
	return h
}

// depthHyper is the published code's controller of depth: the class means go
// through one linear layer before the query's node joins them.
func depthHyper(p *params.Set, name string, c HyperConfig, d int) *ops.Hypernetwork {
	h := newHyper(p, name, d, c, ops.Leaky)
	h.Query = true
	h.Means = []ops.Linear{p.Linear(name+".means", prototypes(c, d), d, true, 0)}
	h.Last = splitLast(p, name, lastWidths(c, 2*d, 2*d, 1), ops.Residual)
	return h
}

// splitLast lays out layers of these widths; first is what follows the first of
// them beside LeakyReLU.
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

// moleculeMLP is the MLP of Eq. 6 on a molecule joined with its label, d+2
// wide: residual on all layers but the first.
func moleculeMLP(p *params.Set, name string, d int, c HyperConfig, follow ops.Follow) (layers []ops.Linear) {
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
