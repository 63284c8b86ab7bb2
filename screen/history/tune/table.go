package tune

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"

	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/model/shared/past"
)

// Choice is how much past assays should count, with the figures from which this follows.
type Choice struct {
	Weights past.Weights `json:"weights"` // zero: the usual ones
	Assays  int          `json:"assays"`
	Trials  int          `json:"trials"`
	Rows    []Row        `json:"ways"`
}

// Row is a way to rank, with means over trials and their standard errors.
type Row struct {
	Way    string `json:"way"`
	ROCAUC Spread `json:"roc_auc"`
	Delta  Spread `json:"delta_auprc"`
}

// Spread is a mean and its standard error.
type Spread struct {
	Mean  float64 `json:"mean"`
	Error float64 `json:"error"`
}

func (s Spread) String() string { return fmt.Sprintf("%.3f ± %.3f", s.Mean, s.Error) }

// The ways to rank.
const (
	together = "all together"
	tuned    = "all together, with the weights chosen"
)

var parts = [...]string{
	model.NoPast: "without past assays", model.Hits: "how often a molecule was active", model.Profile: "labels like those of the support set",
}

// meanOf returns the mean of values and its standard error, which is 0 for one value.
func meanOf(values []float64) (s Spread) {
	s.Mean, s.Error = stat.MeanStdDev(values, nil)
	if s.Error /= math.Sqrt(float64(len(values))); len(values) < 2 {
		s.Error = 0
	}
	return s
}

func (c *Choice) add(way string, all []figures) {
	r := Row{Way: way}
	for i, s := range []*Spread{&r.ROCAUC, &r.Delta} {
		*s = meanOf(each.Of(all, func(f figures) float64 { return f[i] }))
	}
	c.Rows = append(c.Rows, r)
}

// Table writes the figures of a choice, which may be nil.
func (c *Choice) Table(out io.Writer) error {
	if c == nil || c.Assays == 0 {
		return nil
	}
	if c.Trials == 0 {
		ui.Say(out, "No past assay has three active and three inactive molecules twice: they count as usual.\n")
		return nil
	}
	ui.Say(out, "%s of %s, each ranked from 16 of its molecules by the others without near copies of it:\n\n",
		ui.Grouped(c.Trials), ui.Count(c.Assays, "past assay"))
	w := ui.NewTable(out)
	w.Line("\tROC-AUC\tΔAUPRC")
	for _, r := range c.Rows {
		w.Line("%s\t%s\t%s", r.Way, r.ROCAUC, r.Delta)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.Weights == (past.Weights{}) {
		ui.Say(out, "\nNo other weights are surely better: past assays count as usual.\n")
		return nil
	}
	ui.Say(out, "\nWeights chosen: %g for labels like those of the support set, %g for how often a molecule was active, "+
		"%g for assays that agree.\n", c.Weights.Profile, c.Weights.Hits, c.Weights.Agreement)
	return nil
}
