package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"pacia/config"
	"pacia/data"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/train"
)

// A server measures one unit for each line of its input, and writes a line of JSON
// for it. So the runs of two programs can alternate.
//
//	step N        training step N of those in the episodes' file, counted from 0
//	evaluate N    test task N: adapt to its support set, rank its queries
type server struct {
	bench     *train.Workbench
	episodes  []data.Episode // of the test tasks
	steps     []*data.Batch
	stepCount uint64 // steps so far; dropout depends on it, so equal inputs give equal models
	out       *json.Encoder
}

// serve opens the data set and model of cfg, writes the episodes to path, and measures
// the units that in lists, until in ends. It ranks one of every so many queries of
// a test task.
func serve(ctx context.Context, cfg config.Config, path string, steps, every int, in io.Reader, out io.Writer) error {
	if err := checkDevice(cfg.Device); err != nil {
		return err
	}
	return ops.Pinned(cfg.Threads, func() (err error) {
		bench, err := train.OpenWorkbench(ctx, cfg)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, bench.Close()) }()
		s := &server{bench: bench, out: json.NewEncoder(out)}
		if err := s.draw(cfg, path, steps, every); err != nil {
			return err
		}
		if err := s.out.Encode(s.ready(cfg)); err != nil {
			return err
		}
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			if err := s.answer(ctx, lines.Text()); err != nil {
				return err
			}
		}
		return lines.Err()
	})
}

func (s *server) draw(cfg config.Config, path string, steps, every int) error {
	for i := range steps {
		b, err := s.bench.Draw(i+1, s.bench.TasksPerStep, cfg.Episode.Shots)
		if err != nil {
			return err
		}
		s.steps = append(s.steps, b)
	}
	var tests []*data.Batch
	for i := range s.bench.Test {
		ep, err := s.bench.DrawTest(i, every)
		if err != nil {
			return err
		}
		b, err := s.bench.Assemble(ep)
		if err != nil {
			return err
		}
		s.episodes, tests = append(s.episodes, ep), append(tests, b)
	}
	if err := writeEpisodes(path, s.steps, tests); err != nil {
		return &badinput.Error{What: "cannot write the episodes", Err: err, Fix: "write another --serve"}
	}
	return nil
}

// ready is the first line of a server's output.
type ready struct {
	Dataset    string   `json:"dataset"`
	Preset     string   `json:"preset"`
	Device     string   `json:"device"`
	Threads    int      `json:"threads"`
	Parameters int      `json:"parameters"`
	Shots      int      `json:"shots"`
	Steps      int      `json:"steps"`
	Tests      []string `json:"tests"`
}

func (s *server) ready(cfg config.Config) ready {
	r := ready{
		Dataset: s.bench.Dataset, Preset: cfg.Model.Preset, Device: cfg.Device, Threads: threads(cfg),
		Shots: cfg.Episode.Shots, Steps: len(s.steps), Tests: s.bench.Test,
	}
	for _, p := range s.bench.Parameters {
		r.Parameters += p.Count
	}
	return r
}

// A measurement is a line of a server's output. Times are in seconds.
type measurement struct {
	Seconds   float64  `json:"seconds"`
	Processor float64  `json:"processor_seconds"` // of all threads together
	Loss      *float64 `json:"loss,omitempty"`
	Queries   int      `json:"queries,omitempty"`
}

func (s *server) answer(ctx context.Context, line string) error {
	var m measurement
	var unit string
	var n int
	if _, err := fmt.Sscanf(line, "%s %d", &unit, &n); err != nil {
		unit = ""
	}
	begun, used := time.Now(), processorTime()
	switch {
	case unit == "step" && n >= 0 && n < len(s.steps):
		s.stepCount++
		loss, err := s.bench.Step(s.steps[n], s.stepCount)
		if err != nil {
			return err
		}
		m.Loss = &loss
	case unit == "evaluate" && n >= 0 && n < len(s.episodes):
		scores, err := s.bench.Rank(ctx, s.episodes[n])
		if err != nil {
			return err
		}
		m.Queries = len(scores)
	default:
		return badinput.Newf("%q is nothing to measure; write step 0 to %d or evaluate 0 to %d",
			strings.TrimSpace(line), len(s.steps)-1, len(s.episodes)-1)
	}
	m.Seconds, m.Processor = time.Since(begun).Seconds(), processorTime()-used
	return s.out.Encode(m)
}

// processorTime returns the processor time of this process so far, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // cannot happen with RUSAGE_SELF
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
