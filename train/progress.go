package train

// Progress is what a run has done and found so far. It travels in the
// checkpoint, so that a resumed run's summary is that of one that was never
// stopped.
type Progress struct {
	Episode        int       `json:"episode"` // episodes done
	Seconds        float64   `json:"seconds"`
	Last           *EvalInfo `json:"last"`
	BestValidation *EvalInfo `json:"best_validation"`
	BestTest       *EvalInfo `json:"best_test"`
}

// take records an evaluation and reports whether its model is the best so far
// by the selection's criterion. Of equally good ones the first stays.
func (p *Progress) take(e EvalInfo, selection string) (best bool) {
	p.Last = &e
	test := p.BestTest == nil || e.AUCTest > p.BestTest.AUCTest
	if test {
		p.BestTest = &e
	}
	validation := e.AUCValidation != nil &&
		(p.BestValidation == nil || *e.AUCValidation > *p.BestValidation.AUCValidation)
	if validation {
		p.BestValidation = &e
	}
	switch selection {
	case SelectValidation:
		return validation
	case SelectTest:
		return test
	default:
		return true
	}
}

// selected returns the evaluation of the model that best.ckpt holds.
func (p *Progress) selected(selection string) *EvalInfo {
	switch selection {
	case SelectValidation:
		return p.BestValidation
	case SelectTest:
		return p.BestTest
	default:
		return p.Last
	}
}

// evaluated reports whether the model after the current episode was evaluated.
func (p *Progress) evaluated() bool { return p.Last != nil && p.Last.Episode == p.Episode }

// summary fills in what the evaluations found; Last must not be nil.
func (p *Progress) summary(cfg RunConfig) Summary {
	s := Summary{
		Seed:              cfg.Seed,
		Shots:             cfg.Episode.Shots,
		Episodes:          p.Episode,
		AUCLast:           p.Last.AUCTest,
		AUCBestOnTest:     p.BestTest.AUCTest,
		AUCBestOnTestNote: "the largest of all evaluations: selected on the test tasks themselves",
		Selection:         cfg.Train.Selection,
		BestEpisode:       p.selected(cfg.Train.Selection).Episode,
		Seconds:           p.Seconds,
	}
	if p.BestValidation != nil {
		s.AUCValidationSelected = &p.BestValidation.AUCTest
	}
	for i, last := range p.Last.Test {
		task := TaskSummary{Task: last.Task, Last: last.AUC, BestOnTest: p.BestTest.Test[i].AUC}
		if p.BestValidation != nil {
			task.ValidationSelected = &p.BestValidation.Test[i].AUC
		}
		s.PerTask = append(s.PerTask, task)
	}
	return s
}
