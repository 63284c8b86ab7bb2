package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"pacia/data/label"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
)

// example is one call of pacia data example.
type example struct {
	dir     string
	reading table.Options
	labels  label.Settings
	shots   int
	seed    uint64
	result  asJSON
}

func newExample() *cobra.Command {
	var e example
	c := &cobra.Command{
		Use:   "example ASSAY",
		Short: "Split a measured assay into a support set, a library and its outcome",
		Long: `Split a measured assay into a support set, a library and its outcome, to try what
pacia predict would have made of it.

ASSAY has molecules and labels, as the support file of pacia predict has. Into the folder --out go
support.csv, with --shots molecules of each class, drawn at random; library.csv, all
others without their labels, in random order; and outcome.csv, the same with them.`,
		Example: `  pacia data example fsmol-tables/test/CHEMBL1006005.csv --out assay
  pacia predict --support assay/support.csv --candidates assay/library.csv --outcome assay/outcome.csv --out ranked.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs one assay", Fix: "write " + c.CommandPath() + " ASSAY.csv --out FOLDER"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "out"); err != nil {
				return err
			}
			return e.run(args[0], c)
		},
	}
	f := c.Flags()
	f.StringVar(&e.dir, "out", "", "`FOLDER` to write into")
	addTableOptions(c, &e.reading)
	e.labels.SingleColumn = true
	addLabelOptions(c, &e.labels)
	e.result.add(c)
	f.IntVar(&e.shots, "shots", 10, "molecules of each class in the support set")
	f.Uint64Var(&e.seed, "seed", 0, "draws the support set, and the order")
	return c
}

func (e *example) run(assay string, c *cobra.Command) error {
	tasks, err := e.labels.Parse()
	if err != nil {
		return err
	}
	s, err := ranking.ReadSupport(c.Context(), assay, ranking.Options{Options: e.reading, Stdin: c.InOrStdin(), Standard: standard.Options{Drawn: true}}, tasks)
	if err != nil {
		return err
	}
	printLines(c.ErrOrStderr(), screen.Findings(s, e.labels.Columns != ""))
	counts := s.Counts()
	if fewest := min(counts[0], counts[1]); e.shots < 1 || e.shots >= fewest {
		return &badinput.Error{File: assay, What: fmt.Sprintf("--shots %d of each class would leave no library: there are %d inactive and %d active molecules", e.shots, counts[0], counts[1]),
			Fix: fmt.Sprintf("write a number from 1 to %d", fewest-1)}
	}
	support, library := e.draw(s)
	if err := e.write(s, support, library, assay); err != nil {
		return err
	}
	ui.Say(e.result.textOut(c), "%s: support.csv with %s, library.csv and outcome.csv with %s (%s active)\n", e.dir,
		ui.Count(len(support), "molecule"), ui.Count(len(library), "molecule"), ui.Grouped(counts[1]-e.shots))
	return e.result.write(c, exampleMade{e.dir, len(support), len(library), counts[1] - e.shots})
}

// write writes the files, unless others lie there.
func (e *example) write(s *ranking.Support, support, library []int, assay string) error {
	if err := os.MkdirAll(e.dir, 0o777); err != nil {
		return &badinput.Error{What: "cannot make the folder", Err: err, Fix: "write another --out"}
	}
	texts := map[string][]byte{
		"support.csv": assayText(s, support, true), "library.csv": assayText(s, library, false), "outcome.csv": assayText(s, library, true),
	}
	var outputs []output
	for name, text := range texts {
		outputs = append(outputs, output{"--out", filepath.Join(e.dir, name), equalTo(text)})
	}
	if err := checkOutputs(outputs, assay); err != nil {
		return err
	}
	for name, text := range texts {
		if err := atomicfile.WriteBytes(filepath.Join(e.dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// exampleMade is the result of pacia data example.
type exampleMade struct {
	Folder  string `json:"folder"`
	Support int    `json:"support"` // molecules
	Library int    `json:"library"`
	Actives int    `json:"actives"` // of the library
}

// draw returns the rows of the support set and of the library, both in random order.
func (e *example) draw(s *ranking.Support) (support, library []int) {
	var taken [2]int // by label
	for _, i := range rand.New(rand.NewPCG(e.seed, 0)).Perm(len(s.SMILES)) {
		if label := s.Labels[i]; taken[label] < e.shots {
			taken[label]++
			support = append(support, i)
		} else {
			library = append(library, i)
		}
	}
	// Actives come first, which is easier to read.
	slices.SortStableFunc(support, func(a, b int) int { return int(s.Labels[b]) - int(s.Labels[a]) })
	return support, library
}

func assayText(s *ranking.Support, rows []int, labeled bool) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	line := func(smiles, label string) {
		if labeled {
			_ = w.Write([]string{smiles, label}) // a buffer does not fail
		} else {
			_ = w.Write([]string{smiles})
		}
	}
	line("smiles", "active")
	for _, i := range rows {
		line(s.SMILES[i], strconv.Itoa(int(s.Labels[i])))
	}
	w.Flush()
	return text.Bytes()
}
