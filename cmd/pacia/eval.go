package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/model"
	"pacia/train"
)

func newEval() *cobra.Command {
	var o config.Options
	var checkpoint string
	var seed uint64
	var asJSON bool
	var steps []int
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure a trained model on the test tasks of its data set",
		Long: `Measure a trained model on the test tasks of its data set: for each task it
adapts to a support set and ranks all other molecules. With the seed of the
training, which is the default, the figures are those of the evaluation that
the training made of this very model.

A model that is fine-tuned (model.method finetune or multitask) can be measured
with several numbers of gradient steps: --finetune-steps 1,2,3,4,5.`,
		Example: `  pacia eval --checkpoint runs/embedded-0/best.ckpt
  pacia eval --checkpoint best.ckpt --seed 1 --set data.path=tox21.csv.gz --json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := need(c, "checkpoint"); err != nil {
				return err
			}
			if c.Flags().Changed("seed") {
				o.Set = append(o.Set, fmt.Sprintf("seed=%d", seed))
			}
			e, err := evaluateCheckpoint(c.Context(), checkpoint, o, steps)
			if err != nil {
				return err
			}
			return e.write(c.OutOrStdout(), asJSON)
		},
	}
	addSet(c, &o)
	c.Flags().StringVar(&checkpoint, "checkpoint", "", "trained model, a `FILE` such as best.ckpt")
	c.Flags().Uint64Var(&seed, "seed", 0, "draws the support sets (default that of the training)")
	c.Flags().IntSliceVar(&steps, "finetune-steps", nil, "measure it after so `MANY` gradient steps, too, such as 1,2,3,4,5")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// An evaluation is what a trained model reaches on the test tasks.
type evaluation struct {
	Checkpoint string          `json:"checkpoint"`
	Dataset    string          `json:"dataset"`
	Episode    int             `json:"episode"` // of the model
	Seed       uint64          `json:"seed"`
	Shots      int             `json:"shots"`
	AUC        float64         `json:"auc_test"` // mean of Test
	Test       []train.TaskAUC `json:"test"`
	Queries    int             `json:"queries"` // molecules ranked
	Seconds    float64         `json:"seconds"`
	SameData   bool            `json:"same_data"` // the file is the one that the model was trained on

	AdaptSeconds float64       `json:"adapt_seconds"`      // to adapt to a task, the median
	FineTuned    []afterTuning `json:"finetune,omitempty"` // --finetune-steps
}

func evaluateCheckpoint(ctx context.Context, file string, o config.Options, steps []int) (evaluation, error) {
	var e evaluation
	err := withModel(file, o, func(m *model.Model, meta train.Meta, cfg config.Config) error {
		d, err := data.Open(cfg.Data.Path, data.Options{SMILES: cfg.Data.SMILES, Cache: cfg.Data.Cache, Threads: cfg.Threads})
		if err != nil {
			return err
		}
		defer d.Close()
		split, err := data.ParseSplit(cfg.Data.Split, d)
		if err != nil {
			return err
		}
		tunings, err := tuningsOf(cfg, steps)
		if err != nil {
			return err
		}
		begun, times := time.Now(), adaptTimes{}
		options := train.EvalOptions{
			Seed: cfg.Seed, Number: uint64(meta.Episode()), Shots: cfg.Episode.Shots, ShuffleLabels: cfg.Train.ShuffleLabels,
		}
		options.Adapted = times.add
		test, n, err := train.Evaluate(ctx, m, d, split.Test, options)
		if err != nil {
			return err
		}
		e = evaluation{
			Checkpoint: file, Dataset: d.Name, Episode: meta.Episode(), Seed: cfg.Seed, Shots: cfg.Episode.Shots,
			Test: test, Queries: n, Seconds: time.Since(begun).Seconds(),
			SameData: d.Hash == meta.DataHash, AdaptSeconds: times.median(),
		}
		for _, t := range test {
			e.AUC += t.AUC / float64(len(test))
		}
		e.FineTuned, err = afterTunings(ctx, m, d, split.Test, options, tunings)
		return err
	})
	return e, err
}

func (e evaluation) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(out, e)
	}
	w := newTable(out)
	w.line("%s after episode %d, on %s with %d molecules of each class as support, seed %d\n",
		e.Checkpoint, e.Episode, e.Dataset, e.Shots, e.Seed)
	if !e.SameData {
		w.line("note: the model was trained on another file\n")
	}
	w.line("task\tROC-AUC")
	for _, t := range e.Test {
		w.line("%s\t%.4f", t.Task, t.AUC)
	}
	w.line("mean\t%.4f", e.AUC)
	w.line("\n%s molecules ranked in %s; adapting to a task took %.3f s, the median", group3(e.Queries), seconds(e.Seconds), e.AdaptSeconds)
	if len(e.FineTuned) > 0 {
		w.line("\ngradient steps\tROC-AUC\ts to adapt")
	}
	for _, t := range e.FineTuned {
		w.line("%d\t%.4f\t%.3f", t.Steps, t.AUC, t.AdaptSeconds)
	}
	return w.flush()
}
