package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pacia/data"
	"pacia/data/source/fsmol/targets"
	"pacia/data/split"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model/methods"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

// tasks are the task numbers of a run.
type tasks struct {
	train, validation, test []int

	first   []int // of train: those whose labels are learnt before the first episode
	learned []int // of train: those of the episodes, followed by the tasks merged from them
}

// openSet opens the data set of c. If ctx ends, the error is ErrNotBegun.
func openSet(ctx context.Context, c runconfig.Config) (*data.Dataset, error) {
	ds, err := evaluate.OpenData(ctx, c)
	if err != nil && errors.Is(err, ctx.Err()) {
		return nil, ErrNotBegun
	}
	return ds, err
}

// openData opens the data set, if it is not open, splits its tasks
// and checks that each of them is large enough.
func (r *run) openData(ctx context.Context, info *StartInfo) (err error) {
	c := r.cfg
	if r.data == nil {
		if r.data, err = openSet(ctx, c); err != nil {
			return err
		}
		r.ownData = true
	}
	if all := r.data.Tasks; len(all) == 1 {
		return &badinput.Error{
			What: fmt.Sprintf("data set %s has one task, %s: training needs another one to be tested on", r.data.Name, all[0].Name),
			Fix:  "add another assay, as a column of the table or as a task file, or rank molecules for this one without training: pacia predict"}
	}
	if r.tasks.train == nil {
		if err := r.dealTasks(); err != nil {
			return err
		}
	}
	if err := r.tasks.fit(r.data, c, info); err != nil {
		return err
	}
	if c.Train.SupervisedShare < 1 && len(r.tasks.train) == 1 {
		only := r.data.Tasks[r.tasks.train[0]].Name
		return &badinput.Error{What: fmt.Sprintf("train.supervised_share: %g of one training task, %s", c.Train.SupervisedShare, only), Fix: "write 1"}
	}
	set := r.data
	r.tasks.first, r.tasks.learned = divided(r.tasks.train, c.Train.SupervisedShare)
	if c.Train.MergeTargets {
		if set, r.tasks.learned = mergeTargets(r.data, r.tasks.learned); set == r.data {
			info.Notes = append(info.Notes, fmt.Sprintf("train.merge_targets changes nothing: no two of the %d training tasks are known to measure one target.",
				len(r.tasks.learned)))
		}
	}
	perStep := c.Train.StepTasks(len(r.tasks.learned))
	if perStep < c.Train.TasksPerStep {
		info.Notes = append(info.Notes, fmt.Sprintf("train.tasks_per_step is reduced from %d to %d, the number of training tasks.",
			c.Train.TasksPerStep, perStep))
	}
	r.episodes = episodes{
		data: set, seed: c.Seed, tasks: r.tasks.learned, perStep: perStep, pass: c.Train.EpisodeUnit == runconfig.EpisodePass,
		twice: methods.Traits(c.Model.Method).Twice,
		rule:  data.Draw{Shots: c.Episode.Shots, Support: c.Episode.Support}, queries: c.Episode.Queries, shuffleLabels: c.Train.ShuffleLabels, swapClasses: c.Train.SwapClasses,
	}
	if c.Train.TaskShare == runconfig.RootShare {
		r.episodes.shares = rootShares(set, r.tasks.learned)
	}
	names := r.taskNames()
	info.Dataset, info.Molecules, info.Skipped = r.data.Name, r.data.Store.Len(), len(r.data.Skipped)
	info.Train, info.Validation, info.Test = names.Train, names.Validation, names.Test
	info.TasksPerStep, info.StepsPerEpisode, info.EpisodeTasks = perStep, r.episodes.steps(), perStep
	if r.episodes.pass {
		info.EpisodeTasks = len(r.tasks.learned)
	}
	return nil
}

func (r *run) dealTasks() error {
	split, err := split.Parse(r.cfg.Data.Split, r.data)
	if err != nil {
		return err
	}
	r.tasks, err = dealTasks(split, r.cfg, testable(r.data, r.cfg))
	return err
}

// divided returns the training tasks whose labels are learnt first, and those of the episodes: a share of the tasks and
// the others, or all of them for a share of 1. An encoder knows the molecules of tasks it has learnt too well: episodes of
// others show the rest of the model what the encoder knows of a new one.
func divided(train []int, share float64) (first, episodes []int) {
	if share == 1 {
		return train, train
	}
	n := min(max(1, int(math.Round(share*float64(len(train))))), len(train)-1)
	order := data.Rand(0, "tasks learnt first", 0).Perm(len(train))
	for i, place := range order {
		if i < n {
			first = append(first, train[place])
		} else {
			episodes = append(episodes, train[place])
		}
	}
	slices.Sort(first)
	slices.Sort(episodes)
	return first, episodes
}

// mergeTargets returns the data set with one more task for each target that several
// training tasks measure, and the numbers of all tasks to train on. Without such a target
// it returns ds itself.
func mergeTargets(ds *data.Dataset, train []int) (merged *data.Dataset, numbers []int) {
	names := each.Of(train, func(n int) string { return ds.Tasks[n].Name })
	var mergers []data.Merger
	for _, shared := range targets.SharedBy(names) {
		m := data.Merger{Name: "target " + shared.Target}
		for _, i := range shared.Tasks {
			m.Tasks = append(m.Tasks, train[i])
		}
		mergers = append(mergers, m)
	}
	if len(mergers) == 0 {
		return ds, train
	}
	merged, added := ds.Merge(mergers)
	return merged, slices.Concat(train, added)
}

