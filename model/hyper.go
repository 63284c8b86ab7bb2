package model

import (
	"fmt"
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
		return adapter{joint: jointHyper(p, name, c.Width, 2*c.Width, width, outputs(c.Adapt.Encoder, c.Width), c.Hyper.Dropout)}
	}
	var a adapter
	if adapts(c.Adapt.Encoder, "N") {
		a.w = splitHyper(p, name+".w", c.Width, c.Width)
		a.b = splitHyper(p, name+".b", c.Width, c.Width)
	}
	if adapts(c.Adapt.Encoder, "D") {
		a.p = splitHyper(p, name+".p", c.Width, 1)
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
		h := jointHyper(p, "query", d, 3*d, width, outputs(c.Adapt.Predictor, d), c.Hyper.Dropout)
		h.Query = true
		return adapter{joint: h}
	}
	var a adapter
	if adapts(c.Adapt.Predictor, "N") {
		a.w = splitHyper(p, "query.w", d, d)
		a.b = splitHyper(p, "query.b", d, d)
	}
	if adapts(c.Adapt.Predictor, "D") {
		a.p = depthHyper(p, "query.p", d)
	}
	return a
}

// jointHyper is the paper's: three layers of width d on every molecule, then
// three on the class means (and the query), residual where widths allow.
func jointHyper(p *params.Set, name string, d, in, width, out int, dropout float64) *ops.Hypernetwork {
	hidden := ops.Leaky
	if dropout > 0 {
		hidden |= ops.Dropout
	}
	h := &ops.Hypernetwork{Molecule: moleculeMLP(p, name, d, hidden)}
	first := p.Linear(name+".last.0", in, width, true, hidden|residual(in, width))
	h.Last = []ops.Linear{first,
		p.Linear(name+".last.1", width, width, true, hidden|ops.Residual),
		p.Linear(name+".last.2", width, out, true, residual(width, out))}
	return h
}

// splitHyper is the published code's: no residual on the layer after the
// class means and on the last.
func splitHyper(p *params.Set, name string, d, out int) *ops.Hypernetwork {
	return &ops.Hypernetwork{
		Molecule: moleculeMLP(p, name, d, ops.Leaky),
		Last: []ops.Linear{
			p.Linear(name+".last.0", 2*d, d, true, ops.Leaky),
			p.Linear(name+".last.1", d, d, true, ops.Leaky|ops.Residual),
			p.Linear(name+".last.2", d, out, true, 0),
		},
	}
}

// depthHyper is the published code's controller of depth: the class means go
// through one linear layer before the query's node joins them.
func depthHyper(p *params.Set, name string, d int) *ops.Hypernetwork {
	return &ops.Hypernetwork{
		Molecule: moleculeMLP(p, name, d, ops.Leaky),
		Means:    []ops.Linear{p.Linear(name+".means", 2*d, d, true, 0)},
		Query:    true,
		Last: []ops.Linear{
			p.Linear(name+".last.0", 2*d, 2*d, true, ops.Leaky|ops.Residual),
			p.Linear(name+".last.1", 2*d, 2*d, true, ops.Leaky|ops.Residual),
			p.Linear(name+".last.2", 2*d, 1, true, 0),
		},
	}
}

// moleculeMLP is the MLP of Eq. 6 on a molecule joined with its label, d+2
// wide: residual on the second and third layer.
func moleculeMLP(p *params.Set, name string, d int, follow ops.Follow) []ops.Linear {
	layers := []ops.Linear{p.Linear(name+".molecule.0", d+2, d, true, follow)}
	for i := 1; i < 3; i++ {
		layers = append(layers, p.Linear(fmt.Sprintf("%s.molecule.%d", name, i), d, d, true, follow|ops.Residual))
	}
	return layers
}

func residual(in, out int) ops.Follow {
	if in == out {
		return ops.Residual
	}
	return 0
}
