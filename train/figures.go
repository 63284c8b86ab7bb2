package train

// takeTest fills in the figures of the test tasks.
func (e *EvalInfo) takeTest(all []TaskAUC) {
	delta := meanOf(all, MetricDeltaAUPRC)
	e.Test, e.AUCTest, e.DeltaTest = all, meanOf(all, MetricROCAUC), &delta
}

// takeValidation fills in the figures of the validation tasks.
func (e *EvalInfo) takeValidation(all []TaskAUC) {
	auc, delta := meanOf(all, MetricROCAUC), meanOf(all, MetricDeltaAUPRC)
	e.Validation, e.AUCValidation, e.DeltaValidation = all, &auc, &delta
}

// TestFigure returns the mean over the test tasks by the evaluation's metric;
// nil where they were not evaluated.
func (e *EvalInfo) TestFigure() *float64 {
	switch {
	case len(e.Test) == 0 && e.AUCTest == 0:
		return nil
	case e.Metric == MetricDeltaAUPRC:
		return e.DeltaTest
	}
	return &e.AUCTest
}

// ValidationFigure returns the mean over the validation tasks by the evaluation's
// metric; nil where there are none.
func (e *EvalInfo) ValidationFigure() *float64 {
	if e.Metric == MetricDeltaAUPRC {
		return e.DeltaValidation
	}
	return e.AUCValidation
}

// Figure returns the figure of a task by a metric; without a name, its ROC-AUC.
func (t TaskAUC) Figure(metric string) float64 {
	if metric == MetricDeltaAUPRC {
		return t.DeltaAUPRC
	}
	return t.AUC
}

// meanOf returns the mean of the tasks' figures by a metric.
func meanOf(tasks []TaskAUC, metric string) float64 {
	var sum float64
	for _, t := range tasks {
		sum += t.Figure(metric)
	}
	return sum / float64(len(tasks))
}

// Figures returns the means over the test tasks by the run's metric: of the last
// model, of the one that validation chose, and the best on the test tasks
// themselves; nil where that was not measured.
func (s *Summary) Figures() (last, validation, best *float64) {
	if s.Metric == MetricDeltaAUPRC {
		return s.DeltaLast, s.DeltaValidationSelected, s.DeltaBestOnTest
	}
	// A ROC-AUC that was not measured is 0; runs from before ΔAUPRC have no other.
	if s.DeltaLast != nil || s.AUCLast != 0 {
		last = &s.AUCLast
	}
	if s.DeltaBestOnTest != nil || s.AUCBestOnTest != 0 {
		best = &s.AUCBestOnTest
	}
	return last, s.AUCValidationSelected, best
}
