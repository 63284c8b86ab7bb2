package main

import (
	"pacia/checkpoint"
	"pacia/config"
	"pacia/fault"
	"pacia/model"
	"pacia/ops"
)

// withModel loads a trained model and hands it to use, with the settings of
// its training over which those of o are laid. Where it computes is not taken
// from the training but from o alone.
func withModel(file string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	machine, err := config.Default(model.Paper, "")
	if err != nil {
		return err
	}
	o.Base = &machine
	if machine, err = config.Load(o); err != nil {
		return err
	}
	if err := checkDevice(machine.Device); err != nil {
		return err
	}
	return ops.Pinned(machine.Threads, func() error {
		m, meta, err := checkpoint.Load(file, machine.Device)
		if err != nil {
			return err
		}
		defer m.Drop()
		cfg, err := overCheckpoint(meta.Config.On(machine.Device, machine.Threads), o)
		if err != nil {
			return err
		}
		cfg.SetPrecision()
		m.Tune(cfg.Train.FineTune)
		return use(m, meta, cfg)
	})
}

// overCheckpoint lays --set and the environment over the settings of a
// trained model. What the model is, its checkpoint says.
func overCheckpoint(trained config.Config, o config.Options) (config.Config, error) {
	o.Base = &trained
	c, err := config.Load(o)
	if err != nil {
		return c, err
	}
	if c.Model != trained.Model {
		return c, &fault.Error{What: "settings below model. cannot change a trained model", Fix: "leave them out"}
	}
	return c, nil
}
