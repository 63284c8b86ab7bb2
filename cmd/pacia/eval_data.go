package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"pacia/config"
	"pacia/data"
	"pacia/data/split"
	"pacia/data/table"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

// dataOfTests returns the settings of an evaluation. If they name another data set than that of the training, its columns,
// split and form do not depend on the training, except for what the user sets.
func dataOfTests(ctx context.Context, meta checkpoint.Meta, cfg config.Config, o config.Options) (_ config.Config, other bool, err error) {
	was, now := meta.Config.Data, cfg.Data
	if now.Path == was.Path && now.AbsolutePath == was.AbsolutePath {
		return cfg, false, nil
	}
	hash, err := evaluate.Hash(ctx, cfg)
	if err != nil || hash == meta.DataHash {
		return cfg, false, err
	}
	base := meta.Config
	base.Data = runconfig.Data{Path: now.Path, Split: "auto", SMILES: "smiles", Cache: was.Cache}
	if info, err := os.Stat(now.Path); err != nil || !info.IsDir() {
		base.Data = ofTable(ctx, base.Data, was)
	}
	cfg, err = over(base, o)
	return cfg, true, err
}

// ofTable returns the settings for a table with the thresholds, units and words of the training. Columns have the names of
// the training if the table has them. Molecules and repeats are those of predict.
func ofTable(ctx context.Context, d, was runconfig.Data) runconfig.Data {
	d.Split = split.All
	if !strings.Contains(was.ActiveBelow+was.ActiveAbove+was.Unit, ";") {
		d.ActiveBelow, d.ActiveAbove, d.Unit, d.ValueUnit = was.ActiveBelow, was.ActiveAbove, was.Unit, was.ValueUnit
	}
	d.ActiveWords, d.InactiveWords = was.ActiveWords, was.InactiveWords
	if d.Path == data.Embedded {
		return d
	}
	if smiles := was.SMILES; hasColumn(ctx, d.Path, table.Options{SMILES: smiles}, smiles) {
		d.SMILES = smiles
	}
	var ignored []string
	for name := range strings.SplitSeq(was.Ignore, ";") {
		if name = strings.TrimSpace(name); name != "" && hasColumn(ctx, d.Path, d.Reading(), name) {
			ignored = append(ignored, name)
		}
	}
	d.Ignore = strings.Join(ignored, ";")
	return d
}

// hasColumn reports whether a table can be read and has a column.
func hasColumn(ctx context.Context, path string, o table.Options, name string) bool {
	r, err := table.Open(ctx, path, nil, o)
	if err != nil {
		return false
	}
	defer r.Close()
	return table.Column(r.Header, name) >= 0
}

// describe logs what is measured of a data set that the model was not trained on.
func (t *tested) describe() {
	t.warn()
	if !t.other {
		return
	}
	name := func(number int) string { return t.data.Tasks[number].Name }
	of := "all " + ui.Count(len(t.tasks), "task")
	if n := len(t.data.Tasks); len(t.tasks) < n {
		of = fmt.Sprintf("%d of %d tasks", len(t.tasks), n)
	}
	from := t.cfg.Data
	line := fmt.Sprintf("measures %s of %s, which is not the data set of the %s (data.split=%s)", of, from.Path, t.training(), from.Split)
	rules := []struct{ setting, value string }{{"active_below", t.cfg.Data.ActiveBelow}, {"active_above", t.cfg.Data.ActiveAbove}}
	for _, rule := range rules {
		if rule.value != "" {
			line += "; data." + rule.setting + "=" + rule.value
		}
	}
	trained := func(number int) bool {
		return slices.ContainsFunc(t.metas, func(m checkpoint.Meta) bool { return slices.Contains(m.Tasks.Train, name(number)) })
	}
	if like := each.Of(each.If(t.tasks, trained), name); len(like) > 0 {
		line += "; training tasks have these names too: " + badinput.List(like)
	}
	if t.known != nil {
		n := each.Count(t.known, func(known bool) bool { return known })
		line += fmt.Sprintf("; %s of %s molecules are known from training", ui.Grouped(n), ui.Grouped(len(t.known)))
		if t.unrecorded {
			line += " of the models that have a record of it"
		}
	}
	slog.Info(line)
}
