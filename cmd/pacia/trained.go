package main

import (
	"fmt"
	"slices"

	"pacia/config"
	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/weights"
)

// withModel loads the trained model of a file, or the model that ships (package weights)
// if file is empty. It calls use with the model and the settings of its training, which
// those of o override. Device and threads come from o alone.
func withModel(file string, o config.Options, use func(*model.Model, checkpoint.Meta, config.Config) error) error {
	return withModels([]string{file}, o, func(m []*model.Model, metas []checkpoint.Meta, cfg config.Config) error {
		return use(m[0], metas[0], cfg)
	})
}

// withModels is withModel for several models. The settings are those of the first one, except
// train.finetune, which each model has of its own.
func withModels(files []string, o config.Options, use func([]*model.Model, []checkpoint.Meta, config.Config) error) error {
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
		trained[i].Config.Model = settings[i].Model // model.minimol may differ
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
		return use(all, each.Of(trained, func(f *checkpoint.File) checkpoint.Meta { return f.Meta }), settings[0])
	})
}

// untrained returns the names of the methods that need no checkpoint.
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

// origin describes in one line the model that predicts and the data it was trained on.
func origin(file string, meta checkpoint.Meta) string {
	file = nameOf(file)
	switch {
	case methods.TraitsOf(meta.Config.Model).Untrained:
		return fmt.Sprintf("%s: %s, which learns from the support set alone", file, meta.Config.Model.Method)
	case meta.Config.Data.Path == data.Embedded:
		return file + ": trained on the embedded substructures: a demonstration, not for real assays"
	}
	text := fmt.Sprintf("%s: trained on %s of %s", file, ui.Count(len(meta.Tasks.Train), "task"), meta.Dataset)
	if n := meta.Past; n.Assays > 0 {
		text += fmt.Sprintf(", with a history of %s and %s", ui.Count(n.Assays, "past assay"), ui.Count(n.Molecules, "molecule"))
	}
	return text
}

// nameOf returns the name of a trained model: its file, or weights.Shipped if file is empty.
func nameOf(file string) string {
	if file == "" {
		return weights.Shipped
	}
	return file
}

// overCheckpoint overrides the settings of a trained model by --set and the environment.
// It refuses those that would change the model itself.
func overCheckpoint(trained config.Config, o config.Options) (config.Config, error) {
	c, err := over(trained, o)
	if err != nil {
		return c, err
	}
	return c, keepsModel(trained, c)
}

// keepsModel returns an error if a setting of the model, except model.minimol, differs from that of its
// training.
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

// over overrides the settings base by --set and the environment. It ignores device and threads of base.
func over(base config.Config, o config.Options) (config.Config, error) {
	base.Device, base.Threads = runconfig.CPU, 0
	o.Base = &base
	return config.Load(o)
}