func (r *run) taskNames() checkpoint.TaskNames {
	names := func(numbers []int) []string {
		return each.Of(numbers, func(n int) string { return r.data.Tasks[n].Name })
	}
	return checkpoint.TaskNames{Train: names(r.tasks.train), Validation: names(r.tasks.validation), Test: names(r.tasks.test)}
}

// dealTasks splits the tasks. Validation tasks are those of the data set, if it has
// any. Otherwise they are held out of the training tasks, preferably of those that
// are testable.
func dealTasks(parts data.Split, c runconfig.Config, testable func(task int) bool) (tasks, error) {
	t := tasks{train: parts.Train, test: parts.Test}
	if len(t.train) == 0 || len(t.test) == 0 {
		return tasks{}, &badinput.Error{What: fmt.Sprintf("data.split %s gives %d training and %d test tasks", badinput.Quote(c.Data.Split), len(t.train), len(t.test)),
			Fix: "write at least one of each, such as 0-8/9-11, or put task files into train/ and test/ of their folder"}
	}
	if c.Train.Selection != runconfig.SelectValidation {
		return t, nil
	}
	n := c.Train.ValidationTasks
	if t.validation = parts.Valid; len(t.validation) > 0 {
		if n > 0 {
			return tasks{}, &badinput.Error{What: fmt.Sprintf("train.validation_tasks: %d tasks would be held out beside the %d that data.path brings along", n, len(t.validation)),
				Fix: "write train.validation_tasks=0"}
		}
		return t, nil
	}
	n = cmp.Or(n, min(max(len(t.train)/5, 1), 20))
	if n >= len(t.train) {
		return tasks{}, &badinput.Error{What: fmt.Sprintf("%d of %d training tasks would be held out for validation", n, len(t.train)),
			Fix: "write train.selection=last, or fewer train.validation_tasks"}
	}
	t.train, t.validation = split.HoldOut(parts, n, c.Seed, testable)
	return t, nil
}

// testable returns a function that reports whether a task has queries of both classes left
// after a balanced support set is drawn. It returns nil for stratified support sets.
func testable(ds *data.Dataset, c runconfig.Config) func(task int) bool {
	if c.Episode.TestSize() > 0 {
		return nil
	}
	return func(task int) bool { return ds.Tasks[task].CheckTest(c.Episode.Shots) == nil }
}

// sureDraws is the number of draws with which otherSize tries a size.
const sureDraws = 16

// otherSize advises, by a setting, the size of support sets nearest to support that one of the tasks
// gives in every draw.
func otherSize(name string, support int, of []*data.Task) string {
	most := 0
	for _, t := range of {
		most = max(most, len(t.Rows))
	}
	for d := 1; d < max(support, most); d++ {
		for _, size := range []int{support - d, support + d} {
			gives := func(t *data.Task) bool {
				fails := func(seed uint32) bool { _, err := data.DrawStratified(t, 0, size, 0, seed); return err != nil }
				return !slices.ContainsFunc(each.Order[uint32](sureDraws), fails)
			}
			if slices.ContainsFunc(of, gives) {
				return fmt.Sprintf("write %s=%d, or choose other tasks", name, size)
			}
		}
	}
	return "choose other tasks"
}

// fit keeps the tasks from which episodes can be drawn. With balanced support sets,
// a task that is too small is an error. With stratified ones, tasks that are too
// small are left out, as in the FS-Mol benchmark.
func (t *tasks) fit(ds *data.Dataset, c runconfig.Config, info *StartInfo) error {
	training := data.Draw{Shots: c.Episode.Shots, Support: c.Episode.Support}
	test := data.Draw{Shots: c.Episode.Shots, Support: c.Episode.TestSize()}
	for _, part := range []struct {
		name, setting string
		list          *[]int
		support       int
		check         func(*data.Task) error
	}{
		{"training", "episode.support", &t.train, training.Support, training.CheckTraining},
		{"validation", "episode.test_support", &t.validation, test.Support, test.CheckTest},
		{"test", "episode.test_support", &t.test, test.Support, test.CheckTest},
	} {
		var kept []int
		var largest *data.Task
		for _, i := range *part.list {
			t := &ds.Tasks[i]
			switch err := part.check(t); {
			case err == nil:
				kept = append(kept, i)
			case !errors.Is(err, data.ErrTooSmall):
				return heldOut(err, part.name == "validation")
			}
			if largest == nil || len(t.Rows) > len(largest.Rows) {
				largest = t
			}
		}
		all := len(*part.list)
		if all > 0 && len(kept) == 0 {
			return &badinput.Error{
				What: fmt.Sprintf("none of the %d %s tasks gives a support set of %d molecules and queries, with both classes in each; the largest, %s, has %d inactive and %d active molecules",
					all, part.name, part.support, largest.Name, len(largest.Class(0)), len(largest.Class(1))),
				Fix: otherSize(part.setting, part.support, each.Of(*part.list, func(i int) *data.Task { return &ds.Tasks[i] }))}
		}
		if left := all - len(kept); left > 0 {
			info.Notes = append(info.Notes, fmt.Sprintf("%d of %d %s tasks are left out: they are too small for a support set of %d molecules and two queries.",
				left, all, part.name, part.support))
		}
		*part.list = kept
	}
	return nil
}

// heldOut adds to the error of a validation task that the task was held out, and another fix.
func heldOut(err error, validation bool) error {
	var f *badinput.Error
	if validation && errors.As(err, &f) {
		f.What, f.Fix = "held out for validation, "+f.What, f.Fix+", or write train.selection=last"
	}
	return err
}
