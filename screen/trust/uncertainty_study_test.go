package trust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacia/data"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/ops"
	"pacia/weights"
)

// answer holds the prediction for a molecule, and its measured label.
type answer struct {
	episode     int
	label       uint8
	probability float64
	uncertainty float64
	near        Near
}

// TestUncertaintyAndDomain: the model that ships ranks known molecules better than new ones inside its
// domain, and these better than those outside. It prints the figures, also by uncertainty. The
// assays are in a folder such as FS-Mol's valid/:
//
//	PACIA_ASSAYS=fsmol/valid scripts/env.sh go test ./screen/trust -run Uncertainty -v -timeout 1h
//
// Terciles are over all molecules of all assays. A ROC-AUC is the mean over episodes that have at least
// five molecules of each class in a group. Slope is the slope of a logistic regression of labels on
// the model's log-odds: 1 is calibrated, below 1 the model is overconfident.
func TestUncertaintyAndDomain(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("PACIA_ASSAYS"), "*.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("PACIA_ASSAYS names no folder of assays")
	}
	for _, size := range []int{16, 64} {
		all := answers(t, files, size)
		slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.uncertainty, b.uncertainty) })
		for k := range 3 {
			part := all[k*len(all)/3 : (k+1)*len(all)/3]
			text, _ := summary(part)
			t.Logf("%d support molecules, tercile %d, uncertainty %.3f to %.3f: %s", size, k+1, part[0].uncertainty, part[len(part)-1].uncertainty, text)
		}
		auc := map[string]float64{}
		for name, in := range map[string]func(answer) bool{
			"outside the domain": func(m answer) bool { return !m.near.Inside() },
			"inside, new":        func(m answer) bool { return m.near.Inside() && !m.near.Known },
			"inside, known":      func(m answer) bool { return m.near.Known },
		} {
			var part []answer
			for _, m := range all {
				if in(m) {
					part = append(part, m)
				}
			}
			var text string
			text, auc[name] = summary(part)
			t.Logf("%d support molecules, %s: %s", size, name, text)
		}
		if known, inside, outside := auc["inside, known"], auc["inside, new"], auc["outside the domain"]; !(known > inside && inside > outside) {
			t.Errorf("%d support molecules: ROC-AUC %.3f of known molecules, %.3f of new ones inside the domain, %.3f outside", size, known, inside, outside)
		}
	}
}

// answers returns the model's predictions on three draws of each assay.
func answers(t *testing.T, files []string, size int) (all []answer) {
	t.Helper()
	trained, err := weights.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer trained.Close()
	episode := 0
	err = ops.Pinned(1, func() error {
		m, err := trained.Model("cpu")
		if err != nil {
			return err
		}
		defer m.Drop()
		knows, err := m.SeenInTraining()
		if err != nil {
			return err
		}
		for _, file := range files {
			c := trained.Config
			c.Data.Path, c.Data.Cache, c.Threads = file, t.TempDir(), 1
			d, err := evaluate.OpenData(context.Background(), c)
			if err != nil {
				return err
			}
			for seed := range uint32(3) {
				ep, err := data.DrawStratified(&d.Tasks[0], 0, size, 400, seed)
				if errors.Is(err, data.ErrTooSmall) {
					continue
				}
				support, err := data.AssembleSupport(d.Store, ep)
				if err != nil {
					return err
				}
				a, err := m.Adapt(support)
				if err != nil {
					return err
				}
				defer a.Drop()
				if _, err := a.EnableUncertainty(); err != nil {
					return err
				}
				queries, err := data.AssembleQueries(d.Store, ep.Query)
				if err != nil {
					return err
				}
				scored, err := a.ScoreAll(queries)
				if err != nil {
					return err
				}
				v, _ := vectors(d.Store, ep.Support)
				q, _ := vectors(d.Store, ep.Query)
				episode++
				for i, near := range newPanel(v, ep.SupportLabels, knows).add(q) {
					all = append(all, answer{episode, ep.QueryLabels[i], float64(scored[i].Probability), float64(scored[i].Uncertainty), near})
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
	return all
}

// summary describes a group of predictions, and returns their mean ROC-AUC.
func summary(part []answer) (string, float64) {
	byEpisode := map[int][]answer{}
	brier := 0.0
	for _, m := range part {
		byEpisode[m.episode] = append(byEpisode[m.episode], m)
		brier += (float64(m.label) - m.probability) * (float64(m.label) - m.probability) / float64(len(part))
	}
	sum, n := 0.0, 0.0
	for _, e := range byEpisode {
		labels, scores, of := []uint8{}, []float32{}, [2]int{}
		for _, m := range e {
			labels, scores = append(labels, m.label), append(scores, float32(m.probability))
			of[m.label]++
		}
		if min(of[0], of[1]) >= 5 {
			sum, n = sum+metrics.ROCAUC(labels, scores), n+1
		}
	}
	return fmt.Sprintf("%d molecules, ROC-AUC %.3f (%v episodes), slope %.2f, Brier score %.3f", len(part), sum/n, n, slope(part), brier), sum / n
}

// slope returns b of the logistic regression a + b·logit(p), fitted by Newton's method.
func slope(part []answer) float64 {
	a, b := 0.0, 1.0
	for range 30 {
		var ga, gb, haa, hab, hbb float64
		for _, m := range part {
			x := math.Log(m.probability) - math.Log1p(-m.probability)
			p := 1 / (1 + math.Exp(-a-b*x))
			e, w := float64(m.label)-p, p*(1-p)
			ga, gb, haa, hab, hbb = ga+e, gb+e*x, haa+w, hab+w*x, hbb+w*x*x
		}
		det := haa*hbb - hab*hab
		a, b = a+(hbb*ga-hab*gb)/det, b+(haa*gb-hab*ga)/det
	}
	return b
}
