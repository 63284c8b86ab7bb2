package model

import (
	"fmt"

	"pacia/gnn"
	"pacia/ops"
	"pacia/params"
)

// Names under which parameters are counted.
const (
	partEncoderHyper   = "encoder hypernetwork"
	partProjection     = "projection"
	partRelation       = "relation graph"
	partPredictorHyper = "predictor hypernetwork"
	partClassifier     = "classifier"
	partHeads          = "classifiers of tasks"
)

// adapter is the hypernetworks of one layer. Joint: all is [w | b | p].
// Split: a network each; nil where nothing is adapted.
type adapter struct {
	joint   *ops.Hypernetwork
	w, b, p *ops.Hypernetwork
}

// layout is every parameter in the place where it is used.
type layout struct {
	encoder    gnn.Encoder
	task       []adapter // [L_enc]; the same one L_enc times where it is shared
	readout    *gnn.Readout
	projection []ops.Linear
	relation   []ops.Relation // [L_rel]
	query      adapter        // one for all relation layers
	classifier ops.Classifier
}

func newLayout(p *params.Set, c Config) (*layout, error) {
	encoder, err := gnn.New(p, gnn.Config{Name: c.Encoder, Layers: c.Layers, Width: c.Width, Dropout: c.Dropout})
	if err != nil {
		return nil, err
	}
	l := &layout{encoder: encoder}
	l.taskAdapters(p, c)
	if l.readout, err = gnn.NewReadout(p, gnn.ReadoutConfig{Jump: c.Jump, Pool: c.Readout}, c.Layers, c.Width); err != nil {
		return nil, err
	}
	if c.Method == Multitask {
		return l, p.Err()
	}
	p.Part(partProjection)
	d := c.Relation.Width
	l.projection = []ops.Linear{
		p.Linear("projection.0", l.readout.Width(), d, true, ops.Leaky),
		p.Linear("projection.1", d, d, true, 0),
	}
	l.relationLayers(p, c)
	p.Part(partPredictorHyper)
	l.query = queryAdapter(p, c)
	l.adaptiveClassifier(p, c)
	return l, p.Err()
}

func (l *layout) taskAdapters(p *params.Set, c Config) {
	if c.Adapt.Encoder == "none" {
		return
	}
	p.Part(partEncoderHyper)
	for i := range c.Layers {
		if c.Hyper.Share && i > 0 {
			l.task = append(l.task, l.task[0])
			continue
		}
		l.task = append(l.task, taskAdapter(p, c, fmt.Sprintf("task.%d", i)))
	}
}

// relationLayers: the pair network's hidden layers have no bias, nor has the
// node update. Of nodes 128 wide the paper's table has hidden layers of 256 and
// 128, twice and once the width; of nodes 256 wide, on FS-Mol, the same.
func (l *layout) relationLayers(p *params.Set, c Config) {
	p.Part(partRelation)
	d := c.Relation.Width
	hidden := c.Relation.Hidden
	if hidden == 0 {
		hidden = 2 * d
	}
	half := max(1, hidden/2)
	for i := range c.Relation.Layers {
		if c.Relation.Share && i > 0 {
			l.relation = append(l.relation, l.relation[0])
			continue
		}
		name := fmt.Sprintf("relation.%d.", i)
		r := ops.Relation{Similarity: [3]ops.Linear{
			p.Linear(name+"similarity.0", d, hidden, false, 0),
			p.Linear(name+"similarity.1", hidden, half, false, 0),
			p.Linear(name+"similarity.2", half, 1, true, 0),
		}}
		if c.Relation.Node == "single" {
			r.Node = []ops.Linear{p.Linear(name+"node.0", 2*d, d, false, 0)}
		} else {
			r.Node = []ops.Linear{p.Linear(name+"node.0", 2*d, hidden, false, 0), p.Linear(name+"node.1", hidden, d, false, 0)}
		}
		l.relation = append(l.relation, r)
	}
}

// adaptiveClassifier: MLP_w and MLP_b have three hidden layers, the second and
// third of them residual.
func (l *layout) adaptiveClassifier(p *params.Set, c Config) {
	p.Part(partClassifier)
	d := c.Relation.Width
	names := []string{"classifier."}
	if !c.Classifier.Share {
		names = []string{"classifier.inactive.", "classifier.active."}
	}
	for _, name := range names {
		l.classifier.W = append(l.classifier.W, classifierMLP(p, name+"w", d, d))
		l.classifier.B = append(l.classifier.B, classifierMLP(p, name+"b", d, 1))
	}
}

func classifierMLP(p *params.Set, name string, d, out int) []ops.Linear {
	layers := []ops.Linear{p.Linear(name+".0", d, d, true, ops.Leaky)}
	for i := 1; i < 3; i++ {
		layers = append(layers, p.Linear(fmt.Sprintf("%s.%d", name, i), d, d, true, ops.Leaky|ops.Residual))
	}
	return append(layers, p.Linear(name+".3", d, out, true, 0))
}
