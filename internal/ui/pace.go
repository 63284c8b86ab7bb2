package ui

import "time"

// recent is the weight of the newest value in a Recent. The mean extends over about 20 steps:
// long enough to be steady, short enough to follow changes.
const recent = 0.05

// Recent is an exponential moving average.
type Recent struct {
	Value float64
	begun bool
}

// Add adds a value.
func (r *Recent) Add(v float64) {
	if !r.begun {
		r.begun, r.Value = true, v
		return
	}
	r.Value += recent * (v - r.Value)
}

// A Pace estimates the remaining time of a run from the steps so far.
type Pace struct {
	Episode  int // episodes done
	Episodes int // episodes of the whole run
	Interval int // episodes between evaluations; 0: only one, at the end
	Steps    int // steps of an episode; 0: one

	loss, seconds Recent  // of a step
	evalTime      float64 // of an evaluation
}

// Step adds a step: its episode, its loss and its time.
func (p *Pace) Step(episode int, loss, seconds float64) {
	p.Episode = episode
	p.loss.Add(loss)
	p.seconds.Add(seconds)
}

// Evaluated sets the time of an evaluation.
func (p *Pace) Evaluated(seconds float64) { p.evalTime = seconds }

// Loss returns the mean loss of the latest steps.
func (p *Pace) Loss() float64 { return p.loss.Value }

// Rate returns the number of steps a second.
func (p *Pace) Rate() float64 {
	if p.seconds.Value <= 0 {
		return 0
	}
	return 1 / p.seconds.Value
}

// Remaining estimates the remaining time of the run, including evaluations.
func (p *Pace) Remaining() time.Duration {
	steps := float64((p.Episodes-p.Episode)*max(1, p.Steps)) * p.seconds.Value
	evaluations := float64(p.evaluationsAfter(p.Episode)) * p.evalTime
	return time.Duration((steps + evaluations) * float64(time.Second)).Round(time.Second)
}

// evaluationsAfter returns the number of evaluations after an episode. The last episode
// always has one.
func (p *Pace) evaluationsAfter(episode int) int {
	if episode >= p.Episodes {
		return 0
	}
	if p.Interval == 0 {
		return 1
	}
	n := p.Episodes/p.Interval - episode/p.Interval
	if p.Episodes%p.Interval != 0 {
		n++
	}
	return n
}
