package why

import (
	"fmt"
	"math"
	"testing"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
)

// displayed has what TestSeries compares for one molecule.
type displayed struct {
	score          float64
	varied, atoms  float64 // sums of absolute shares of atoms of the varied part, and of all
	variedSum      float64 // share of the varied part
	changed, whole float64 // the same of the contrast: of changes in the varied part, and of all
	prints, core   float64 // sums of absolute shares of changes in fingerprints; their absolute remainder
	difference     float64 // sum of the changes
	printsSum      float64
}

// TestSeries measures how much of what is shown falls on the part of a series that varies, and how closely the
// shares of this part follow the score: contrasts beside shares of atoms.
//
//	PACIA_ASSAYS=fsmol/test scripts/env.sh go test ./screen/why -run "Series|Division" -v
func TestSeries(t *testing.T) {
	all, m := testSeries(t), shipped(t)
	var mean row
	better := 0
	for _, s := range all {
		of := shownOf(t, m, &s)
		row := summary(of)
		t.Logf("%s %2.0f %% %3d molecules: %s", s.name, 100*s.covers(), len(of), row)
		for i, v := range row {
			mean[i] += v / float64(len(all))
		}
		if row[4] > row[3] {
			better++
		}
	}
	t.Logf("mean of %d: %s; contrast nearer in %d", len(all), mean, better)
	if mean[1] < 0.5 || mean[4] <= mean[3] {
		t.Error("less than half of the contrast is of the varied part, or its order is not nearer to that of the scores")
	}
}

// A row has figures of shares of atoms, of contrasts, and of contrasts by fingerprints alone: the absolute part on
// the varied part, then Spearman's coefficient of the varied part with the score.
type row [6]float64

func (r row) String() string {
	return fmt.Sprintf("varied part %.0f %%, %.0f %%, %.0f %%; Spearman %.3f, %.3f, %.3f", 100*r[0], 100*r[1], 100*r[2], r[3], r[4], r[5])
}

func summary(of []displayed) row {
	sum := func(f func(s displayed) float64) (v float64) {
		for _, s := range of {
			v += f(s)
		}
		return v
	}
	list := func(f func(s displayed) float64) []float64 { return each.Of(of, f) }
	scores := list(func(s displayed) float64 { return s.score })
	return row{
		sum(func(s displayed) float64 { return s.varied }) / sum(func(s displayed) float64 { return s.atoms }),
		sum(func(s displayed) float64 { return s.changed }) / sum(func(s displayed) float64 { return s.whole }),
		sum(func(s displayed) float64 { return s.prints }) / sum(func(s displayed) float64 { return s.prints + s.core }),
		metrics.Spearman(scores, list(func(s displayed) float64 { return s.variedSum })),
		metrics.Spearman(scores, list(func(s displayed) float64 { return s.difference })),
		metrics.Spearman(scores, list(func(s displayed) float64 { return s.printsSum })),
	}
}

// shownOf returns what is shown of the molecules of a series that have a contrast.
func shownOf(t *testing.T, m *model.Model, s *series) (all []displayed) {
	of := explainedOf(t, m, s)
	for _, r := range of.reasons {
		if err := of.builder.Contrast(t.Context(), r, func(i int) *model.Explanation { return of.beside[i] }); err != nil {
			t.Fatal(err)
		}
		if len(r.Contrasts) > 0 {
			all = append(all, displayedBy(r, s.varies(t, r.SMILES), s.varies(t, r.Contrasts[0].SMILES)))
		}
	}
	return all
}

// displayedBy compares what is shown of a molecule. here and there report which atoms are not of the core, in it
// and in the molecule beside it.
func displayedBy(r *Reasons, here, there []bool) (s displayed) {
	s.score = r.LogOdds
	for a, share := range r.Atoms {
		s.atoms += math.Abs(share)
		if here[a] {
			s.varied += math.Abs(share)
			s.variedSum += share
		}
	}
	c := r.Contrasts[0]
	rest := 0.0 // of the difference by fingerprints
	for _, p := range c.Parts {
		if p.Name == "fingerprints" {
			rest = p.Share
		}
	}
	for _, change := range c.Changes {
		n, varied := 0, 0
		for part, atoms := range [][]int32{change.Atoms, change.AtomsThere} {
			for _, a := range atoms {
				n++
				if [][]bool{here, there}[part][a] {
					varied++
				}
			}
		}
		share := change.Share * float64(varied) / float64(max(n, 1))
		s.changed, s.whole = s.changed+math.Abs(share), s.whole+math.Abs(change.Share)
		s.difference += share
		s.prints += math.Abs(change.Fingerprints)
		s.printsSum += change.Fingerprints
		rest -= change.Fingerprints
	}
	s.core = math.Abs(rest)
	return s
}
