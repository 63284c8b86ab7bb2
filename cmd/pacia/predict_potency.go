package main

import (
	"cmp"
	"context"
	"fmt"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/screen/ranking"
)

// learnt parses the support set for a model. It refuses --potency, --refine and --explore for models that
// cannot learn measurements, do not compare vectors of MiniMol or have no uncertainty.
func (p *prediction) learnt(ctx context.Context, r *ranker, members []*model.Model, cfg config.Config) error {
	m := members[0]
	if p.Potency != "" && !m.Traits().Measures {
		return badinput.Newf("--potency: the method %s learns labels alone, active or inactive; "+
			"the model that ships, kernel, gp, forest and similarity learn measurements", cfg.Model.Method)
	}
	if p.refined && !m.Config().Embeds() {
		return &badinput.Error{What: "--refine has no effect: the model does not compare vectors of MiniMol", Fix: "leave it out"}
	}
	if p.Explore > 0 && !m.Traits().Uncertainty {
		return badinput.Newf("--explore: the method does not state how uncertain it is; the model that ships and kernel do")
	}
	r.calibrated = m.Traits().Calibrates
	r.expected.Off = len(p.Against) > 0 || !r.calibrated
	return r.Parse(ctx, members...)
}

// potencyText describes the columns potency and predicted.
func potencyText(s *ranking.Support) string {
	text := fmt.Sprintf("by %s as a number: column potency is %s, with an interval of 80 %%", s.Column, s.Scale.Name(s.Column))
	if s.Scale.Log {
		text += "; column predicted is the same in " + cmp.Or(s.Scale.Unit, "the unit of the column")
	}
	return text
}
