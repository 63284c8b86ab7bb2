package single

import (
	"pacia/model"
	"pacia/model/multitask"
)

// Spec is the line of single-task learning in the table of methods.
var Spec = model.Spec{
	Name: "single", Title: "GNN-ST",
	Source:   "the GNN-ST of FS-Mol's benchmark (Stanley et al. 2021)",
	Traits:   model.Traits{Tunes: true, NeedsSteps: true, ReadsHost: true, Untrained: true, CachesStates: true, LazyRows: true, ParamGroups: true, ChecksBatches: true},
	Settings: multitask.ForPreset,
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return multitask.Spec.New(b, c, nil)
	},
}
