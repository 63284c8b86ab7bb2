package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pacia/data/label"
	"pacia/data/source/fsmol"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

func newConvert() *cobra.Command {
	o := fsmol.ConvertOptions{}
	var folds string
	var labels label.Settings
	var result asJSON
	c := &cobra.Command{
		Use:   "convert FROM TO",
		Short: "Make task files in the form of FS-Mol from CSVs, or CSVs from task files",
		Long: `Make task files in the form of FS-Mol from CSVs, or CSVs from task files.

A CSV in the layout of MoleculeNet, or a folder of CSVs, becomes a folder with a
file TASK.jsonl.gz for each task in train/, valid/ and test/. --split selects which
task goes where; CSVs in folders train, valid and test stay in these. A task from
a column "label" is named after its file.

A folder of task files becomes one CSV if TO ends in .csv or .csv.gz, and
otherwise a folder with a CSV for each task.`,
		Example: `  pacia data convert tox21.csv.gz tox21-tasks
  pacia data convert assays/ tasks --split kinase_a,kinase_b/kinase_c --valid 1
  pacia data convert fsmol fsmol-csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs what to convert and where to", Fix: "write " + c.CommandPath() + " FROM TO"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			defer leaveWhenAsked()()
			from, to := args[0], args[1]
			var err error
			if o.Labels, err = labels.Parse(); err != nil {
				return err
			}
			if holdsTasks(from) {
				done, err := fsmol.ToCSV(from, to, folds)
				return printConverted(c, result, to, done, err)
			}
			done, err := fsmol.FromCSV(from, to, o)
			return printConverted(c, result, to, done, err)
		},
	}
	result.add(c)
	f := c.Flags()
	addTableOptions(c, &o.Options.Options)
	addTaskOptions(c, &labels)
	f.StringVar(&o.Split, "split", "auto", "training and test tasks, as in data.split")
	f.IntVar(&o.Valid, "valid", 0, "how many training tasks are held out for validation")
	f.IntVar(&o.Threads, "threads", 0, "threads that parse; 0: all cores")
	f.StringVar(&folds, "folds", "", "list of the tasks to convert to CSV, a JSON `FILE` (default fsmol-0.1.json of FROM, or all)")
	return c
}

func holdsTasks(dir string) bool {
	for _, part := range []string{"train", "valid", "test"} {
		entries, _ := os.ReadDir(filepath.Join(dir, part)) // no entries if it cannot be read
		for _, e := range entries {
			if fsmol.TaskName(e.Name()) != e.Name() {
				return true
			}
		}
	}
	return false
}

// converted is the result of pacia data convert.
type converted struct {
	Out          string `json:"out"`
	Tasks        int    `json:"tasks"`
	Measurements int    `json:"measurements"`
	LeftOut      int    `json:"left_out"` // rows that cannot be read
}

func printConverted(c *cobra.Command, result asJSON, to string, done fsmol.Converted, err error) error {
	if err != nil {
		return err
	}
	out := result.textOut(c)
	ui.Say(out, "%s: %s, %s measurements\n", to, ui.Count(done.Tasks, "task"), ui.Grouped(done.Molecules))
	if n := len(done.Skipped); n > 0 {
		ui.Say(out, "left out, because they cannot be read: %s, see %s\n", ui.Count(n, "row"), filepath.Join(to, "left-out.csv"))
	}
	return result.write(c, converted{to, done.Tasks, done.Molecules, len(done.Skipped)})
}
