package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"pacia/config"
	"pacia/data"
	"pacia/data/split"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/request"
)

// A tested is what pacia eval measures: models whose probabilities are averaged, the settings, and the test tasks of a data set.
type tested struct {
	subject
	members []*model.Model
	metas   []checkpoint.Meta // of each member
	cfg     config.Config     // of the first member
	data    *data.Dataset
	tasks   []int // numbers of the test tasks
	other   bool  // the data set is not that of the first member's training
	past    *pastOfTests

	records    [][]bool // of each member, the molecules of the data set that it has learnt from; nil: it has no record
	known      []bool   // molecules that a member has learnt from; nil: none has a record
	unrecorded bool     // beside members with a record is one without, which was trained on other data
}

// withTests calls f with the models of checkpoints, the data set of the first one, the test tasks and past assays. It refuses
// models that cannot be measured together, and wrong predictions, which may be nil, before the data set is opened.
func withTests(ctx context.Context, files []string, o config.Options, rows *predictions, past request.Past, f func(*tested) error) error {
	return withModels(files, o, func(members []*model.Model, metas []checkpoint.Meta, cfg config.Config) (err error) {
		form, err := evaluate.Inputs(members)
		if err == nil && len(past.History) > 0 {
			err = screen.CheckHistory(members)
		}
		if err == nil {
			err = ofShipped(files[0], metas[0], cfg)
		}
		if err != nil {
			return err
		}
		cfg, other, err := dataOfTests(ctx, metas[0], cfg, o)
		if err != nil {
			return err
		}
		if err := rows.check(cfg, files); err != nil {
			return err
		}
		d, err := evaluate.OpenIn(ctx, cfg, form)
		if err != nil {
			return err
		}
		defer d.Close()
		split, err := split.Parse(cfg.Data.Split, d)
		if err != nil {
			return err
		}
		t := &tested{subject: subjectOf(files, metas, d), members: members, metas: metas, cfg: cfg, data: d, tasks: split.Test, other: other}
		if len(t.tasks) == 0 && other && cfg.Data.Split == "auto" {
			t.tasks = each.Order[int](len(d.Tasks)) // a folder without test/
		}
		if len(t.tasks) == 0 {
			return &badinput.Error{File: cfg.Data.Path, What: "there are no test tasks",
				Fix: "name some behind the slash of data.split, or put task files into test/ of their folder"}
		}
		if err := t.learnt(); err != nil {
			return err
		}
		if err := t.open(ctx, past); err != nil {
			return err
		}
		return f(t)
	})
}

// ofShipped returns an error if the data set of the model that ships is missing, and a user named neither.
func ofShipped(file string, meta checkpoint.Meta, cfg config.Config) error {
	path := cfg.Data.Path
	if _, err := os.Stat(path); file != "" || path != meta.Config.Data.Path || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &badinput.Error{
		What: "without --checkpoint, the model that ships is measured on FS-Mol, and there is no folder " + path,
		Fix:  "write --checkpoint FILE, or --set data.path=FOLDER with FS-Mol, which pacia data fetch fsmol gets",
	}
}

// learnt fills in which molecules of the data set the members have learnt from. Beside members with a record, one without has
// learnt from those of its training tasks, and one that needs no training from none.
func (t *tested) learnt() error {
	for _, m := range t.members {
		record, err := evaluate.KnownRows(m, t.data.Store)
		if err != nil {
			return err
		}
		if record == nil && len(t.members) > 1 && m.Traits().Untrained {
			record = make([]bool, t.data.Store.Len())
		}
		t.records, t.known = append(t.records, record), union(t.known, record)
	}
	if t.known == nil {
		return nil
	}
	for i, record := range t.records {
		if record != nil {
			continue
		}
		train := trainingTasks(t.data, t.metas[i])
		t.unrecorded = t.unrecorded || len(train) == 0
		for _, task := range train {
			for _, row := range t.data.Tasks[task].Rows {
				t.known[row] = true
			}
		}
	}
	return nil
}

// union returns the union of sets of molecules, in new memory; nil of two that are nil.
func union(a, b []bool) []bool {
	all := slices.Clone(a)
	if all == nil {
		return slices.Clone(b)
	}
	for i, is := range b {
		all[i] = all[i] || is
	}
	return all
}

// knows returns whether a molecule is known from training, as text; "" if that is not recorded.
func (t *tested) knows(row int32) string {
	if t.known == nil || t.unrecorded && !t.known[row] {
		return ""
	}
	return strconv.FormatBool(t.known[row])
}
