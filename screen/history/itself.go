package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/stat"

	"pacia/data/label"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model/shared/past"
)

// An assay with a correlation of at least same over at least Common molecules is that of the support set, and one of at
// least Near is nearly so, such as another read-out of one experiment. Labels tell an assay only by at least ofEach molecules of
// each class: among hundreds of assays of the same molecules, some agree with three actives by chance.
const (
	Common = 10
	ofEach = 5
	same   = 0.95
	Near   = 0.8
)

// Support is the support set with which past assays are compared.
type Support struct {
	Name   string           // of its assay; empty: none. Names such as label, or IC50 (nM), are of no assay
	Keys   []uint64         // [N] of its molecules, by remembered.Keys
	Labels []uint8          // [N]
	Values []label.Measured // [N]; nil: labels are learnt
}

// Copy is a past assay that is, or nearly is, that of the support set.
type Copy struct {
	Assay       string  `json:"assay"`
	Correlation float64 `json:"correlation"` // without its sign; 0: only the name is the same
	Molecules   int     `json:"molecules"`   // in common

	tells bool // whether these are enough to tell that it is the assay itself
}

// String returns text such as "Tox21 (correlation 0.97 over 24 molecules)".
func (c Copy) String() string {
	if c.Correlation == 0 {
		return c.Assay + " (of the same name)"
	}
	return fmt.Sprintf("%s (correlation %.2f over %s)", c.Assay, c.Correlation, ui.Count(c.Molecules, "molecule"))
}

// Without returns the past assays without the one of the support set itself, unless keep is set. A reversed copy is one too.
func (p *Past) Without(s Support, keep bool) (*Past, error) {
	if p == nil {
		return nil, nil
	}
	if len(s.Keys) != len(s.Labels) || s.Values != nil && len(s.Values) != len(s.Labels) {
		return nil, fmt.Errorf("past assays: %d molecules with %d labels and %d values", len(s.Keys), len(s.Labels), len(s.Values))
	}
	rest := p.copy()
	for i, m := range p.memories {
		common := s.common(m)
		for a := range m.Assays {
			if p.absent[place{i, a}] {
				continue
			}
			c := s.compare(&m.Assays[a], common[a])
			is := c.Correlation >= same && c.tells || s.named(c.Assay)
			if is {
				rest.itself = append(rest.itself, c)
			} else if c.Correlation >= Near && c.tells {
				rest.near = append(rest.near, c)
			}
			if is && !keep {
				rest.absent[place{i, a}] = true
			}
		}
	}
	return rest, nil
}

// Itself returns the past assays that are the one of the support set, which Without leaves out unless they are kept.
func (p *Past) Itself() []Copy {
	if p == nil {
		return nil
	}
	return p.itself
}

// Near returns the past assays that are nearly the one of the support set, the nearest first. They count.
func (p *Past) Near() []Copy {
	if p == nil {
		return nil
	}
	return slices.SortedStableFunc(slices.Values(p.near), func(a, b Copy) int { return cmp.Compare(b.Correlation, a.Correlation) })
}

// Copies returns lines on Itself and Near.
func (p *Past) Copies(keep bool) (lines []string) {
	if p == nil {
		return nil
	}
	add := func(all []Copy, one, several string) {
		const shown = 3
		if len(all) == 0 {
			return
		}
		text := strings.Join(each.Of(all[:min(shown, len(all))], Copy.String), ", ")
		if len(all) > shown {
			text += " …"
		}
		lines = append(lines, are(len(all), one, several)+": "+text)
	}
	if keep {
		add(p.itself, "past assay is that of the support set, and counts", "past assays are that of the support set, and count")
	} else {
		add(p.itself, "past assay is that of the support set, and left out (--keep-assay)", "past assays are that of the support set, and left out (--keep-assay)")
	}
	add(p.Near(), "past assay is nearly that of the support set, and counts", "past assays are nearly that of the support set, and count")
	return lines
}

// measured is a support molecule with its label in a past assay.
type measured struct {
	molecule int
	past.Label
}

// common returns the support molecules that each assay of a memory measured.
func (s *Support) common(m *past.Memory) [][]measured {
	of := make([][]measured, len(m.Assays))
	var labels []past.Label
	parts, _ := past.PartsOf([]*past.Memory{m}, nil)
	for i, key := range s.Keys {
		labels = parts[0].Append(labels[:0], key)
		for _, l := range labels {
			of[l.Assay] = append(of[l.Assay], measured{i, l})
		}
	}
	return of
}

// compare compares a past assay with the support set by the molecules in common.
func (s *Support) compare(a *past.Assay, both []measured) Copy {
	c := Copy{Assay: a.Name, Molecules: len(both)}
	if len(both) < Common {
		return c
	}
	labels := each.Of(both, func(m measured) float64 { return float64(s.Labels[m.molecule]) })
	ranks := each.Of(both, func(m measured) float64 { return float64(m.Rank) })
	active := each.Count(labels, func(l float64) bool { return l > 0 })
	c.tells = min(active, len(both)-active) >= ofEach
	switch {
	case !a.Valued:
		c.Correlation = strength(stat.Correlation(labels, ranks, nil))
	case s.Values != nil:
		c.tells = true
		c.Correlation = strength(metrics.Spearman(each.Of(both, func(m measured) float64 { return s.Values[m.molecule].Value }), ranks))
	default:
		c.Correlation = divided(labels, ranks)
	}
	return c
}

// divided returns the correlation of labels with values that are divided into as many active ones, on either side.
func divided(labels, values []float64) (most float64) {
	active := each.Count(labels, func(l float64) bool { return l > 0 })
	if active == 0 || active == len(labels) {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	for _, of := range []float64{sorted[len(sorted)-active], sorted[active-1]} {
		for _, above := range []func(v float64) bool{func(v float64) bool { return v > of }, func(v float64) bool { return v >= of }} {
			most = max(most, strength(stat.Correlation(labels, each.Of(values, func(v float64) float64 {
				if above(v) {
					return 1
				}
				return 0
			}), nil)))
		}
	}
	return most
}

// strength returns a coefficient of correlation without its sign; 0 if it is not defined, as either side has one value only.
func strength(correlation float64) float64 {
	if math.IsNaN(correlation) {
		return 0
	}
	return math.Abs(correlation)
}

// named reports whether a past assay has the name of the support set's.
func (s *Support) named(assay string) bool {
	return telling(s.Name) && strings.EqualFold(strings.TrimSpace(s.Name), strings.TrimSpace(assay))
}

// common words of names that do not tell assays apart, beside units and types of measurements.
var vague = strings.Fields("label labels active activity class y hit hits outcome value values result results standard mean median average n pubchem score response")

// telling reports whether a name tells an assay from others.
func telling(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
		func(w string) bool {
			return !slices.Contains(vague, w) && !label.NamesMeasure(w) && !label.IsUnit(w) && strings.Trim(w, "0123456789") != ""
		})
}
