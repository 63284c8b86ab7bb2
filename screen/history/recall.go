package history

import (
	"pacia/internal/each"
	"pacia/model"
)

// Options are how past assays count.
type Options struct {
	Specific bool // how often a molecule was active at all does not count
}

// Recall returns models that also compare molecules by past assays. Without any it returns the members.
func (p *Past) Recall(members []*model.Model, o Options) (all []*model.Model, err error) {
	if p == nil {
		return members, nil
	}
	past := model.History{Specific: o.Specific, Files: p.tables()}
	for _, m := range members {
		if m, err = m.Recall(past); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func (p *Past) tables() []model.Past {
	return each.Of(p.files, func(f *file) model.Past { return model.Past{Data: f.data, Tasks: f.assays} })
}
