package pintuning

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/gsmeta"
	"pacia/ops"
)

// Legend: m rows of a table, d width of a state, d' of a molecule's vector, k of a bottleneck.

// parts is an encoder with access to its layers.
type parts interface {
	Parts() (atom, chirality *ts.Tensor, layers []ops.Convolution)
}

// tablePrefix starts the names of the differences of tables.
const tablePrefix = "adapter.table."

// bound is the bound of the uniform initial values of adapters, as published.
const bound = 0.01

// network is the encoder with adapters, and the classifier.
type network struct {
	body       *model.Body
	dropout    float64
	tables     []table // of atoms, of chiralities, and of bonds and directions of each layer
	layers     []layer
	molecule   bottleneck
	target     bottleneck
	classifier gsmeta.Classifier
	stats      []*gnn.Stats // in place of running averages; nil: running averages
}

// table is a pretrained table [m, d] and a trained difference.
type table struct{ pretrained, difference *ts.Tensor }

// layer is a layer of GIN without its norm, followed by an adapter.
type layer struct {
	gin     *ops.GIN
	neutral ops.BatchNorm // a batch norm that changes nothing
	adapter adapter
}

func newNetwork(b *model.Body, encoder parts, c model.Config, k int) (*network, error) {
	p, d := b.Set, b.Encoder.Width()
	n := &network{body: b, dropout: c.Dropout}
	p.Part("adapters")
	difference := func(name string, of *ts.Tensor, rows int) {
		n.tables = append(n.tables, table{of, p.Constant(tablePrefix+name, 0, int64(rows), int64(d))})
	}
	atom, chirality, layers := encoder.Parts()
	difference("atom", atom, category.AtomicNumbers)
	difference("chirality", chirality, category.Chiralities)
	neutral, err := newNeutral(p, d)
	if err != nil {
		return nil, err
	}
	for l, of := range layers {
		gin, ok := of.Of.(*ops.GIN)
		if !ok {
			return nil, fmt.Errorf("pintuning: layer %d is not a layer of GIN", l+1)
		}
		difference(fmt.Sprintf("%d.bond", l), gin.E1, category.BondTypes)
		difference(fmt.Sprintf("%d.direction", l), gin.E2, category.BondDirections)
		n.layers = append(n.layers, layer{gin, neutral, newAdapter(p, l, d, k, of.Norm)})
	}
	vector := b.Readout.Width()
	n.molecule = newBottleneck(p, "adapter.molecule", vector, k, d)
	n.target = newBottleneck(p, "adapter.target", vector, k, d)
	n.classifier = gsmeta.NewClassifier(p, 4*vector, d)
	return n, p.Err()
}

func newAdapter(p *params.Set, l, d, k int, of ops.BatchNorm) adapter {
	name := fmt.Sprintf("adapter.%d", l)
	return adapter{
		bottleneck: newBottleneck(p, name, d, k, d),
		offset:     p.Uniform(name+".offset", bound, int64(d)),
		layer:      p.LayerNorm(name+".layer", d),
		norm: ops.BatchNorm{
			Gamma: of.Gamma, Beta: of.Beta, // of the pretrained layer
			Mean: p.Running(name+".norm.mean", 0, int64(d)), Var: p.Running(name+".norm.var", 1, int64(d)),
		},
	}
}

func newBottleneck(p *params.Set, name string, in, k, d int) bottleneck {
	return bottleneck{
		down: p.Uniform(name+".down", bound, int64(k), int64(in)),
		bias: p.Uniform(name+".bias", bound, int64(k)),
		up:   p.Uniform(name+".up", bound, int64(d), int64(k)),
	}
}

// newNeutral returns a batch norm that changes nothing when it uses its running averages.
func newNeutral(p *params.Set, d int) (n ops.BatchNorm, err error) {
	const added = 1e-5 // every batch norm adds this to the variance
	fixed := func(value float64) *ts.Tensor {
		t, e := p.Fixed(slices.Repeat([]float64{value}, d), int64(d))
		err = cmp.Or(err, e)
		return t
	}
	return ops.BatchNorm{Gamma: fixed(1), Beta: fixed(0), Mean: fixed(0), Var: fixed(1 - added)}, err
}
