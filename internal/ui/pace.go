package main

import (
	"time"

	"pacia/train"
)

// recent is the weight of the newest step in the figures that are shown: they
// look back about 20 steps, enough to be read and short enough to follow.
const recent = 0.05

// A pace tells from the steps so far how long the rest will take.
type pace struct {
	episodes int // of the whole run
	interval int // episodes between evaluations; 0: one at the end
	episode  int // done
	loss     float64
	seconds  float64 // of a step
	evalTime float64 // of an evaluation
	begun    bool
}

func newPace(s train.StartInfo, interval int) pace {
	return pace{episodes: s.Episodes, episode: s.Episode, interval: interval}
}

func (p *pace) step(s train.StepInfo) {
	p.episode = s.Episode
	if !p.begun {
		p.begun, p.loss, p.seconds = true, s.Loss, s.Seconds
		return
	}
	p.loss += recent * (s.Loss - p.loss)
	p.seconds += recent * (s.Seconds - p.seconds)
}

func (p *pace) evaluation(e train.EvalInfo) { p.evalTime = e.Seconds }

// rate returns steps a second.
func (p *pace) rate() float64 {
	if p.seconds <= 0 {
		return 0
	}
	return 1 / p.seconds
}

// left estimates the time to the end of the run, evaluations included.
func (p *pace) left() time.Duration {
	steps := float64(p.episodes-p.episode) * p.seconds
	evaluations := float64(p.evaluationsAfter(p.episode)) * p.evalTime
	return time.Duration((steps + evaluations) * float64(time.Second)).Round(time.Second)
}

// evaluationsAfter counts those still to come; the last episode always has
// one.
func (p *pace) evaluationsAfter(episode int) int {
	if episode >= p.episodes {
		return 0
	}
	if p.interval == 0 {
		return 1
	}
	n := p.episodes/p.interval - episode/p.interval
	if p.episodes%p.interval != 0 {
		n++
	}
	return n
}
