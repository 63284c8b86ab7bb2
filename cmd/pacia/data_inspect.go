package main

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/note"
	"pacia/data/source"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
)

func newInspect() *cobra.Command {
	var o source.Options
	var split, out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect FILE…",
		Short: "Show how files are read: assumptions, tasks, molecules that cannot be read",
		Long: `Show how files are read: every assumption with the rows that it concerns and the flag
that changes it, the tasks, and the molecules that cannot be read.

--out writes the table as it will be used: each row with its molecule, what the model of
predict sees of it, the row that it repeats, its labels, and why it is left out. A file
without labels is inspected as a library.`,
		Example: `  pacia data inspect embedded
  pacia data inspect assay.xlsx --active-below 1 --unit uM --out curated.csv
  pacia data inspect assays.xlsx --label "IC50 (nM);Inhibition" --active-below "1 uM;" --active-above ";50"`,
		Args: files,
		RunE: func(c *cobra.Command, args []string) error {
			defer leaveWhenAsked()()
			if _, err := o.Labels.Parse(); err != nil {
				return err
			}
			if out != "" && len(args) > 1 {
				return &badinput.Error{What: "--out is for one file", Fix: "inspect one at a time"}
			}
			if err := cmp.Or(checkPlain("--out", "the table", out), checkOutputs(curated(out), args...)); err != nil {
				return err
			}
			for _, file := range args {
				i, err := inspect(c, file, split, out, o)
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
	c.Flags().StringVar(&out, "out", "", "the table as it will be used, a CSV `FILE`")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each file")
	return c
}

// An inspection is the result of pacia data inspect for one file.
type inspection struct {
	File         string         `json:"file"`
	Hash         string         `json:"sha256"`
	Molecules    int            `json:"molecules"`
	AtomsMean    float64        `json:"atoms_mean"`
	AtomsLargest int            `json:"atoms_largest"`
	Tasks        []taskCounts   `json:"tasks"`
	Skipped      []data.Skipped `json:"skipped"`
	Assumptions  []note.Note    `json:"assumptions"`
}

func curated(out string) []output {
	if out == "" {
		return nil
	}
	return []output{{"--out", out, curatedTable}}
}

type taskCounts struct {
	Name     string `json:"name"`
	Part     string `json:"part"` // train, valid, test or empty
	Inactive int    `json:"inactive"`
	Active   int    `json:"active"`
}

func inspect(c *cobra.Command, file, split, out string, o source.Options) (inspection, error) {
	table, err := curate(c, file, out, o)
	if err != nil {
		return inspection{}, err
	}
	if table != nil && table.Tasks == nil {
		return ofLibrary(table), nil
	}
	d, err := openData(c, file, "", o)
	if err != nil {
		return inspection{}, err
	}
	defer d.Close()
	s, err := source.Inspect(d, split)
	if err != nil {
		return inspection{}, err
	}
	i := inspection{
		File: file, Hash: d.Hash, Molecules: s.Molecules, AtomsMean: s.Atoms.Mean, AtomsLargest: s.Atoms.Max,
		Skipped: append([]data.Skipped{}, s.Skipped...), // [] in JSON, not null
	}
	i.Assumptions = []note.Note{}
	if table != nil {
		i.Assumptions = append(i.Assumptions, table.Assumptions()...)
	} else {
		i.Assumptions = append(i.Assumptions, each.Of(d.Notes, func(line string) note.Note { return note.Note{Text: line} })...)
	}
	for _, t := range s.Tasks {
		i.Tasks = append(i.Tasks, taskCounts{t.Name, t.Part, t.Inactive, t.Active})
	}
	return i, nil
}

// curate reads a table, and with --out writes it as it will be used. It returns nil for a folder,
// and for a path that cannot be opened.
func curate(c *cobra.Command, file, out string, o source.Options) (*screen.Curation, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		if out != "" && err == nil {
			return nil, &badinput.Error{File: file, What: "--out is for one file", Fix: "name a file"}
		}
		return nil, nil // opening the data reports what is wrong
	}
	tasks, err := o.Labels.Parse()
	if err != nil {
		return nil, err
	}
	read := assay.Options{Options: o.Options, Labels: tasks}
	a, err := assay.Open(c.Context(), file, nil, read)
	if badinput.Is(err) && !tasks.Measured() && len(tasks.Columns) == 0 {
		none := (*assay.NoLabels)(nil)
		labelled, failed := assay.HasLabels(c.Context(), file, nil, o.Options)
		if errors.As(err, &none) || failed == nil && !labelled {
			read.Unlabeled, read.Named = true, true
			a, err = assay.Open(c.Context(), file, nil, read)
		}
	}
	if err != nil {
		return nil, err
	}
	table, err := screen.Curate(c.Context(), a, ranking.Options{Options: o.Options})
	if err != nil || out == "" {
		return table, err
	}
	return table, atomicfile.Write(out, func(f *os.File) error { return table.Write(f) })
}

// ofLibrary returns the inspection of a table without labels.
func ofLibrary(t *screen.Curation) inspection {
	i := inspection{File: t.File, Molecules: len(t.SMILES) - len(t.LeftOut), Tasks: []taskCounts{}, Skipped: []data.Skipped{}, Assumptions: append([]note.Note{}, t.Assumptions()...)}
	for _, k := range slices.Sorted(maps.Keys(t.LeftOut)) {
		i.Skipped = append(i.Skipped, data.Skipped{Row: t.Lines[k], SMILES: t.SMILES[k], Reason: t.LeftOut[k]})
	}
	return i
}

// changedBy returns the flags that change an assumption, with the command that has them where these, of inspect, lack
// them.
func changedBy(n note.Note, flags *pflag.FlagSet) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(n.Switch, "--"), " ")
	if n.Switch == "" || flags.Lookup(strings.TrimSuffix(first, ",")) != nil {
		return n.Switch
	}
	return "predict " + n.Switch
}

func (i inspection) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, i)
	}
	w := ui.NewTable(out)
	if len(i.Tasks) == 0 {
		w.Line("%s: a library of %s", i.File, ui.Count(i.Molecules, "molecule"))
	} else {
		w.Line("%s: %s molecules of %.1f atoms on average, %d at most\nsha256 %s\n",
			i.File, ui.Grouped(i.Molecules), i.AtomsMean, i.AtomsLargest, i.Hash)
		w.Line("number\ttask\tpart\tinactive\tactive")
	}
	for k, t := range i.Tasks {
		w.Line("%d\t%s\t%s\t%s\t%s", k, t.Name, t.Part, ui.Grouped(t.Inactive), ui.Grouped(t.Active))
	}
	if len(i.Assumptions) > 0 {
		w.Line("\nassumption\trows\tchanged by")
		flags := newInspect().Flags()
		for _, n := range i.Assumptions {
			rows := "all"
			if len(n.Rows) > 0 {
				rows = note.Rows(n.Rows)
			}
			w.Line("%s\t%s\t%s", n.Text, rows, changedBy(n, flags))
		}
	}
	if len(i.Skipped) > 0 {
		w.Line("\nmolecules that cannot be read\nrow\tSMILES\treason")
		for _, s := range i.Skipped {
			w.Line("%d\t%s\t%s", s.Row, s.SMILES, s.Reason)
		}
	}
	return w.Flush()
}
