package main

import (
	"pacia/checkpoint"
	"pacia/config"
	"pacia/fault"
	"pacia/model"
	"pacia/ops"
	"pacia/runconfig"
)

// withModel loads a trained model and hands it to use, with the settings of
// its training over which those of o are laid. Where it computes is not taken
// from the training but from o alone.
func withModel(file string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	trained, err := checkpoint.Open(file)
	if err != nil {
		return err
	}
	defer trained.Close()
	cfg, err := overCheckpoint(trained.Config, o)
	if err != nil {
		return err
	}
	if err := checkDevice(cfg.Device); err != nil {
		return err
	}
	return ops.Pinned(cfg.Threads, func() error {
		m, err := trained.Model(cfg.Device)
		if err != nil {
			return err
		}
		defer m.Drop()
		cfg.SetPrecision()
		m.Tune(cfg.Train.FineTune)
		return use(m, trained.Meta, cfg)
	})
}

// overCheckpoint lays --set and the environment over the settings of a
// trained model. What the model is, its checkpoint says.
func overCheckpoint(trained config.Config, o config.Options) (config.Config, error) {
	trained.Device, trained.Threads = runconfig.CPU, 0
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
