package trust

// Figures are the content of a panel for programs.
type Figures struct {
	Check struct {
		Support    int      `json:"support"`              // number of support molecules
		Folds      int      `json:"folds"`                // number of folds in which they were left out
		Model      *float64 `json:"roc_auc,omitempty"`    // ROC-AUC of the model on molecules left out
		Similarity *float64 `json:"similarity,omitempty"` // ROC-AUC of a similarity search
		Swapped    *float64 `json:"swapped,omitempty"`    // ROC-AUC of the model with the other labels swapped
		Unmeasured string   `json:"unmeasured,omitempty"` // the reason for which these are missing

		Past *PastCheck `json:"past,omitempty"` // nil without past assays
	} `json:"check"`
	Library struct {
		Median  *float64 `json:"nearest_tanimoto_median,omitempty"` // over the molecules, of the coefficient with the nearest support molecule
		Tenth   *float64 `json:"nearest_tanimoto_10th_percentile,omitempty"`
		Known   *int     `json:"known,omitempty"` // molecules known from training; nil if the model has no record of them
		Outside *int     `json:"outside_domain,omitempty"`
	} `json:"library"`
	Past     *PastFigures `json:"past,omitempty"` // of past assays; nil without them
	Verdict  string       `json:"verdict"`        // better, as good, not better, or unclear if the check does not support it
	Sentence string       `json:"sentence"`
}

// Figures returns the figures of a panel. Those of the library are complete once it is ranked.
func (p *Panel) Figures() (f Figures) {
	f.Check.Support, f.Check.Folds, f.Check.Unmeasured = p.Support, p.Folds, p.Unmeasured
	if p.Folds > 0 {
		model, similarity, swapped := p.Model, p.Similarity, p.Swapped
		f.Check.Past = p.PastCheck
		f.Check.Model, f.Check.Similarity, f.Check.Swapped = &model, &similarity, &swapped
	}
	if p.molecules > 0 {
		median, tenth := p.quantile(0.5), p.quantile(0.1)
		f.Library.Median, f.Library.Tenth = &median, &tenth
		outside := p.outside
		f.Library.Outside = &outside
		if known := p.fromBefore; p.knows != nil {
			f.Library.Known = &known
		}
	}
	if p.past != nil {
		f.Past = &PastFigures{p.past.Assays, p.supportInPast, p.inPast, p.past.Notes}
	}
	f.Verdict, f.Sentence = [...]string{"as good", "better", "not better"}[p.Verdict()], p.sentence()
	if !p.shows() {
		f.Verdict = "unclear"
	}
	return f
}
