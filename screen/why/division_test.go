package why

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
)

// A step is one of two changes between a support molecule r and a library molecule q, where the library has the
// molecule h with only one of them: its effect is the difference of the log-odds from r to h, or from h to q.
type step struct {
	effect float64
	shares [4]float64 // as stated, and by other rules
}

// rules are the rules that TestDivision compares, in the order of step.shares.
var rules = [4]string{"as stated", "by atoms", "equal", "of fingerprints alone"}

// TestDivision compares the shares of two changes with the model's own scores of molecules that have only one of
// them.
func TestDivision(t *testing.T) {
	assays, m := testSeries(t), shipped(t)
	var all []step
	var single, many int
	for _, s := range assays {
		steps, one, more := stepsOf(t, explainedOf(t, m, &s))
		all, single, many = append(all, steps...), single+one, many+more
	}
	effects := each.Of(all, func(s step) float64 { return s.effect })
	for i, rule := range rules {
		shares := each.Of(all, func(s step) float64 { return s.shares[i] })
		off, sign := 0.0, 0
		for k, v := range shares {
			off += math.Abs(v-effects[k]) / float64(len(all))
			if (v > 0) == (effects[k] > 0) {
				sign++
			}
		}
		t.Logf("%s: Spearman %.3f, mean absolute error %.3f, same sign %.0f %% of %d", rule, metrics.Spearman(effects, shares), off,
			100*float64(sign)/float64(len(all)), len(all))
	}
	t.Logf("%d contrasts have one change, %d have more", single, many)
}

// stepsOf returns the steps of an assay, and the numbers of contrasts with one change and with more.
func stepsOf(t *testing.T, of *explained) (all []step, single, many int) {
	singles := map[string]float64{} // log-odds of molecules with one change, by the support molecule and the change
	type double struct {
		r    int
		q    *Reasons
		keys []string
		c    []Change
	}
	var doubles []double
	for i := range of.reasons {
		q := of.reasons[i]
		for r := range of.beside {
			other, err := of.builder.read(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			m := align(&q.structure.graph, &other.graph)
			if !m.shares(q.structure, other) || 2*m.same == q.structure.atoms+other.atoms {
				continue
			}
			found := changesOf(&q.structure.graph, &other.graph, &m)
			if len(found.all) > 2 {
				continue
			}
			keys := keysOf(t, q.structure, other, found.all, r)
			if len(keys) == 1 {
				singles[keys[0]] = q.LogOdds
				continue
			}
			c, err := of.builder.contrast(t.Context(), q, &reference{r, m}, of.beside[r])
			if err != nil {
				t.Fatal(err)
			}
			doubles = append(doubles, double{r, q, keysOf(t, q.structure, other, c.Changes, r), c.Changes})
		}
		for _, one := range q.references {
			if c := changesOf(&q.structure.graph, &of.read(t, one.index).graph, &one.alignment); len(c.all) == 1 {
				single++
			} else {
				many++
			}
		}
	}
	for _, d := range doubles {
		for i, key := range d.keys {
			between, met := singles[key]
			if !met {
				continue
			}
			from := of.beside[d.r].LogOdds
			effects := [2]float64{between - from, d.q.LogOdds - between}
			whole := d.q.LogOdds - from
			for k, c := range []Change{d.c[i], d.c[1-i]} {
				size := func(c Change) float64 { return float64(len(c.Atoms) + len(c.AtomsThere)) }
				all = append(all, step{effects[k], [4]float64{c.Share, whole * size(c) / (size(d.c[0]) + size(d.c[1])), whole / 2, c.Fingerprints}})
			}
		}
	}
	return all, single, many
}

// keysOf returns a key for each change, equal for equal changes of the same place in r.
func keysOf(t *testing.T, q, r *structure, all []Change, index int) (keys []string) {
	numbered := slices.Clone(all)
	for i, c := range numbered {
		sites := slices.Clone(c.sites)
		slices.SortFunc(sites, func(a, b site) int { return cmp.Compare(a.there, b.there) })
		for k := range sites {
			sites[k].number = int32(k + 1)
		}
		numbered[i].sites = sites
	}
	if _, err := name(t.Context(), q, r, []int32{0}, numbered); err != nil {
		t.Fatal(err)
	}
	for _, c := range numbered {
		places := each.Of(c.sites, func(s site) string { return fmt.Sprint(s.there) })
		keys = append(keys, fmt.Sprint(index, " ", c.Here, " ", c.AtomsThere, " ", strings.Join(places, ",")))
	}
	return keys
}

func (e *explained) read(t *testing.T, i int) *structure {
	m, err := e.builder.read(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// explained holds the explanations of an assay's support molecules, in the order of the builder, and of the
// molecules of its series.
type explained struct {
	builder *Builder
	beside  []*model.Explanation
	reasons []*Reasons // without contrasts
}
