package why

import (
	"context"

	"pacia/internal/each"
)

// A template is the molecule like which a support molecule is drawn.
type template struct {
	index int
	onto  []int32 // the atom of the template in whose place each atom is drawn, or -1
}

// templates is the number of support molecules, the first ones, among which a template is looked for.
const templates = 20

// template returns the template of support molecule i: the first one with the same core, so that all molecules of a
// series are drawn alike.
func (b *Builder) template(ctx context.Context, i int) (template, error) {
	b.mu.Lock()
	t, met := b.templates[i]
	b.mu.Unlock()
	if met {
		return t, nil
	}
	own, err := b.read(ctx, i)
	if err != nil {
		return t, err
	}
	t = template{i, each.Order[int32](own.atoms)}
	for j := range min(i, templates) {
		other, err := b.read(ctx, j)
		if err != nil {
			return t, err
		}
		if m := align(&own.graph, &other.graph); m.shares(own, other) {
			t = template{j, m.onto}
			break
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.templates[i] = t
	return t, nil
}

// orient sets the orientation of both pictures: that of the template of r, or of r if q has too little in common
// with the template.
func (b *Builder) orient(ctx context.Context, c *Contrast, q *structure, with *reference) error {
	t, err := b.template(ctx, with.index)
	if err != nil {
		return err
	}
	model, err := b.read(ctx, t.index)
	if err != nil {
		return err
	}
	m := alignment{onto: unplaced(q.atoms), back: unplaced(model.atoms)}
	for x, y := range with.onto {
		if y >= 0 && t.onto[y] >= 0 {
			m.onto[x], m.back[t.onto[y]] = t.onto[y], int32(x)
		}
	}
	m.tidy(&q.graph, &model.graph)
	c.Here.Like, c.Here.Onto, c.There.Like, c.There.Onto = model.smiles, m.onto, model.smiles, t.onto
	if 2*m.same < with.same {
		c.Here.Like, c.Here.Onto, c.There.Like, c.There.Onto = c.SMILES, with.onto, c.SMILES, each.Order[int32](len(with.back))
	}
	return nil
}
