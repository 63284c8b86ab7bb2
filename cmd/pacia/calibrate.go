package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/evaluate"
	valued "pacia/evaluate/measured"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/metrics"
	"pacia/model"
	pictures "pacia/report/figure"
	"pacia/run/checkpoint"
	"pacia/screen/request"
)

func newCalibrate() *cobra.Command {
	var o config.Options
	var file, out, diagram, values string
	var sizes []int
	var half bool
	var result asJSON
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Make a model's scores probabilities, and write it for predictions",
		Long: `Make a model's scores probabilities, and write it for predictions: the slope and
the offset that fit the validation tasks of its training best become its settings,
and the file is one as pacia export writes it. How far the probabilities are from
the shares of actives is printed for validation and for test tasks, and for test
tasks with support sets of other sizes; --diagram draws it.

A model that remembers the labels of its training tasks can remember how measured
values rank in them instead: --values names FS-Mol's folder, or a table as pacia
eval --values reads it.

Probabilities assume that actives are as frequent in the library as in the support
set: pacia predict --prior sets another expected share.`,
		Example: `  pacia calibrate --checkpoint runs/fsmol-0/best.ckpt --half --values fsmol --out model.safetensors
  pacia calibrate --checkpoint runs/fsmol-0/best.ckpt --out model.safetensors --sizes 4,64 --diagram reliability.svg`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			if err := need(c, "checkpoint", "out"); err != nil {
				return err
			}
			if err := cmp.Or(calibratesTo(out, diagram, append(settingFiles(o), file, values)...), checkSizes(sizes)); err != nil {
				return err
			}
			ctx, loaded := showing(c.Context(), c)
			defer loaded()
			own, fitted, shares, memory, err := calibrate(ctx, file, o, sizes, values)
			if err != nil {
				return err
			}
			if diagram != "" {
				if err := drawReliability(diagram, shares); err != nil {
					return err
				}
			}
			options := checkpoint.ExportOptions{Half: half, Program: version.Program(), Memory: memory, Edit: func(m *checkpoint.Meta) {
				m.Config.Model.Own = own.Calibrated(fitted.Slope, fitted.Offset)
				// Keep the name of the data set, without the path of a folder on this machine.
				m.Dataset = shares[0].dataset
				m.Config.Data.Path, m.Config.Data.Cache = shares[0].path, ""
			}}
			e, err := checkpoint.Export(file, out, options)
			if err != nil {
				return err
			}
			if err := writeCalibration(result.textOut(c), fitted, shares, out, e); err != nil {
				return err
			}
			return result.write(c, calibrationResult(fitted, shares, out))
		},
	}
	addSet(c, &o)
	c.Flags().StringVar(&file, "checkpoint", "", "trained model, a `FILE` such as best.ckpt")
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, such as model.safetensors")
	result.add(c)
	c.Flags().BoolVar(&half, "half", false, "write matrices as float16")
	c.Flags().StringVar(&values, "values", "", "measured values of the training tasks, a `TABLE` such as values.tsv.gz or FS-Mol's folder")
	c.Flags().StringVar(&diagram, "diagram", "", "draw the share of actives over the probability to `FILE`, .svg, .pdf or .png")
	c.Flags().IntSliceVar(&sizes, "sizes", nil, "other `SIZES` of support sets to test, such as 4,64")
	return c
}

// calibratesTo checks that both files can be written without overwriting an input.
func calibratesTo(out, diagram string, inputs ...string) error {
	outputs := []output{{"--out", out, modelFile}}
	if diagram != "" {
		if !slices.Contains(pictures.Formats, filepath.Ext(diagram)) {
			return &badinput.Error{What: "--diagram " + badinput.Quote(diagram) + " has another ending than " + strings.Join(pictures.Formats, ", "),
				Fix: "write one of these"}
		}
		outputs = append(outputs, output{"--diagram", diagram, diagramFile})
	}
	return checkOutputs(outputs, inputs...)
}

func drawReliability(file string, found []reliability) error {
	var all []pictures.Reliable
	for _, r := range found {
		if r.tasks == 0 {
			continue
		}
		all = append(all, pictures.Reliable{Name: r.name, After: fmt.Sprintf(", error %.3f", r.ece), Bins: r.bins})
	}
	picture, err := pictures.Reliability(all)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(file, picture.In(filepath.Ext(file)))
}

// reliability is the calibration of probabilities on some tasks.
type reliability struct {
	name          string
	dataset, path string
	tasks, total  int     // those that are large enough, of all
	ece           float64 // NaN without tasks
	bins          []metrics.Bin
}

