package serve

import (
	"context"
	"math"
	"net/http"

	"pacia/data/label"
	"pacia/metrics"
	"pacia/screen/ranking"
)

// An outcome compares a ranking with later measurements of its molecules. Molecules of the support
// set do not count.
type outcome struct {
	Known   int         `json:"known"` // ranked molecules with a result
	Actives int         `json:"actives"`
	First   []firstHits `json:"first,omitempty"`
	ROCAUC  *versus     `json:"roc_auc,omitempty"` // if both classes were measured
}

// firstHits are the actives among the first molecules with a result.
type firstHits struct {
	First      int     `json:"first"`
	Chance     float64 `json:"chance"` // hits expected at random
	Hits       versus  `json:"hits"`
	Enrichment versus  `json:"enrichment"` // hits divided by Chance
}

// versus is a figure of the ranking, and of a similarity search if molecules have fingerprints.
type versus struct {
	Ranking    float64  `json:"ranking"`
	Similarity *float64 `json:"similarity,omitempty"`
}

// counted are the numbers of first molecules among which hits are counted.
var counted = []int{5, 10, 20, 50, 100}

// outcomeOf answers with the outcome of a job's ranking. The measurements are the table sent as support,
// which is read like the job's support set.
func (s *Server) outcomeOf(w http.ResponseWriter, r *http.Request) error {
	res, _, release, err := s.asked(r)
	if err != nil {
		return err
	}
	defer release()
	known, err := s.measured(w, r, *res.read, res.ranker.Support.Rule)
	if err != nil {
		return err
	}
	var o *outcome
	if err := s.sorting(r, res.needs(0, false), func() (err error) { o, err = res.outcome(r.Context(), known); return err }); err != nil {
		return err
	}
	return reply(w, http.StatusOK, o)
}

// measured reads the measurements in a request with the settings of the form read, and the support set's rule of
// what is active; nil without measurements.
func (s *Server) measured(w http.ResponseWriter, r *http.Request, read form, rule *label.Rule) (*ranking.Known, error) {
	if err := s.arrive(w, r); err != nil {
		return nil, err
	}
	defer s.uploads.free()
	f, err := s.body(w, r, 0)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if f.file("support") == nil {
		return nil, problem{Status: http.StatusBadRequest, What: "there are no results", Fix: "send labelled molecules as support"}
	}
	if len(f.nameValues) > 0 || len(f.files["library"])+len(f.files["against"])+len(f.files["history"]) > 0 || f.file("before") != nil {
		what := "results are read with the fields of the ranking"
		return nil, problem{Status: http.StatusBadRequest, What: what, Fix: "send support alone"}
	}
	read.files = map[string][]*upload{"support": f.files["support"]}
	read.Labels.Rows = "" // the results are those of one assay
	labels, err := read.Labels.Parse()
	if err != nil {
		return nil, err
	}
	if err := s.readers.enter(r); err != nil {
		return nil, err
	}
	defer s.readers.free()
	read.after = true
	set, err := s.support(r.Context(), &read, labels.With(rule))
	if err != nil {
		return nil, err
	}
	return ranking.KnownOf(set), nil
}

// outcome compares a ranking with known labels. A molecule that was measured as both active and inactive
// does not count.
func (r *result) outcome(ctx context.Context, known *ranking.Known) (*outcome, error) {
	var labels []uint8
	var ranks, similar []float64
	for _, e := range r.entries {
		if e.Mark != 0 {
			continue
		}
		var err error
		if e.Cells, err = r.ranker.Spill.CellsAt(&e.Ranked); err != nil {
			return nil, err
		}
		smiles, err := r.ranker.Table.Molecule(ctx, &e.Ranked)
		if err != nil {
			return nil, err
		}
		mark := known.Mark(ctx, smiles)
		if mark != ranking.InSupportActive && mark != ranking.InSupportInactive {
			continue
		}
		labels = append(labels, uint8(mark/ranking.InSupportActive))
		ranks, similar = append(ranks, -float64(e.Rank)), append(similar, float64(e.Near.ToActive)-float64(e.Near.ToInactive))
	}
	compare := func(of func([]float64) float64) versus {
		v := versus{Ranking: of(ranks)}
		if r.near() {
			s := of(similar)
			v.Similarity = &s
		}
		return v
	}
	o := &outcome{Known: len(labels)}
	for _, l := range labels {
		o.Actives += int(l)
	}
	for _, n := range counted {
		if n > len(labels) || o.Actives == 0 {
			break
		}
		chance := float64(n) * float64(o.Actives) / float64(len(labels))
		first := func(scores []float64) float64 { return metrics.Hits(labels, scores, n) }
		times := func(scores []float64) float64 { return first(scores) / chance }
		o.First = append(o.First, firstHits{n, chance, compare(first), compare(times)})
	}
	if auc := compare(func(scores []float64) float64 { return metrics.ROCAUC(labels, scores) }); !math.IsNaN(auc.Ranking) {
		o.ROCAUC = &auc
	}
	return o, nil
}
