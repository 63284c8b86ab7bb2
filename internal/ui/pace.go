package ui

import "time"

// recent is the weight of the newest value in a Recent: it looks back about 20
// steps, enough to be read and short enough to follow.
const recent = 0.05

// Recent is the mean of the latest values.
type Recent struct {
	Value float64
	begun bool
}

// Add takes in a value.
func (r *Recent) Add(v float64) {
	if !r.begun {
		r.begun, r.Value = true, v
		return
	}
	r.Value += recent * (v - r.Value)
}

// A Pace tells from the steps so far how long the rest of a run will take.
type Pace struct {
	Episode  int // done
	Episodes int // of the whole run
	Interval int // episodes between evaluations; 0: one at the end
	Steps    int // of an episode; 0: one

	loss, seconds Recent  // of a step
	evalTime      float64 // of an evaluation
}

// Step takes in a step: its number, its loss and how long it took.
func (p *Pace) Step(episode int, loss, seconds float64) {
	p.Episode = episode
	p.loss.Add(loss)
	p.seconds.Add(seconds)
}

// Evaluated takes in how long an evaluation took.
func (p *Pace) Evaluated(seconds float64) { p.evalTime = seconds }

// Loss returns that of the latest steps.
func (p *Pace) Loss() float64 { return p.loss.Value }

// Rate returns steps a second.
func (p *Pace) Rate() float64 {
	if p.seconds.Value <= 0 {
		return 0
	}
	return 1 / p.seconds.Value
}

// Left estimates the time to the end of the run, evaluations included.
func (p *Pace) Left() time.Duration {
	steps := float64((p.Episodes-p.Episode)*max(1, p.Steps)) * p.seconds.Value
	evaluations := float64(p.evaluationsAfter(p.Episode)) * p.evalTime
	return time.Duration((steps + evaluations) * float64(time.Second)).Round(time.Second)
}

// evaluationsAfter counts those still to come; the last episode always has
// one.
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
