package main

import (
	"github.com/spf13/cobra"

	"pacia/data/source/fsmol"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

func newTargets() *cobra.Command {
	o := fsmol.HoldOutOptions{}
	var result asJSON
	c := &cobra.Command{
		Use:   "targets FROM TO",
		Short: "Make a folder of FS-Mol's assays whose test tasks are whole targets",
		Long: `Make a folder of FS-Mol's assays whose test tasks are whole targets.

An assay of FS-Mol is mostly one paper's series. A chemist's task is larger: all
that is known of a target, from many papers. This command holds targets out of the
training assays, merges the assays of each into one test task, and leaves the
others to train on. No assay of a new target remains, and half of those of a known one.

FROM is FS-Mol as "pacia data fetch fsmol" leaves it.`,
		Example: `  pacia data targets fsmol targets
  pacia train --preset model --set data.path=targets --out held-out
  pacia data targets fsmol unmeasured --unmeasured 25`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs FS-Mol's folder and where to write", Fix: "write " + c.CommandPath() + " FROM TO"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			defer leaveWhenAsked()()
			done, err := fsmol.HoldOutTargets(c.Context(), args[0], args[1], o)
			if err != nil {
				return err
			}
			ui.Say(result.textOut(c), "%s: %s, and for testing %s and %s with %s molecules\n", args[1], ui.Count(done.Train, "training task"),
				ui.Count(done.New, "new target"), ui.Count(done.Known, "known target"), ui.Grouped(done.Molecules))
			return result.write(c, heldOut{args[1], done.Train, done.New, done.Known, done.Molecules})
		},
	}
	result.add(c)
	f := c.Flags()
	f.StringVar(&o.SMILES, "smiles", "smiles", "`NAME` of the column with the molecules")
	f.IntVar(&o.New, "new", 50, "targets without an assay in training")
	f.IntVar(&o.Known, "known", 50, "targets with half of their assays in training")
	f.IntVar(&o.Smallest, "smallest", 60, "molecules of each class that a test task has at least")
	f.IntVar(&o.Unmeasured, "unmeasured", 0, "test only molecules that no training assay has, in tasks with `N` of each class or more (default all molecules)")
	f.Uint64Var(&o.Seed, "seed", 0, "of the random choice")
	return c
}

// heldOut is the result of pacia data targets.
type heldOut struct {
	Folder    string `json:"folder"`
	Train     int    `json:"training_tasks"`
	New       int    `json:"new_targets"`
	Known     int    `json:"known_targets"`
	Molecules int    `json:"molecules"` // of the test tasks
}
