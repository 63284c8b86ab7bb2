package main

import (
	"io"

	"github.com/spf13/cobra"

	"pacia/data"
	"pacia/internal/ui"
)

func newInspect() *cobra.Command {
	var o data.Options
	var split string
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect FILE…",
		Short: "Show the tasks of data sets, and the molecules that cannot be read",
		Example: `  pacia data inspect embedded
  pacia data inspect assays.xlsx --label "IC50 (nM);Inhibition" --active-below "1 uM;" --active-above ";50"`,
		Args: files,
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := o.Labels.Parse(); err != nil {
				return err
			}
			for _, file := range args {
				i, err := inspect(c, file, split, o)
				if err != nil {
					return err
				}
				if err := i.write(c.OutOrStdout(), asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addDataOptions(c, &o)
	c.Flags().StringVar(&split, "split", "auto", "training and test tasks, as in data.split")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each file")
	return c
}

// An inspection is what there is to know about a data set.
type inspection struct {
	File         string         `json:"file"`
	Hash         string         `json:"sha256"`
	Molecules    int            `json:"molecules"`
	AtomsMean    float64        `json:"atoms_mean"`
	AtomsLargest int            `json:"atoms_largest"`
	Tasks        []taskCounts   `json:"tasks"`
	Skipped      []data.Skipped `json:"skipped"`
}

type taskCounts struct {
	Name     string `json:"name"`
	Part     string `json:"part"` // train, valid, test or empty
	Inactive int    `json:"inactive"`
	Active   int    `json:"active"`
}

func inspect(c *cobra.Command, file, split string, o data.Options) (inspection, error) {
	d, err := openData(c, file, "", o)
	if err != nil {
		return inspection{}, err
	}
	defer d.Close()
	s, err := data.Inspect(d, split)
	if err != nil {
		return inspection{}, err
	}
	i := inspection{
		File: file, Hash: d.Hash, Molecules: s.Molecules, AtomsMean: s.Atoms.Mean, AtomsLargest: s.Atoms.Max,
		Skipped: append([]data.Skipped{}, s.Skipped...), // [] in JSON, not null
	}
	for _, t := range s.Tasks {
		i.Tasks = append(i.Tasks, taskCounts{t.Name, t.Part, t.Inactive, t.Active})
	}
	return i, nil
}

func (i inspection) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, i)
	}
	w := ui.NewTable(out)
	w.Line("%s: %s molecules of %.1f atoms in the mean, %d at most\nsha256 %s\n",
		i.File, ui.Grouped(i.Molecules), i.AtomsMean, i.AtomsLargest, i.Hash)
	w.Line("number\ttask\tpart\tinactive\tactive")
	for k, t := range i.Tasks {
		w.Line("%d\t%s\t%s\t%s\t%s", k, t.Name, t.Part, ui.Grouped(t.Inactive), ui.Grouped(t.Active))
	}
	if len(i.Skipped) > 0 {
		w.Line("\nmolecules that cannot be read\nrow\tSMILES\treason")
		for _, s := range i.Skipped {
			w.Line("%d\t%s\t%s", s.Row, s.SMILES, s.Reason)
		}
	}
	return w.Flush()
}
