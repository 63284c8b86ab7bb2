package train

import (
	"fmt"

	"pacia/data"
	"pacia/fault"
)

// fit leaves the tasks from which episodes can be drawn. Of support sets with as
// many molecules of each class every task must hold one. Of stratified ones the
// tasks that hold none are left out, as the FS-Mol benchmark leaves them out.
func (t *tasks) fit(ds *data.Dataset, c RunConfig, info *StartInfo) error {
	test := c.Episode.TestSize()
	for _, part := range []struct {
		name, setting string
		list          *[]int
		support       int
		balanced      func(*data.Task) error
	}{
		{"training", "episode.support", &t.train, c.Episode.Support, (*data.Task).CheckTraining},
		{"validation", "episode.test_support", &t.validation, test, checkTest(c.Episode.Shots)},
		{"test", "episode.test_support", &t.test, test, checkTest(c.Episode.Shots)},
	} {
		if part.support == 0 {
			for _, i := range *part.list {
				if err := part.balanced(&ds.Tasks[i]); err != nil {
					return err
				}
			}
			continue
		}
		kept, err := holding(ds, *part.list, part.support, part.name, part.setting)
		if err != nil {
			return err
		}
		if left := len(*part.list) - len(kept); left > 0 {
			info.Notes = append(info.Notes, fmt.Sprintf("%d of %d %s tasks are left out: they hold no support set of %d molecules beside two queries.",
				left, len(*part.list), part.name, part.support))
		}
		*part.list = kept
	}
	return nil
}

func checkTest(shots int) func(*data.Task) error {
	return func(t *data.Task) error { return t.CheckTest(shots) }
}

// holding returns those of the tasks that can hold a stratified support set of so
// many molecules: two molecules of each class, and two queries. Without any it
// is a fault, unless there are none.
func holding(ds *data.Dataset, list []int, support int, part, setting string) (kept []int, err error) {
	var largest *data.Task
	for _, i := range list {
		t := &ds.Tasks[i]
		if len(t.Class(0)) >= 2 && len(t.Class(1)) >= 2 && len(t.Rows) >= support+2 {
			kept = append(kept, i)
		}
		if largest == nil || len(t.Rows) > len(largest.Rows) {
			largest = t
		}
	}
	if len(list) > 0 && len(kept) == 0 {
		return nil, &fault.Error{
			What: fmt.Sprintf("no %s task of %d holds %d support molecules beside two queries, and two of each class; the largest, %s, has %d inactive and %d active molecules",
				part, len(list), support, largest.Name, len(largest.Class(0)), len(largest.Class(1))),
			Fix: "lower " + setting + ", or choose other tasks"}
	}
	return kept, nil
}
