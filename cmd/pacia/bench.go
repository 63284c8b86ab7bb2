package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/scratch"
	"pacia/internal/ui"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
	"pacia/screen/request"
	"pacia/train"
)

// Numbers of steps that are not timed: they fill the caches of libtorch and Go. On a GPU
// each batch shape is launched, then captured, before it is replayed.
const (
	warmUp    = 3
	warmUpGPU = 128
)

func warmUpOn(device string) int {
	if device == runconfig.CPU {
		return warmUp
	}
	return warmUpGPU
}

func newBench() *cobra.Command {
	var o config.Options
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench",
		Short: "Time the start, a training step and an evaluation",
		Long: `Time the start, a training step and an evaluation of a run with these settings.
The start is timed with an empty graph store and again with a filled one; the
evaluation ranks all test tasks. Nothing is kept.

--scaling times steps of 1 to 16 tasks, and of 1 to 64 shots, instead. --serve
writes the episodes to a file so that another program can run the same ones, and
measures one unit for each line of the standard input: "step N" or "evaluate N".
make bench uses it.

--methods compares all methods with these settings: parameters, those that are adapted
to a task, and the time of a training step, of adapting to a task and of ranking 1,000
molecules; --methods=par,maml compares these two.`,
		Example: `  pacia bench --preset tox21-10shot --set data.path=tox21.csv.gz --json
  pacia bench --preset tox21-10shot --set data.path=tox21.csv.gz --scaling --steps 5
  pacia bench --methods --preset tox21-10shot --set data.path=tox21.csv.gz`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			others := []request.Rule{{Name: "every", Needs: []string{"serve"}}}
			if err := cmp.Or(checkRules(c, others), f.validate(), f.checkServe(o)); err != nil {
				return err
			}
			defer leaveWhenAsked()()
			if len(f.methods) > 0 {
				costs, err := measureMethods(c.Context(), o, f.methods, f.steps, c.ErrOrStderr())
				if err != nil {
					return err
				}
				return costs.write(c.OutOrStdout(), f.asJSON)
			}
			cfg, err := config.Load(o)
			if err != nil {
				return err
			}
			return f.run(c, cfg)
		},
	}
	addSettings(c, &o)
	c.Flags().IntVar(&f.steps, "steps", 20, "training steps to take the median of, or to serve; with --methods repeats of all that is measured")
	c.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object")
	c.Flags().BoolVar(&f.scaling, "scaling", false, "time steps of growing sizes")
	c.Flags().StringSliceVar(&f.methods, "methods", nil, "compare all methods, or those of a `LIST` after an equals sign")
	c.Flags().Lookup("methods").NoOptDefVal = everyMethod
	c.Flags().StringVar(&f.serve, "serve", "", "write the episodes to `FILE` (.npz), then measure the units that the standard input lists")
	c.Flags().IntVar(&f.every, "every", 1, "with --serve: rank one of every so many queries of a test task")
	return c
}

type benchFlags struct {
	steps, every    int
	asJSON, scaling bool
	serve           string
	methods         []string // names; empty: no comparison of methods
}

func (f benchFlags) validate() error {
	switch {
	case f.steps < 1:
		return badinput.Newf("--steps %d is out of range; write 1 or more", f.steps)
	case f.every < 1:
		return badinput.Newf("--every %d is out of range; write 1 or more", f.every)
	case len(f.methods) > 0 && (f.scaling || f.serve != ""):
		return badinput.Newf("--methods and --scaling or --serve are two runs; write one of them")
	case f.scaling && f.serve != "":
		return badinput.Newf("--scaling and --serve are two runs; write one of them")
	}
	return nil
}

// checkServe checks the file of --serve.
func (f benchFlags) checkServe(o config.Options) error {
	if f.serve == "" {
		return nil
	}
	return checkOutputs([]output{{"--serve", f.serve, episodeFile}}, settingFiles(o)...)
}

// timedSettings returns settings with which a run does nothing but what is timed.
func timedSettings(cfg config.Config) (config.Config, error) {
	if methods.TraitsOf(cfg.Model).Untrained {
		return cfg, &badinput.Error{What: fmt.Sprintf("model.method=%s has no training steps to time", cfg.Model.Method),
			Fix: "write --methods=" + cfg.Model.Method + " to time it"}
	}
	cfg.Train.SupervisedEpochs = 0 // they would train the encoder for minutes before the first step
	// Without validation tasks the evaluation is that of the test tasks alone.
	cfg.Train.Selection, cfg.Train.ValidationTasks = runconfig.SelectLast, 0
	return cfg, nil
}

func (f benchFlags) run(c *cobra.Command, cfg config.Config) error {
	cfg, err := timedSettings(cfg)
	if err != nil {
		return err
	}
	if f.serve != "" {
		return serve(c.Context(), cfg, f.serve, f.steps, f.every, c.InOrStdin(), c.OutOrStdout())
	}
	if f.scaling {
		s, err := measureScaling(c.Context(), cfg, f.steps)
		if err != nil {
			return err
		}
		return s.write(c.OutOrStdout(), f.asJSON)
	}
	b, err := measure(c.Context(), cfg, f.steps)
	if err != nil {
		return err
	}
	return b.write(c.OutOrStdout(), f.asJSON)
}

