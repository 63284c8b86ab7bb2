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

// parts is an encoder that shows what it consists of.
type parts interface {
	Parts() (atom, chirality *ts.Tensor, layers []ops.Convolution)
}

// tablePrefix starts the names of the differences of tables.
const tablePrefix = "adapter.table."

// bound is that of the uniform first values of adapters, as published.
const bound = 0.01

// network is the encoder with adapters, and the classifier.
type network struct {
	body       *model.Body
	dropout    float64
	tables     []table // of atoms, of chiralities, and of bonds and directions of each layer
	layers     []layer
	molecule   ops.Bottleneck
	target     ops.Bottleneck
	classifier gsmeta.Classifier
	stats      []*gnn.Stats // in place of running averages; nil: these
}

// table is a pretrained table [m, d], and the difference to it that is trained.
type table struct{ pretrained, difference *ts.Tensor }

// layer is one of GIN, without its norm, and the adapter behind it.
type layer struct {
	gin     *ops.GIN
	neutral ops.BatchNorm // which changes nothing
	adapter ops.Adapter
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
			return nil, fmt.Errorf("pintuning: layer %d is not one of GIN", l+1)
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

func newAdapter(p *params.Set, l, d, k int, of ops.BatchNorm) ops.Adapter {
	name := fmt.Sprintf("adapter.%d", l)
	return ops.Adapter{
		Bottleneck: newBottleneck(p, name, d, k, d),
		Offset:     p.Uniform(name+".offset", bound, int64(d)),
		Layer:      p.LayerNorm(name+".layer", d),
		Norm: ops.BatchNorm{
			Gamma: of.Gamma, Beta: of.Beta, // those of the pretrained layer
			Mean: p.Buffer(name+".norm.mean", 0, int64(d)), Var: p.Buffer(name+".norm.var", 1, int64(d)),
		},
	}
}

func newBottleneck(p *params.Set, name string, in, k, d int) ops.Bottleneck {
	return ops.Bottleneck{
		Down: p.Uniform(name+".down", bound, int64(k), int64(in)),
		Bias: p.Uniform(name+".bias", bound, int64(k)),
		Up:   p.Uniform(name+".up", bound, int64(d), int64(k)),
	}
}

// newNeutral is a batch norm that, by its running averages, changes nothing.
func newNeutral(p *params.Set, d int) (n ops.BatchNorm, err error) {
	const added = 1e-5 // to the variance, by every batch norm
	fixed := func(value float64) *ts.Tensor {
		t, e := p.Fixed(slices.Repeat([]float64{value}, d), int64(d))
		err = cmp.Or(err, e)
		return t
	}
	return ops.BatchNorm{Gamma: fixed(1), Beta: fixed(0), Mean: fixed(0), Var: fixed(1 - added)}, err
}
