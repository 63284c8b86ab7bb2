package main

import (
	"context"
	"errors"
	"io"
	"time"

	"pacia/config"
	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/ops"
	"pacia/train"
)

// Sizes that a scaling run measures. Shots grow at one task a step: with 64 shots a query's
// graph has 8,256 pairs.
var (
	scalingTasks = []int{1, 2, 4, 8, 16}
	scalingShots = []int{1, 2, 4, 8, 16, 32, 64}
)

// A scaled is the time of a step of one size. Pairs counts i < j of the nodes of all queries'
// graphs, in one relation layer.
type scaled struct {
	Tasks     int     `json:"tasks"`
	Shots     int     `json:"shots"`
	Molecules int     `json:"molecules"`
	Atoms     int     `json:"atoms"`
	Pairs     int     `json:"pairs"`
	Step      float64 `json:"step_seconds_median"`

	batch *data.Batch
	times []float64
}

// A scaling holds the times of steps of growing sizes.
type scaling struct {
	Steps   int      `json:"steps"`
	Threads int      `json:"threads"`
	Device  string   `json:"device"`
	ByTasks []scaled `json:"by_tasks"`
	ByShots []scaled `json:"by_shots"`
}

// measureScaling takes the given number of steps of every size. The sizes take turns, so
// that other work on the machine slows all of them equally.
func measureScaling(ctx context.Context, cfg config.Config, steps int) (s scaling, err error) {
	if err := checkDevice(cfg.Device); err != nil {
		return scaling{}, err
	}
	s = scaling{Steps: steps, Threads: threads(cfg), Device: cfg.Device}
	err = ops.Pinned(cfg.Threads, func() (err error) {
		bench, err := train.OpenWorkbench(ctx, cfg)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, bench.Close()) }()
		if err := s.draw(bench, cfg.Episode.Shots); err != nil {
			return err
		}
		return s.run(ctx, bench)
	})
	return s, err
}

// draw draws the batches, up to the number of shots that the tasks have molecules for.
func (s *scaling) draw(bench *train.Workbench, shots int) error {
	for _, n := range scalingTasks {
		size, err := drawScaled(bench, n, shots)
		if err != nil {
			return err
		}
		s.ByTasks = append(s.ByTasks, size)
	}
	for _, k := range scalingShots {
		size, err := drawScaled(bench, 1, k)
		if badinput.Is(err) && len(s.ByShots) > 0 {
			break // this many shots leave no query
		}
		if err != nil {
			return err
		}
		s.ByShots = append(s.ByShots, size)
	}
	return nil
}

func drawScaled(bench *train.Workbench, tasks, shots int) (scaled, error) {
	b, err := bench.Draw(1, tasks, shots)
	if err != nil {
		return scaled{}, err
	}
	nodes := b.Support + 1
	return scaled{
		Tasks: tasks, Shots: shots, Molecules: len(b.MolPtr) - 1, Atoms: len(b.Atoms) / 2,
		Pairs: len(b.QueryMol) * nodes * (nodes - 1) / 2, batch: b,
	}, nil
}

func (s *scaling) run(ctx context.Context, bench *train.Workbench) error {
	var sizes []*scaled
	for _, list := range [][]scaled{s.ByTasks, s.ByShots} {
		for i := range list {
			sizes = append(sizes, &list[i])
		}
	}
	for round := range 1 + s.Steps {
		for _, size := range sizes {
			if err := ctx.Err(); err != nil {
				return err
			}
			begun := time.Now()
			if _, err := bench.Step(size.batch, uint64(round)); err != nil {
				return err
			}
			if round > 0 { // the first fills libtorch's caches
				size.times = append(size.times, time.Since(begun).Seconds())
			}
		}
	}
	for _, size := range sizes {
		size.Step = median(size.times)
	}
	return nil
}

func (s scaling) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, s)
	}
	w := ui.NewTable(out)
	w.Line("a step\tmedian of %d\tmolecules\tatoms\tpairs\ttime a task\ttime a pair", s.Steps)
	for _, list := range [][]scaled{s.ByTasks, s.ByShots} {
		for _, size := range list {
			w.Line("%s, %s\t%.3f s\t%s\t%s\t%s\t%.3f s\t%.1f µs", ui.Count(size.Tasks, "task"), ui.Count(size.Shots, "shot"), size.Step,
				ui.Grouped(size.Molecules), ui.Grouped(size.Atoms), ui.Grouped(size.Pairs), size.Step/float64(size.Tasks), 1e6*size.Step/float64(size.Pairs))
		}
	}
	w.Line("on %s with %s", s.Device, ui.Count(s.Threads, "thread"))
	return w.Flush()
}
