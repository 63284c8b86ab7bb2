package why

import (
	"fmt"
	"strings"

	"pacia/internal/each"
	"pacia/model"
)

// Past holds what a user's past assays add to the score of a molecule.
type Past struct {
	Hits   float64     `json:"hits"`   // share of how often the molecule was active in them
	Assays []PastAssay `json:"assays"` // with the largest absolute shares, in descending order
}

// PastAssay is a past assay in which the molecule was measured.
type PastAssay struct {
	Name   string  `json:"name"`
	Active bool    `json:"active"`
	Share  float64 `json:"share"` // positive if it has active molecules where the support set does
}

// WithPast returns the builder of a model that recalls past assays with these names.
func (b *Builder) WithPast(names []string) *Builder {
	b.past = names
	return b
}

// pastOf returns what past assays add, or nil if the molecule is in none.
func (b *Builder) pastOf(e *model.Explanation) *Past {
	if len(e.Past) == 0 && e.Hits == 0 {
		return nil
	}
	return &Past{Hits: e.Hits, Assays: each.Of(e.Past, func(l model.PastLabel) PastAssay {
		name := fmt.Sprint("past assay ", l.Assay+1)
		if l.Assay < len(b.past) {
			name = b.past[l.Assay]
		}
		return PastAssay{name, l.Active, l.Share}
	})}
}

// String formats the assays, such as "active in EGFR +0.412; inactive in hERG -0.120".
func (p *Past) String() string {
	return strings.Join(each.Of(p.Assays, func(a PastAssay) string { return fmt.Sprintf("%s in %s %+.3f", labelOf(a.Active), a.Name, a.Share) }), "; ")
}

func (p *Past) possible() bool {
	return p == nil || finite(p.Hits) && len(p.Assays) <= mostParts && every(p.Assays, func(a PastAssay) bool { return finite(a.Share) })
}