// calibrate fits slope and offset on the validation tasks. It measures the calibration on these and on
// the test tasks, on the latter also with support sets of these sizes. own are the settings of the method.
// memory holds the tensors that the model remembers from the table values; it is nil without a table.
func calibrate(ctx context.Context, file string, o config.Options, sizes []int, values string) (
	own model.WithCalibration, fitted metrics.Calibration, found []reliability, memory []checkpoint.Variable, err error,
) {
	err = withTests(ctx, []string{file}, o, nil, request.Past{}, func(t *tested) error {
		meta, cfg, d := t.metas[0], t.cfg, t.data
		var ok bool
		if own, ok = cfg.Model.Own.(model.WithCalibration); !ok {
			return badinput.Newf("model.method: %s has no slope and offset; pacia export writes its model", cfg.Model.Method)
		}
		valid := numbersOf(d, meta.Tasks.Validation)
		if len(valid) == 0 {
			return badinput.Newf("the training held out no validation tasks; train with train.selection=validation")
		}
		if values != "" {
			if memory, err = remember(ctx, t.members[0], values, meta.Tasks.Train); err != nil {
				return err
			}
		}
		type part struct {
			name    string
			tasks   []int
			support int
		}
		parts := []part{{"validation", valid, cfg.Episode.TestSupport}, {"test", t.tasks, cfg.Episode.TestSupport}}
		for _, n := range sizes {
			parts = append(parts, part{fmt.Sprintf("test, %d support molecules", n), t.tasks, n})
		}
		for _, part := range parts {
			c := cfg
			c.Episode.TestSupport = part.support
			all, err := evaluate.Grade(ctx, evaluate.Together(t.members), d, part.tasks, evaluate.OptionsOf(c, uint64(meta.Episode())))
			if err != nil {
				return err
			}
			if len(found) == 0 {
				if fitted, err = fit(all, own, cfg.Model); err != nil {
					return err
				}
			}
			r := reliability{name: part.name, dataset: d.Name, path: filepath.Base(cfg.Data.Path), total: len(part.tasks)}
			r.tasks = tasksOf(all)
			r.bins, r.ece = metrics.Reliability(all, fitted, 10)
			found = append(found, r)
		}
		return nil
	})
	return own, fitted, found, memory, err
}

// fit returns the slope and the offset that fit the scores of validation tasks best. A model file cannot hold every
// slope: one that it cannot hold is refused here, before anything is written.
func fit(all []metrics.Graded, own model.WithCalibration, cfg model.Config) (metrics.Calibration, error) {
	if len(all) == 0 {
		return metrics.Calibration{}, &badinput.Error{What: "calibration: no validation task has molecules left beside its support set",
			Fix: "set smaller support sets, with episode.shots or episode.test_support"}
	}
	fitted, err := metrics.Calibrate(all)
	if err != nil {
		return fitted, badinput.Newf("calibration: %v", err)
	}
	if fitted.Slope <= 0 {
		return fitted, &badinput.Error{
			What: fmt.Sprintf("calibration: the scores rank the validation tasks worse than chance: the best slope is %.4f", fitted.Slope),
			Fix:  "train on more tasks, or longer; pacia export writes the model as it is",
		}
	}
	cfg.Own = own.Calibrated(fitted.Slope, fitted.Offset)
	if err := cfg.Validate(); err != nil {
		return fitted, badinput.Newf("calibration: %v", err)
	}
	return fitted, nil
}

// tasksOf returns the number of tasks that evaluate.Grade could score: each has a total weight of 1.
func tasksOf(all []metrics.Graded) int {
	sum := 0.0
	for _, g := range all {
		sum += g.Weight
	}
	return int(math.Round(sum))
}

// remember makes a model remember the values of its training tasks, and returns the tensors of its memory.
func remember(ctx context.Context, m *model.Model, values string, tasks []string) ([]checkpoint.Variable, error) {
	d, err := valued.OpenTraining(ctx, values, tasks)
	if err != nil {
		return nil, err
	}
	if err := m.Remember(d, each.Order[int](len(tasks))); err != nil {
		return nil, err
	}
	return checkpoint.InMemory(each.If(checkpoint.VariablesOf(m), func(v checkpoint.Variable) bool {
		return strings.HasPrefix(v.Name, model.MemoryPrefix)
	}))
}

func numbersOf(d *data.Dataset, names []string) (numbers []int) {
	at := map[string]int{}
	for i := range d.Tasks {
		at[d.Tasks[i].Name] = i
	}
	for _, name := range names {
		if i, ok := at[name]; ok {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

func writeCalibration(w io.Writer, fitted metrics.Calibration, found []reliability, out string, e checkpoint.Exported) error {
	if _, err := fmt.Fprintf(w, "slope %.4f, offset %.4f\n", fitted.Slope, fitted.Offset); err != nil {
		return err
	}
	for _, r := range found {
		if r.tasks == 0 {
			if _, err := fmt.Fprintf(w, "\n%s: not measured, because no task is large enough\n", r.name); err != nil {
				return err
			}
			continue
		}
		count := ui.Count(r.total, "task")
		if r.tasks < r.total {
			count = fmt.Sprintf("%d of %s large enough", r.tasks, count)
		}
		if _, err := fmt.Fprintf(w, "\n%s, %s: expected calibration error %.4f\nprobability  active  share of molecules\n",
			r.name, count, r.ece); err != nil {
			return err
		}
		for _, b := range r.bins {
			if _, err := fmt.Fprintf(w, "%.3f        %.3f   %.3f\n", b.Probability, b.Active, b.Share); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "\n%s: %d tensors, %s numbers\n", out, e.Tensors, ui.Grouped(int(e.Parameters)))
	return err
}
