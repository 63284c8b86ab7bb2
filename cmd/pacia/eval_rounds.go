package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"

	"pacia/config"
	valued "pacia/evaluate/measured"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/run/checkpoint"
)

// roundsTest holds the numbers of actives that simulated rounds of pacia next find.
type roundsTest struct {
	Model   string           `json:"model"`
	Fold    string           `json:"fold"`
	Explore []float64        `json:"explore"`
	Tasks   []int            `json:"tasks"`
	Found   [][]valued.Found `json:"found"` // by explore
}

// simulate runs rounds of eight molecules, starting with sixteen.
func (f *valuesFlags) simulate(ctx context.Context, file string, o config.Options, draws int) (t roundsTest, err error) {
	for _, factor := range f.explore {
		if err := checkExplore(factor); err != nil {
			return t, err
		}
	}
	t = roundsTest{Model: f.called(file), Fold: f.fold, Explore: f.explore}
	err = f.with(file, o, func(m *model.Model, _ checkpoint.Meta, cfg config.Config) error {
		a, err := valued.Open(ctx, m.Config(), f.file, f.fold)
		if err != nil {
			return err
		}
		for _, explore := range f.explore {
			c := valued.Campaign{Seed: uint32(cfg.Seed), Draws: draws, Start: 16, Rounds: f.rounds, Batch: 8, Explore: explore}
			var found []valued.Found
			keep := func(one valued.Found) error { found = append(found, one); return nil }
			if err := c.Run(ctx, m, a, keep); err != nil {
				return err
			}
			t.Found, t.Tasks = append(t.Found, found), append(t.Tasks, len(found))
		}
		return nil
	})
	return t, err
}

func (t *roundsTest) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, t)
	}
	w := ui.NewTable(out)
	w.Line("%s on the %s assays: actives found in rounds of 8 molecules, from 16 at the start\n", t.Model, t.Fold)
	if len(t.Tasks) == 0 || t.Tasks[0] == 0 {
		w.Line("no assay is large enough")
		return w.Flush()
	}
	w.Line("explore\tassays\trounds\tfound\tless the first row\tby chance")
	for i, explore := range t.Explore {
		for r := range t.Found[i][0].Hits {
			if n := r + 1; n != 1 && n != 3 && n != 5 && n != 10 {
				continue
			}
			hits, less, chance := make([]float64, t.Tasks[i]), make([]float64, t.Tasks[i]), make([]float64, t.Tasks[i])
			for k, f := range t.Found[i] {
				hits[k], less[k], chance[k] = f.Hits[r], f.Hits[r]-t.Found[0][k].Hits[r], f.Chance[r]
			}
			mean, deviation := stat.MeanStdDev(less, nil)
			difference := fmt.Sprintf("%+.2f", mean)
			if n := len(less); n > 1 {
				difference += fmt.Sprintf(" ± %.2f", deviation/math.Sqrt(float64(n)))
			}
			w.Line("%v\t%d\t%d\t%.2f\t%s\t%.2f", explore, len(hits), r+1, stat.Mean(hits, nil), difference, stat.Mean(chance, nil))
		}
	}
	return w.Flush()
}
