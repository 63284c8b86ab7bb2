package trust

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pacia/data"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/model"
	"pacia/ops"
	"pacia/weights"
)

// TestAgreement: the verdict on the model that ships agrees with the truth more often than any constant verdict.
// The assays are CSV files in a folder such as FS-Mol's test/:
//
//	PACIA_ASSAYS=fsmol/test scripts/env.sh go test ./screen/trust -run Agreement -v -timeout 1h
//
// The truth is the difference of the ROC-AUC of model and similarity search on up to 400
// molecules outside the support set, with the same margins as the verdict. Each assay has the same
// weight, for any number of draws. Verdicts that the check does not support ("not shown to be better …")
// are counted separately, with their frequency and the truth.
func TestAgreement(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("PACIA_ASSAYS"), "*.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("PACIA_ASSAYS names no folder of assays")
	}
	trained, err := weights.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer trained.Close()
	sizes := []int{16, 32}
	agreed, assays := make([]float64, len(sizes)), make([]float64, len(sizes))
	always := make([]map[Verdict]float64, len(sizes)) // the share of assays for which each verdict is right
	given := make([]map[outcome]float64, len(sizes))  // the share of assays of each verdict and truth
	err = ops.Pinned(1, func() error {
		m, err := trained.Model("cpu")
		if err != nil {
			return err
		}
		defer m.Drop()
		for _, file := range files {
			c := trained.Config
			c.Data.Path, c.Data.Cache, c.Threads = file, t.TempDir(), 1
			d, err := evaluate.OpenData(context.Background(), c)
			if err != nil {
				return err
			}
			for k, size := range sizes {
				right, draws, truths, outcomes := 0., 0., map[Verdict]float64{}, map[outcome]float64{}
				for seed := range uint32(6) {
					ep, err := data.DrawStratified(&d.Tasks[0], 0, size, 400, seed)
					if errors.Is(err, data.ErrTooSmall) {
						continue
					}
					a, err := ask(m, d, ep)
					if errors.Is(err, errOne) {
						continue
					}
					if err != nil {
						return err
					}
					truths[a.truth]++
					outcomes[a]++
					if draws++; a.verdict == a.truth {
						right++
					}
				}
				if draws > 0 {
					agreed[k], assays[k] = agreed[k]+right/draws, assays[k]+1
					if always[k] == nil {
						always[k], given[k] = map[Verdict]float64{}, map[outcome]float64{}
					}
					for a, n := range outcomes {
						given[k][a] += n / draws
					}
					for v, n := range truths {
						always[k][v] += n / draws
					}
				}
			}
			if err := d.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for k, size := range sizes {
		t.Logf("%d support molecules: the verdict agrees with the truth on %.3f of %v assays", size, agreed[k]/assays[k], assays[k])
		for _, shown := range []bool{true, false} {
			for _, v := range []Verdict{Better, AsGood, NotBetter} {
				t.Logf("%d, shown %v, %v: truth better %.3f, as good %.3f, not better %.3f", size, shown, v,
					given[k][outcome{v, Better, shown}]/assays[k], given[k][outcome{v, AsGood, shown}]/assays[k], given[k][outcome{v, NotBetter, shown}]/assays[k])
			}
		}
		for v, n := range always[k] {
			if n >= agreed[k] {
				t.Errorf("%d support molecules: always %v is right on %.3f", size, v, n/assays[k])
			}
		}
	}
}

// An outcome is a verdict, the truth, and whether the check supports the verdict.
type outcome struct {
	verdict, truth Verdict
	shown          bool
}

// ask returns the verdict from the support set and the molecules of the queries.
func ask(m *model.Model, d *data.Dataset, ep data.Episode) (outcome, error) {
	v, _ := vectors(d.Store, ep.Support)
	knows, err := m.SeenInTraining()
	if err != nil {
		return outcome{}, err
	}
	p := newPanel(v, ep.SupportLabels, knows)
	ctx := context.Background()
	if err := p.measure(ctx, evaluate.AdapterOf(m), d.Store, ep.Support, v, supportLabels{labels: ep.SupportLabels}, oneByOne(m)); err != nil {
		return outcome{}, err
	}
	r, err := evaluate.RankEpisode(ctx, evaluate.AdapterOf(m), d.Store, ep, new(evaluate.QueryLimit))
	if err != nil {
		return outcome{}, err
	}
	queries, _ := vectors(d.Store, r.Rows)
	like := make([]float32, len(queries))
	for i, n := range p.add(queries) {
		like[i] = n.ToActive - n.ToInactive
	}
	truth := verdict(metrics.ROCAUC(r.Labels, r.Scores) - metrics.ROCAUC(r.Labels, like))
	return outcome{p.Verdict(), truth, p.shows()}, nil
}
