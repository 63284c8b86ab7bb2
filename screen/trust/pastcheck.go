package trust

import (
	"fmt"

	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
)

// PastCheck holds the ROC-AUC, on support molecules left out, of parts of what past assays give a model.
type PastCheck struct {
	Without float64 `json:"without"` // of the model without past assays
	Hits    float64 `json:"hits"`    // of how often a molecule was active in them
	Profile float64 `json:"profile"` // of the likeness of its labels in them to those of the other support molecules
}

// partsOf returns the models with each part of what past assays give them, in the order of [model.PastPart], or nil.
func partsOf(members []*model.Model) []evaluate.Adapter {
	if !members[0].Recalls() {
		return nil
	}
	return each.Of([]model.PastPart{model.NoPast, model.Hits, model.Profile}, func(part model.PastPart) evaluate.Adapter {
		return evaluate.Together(each.Of(members, func(m *model.Model) *model.Model { return m.PastPart(part) }))
	})
}

// checkPast measures the parts; held scores support molecules that are left out. It returns nil without past assays.
func (p *Panel) checkPast(held func(part evaluate.Adapter) ([]float64, error)) (*PastCheck, error) {
	if p.parts == nil || p.supportInPast == 0 {
		return nil, nil
	}
	var of [3]float64
	for part, adapt := range p.parts {
		scores, err := held(adapt)
		if err != nil {
			return nil, err
		}
		of[part] = metrics.ROCAUC(p.labels, scores)
	}
	return &PastCheck{of[model.NoPast], of[model.Hits], of[model.Profile]}, nil
}

// String returns the figures as a line.
func (c *PastCheck) String() string {
	return fmt.Sprintf("without past assays %.2f; by how often a molecule was active in them %.2f; by labels there like those of measured molecules %.2f",
		c.Without, c.Hits, c.Profile)
}

// source returns the end of the verdict's sentence: the part from which a model of this ROC-AUC has its gain.
func (c *PastCheck) source(model float64) string {
	switch {
	case c == nil || max(c.Hits, c.Profile) <= c.Without || model <= c.Without:
		return ""
	case c.Hits >= c.Profile:
		return ", mainly by how often molecules were active in past assays"
	}
	return ", mainly by labels in past assays like those of measured molecules"
}
