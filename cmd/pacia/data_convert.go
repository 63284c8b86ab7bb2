package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pacia/data/fsmol"
	"pacia/fault"
	"pacia/internal/ui"
)

func newConvert() *cobra.Command {
	o := fsmol.ConvertOptions{}
	var folds string
	c := &cobra.Command{
		Use:   "convert FROM TO",
		Short: "Make task files in the form of FS-Mol from CSVs, or CSVs from task files",
		Long: `Make task files in the form of FS-Mol from CSVs, or CSVs from task files.

From a CSV in the layout of MoleculeNet, or a folder of CSVs, comes a folder with
a file TASK.jsonl.gz for each task in train/, valid/ and test/. Which task is for
which is said by --split or, for CSVs in folders train, valid and test, by these.
A column "label" has the name of its file.

From a folder of task files comes one CSV where TO ends in .csv or .csv.gz, and
else a folder with a CSV for each task.`,
		Example: `  pacia data convert tox21.csv.gz tox21-tasks
  pacia data convert assays/ tasks --split kinase_a,kinase_b/kinase_c --valid 1
  pacia data convert fsmol fsmol-csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return &fault.Error{What: c.CommandPath() + " needs what to convert and where to", Fix: "write " + c.CommandPath() + " FROM TO"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			from, to := args[0], args[1]
			if holdsTasks(from) {
				done, err := fsmol.ToCSV(from, to, fsmol.Options{Folds: folds})
				return sayConverted(c.OutOrStdout(), to, done, err)
			}
			done, err := fsmol.FromCSV(from, to, o)
			return sayConverted(c.OutOrStdout(), to, done, err)
		},
	}
	f := c.Flags()
	f.StringVar(&o.SMILES, "smiles", "smiles", "`NAME` of the column with the molecules")
	f.StringVar(&o.Split, "split", "auto", "training and test tasks, as in data.split")
	f.IntVar(&o.Valid, "valid", 0, "how many training tasks are held out for validation")
	f.IntVar(&o.Threads, "threads", 0, "threads that parse; 0: all cores")
	f.StringVar(&folds, "folds", "", "list of the tasks to convert to CSV, a JSON `FILE` (default fsmol-0.1.json of FROM, or all)")
	return c
}

// holdsTasks tells whether a folder has task files.
func holdsTasks(dir string) bool {
	for _, part := range []string{"train", "valid", "test"} {
		entries, _ := os.ReadDir(filepath.Join(dir, part)) // none where it cannot be read
		for _, e := range entries {
			if fsmol.TaskName(e.Name()) != e.Name() {
				return true
			}
		}
	}
	return false
}

func sayConverted(out io.Writer, to string, done fsmol.Converted, err error) error {
	if err != nil {
		return err
	}
	ui.Say(out, "%s: %s, %s measurements\n", to, ui.Count(done.Tasks, "task"), ui.Grouped(done.Molecules))
	if n := len(done.Skipped); n > 0 {
		ui.Say(out, "left out, because they cannot be read: %s, see %s\n", ui.Count(n, "row"), filepath.Join(to, "left-out.csv"))
	}
	return nil
}
