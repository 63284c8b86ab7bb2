package trust

// Figures are what a panel says, for programs.
type Figures struct {
	Check struct {
		Support    int      `json:"support"`              // molecules of the support set
		Folds      int      `json:"folds"`                // in which they were left out
		Model      *float64 `json:"roc_auc,omitempty"`    // of the model on molecules left out
		Similarity *float64 `json:"similarity,omitempty"` // of a search by similarity
		Swapped    *float64 `json:"swapped,omitempty"`    // of the model with the labels swapped
		Unmeasured string   `json:"unmeasured,omitempty"` // why there are none
	} `json:"check"`
	Library struct {
		Median  *float64 `json:"nearest_tanimoto_median,omitempty"` // of the molecules, with the nearest support molecule
		Tenth   *float64 `json:"nearest_tanimoto_10th_percentile,omitempty"`
		Known   *int     `json:"known,omitempty"` // molecules known from training; none where the model cannot tell
		Outside *int     `json:"outside_domain,omitempty"`
	} `json:"library"`
	Verdict  string `json:"verdict"` // better, as good, not better, or unclear: the check does not show it
	Sentence string `json:"sentence"`
}

// Figures returns those of a library that is ranked.
func (p *Panel) Figures() (f Figures) {
	f.Check.Support, f.Check.Folds, f.Check.Unmeasured = p.Support, p.Folds, p.Unmeasured
	if p.Folds > 0 {
		model, similarity, swapped := p.Model, p.Similarity, p.Swapped
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
	f.Verdict, f.Sentence = [...]string{"as good", "better", "not better"}[p.Verdict()], p.sentence()
	if !p.shows() {
		f.Verdict = "unclear"
	}
	return f
}
