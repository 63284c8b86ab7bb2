// Package mat is the Molecule Attention Transformer (Maziarka et al. 2020), for atoms in
// space.
package mat

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// published is the published number of heads.
const published = 16

// Spec describes the transformer.
var Spec = gnn.Spec{Name: "mat", Source: "Maziarka et al. 2020", Reads: reading, Heads: published, New: newMAT, Check: check}

// reading is atoms with places and the features of [molecule.InSpace].
var reading = &gnn.Reading{
	Featurizer: molecule.InSpace,
	Lacks: func(h *data.Batch) string {
		if none := gnn.NoGraphs(h); none != "" || len(h.Floats(molecule.Places)) > 0 {
			return none
		}
		return "reads atoms in space, and these molecules come without places; write gin, or open the molecules for this encoder"
	},
	Graph: func(in gnn.Input, d ops.Device) (*ops.Graph, error) {
		space := Space{Features: in.Floats(molecule.Features), Places: in.Floats(molecule.Places), RowPtr: in.RowPtr, Col: in.Col, MolPtr: in.MolPtr, Group: in.GroupPtr}
		return space.Graph(d)
	},
	Varies: true, // blocks of molecules differ between batches
}

// check refuses a width that is not a multiple of the number of heads.
func check(c gnn.Config) error {
	if n := heads(c); c.Width%n != 0 {
		return fmt.Errorf("model.width: %d is not a multiple of the %d heads of model.encoder=%s; write %d", c.Width, n, c.Name, (c.Width/n+1)*n)
	}
	return nil
}

func heads(c gnn.Config) int { return cmp.Or(c.Heads, published) }

// mat is the Molecule Attention Transformer (Maziarka et al. 2020): h⁰ = W x + b of a
// node's features, then layers that mix all nodes of a molecule with weights from
// attention, distances and bonds. The last layer ends in a layer norm. In addition to its
// atoms, a molecule has a dummy node, which is included in its mean. As published, the
// layers have no dropout.
type mat struct {
	config   gnn.Config
	features ops.Linear
	layers   []attentionLayer
}

func newMAT(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	p.Part("encoder")
	e := &mat{config: c, features: p.GlorotLinear("encoder.features", cmp.Or(c.Features, SpaceFeatures), c.Width)}
	for l := range c.Layers {
		name := fmt.Sprintf("encoder.%d.", l)
		e.layers = append(e.layers, attentionLayer{
			heads:  heads(c),
			before: p.LayerNorm(name+"norm.0", c.Width),
			// Three square matrices, one below the other.
			qkv: ops.Linear{
				W: p.Uniform(name+"attention.weight", math.Sqrt(3/float64(c.Width)), int64(3*c.Width), int64(c.Width)),
				B: p.Uniform(name+"attention.bias", 1/math.Sqrt(float64(c.Width)), int64(3*c.Width)),
			},
			out:     p.GlorotLinear(name+"heads", c.Width, c.Width),
			between: p.LayerNorm(name+"norm.1", c.Width),
			dense:   p.GlorotLinear(name+"dense", c.Width, c.Width),
		})
	}
	e.layers[c.Layers-1].after = p.LayerNorm("encoder.norm", c.Width)
	return e, p.Err()
}

func (e *mat) Layers() int { return len(e.layers) }
func (e *mat) Width() int  { return e.config.Width }

// Embed takes a graph of [Space].
func (e *mat) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return embedNodes(g, e.features)
}

// Layer needs no statistics: a node is normalised by itself.
func (e *mat) Layer(l int, h *ts.Tensor, g *ops.Graph, _ ops.Mode, _ *gnn.Stats) (*ts.Tensor, error) {
	return e.layers[l].layer(h, g)
}

func (e *mat) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}
