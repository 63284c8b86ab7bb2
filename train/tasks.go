package train

import (
	"fmt"

	"pacia/data"
	"pacia/fault"
)

// tasks are the task numbers of a run.
type tasks struct{ train, validation, test []int }

func openDataset(c RunConfig) (*data.Dataset, error) {
	return data.Open(c.Data.Path, data.Options{SMILES: c.Data.SMILES, Cache: c.Data.Cache, Threads: c.Threads})
}

// openData opens the data set, where it is not open, deals out its tasks
// and checks that each of them is large enough.
func (r *run) openData(info *StartInfo) (err error) {
	c := r.cfg
	if r.data == nil {
		if r.data, err = openDataset(c); err != nil {
			return err
		}
		r.ownData = true
	}
	split, err := data.ParseSplit(c.Data.Split, r.data)
	if err != nil {
		return err
	}
	if r.tasks, err = dealTasks(split, c); err != nil {
		return err
	}
	if err := r.tasks.check(r.data, c.Episode.Shots); err != nil {
		return err
	}
	perStep := min(c.Train.TasksPerStep, len(r.tasks.train))
	if perStep < c.Train.TasksPerStep {
		info.Notes = append(info.Notes, fmt.Sprintf("train.tasks_per_step is reduced from %d to %d, the number of training tasks.",
			c.Train.TasksPerStep, perStep))
	}
	r.episodes = episodes{
		data: r.data, seed: c.Seed, tasks: r.tasks.train, perStep: perStep,
		shots: c.Episode.Shots, queries: c.Episode.Queries, shuffleLabels: c.Train.ShuffleLabels,
	}
	names := r.taskNames()
	info.Dataset, info.Molecules, info.Skipped = r.data.Name, r.data.Store.Len(), len(r.data.Skipped)
	info.Train, info.Validation, info.Test = names.Train, names.Validation, names.Test
	info.TasksPerStep = perStep
	return nil
}

// dealTasks takes the validation tasks out of the training tasks.
func dealTasks(split data.Split, c RunConfig) (tasks, error) {
	t := tasks{train: split.Train, test: split.Test}
	if len(t.train) == 0 || len(t.test) == 0 {
		return tasks{}, &fault.Error{What: fmt.Sprintf("data.split %q gives %d training and %d test tasks", c.Data.Split, len(t.train), len(t.test)),
			Fix: "write at least one of each, such as 0-8/9-11"}
	}
	if c.Train.Selection != SelectValidation {
		return t, nil
	}
	n := c.Train.ValidationTasks
	if n == 0 {
		n = min(max(len(t.train)/5, 1), 20)
	}
	if n >= len(t.train) {
		return tasks{}, &fault.Error{What: fmt.Sprintf("%d of %d training tasks would be held out for validation", n, len(t.train)),
			Fix: "write train.selection=last, or fewer train.validation_tasks"}
	}
	t.train, t.validation = split.HoldOut(n, c.Seed)
	return t, nil
}

// check refuses tasks from which no episode can be drawn.
func (t tasks) check(ds *data.Dataset, shots int) error {
	for _, i := range t.train {
		if err := ds.Tasks[i].CheckTraining(); err != nil {
			return err
		}
	}
	for _, list := range [][]int{t.validation, t.test} {
		for _, i := range list {
			if err := ds.Tasks[i].CheckTest(shots); err != nil {
				return err
			}
		}
	}
	return nil
}
