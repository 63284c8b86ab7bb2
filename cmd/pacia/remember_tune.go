package main

import (
	"context"

	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/screen/history"
	"pacia/screen/history/tune"
)

// tune sets how much the past assays of a memory count, and the trials from which this follows, of the assays that the model held
// before and of those of files.
func (p *remembering) tune(ctx context.Context, m *model.Model, all *history.Past, memory *past.Memory) error {
	held := m.Past()
	if held == nil {
		held = new(past.Memory)
	}
	trials, err := tune.Unmarshal(held.Trials)
	if err != nil {
		return &badinput.Error{File: p.model, Err: err, Fix: "write it again, by pacia remember"}
	}
	for _, d := range all.Drawn() {
		var drawn []tune.Trial
		if !p.noTune {
			if drawn, err = tune.Draw(ctx, m, d.Memory, d.SMILES); err != nil {
				return err
			}
		}
		trials = tune.Joined(trials, drawn, d.Memory)
	}
	trials = tune.Counting(trials, memory)
	memory.Trials, memory.Weights = tune.Marshal(trials), held.Weights
	if p.noTune {
		return nil
	}
	if p.choice, err = tune.Choose(ctx, m, memory, trials); err == nil {
		memory.Weights = p.choice.Weights
	}
	return err
}
