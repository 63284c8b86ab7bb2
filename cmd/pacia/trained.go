package main

import (
	"fmt"
	"slices"

	"pacia/config"
	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/weights"
)

// withModel loads a trained model, that of a file or, where its name is empty, the
// one that ships (package weights), and hands it to use, with the settings of
// its training over which those of o are laid. Where it computes is not taken
// from the training but from o alone.
func withModel(file string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	return withModels([]string{file}, o, func(m []*model.Model, meta checkpoint.Meta, cfg config.Config) error {
		return use(m[0], meta, cfg)
	})
}

// withModels is withModel of several, whose settings are those of the first but for
// what they are tuned by.
func withModels(files []string, o config.Options, use func([]*model.Model, checkpoint.Meta, config.Config) error) error {
	trained := make([]*checkpoint.File, len(files))
	settings := make([]config.Config, len(files))
	for i, file := range files {
		var err error
		if trained[i], err = weights.Open(file); err != nil {
			return err
		}
		defer trained[i].Close()
		if settings[i], err = overCheckpoint(trained[i].Config, o); err != nil {
			return err
		}
		trained[i].Config.Model = settings[i].Model // model.minimol may be another
	}
	if err := checkDevice(settings[0].Device); err != nil {
		return err
	}
	return ops.Pinned(settings[0].Threads, func() error {
		all := make([]*model.Model, len(files))
		for i := range all {
			m, err := trained[i].Model(settings[0].Device)
			if err != nil {
				return err
			}
			defer m.Drop()
			m.Tune(settings[i].Train.FineTune)
			all[i] = m
		}
		settings[0].SetPrecision()
		return use(all, trained[0].Meta, settings[0])
	})
}

// untrained are the methods that need no checkpoint.
func untrained() []string {
	return slices.DeleteFunc(methods.Names(), func(name string) bool { return !methods.Traits(name).Untrained })
}

func withUntrained(method string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	base, err := config.Default(model.Paper, method)
	if err != nil {
		return err
	}
	base.Train.Episodes = 0
	cfg, err := over(base, o)
	if err != nil {
		return err
	}
	if cfg.Model.Method != method || !methods.TraitsOf(cfg.Model).Untrained {
		what := "--method " + method + ": settings below model. make it another method, or one that needs training"
		return &badinput.Error{What: what, Fix: "leave out model.method and model.vectors"}
	}
	if err := checkDevice(cfg.Device); err != nil {
		return err
	}
	return ops.Pinned(cfg.Threads, func() error {
		m, err := methods.New(cfg.Model, model.Options{Seed: cfg.Seed, Device: cfg.Device})
		if err != nil {
			return err
		}
		defer m.Drop()
		m.Tune(cfg.Train.FineTune)
		return use(m, checkpoint.Meta{Config: cfg}, cfg)
	})
}

// origin says in a line which model it is that predicts, and what taught it.
func origin(file string, meta checkpoint.Meta) string {
	file = nameOf(file)
	switch {
	case methods.TraitsOf(meta.Config.Model).Untrained:
		return fmt.Sprintf("%s: %s, which learns from the support set alone", file, meta.Config.Model.Method)
	case meta.Config.Data.Path == data.Embedded:
		return file + ": trained on the embedded substructures: a demonstration, not for real assays"
	}
	return fmt.Sprintf("%s: trained on %s of %s", file, ui.Count(len(meta.Tasks.Train), "task"), meta.Dataset)
}

// nameOf is what a trained model is called: its file, or that it is part of the
// program.
func nameOf(file string) string {
	if file == "" {
		return weights.Shipped
	}
	return file
}

// overCheckpoint lays --set and the environment over the settings of a
// trained model. What the model is, its checkpoint says.
func overCheckpoint(trained config.Config, o config.Options) (config.Config, error) {
	c, err := over(trained, o)
	if err != nil {
		return c, err
	}
	return c, keepsModel(trained, c)
}

// keepsModel refuses settings of the model that are not those of its training, but for model.minimol.
func keepsModel(trained, now config.Config) error {
	wanted := now.Model.Embedding(false)
	trained.Model = trained.Model.Embedding(false)
	if trained.Model == wanted {
		return nil
	}
	now = trained
	now.Model = wanted
	f := &badinput.Error{What: "settings below model. cannot change a trained model", Fix: "leave them out"}
	if d := runconfig.FirstDifference(trained, now); d != nil {
		f.What = "the setting " + d.Name + " cannot change a trained model"
		f.Fix = "leave it out of --set and of the variable " + config.Variable(d.Name)
	}
	return f
}

// over lays --set and the environment over other settings. Where it computes is not taken from these.
func over(base config.Config, o config.Options) (config.Config, error) {
	base.Device, base.Threads = runconfig.CPU, 0
	o.Base = &base
	return config.Load(o)
}
