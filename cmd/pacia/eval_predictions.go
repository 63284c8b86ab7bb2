package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/data/source"
	"pacia/data/source/fsmol"
	"pacia/data/table"
	"pacia/evaluate"
	"pacia/internal/each"
)

// predictions is the table of --predictions, with a row for each query molecule of each draw.
type predictions struct {
	file   string
	inputs []string // beside checkpoints and data set; may be empty
}

var predictionColumns = []string{"task", "draw", "seed", "support", "row", "name", "smiles", "label", "probability", "known"}

func (p *predictions) add(c *cobra.Command) {
	c.Flags().StringVar(&p.file, "predictions", "",
		"write each query molecule's probability and label, a CSV `FILE`, compressed if it ends in .gz")
}

// check refuses, before anything is measured, a file that cannot be written or is an input: a checkpoint, the data set or
// other results.
func (p *predictions) check(cfg config.Config, checkpoints []string) error {
	if p == nil || p.file == "" {
		return nil
	}
	path, err := cfg.Data.Location()
	if err != nil {
		return err
	}
	inputs := each.If(slices.Concat(p.inputs, checkpoints, []string{path}), func(path string) bool { return path != "" && path != data.Embedded })
	out := output{"--predictions", p.file, form{"a table of pacia eval --predictions", hasColumns(predictionColumns...)}}
	if err := checkOutputs([]output{out}, inputs...); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() && inside(p.file, path) {
		return out.over("a file of the data set in " + path)
	}
	return checkPlain(out.name, "the table", strings.TrimSuffix(p.file, ".gz"))
}

// inside reports whether a file is below a folder, also by other names of both.
func inside(file, folder string) bool {
	real := func(path string) string {
		if to, err := filepath.EvalSymlinks(path); err == nil {
			path = to
		}
		if to, err := filepath.Abs(path); err == nil {
			path = to
		}
		return path
	}
	at, err := filepath.Rel(real(folder), filepath.Join(real(filepath.Dir(file)), filepath.Base(file)))
	return err == nil && filepath.IsLocal(at)
}

// during calls measure with the function that writes the rows of a draw, nil without --predictions. The file is complete
// when measure has ended, and unchanged after an error.
func (p *predictions) during(ctx context.Context, t *tested, measure func(row func(evaluate.Tested) error) error) error {
	if p.file == "" {
		return measure(nil)
	}
	return fsmol.WriteRows(p.file, func(w *csv.Writer) error {
		if err := w.Write(slices.Concat(predictionColumns, t.past.columns())); err != nil {
			return err
		}
		origins, of, last := evaluate.NewOrigins(t.data, t.cfg.Data), map[int32]source.Origin(nil), -1
		return measure(func(r evaluate.Tested) (err error) {
			if r.Task != last {
				if of, err = origins.TaskOrigins(ctx, r.Task); err != nil {
					return err
				}
				last = r.Task
			}
			return t.writeRows(w, r, of)
		})
	})
}

// writeRows writes the queries of a draw in the order of their rows.
func (t *tested) writeRows(w *csv.Writer, r evaluate.Tested, of map[int32]source.Origin) error {
	order := each.Order[int](len(r.Rows))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.Rows[a], r.Rows[b]) })
	for _, i := range order {
		row := r.Rows[i]
		from := of[row]
		line := ""
		if from.Row > 0 {
			line = strconv.Itoa(from.Row)
		}
		cells := []string{
			t.data.Tasks[r.Task].Name, strconv.Itoa(r.Draw), strconv.FormatUint(r.Seed, 10), strconv.Itoa(r.Support),
			line, from.Name, from.Drawn,
			strconv.Itoa(int(r.Labels[i])), strconv.FormatFloat(float64(r.Scores[i]), 'g', -1, 32), t.knows(row),
		}
		if err := w.Write(table.PlainAll(append(cells, t.past.cells(row)...))); err != nil {
			return err
		}
	}
	return nil
}
