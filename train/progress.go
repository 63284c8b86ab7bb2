package train

import (
	"slices"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// progress records what a run has done and found so far.
type progress struct{ checkpoint.Progress }

func (p *progress) steps() int { return max(p.Step, p.Episode) }

// addStep records a step, counted from 1. An episode has ofEpisode steps.
func (p *progress) addStep(step, ofEpisode int) {
	p.Episode = step / ofEpisode
	if ofEpisode > 1 {
		p.Step = step
	}
}

// addEvaluation records an evaluation and reports whether its model is the best so far
// by the selection's criterion. Of equally good models the first is kept.
func (p *progress) addEvaluation(e rundir.Evaluation, selection string) (best bool) {
	p.Last = &e
	test := better(e.TestFigure(), p.BestTest, (*rundir.Evaluation).TestFigure)
	if test {
		p.BestTest = &e
	}
	validation := better(e.ValidationFigure(), p.BestValidation, (*rundir.Evaluation).ValidationFigure)
	if validation {
		p.BestValidation = &e
	}
	switch selection {
	case runconfig.SelectValidation:
		return validation
	case runconfig.SelectTest:
		return test
	default:
		return true
	}
}

// reselect forgets the selected evaluation, whose model is lost. It reports whether the present model,
// if it was evaluated, takes its place.
func (p *progress) reselect(selection string) (best bool) {
	switch selection {
	case runconfig.SelectValidation:
		p.BestValidation = nil
	case runconfig.SelectTest:
		p.BestTest = nil
	}
	return p.Last != nil && p.Last.Episode == p.Episode && p.Last.Step == p.Step && p.addEvaluation(*p.Last, selection)
}

// better reports whether figure is larger than the figure of the best evaluation. A nil
// figure is not better, and any other is better than a nil best.
func better(figure *float64, best *rundir.Evaluation, of func(*rundir.Evaluation) *float64) bool {
	return figure != nil && (best == nil || *figure > *of(best))
}

// tested adds the figures of the test tasks to the evaluations of the same model.
// Evaluations that already have these figures get the adaptivity alone.
func (p *progress) tested(e rundir.Evaluation) {
	for _, known := range []**rundir.Evaluation{&p.Last, &p.BestValidation, &p.BestTest} {
		if *known == nil || (*known).Episode != e.Episode {
			continue
		}
		both := **known
		if len(both.Test) == 0 {
			both.AddTest(e.Test)
		} else {
			of := byTask(&e)
			both.Test, both.Adaptivity = slices.Clone(both.Test), e.Adaptivity
			for i := range both.Test {
				both.Test[i].Adaptivity = of[both.Test[i].Task].Adaptivity
			}
		}
		*known = &both
	}
}

// selected returns the evaluation of the model that best.ckpt holds.
func (p *progress) selected(selection string) *rundir.Evaluation {
	switch selection {
	case runconfig.SelectValidation:
		return p.BestValidation
	case runconfig.SelectTest:
		return p.BestTest
	default:
		return p.Last
	}
}

// evaluated reports whether the model after the current episode was evaluated.
func (p *progress) evaluated() bool { return p.Last != nil && p.Last.Episode == p.Episode }

// summary returns a summary of the evaluations. Last must not be nil.
func (p *progress) summary(cfg runconfig.Config) rundir.Summary {
	s := rundir.Summary{
		Seed:           cfg.Seed,
		Shots:          cfg.Episode.Shots,
		Support:        cfg.Episode.Support,
		TestSupport:    cfg.Episode.TestSize(),
		Episodes:       p.Episode,
		Metric:         cfg.Train.Metric,
		Last:           p.Last.TestMean,
		BestOnTestNote: "the largest of all evaluations: selected on the test tasks themselves",
		Selection:      cfg.Train.Selection,
		BestEpisode:    p.selected(cfg.Train.Selection).Episode,
		Seconds:        p.Seconds,
	}
	if p.BestTest != nil {
		s.BestOnTest = p.BestTest.TestMean
	} else {
		s.BestOnTestNote = "not measured: the test tasks were evaluated once, with the model that was selected"
	}
	if p.BestValidation != nil && len(p.BestValidation.Test) > 0 {
		s.ValidationSelected = p.BestValidation.TestMean
	}
	s.PerTask = p.perTask()
	p.describe(&s)
	return s
}

// describe adds the figures that only the selected model has.
func (p *progress) describe(s *rundir.Summary) {
	selected := p.selected(s.Selection)
	if len(selected.Test) == 0 {
		return
	}
	if s.Categories = rundir.ByCategory(selected.Test); selected.Adaptivity == nil {
		return
	}
	s.Adaptivity, s.AdaptivityNote = selected.Adaptivity, metrics.AdaptivityNote
	if s.Adaptivity.Static != nil {
		s.AdaptivityNote += " " + metrics.StaticNote
	}
	of := byTask(selected)
	for i := range s.PerTask {
		s.PerTask[i].Adaptivity = of[s.PerTask[i].Task].Adaptivity
	}
}

// perTask lists the test tasks with figures in all evaluations. A task that was too
// small for the draws of an evaluation has no figures there.
func (p *progress) perTask() (all []rundir.TaskSummary) {
	last, validation, best := byTask(p.Last), byTask(p.BestValidation), byTask(p.BestTest)
	var list []metrics.Figures
	for _, e := range []*rundir.Evaluation{p.BestTest, p.BestValidation, p.Last} {
		if e != nil && len(e.Test) > 0 {
			list = e.Test
		}
	}
	for _, t := range list {
		s := rundir.TaskSummary{Task: t.Task}
		missing := 0
		for _, f := range []struct {
			of     map[string]metrics.Figures
			values *metrics.Values
		}{{last, &s.Last}, {validation, &s.ValidationSelected}, {best, &s.BestOnTest}} {
			if found, ok := f.of[t.Task]; ok {
				*f.values = found.Values
			} else if f.of != nil {
				missing++
			}
		}
		if missing == 0 {
			all = append(all, s)
		}
	}
	return all
}

func byTask(e *rundir.Evaluation) map[string]metrics.Figures {
	if e == nil || len(e.Test) == 0 {
		return nil
	}
	return each.Pairs(e.Test, func(t metrics.Figures) (string, metrics.Figures) { return t.Task, t })
}
