package rundir

import (
	"pacia/data/source/fsmol/targets"
	"pacia/internal/each"
	"pacia/metrics"
)

// CategorySummary holds the means over the test tasks of one group.
type CategorySummary struct {
	Category      string         `json:"category"` // as Group names it
	Tasks         int            `json:"tasks"`
	Mean          metrics.Values `json:"auc" further:"*"`
	StandardError metrics.Values `json:"-" further:"*_standard_error"` // over the tasks; 0 of one task

	Adaptivity *metrics.Adaptivity `json:"adaptivity,omitempty"` // nil if not measured
}

// MarshalJSON encodes each metric as a member.
func (c CategorySummary) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(c) }

// UnmarshalJSON decodes the members.
func (c *CategorySummary) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, c) }

// Names of the groups of tasks by their molecules.
const (
	NewMolecules   = "new molecules"   // below 10 % of the queries have labels in the training tasks
	SomeKnown      = "some known"      // 10 to 90 %
	KnownMolecules = "known molecules" // 90 % or more
)

// CategoryNote describes the groups of tasks.
const CategoryNote = "Categories are those of Table 2 (tab:fsmol), by the first number of the target's EC: its kinases are all transferases (EC 2), " +
	"and 100 of 125 are of the protein family of kinases. Tasks of new molecules have below 10 % of their queries in the training tasks, those of known molecules 90 % or more."

// Group groups FS-Mol's tasks by category of targets. If it was measured how many queries
// are molecules of the training tasks, and tasks differ in it, they are also grouped by
// this share.
func Group(tasks []string, adaptivity []*metrics.Adaptivity) []targets.Category {
	all := targets.Group(tasks)
	known := []targets.Category{{Name: NewMolecules}, {Name: SomeKnown}, {Name: KnownMolecules}}
	for i, a := range adaptivity {
		if a == nil || a.Queries == 0 || a.Elsewhere {
			return all
		}
		at := metrics.KnownGroup(float64(a.Known) / float64(a.Queries))
		known[at].Tasks = append(known[at].Tasks, i)
	}
	for _, c := range known {
		if n := len(c.Tasks); n > 0 && n < len(tasks) {
			all = append(all, c)
		}
	}
	return all
}

// ByCategory returns the means over the tasks of each group of Group, or nil without groups.
func ByCategory(tasks []metrics.Figures) (all []CategorySummary) {
	names, adaptivity := make([]string, len(tasks)), make([]*metrics.Adaptivity, len(tasks))
	for i, t := range tasks {
		names[i], adaptivity[i] = t.Task, t.Adaptivity
	}
	for _, c := range Group(names, adaptivity) {
		of := each.At(tasks, c.Tasks)
		all = append(all, CategorySummary{
			Category: c.Name, Tasks: len(of), Mean: metrics.Mean(of), StandardError: metrics.StandardError(of),
			Adaptivity: metrics.MeanAdaptivityOf(of),
		})
	}
	return all
}
