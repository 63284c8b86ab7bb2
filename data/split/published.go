package split

import (
	"slices"

	"pacia/data"
	"pacia/internal/badinput"
)

// published is a split of tasks for which results are published. Tasks are numbered from 0 in
// the order of the columns, and ranges include both ends.
type published struct {
	name        string
	tasks       int
	first, last string // names of the first and the last task
	train, test string
	tooSmall    string // tasks that are too small, left out of both
}

var publishedSplits = []published{
	{name: "tox21", tasks: 12, first: "NR-AR", last: "SR-p53", train: "0-8", test: "9-11"},
	{
		name: "sider", tasks: 27, train: "0-20", test: "21-26",
		first: "Hepatobiliary disorders", last: "Injury, poisoning and procedural complications",
	},
	{name: "muv", tasks: 17, first: "MUV-466", last: "MUV-859", train: "0-11", test: "12-16"},
	{
		name: "toxcast", tasks: 617, train: "0-449", test: "450-616",
		first: "ACEA_T47D_80hr_Negative", last: "Tanguay_ZF_120hpf_YSE_up",
		tooSmall: "343,348,349,352,354-358,360-362,364,367-374,376-385,387-404,406,408-424,426," +
			"428-440,442-447,449-453,474,475,477,480-483",
	},
}

func publishedSplit(name string) *published {
	for i := range publishedSplits {
		if publishedSplits[i].name == name {
			return &publishedSplits[i]
		}
	}
	return nil
}

// fits reports whether d has the columns of p.
func (p *published) fits(d *data.Dataset) bool { return p.named(d.TaskNames()) }

func (p *published) named(tasks []string) bool {
	return len(tasks) == p.tasks && tasks[0] == p.first && tasks[p.tasks-1] == p.last
}

// IsPublished reports whether a file, by its hash or the names of its tasks, is a data set
// for which results are published. Such a data set is read as it was for these results.
func IsPublished(hash string, tasks []string) bool {
	return isEmbedded(&data.Dataset{Hash: hash}) || slices.ContainsFunc(publishedSplits, func(p published) bool { return p.named(tasks) })
}

// split returns the tasks of p in d. The number of tasks must agree; names may
// be the user's own.
func (p *published) split(d *data.Dataset) (data.Split, error) {
	if len(d.Tasks) != p.tasks {
		f := badinput.Newf("split %q has %d tasks, data set %s has %d", p.name, p.tasks, d.Name, len(d.Tasks))
		f.Fix = explicit
		return data.Split{}, f
	}
	return data.Split{Train: p.part(p.train), Test: p.part(p.test)}, nil
}

// part returns the tasks of a list of ranges that are not left out.
func (p *published) part(list string) []int {
	left := numbers(p.tooSmall)
	return slices.DeleteFunc(numbers(list), func(t int) bool { return slices.Contains(left, t) })
}
