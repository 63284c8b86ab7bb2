package tune

import (
	"math"

	"pacia/model"
	"pacia/model/shared/past"
	"pacia/screen/history"
)

// Past assays with these correlations over at least common molecules are nearly that of a trial, such as another read-out of one
// experiment, or related to it.
const (
	near    = history.Near
	related = 0.5
	common  = history.Common
)

// others returns the past assays in m without that of a trial and those with a correlation of at least limit.
func others(m *past.Memory, t *Trial, limit float64) (h model.History) {
	parts, assays := past.PartsOf([]*past.Memory{m}, nil)
	like := make([][2]correlation, len(assays)) // by ranks and by activity
	var labels []past.Label
	for i, key := range t.Keys {
		labels = parts[0].Append(labels[:0], key)
		for _, l := range labels {
			active := 0.0
			if l.Active {
				active = 1
			}
			like[l.Assay][0].add(float64(t.Labels[i]), float64(l.Rank))
			like[l.Assay][1].add(float64(t.Labels[i]), active)
		}
	}
	h.Parts, h.Assays = past.PartsOf([]*past.Memory{m}, func(_, a int) bool {
		return nameOf(&m.Assays[a]) == t.Assay || max(like[a][0].strength(), like[a][1].strength()) >= limit
	})
	return h
}

// correlation has the sums of pairs of numbers.
type correlation struct{ n, x, y, xx, yy, xy float64 }

func (c *correlation) add(x, y float64) {
	c.n, c.x, c.y, c.xx, c.yy, c.xy = c.n+1, c.x+x, c.y+y, c.xx+x*x, c.yy+y*y, c.xy+x*y
}

// strength returns the coefficient without its sign; 0 if it is not defined or of too few molecules.
func (c *correlation) strength() float64 {
	spread := (c.n*c.xx - c.x*c.x) * (c.n*c.yy - c.y*c.y)
	if c.n < common || spread <= 0 {
		return 0
	}
	return math.Abs(c.n*c.xy-c.x*c.y) / math.Sqrt(spread)
}
