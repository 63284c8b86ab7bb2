package split

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// All is the split without training tasks.
const All = "all"

// Parse returns the split that spec names for d:
//
//   - "auto": the split in the data set's own files, as in folders of task files, or
//     the one published for a data set with its columns;
//   - "all": every task is a test task, to evaluate a model that was trained on other data;
//   - "tox21", "sider", "muv", "toxcast", "embedded": that split;
//   - TRAIN/TEST, each a list of task numbers counted from 0, ranges of them, or
//     task names: "0-8/9-11", "0,2,4-6/1", "assay_a,assay_b/assay_c".
//
// It is an error if a task does not exist or is named twice.
func Parse(spec string, d *data.Dataset) (data.Split, error) {
	switch spec {
	case "auto":
		return autoSplit(d)
	case All:
		return data.Split{Test: each.Order[int](len(d.Tasks))}, nil
	case data.Embedded:
		return embeddedSplit(d)
	}
	if p := publishedSplit(spec); p != nil {
		return p.split(d)
	}
	left, right, ok := cutParts(spec, d)
	if !ok {
		f := badinput.Newf("split %s is not known", badinput.Quote(spec))
		f.Fix = `write auto, all, tox21, sider, muv, toxcast or embedded, or the tasks as TRAIN/TEST, such as "0-8/9-11"`
		return data.Split{}, f
	}
	var s data.Split
	used := make(map[int]bool)
	var err error
	if s.Train, err = parseTasks("training", left, d, used); err != nil {
		return data.Split{}, err
	}
	if s.Test, err = parseTasks("test", right, d, used); err != nil {
		return data.Split{}, err
	}
	return s, nil
}

func autoSplit(d *data.Dataset) (data.Split, error) {
	if d.Folds != nil {
		return *d.Folds, nil
	}
	if isEmbedded(d) {
		return embeddedSplit(d)
	}
	for i := range publishedSplits {
		if p := &publishedSplits[i]; p.fits(d) {
			return p.split(d)
		}
	}
	f := badinput.Newf("no split of tasks is published for data set %s", d.Name)
	f.Fix = explicit
	return data.Split{}, f
}

// cutParts splits TRAIN/TEST at its slash. Names of tasks may contain slashes. The first
// slash with known tasks on both sides counts, or else the first one.
func cutParts(spec string, d *data.Dataset) (train, test string, ok bool) {
	for i := range len(spec) {
		if spec[i] != '/' {
			continue
		}
		if !ok {
			train, test, ok = spec[:i], spec[i+1:], true
		}
		if knownTasks(spec[:i], d) && knownTasks(spec[i+1:], d) {
			return spec[:i], spec[i+1:], true
		}
	}
	return train, test, ok
}

func knownTasks(list string, d *data.Dataset) bool {
	_, err := parseTasks("", list, d, make(map[int]bool))
	return err == nil
}

// parseTasks reads a list of tasks. used contains those that were named before.
func parseTasks(part, list string, d *data.Dataset, used map[int]bool) ([]int, error) {
	var tasks []int
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			f := badinput.Newf("an empty item in the %s tasks of the split", part)
			f.Fix = explicit
			return nil, f
		}
		from, to, err := parseItem(item, d)
		if err != nil {
			return nil, err
		}
		for t := from; t <= to; t++ {
			if used[t] {
				f := badinput.Newf("the split names task %d (%s) twice", t, d.Tasks[t].Name)
				f.Fix = "name each task once"
				return nil, f
			}
			used[t] = true
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// parseItem reads the name of a task, its number, or a range of numbers.
func parseItem(item string, d *data.Dataset) (from, to int, err error) {
	name := func(t data.Task) bool { return t.Name == item }
	if i := slices.IndexFunc(d.Tasks, name); i >= 0 {
		return i, i, nil
	}
	from, to, ok := parseRange(item)
	if !ok {
		names := d.TaskNames()
		f := badinput.Newf("the split names task %s, which data set %s does not have", badinput.Quote(item), d.Name)
		f.Fix = fmt.Sprintf("tasks can also be written as numbers, 0 to %d", len(d.Tasks)-1)
		if near := badinput.Nearest(item, names); near != "" {
			f.Fix = "the nearest is " + badinput.Quote(near) + "; " + f.Fix
		}
		return 0, 0, f
	}
	if from > to || to >= len(d.Tasks) {
		f := badinput.Newf("the split names tasks %s, data set %s has %d", badinput.Quote(item), d.Name, len(d.Tasks))
		f.Fix = fmt.Sprintf("write numbers from 0 to %d, the smaller one first", len(d.Tasks)-1)
		return 0, 0, f
	}
	return from, to, nil
}
