package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/run/loop"
	"pacia/run/runconfig"
	"pacia/run/rundir"
	"pacia/train"
)

func newTrain() *cobra.Command {
	var settings config.Options
	var dir string
	var resume bool
	var initial string
	var result asJSON
	c := &cobra.Command{
		Use:   "train",
		Short: "Train a model, and measure it on tasks it has not seen",
		Long: `Train a model, and measure it on tasks it has not seen.

The folder that --out names gets config.yaml (all settings), metrics.jsonl (one
line a step and an evaluation; the same as events for TensorBoard), last.ckpt,
best.ckpt and summary.json. Without --config and --preset it trains on the embedded
data set.

With --set train.replicas=10 ten runs with different seeds run side by side:
each has a folder of its own in that of --out, whose summary.json holds the means
and standard deviations.

pacia config --explain lists all settings. Later sources win: the defaults of
model.preset and model.method, --preset, --config, environment variables such as
PACIA_TRAIN_EPISODES, --set.`,
		Example: `  pacia train
  pacia train --preset tox21-10shot --set data.path=tox21.csv.gz --set device=cuda
  pacia train --out runs/embedded-0 --resume
  pacia train --set train.replicas=10 --out runs/ten
  pacia train --init runs/ten/seed-0/best.ckpt --set train.learning_rate=1e-4 --out runs/further`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("init") {
				settings.Set = append(settings.Set, "train.init="+initial)
			}
			return runTrain(c, settings, dir, resume, result)
		},
	}
	addSettings(c, &settings)
	c.Flags().StringVar(&dir, "out", "", "`FOLDER` of the run (default runs/NAME-SEED, or the next free runs/NAME-SEED-N)")
	c.Flags().StringVar(&initial, "init", "", "start from all weights of another run, a `FILE` such as best.ckpt: train.init")
	result.add(c)
	c.Flags().BoolVar(&resume, "resume", false, "continue the run in the folder of --out, or start there what --config or --preset describes")
	return c
}

// garbage is the share of Go's heap, in per cent, that a run may have as garbage. The molecules stay in this heap during
// the whole run. With Go's default of 100 it would swing between their size and twice that.
const garbage = 20

func runTrain(c *cobra.Command, o config.Options, dir string, resume bool, result asJSON) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	}
	if resume && o.File == "" && o.Preset == "" && dir != "" {
		var err error
		if o.Base, err = runconfig.ReadIn(dir); err != nil {
			return err
		}
	}
	cfg, err := config.Load(o)
	if err != nil {
		return err
	}
	if dir == "" {
		dir = defaultFolder(filepath.Join("runs", fmt.Sprintf("%s-%d", runName(o, cfg), cfg.Seed)), resume)
	}
	if err := checkDevice(cfg.Device); err != nil {
		return err
	}
	if resume {
		if err := resumable(c, o, dir); err != nil {
			return err
		}
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	ctx, loaded := showing(ctx, c)
	defer loaded()
	if cfg.Train.Replicas > 1 {
		rep := newReplicasDisplay(result.textOut(c), c.ErrOrStderr(), cfg, dir)
		s, err := train.RunReplicas(ctx, cfg, dir, resume, rep)
		if err := ended(rep.finish(s, err), "stopped; what was done is saved", dir); err != nil {
			return err
		}
		return result.write(c, trainedReplicas{dir, s})
	}
	rep := newTrainDisplay(result.textOut(c), c.ErrOrStderr(), cfg)
	s, err := train.Run(ctx, cfg, dir, resume, rep)
	rep.Close()
	at := fmt.Sprintf("stopped after episode %d of %d, which is saved", rep.pace.Episode, cfg.Train.Episodes)
	if rep.pace.Episode == 0 {
		at = "stopped before the first episode; what was done is saved"
	} else if rep.pace.Steps > 1 {
		at = fmt.Sprintf("stopped in episode %d of %d, after a step that is saved", rep.pace.Episode, cfg.Train.Episodes)
	}
	err = ended(err, at, dir)
	if err != nil {
		return err
	}
	return result.write(c, trainedRun{dir, s})
}

// ended returns the error of a run for users of the command line. The message of a stopped run
// begins with state, its progress.
func ended(err error, state, dir string) error {
	switch {
	case errors.Is(err, train.ErrNotBegun):
		return interrupted{"stopped while the data set was opened; nothing was begun"}
	case errors.Is(err, train.ErrStopped):
		return interrupted{fmt.Sprintf("%s; pacia train --resume --out %s continues", state, badinput.Path(dir))}
	case errors.Is(err, os.ErrPermission) && !badinput.Is(err):
		return &badinput.Error{Err: err, Fix: "choose another folder with --out"}
	}
	return err
}

// defaultFolder returns the folder of a run without --out: base, or the first of base-2,
// base-3, … that does not exist. A resumed run is in the last folder that exists.
func defaultFolder(base string, resume bool) string {
	last, next := base, base
	for i := 2; ; i++ {
		if _, err := os.Lstat(next); err != nil {
			break
		}
		last, next = next, fmt.Sprintf("%s-%d", base, i)
	}
	if resume {
		return last
	}
	return next
}

// resumable refuses --resume in a folder without a run, whose name may be mistyped. A command that names what to train on
// begins a run there, with a line: sweeps and scripts give one command for the first start and the later ones.
func resumable(c *cobra.Command, o config.Options, dir string) error {
	if loop.Held(dir, rundir.ConfigFile, rundir.LastFile, rundir.SummaryFile) != "" {
		return nil
	}
	ofData := func(set string) bool { return strings.HasPrefix(strings.TrimSpace(set), "data.") }
	if o.File == "" && o.Preset == "" && !slices.ContainsFunc(o.Set, ofData) {
		return &badinput.Error{File: dir, What: "no run to resume", Fix: "check --out, or leave out --resume"}
	}
	ui.Say(c.ErrOrStderr(), "no run in %s yet: begins a new one\n", badinput.Path(dir))
	return nil
}

// runName names a run after its settings file, its presets or its data set. A file named
// config.yaml does not count: the data set is a better name.
func runName(o config.Options, cfg config.Config) string {
	// Presets keep the names of their folders: rivals-tox21-10shot-adkf-pretrained.
	for _, file := range []string{o.File, strings.NewReplacer("/", "-", ",", "-").Replace(o.Preset), cfg.Data.Path} {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		if file != "" && name != "config" && name != "" {
			return name
		}
	}
	return "run"
}