// A benchmark holds the measurements of pacia bench. Times are in seconds.
type benchmark struct {
	Step       float64 `json:"step_seconds_median"`
	Steps      int     `json:"steps"`
	Evaluation float64 `json:"evaluation_seconds"`
	Queries    int     `json:"evaluation_queries"`
	Cold       float64 `json:"start_cold_seconds"` // data set and model, nothing in the graph store
	Warm       float64 `json:"start_warm_seconds"` // with the data set in the graph store
	Tensors    int64   `json:"tensors_per_step"`   // gotch tensors, the largest number of any step
	PeakRSS    int64   `json:"peak_rss_bytes"`
	PeakDevice uint64  `json:"peak_device_bytes,omitempty"` // held by libtorch on a GPU
	Launches   int     `json:"launches_per_step,omitempty"` // nodes of a step's CUDA graph
	Threads    int     `json:"threads"`
	Device     string  `json:"device"`
}

// measure runs cfg for a number of steps and one evaluation.
func measure(ctx context.Context, cfg config.Config, steps int) (benchmark, error) {
	if err := checkDevice(cfg.Device); err != nil {
		return benchmark{}, err
	}
	temporary, err := scratch.Folder() // removed also if the program is interrupted or killed
	if err != nil {
		return benchmark{}, err
	}
	dir, err := os.MkdirTemp(temporary, "bench-*")
	if err != nil {
		return benchmark{}, err
	}
	defer os.RemoveAll(dir)
	cfg.Data.Cache = filepath.Join(dir, "cache")
	warm := warmUpOn(cfg.Device)
	cfg.Train.EpisodeUnit = runconfig.EpisodeStep
	cfg.Train.Episodes, cfg.Train.EvaluateEvery, cfg.Train.CheckpointEvery = warm+steps, 0, 0
	cfg.Train.Adaptivity = runconfig.AdaptivityNever // it would rank all molecules again, with other support sets
	cold, err := openingTime(ctx, cfg)
	if err != nil {
		return benchmark{}, err
	}
	w := stopwatch{warmUp: warm}
	if _, err := train.Run(ctx, cfg, filepath.Join(dir, "run"), false, &w); err != nil {
		return benchmark{}, err
	}
	b := w.result(cfg)
	b.Cold = cold + w.start.ModelSeconds
	if b.PeakRSS, err = peakRSS(); err != nil || cfg.Device == runconfig.CPU {
		return b, err
	}
	b.PeakDevice, err = ops.PeakMemory(cfg.Device)
	return b, err
}

// openingTime returns the seconds that opening the data set for the first time takes.
func openingTime(ctx context.Context, cfg config.Config) (float64, error) {
	begun := time.Now()
	d, err := evaluate.OpenData(ctx, cfg)
	if err != nil {
		return 0, err
	}
	return time.Since(begun).Seconds(), d.Close()
}

func peakRSS() (int64, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Maxrss * 1024, err // Linux counts in KiB
}

// A stopwatch is a train.Reporter that records times.
type stopwatch struct {
	warmUp   int
	start    train.StartInfo
	steps    []float64 // after the warm-up
	tensors  int64
	launches int
	eval     rundir.Evaluation
}

func (w *stopwatch) Start(s train.StartInfo) { w.start = s }

func (w *stopwatch) Step(s rundir.Step) {
	if s.Episode > w.warmUp {
		w.steps = append(w.steps, s.Seconds)
		w.tensors, w.launches = max(w.tensors, s.Tensors), max(w.launches, s.Launches)
	}
}

func (w *stopwatch) Evaluation(e rundir.Evaluation) { w.eval = e }

func (w *stopwatch) Done(rundir.Summary) {}

func (w *stopwatch) result(cfg config.Config) benchmark {
	return benchmark{
		Step: median(w.steps), Steps: len(w.steps), Evaluation: w.eval.Seconds, Queries: w.eval.Queries,
		Warm: w.start.DataSeconds + w.start.ModelSeconds, Tensors: w.tensors, Threads: threads(cfg), Device: cfg.Device,
		Launches: w.launches,
	}
}

func threads(cfg config.Config) int {
	if cfg.Threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return cfg.Threads
}

// median returns the median of v, which must not be empty.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

func (b benchmark) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, b)
	}
	w := ui.NewTable(out)
	w.Line("step\t%.4f s, the median of %d, on %s with %s", b.Step, b.Steps, b.Device, ui.Count(b.Threads, "thread"))
	w.Line("tensors\t%d a step", b.Tensors)
	w.Line("evaluation\t%.2f s for %s molecules", b.Evaluation, ui.Grouped(b.Queries))
	w.Line("start\t%.3f s the first time, %.3f s from the graph store", b.Cold, b.Warm)
	w.Line("memory\t%s at most", ui.Bytes(b.PeakRSS))
	if b.Launches > 0 {
		w.Line("launches\t%d a step, as one CUDA graph", b.Launches)
	}
	if b.PeakDevice > 0 {
		w.Line("on the GPU\t%s at most", ui.Bytes(int64(b.PeakDevice)))
	}
	return w.Flush()
}
