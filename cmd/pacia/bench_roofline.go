package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"pacia/bench/roofline"
	"pacia/config"
	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/model"
	adaptive "pacia/model/pacia"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/train"
)

// A roof is what a training step costs on a GPU at the least, by the model of package
// roofline.
type roof struct {
	GPU      string         `json:"gpu"`
	Sizes    roofline.Sizes `json:"sizes"`
	Lines    []roofLine     `json:"lines"`
	Launches int            `json:"launches"`
	GFLOP    float64        `json:"gflop"`
	Products float64        `json:"gflop_of_products"`
	GB       float64        `json:"gigabytes"`
	Float    float64        `json:"step_seconds_float32"`
	TF32     float64        `json:"step_seconds_tf32"`
}

type roofLine struct {
	Part     string  `json:"part"`
	Name     string  `json:"name"`
	Launches int     `json:"launches"`
	GFLOP    float64 `json:"gflop"`
	GB       float64 `json:"gigabytes"`
	Float    float64 `json:"seconds_float32"`
	TF32     float64 `json:"seconds_tf32"`
}

// gpuNamed returns the GPU that --gpu names.
func gpuNamed(name string) (roofline.GPU, error) {
	var known []string
	for _, g := range roofline.GPUs {
		if g.Name == name {
			return g, nil
		}
		known = append(known, g.Name)
	}
	return roofline.GPU{}, badinput.Newf("--gpu %s is not known; write one of %s", badinput.Quote(name), badinput.List(known))
}

// measureRoof models the first step of a run. Nothing is computed but its batch.
func measureRoof(ctx context.Context, cfg config.Config, gpu string) (r roof, err error) {
	g, err := gpuNamed(gpu)
	if err != nil {
		return roof{}, err
	}
	s, err := modelSizes(cfg.Model)
	if err != nil {
		return roof{}, err
	}
	cfg.Device = runconfig.CPU
	err = ops.Pinned(cfg.Threads, func() (err error) {
		bench, err := train.OpenWorkbench(ctx, cfg)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, bench.Close()) }()
		b, err := bench.Draw(1, cfg.Train.TasksPerStep, cfg.Episode.Shots)
		if err != nil {
			return err
		}
		for _, part := range bench.Parameters {
			s.Parameters += part.Count
		}
		r = roofOf(g, withBatch(s, b))
		return nil
	})
	return r, err
}

// withBatch adds the sizes of a batch.
func withBatch(s roofline.Sizes, b *data.Batch) roofline.Sizes {
	s.Atoms, s.Bonds = len(b.RowPtr)-1, len(b.Col)
	s.Tasks, s.Support, s.Queries = b.Tasks, b.Support, len(b.QueryMol)
	return s
}

// modelSizes takes those of a model that the cost is modelled of.
func modelSizes(c model.Config) (s roofline.Sizes, err error) {
	own, ok := c.Own.(adaptive.Settings)
	h := own.Hyper
	switch {
	case !ok || c.Encoder != "gin" || c.Readout != "mean" || c.Jump != "last" || own.Head != "graph":
		return s, badinput.Newf("--roofline is for model.method=pacia with model.encoder=gin, model.readout=mean, model.jump=last and model.head=graph")
	case own.Adapt.Encoder != "none" && own.Adapt.Encoder != "N" || own.Adapt.Predictor != "none" && own.Adapt.Predictor != "D" ||
		!h.Labels || h.Prototypes != "concat" || h.Layers != 3:
		return s, badinput.Newf("--roofline is for model.adapt.encoder of N or none, model.adapt.predictor of D or none, and hypernetworks of three layers with labels and both prototypes")
	}
	d, w := c.Width, own.Relation.Width
	s = roofline.Sizes{Layers: c.Layers, Width: d, RelationLayers: own.Relation.Layers, NodeWidth: w,
		Hidden: cmp.Or(own.Relation.Hidden, 2*w), SingleNode: own.Relation.Node == "single",
		DepthByLayer: h.Dropout > 0, ClassifierOfEach: !own.Classifier.Share}
	joint := h.Form == "joint"
	if own.Adapt.Encoder == "N" {
		s.Film = roofline.Hyper{Networks: 2, Last: []int{2 * d, d, d, d}}
		if joint {
			hidden := cmp.Or(h.Width, d)
			s.Film = roofline.Hyper{Networks: 1, Last: []int{2 * d, hidden, hidden, 2 * d}}
		}
	}
	if own.Adapt.Predictor == "D" {
		s.Depth = roofline.Hyper{Networks: 1, Means: true, Last: []int{2 * w, 2 * w, 2 * w, 1}}
		if joint {
			hidden := cmp.Or(h.Query, 2*w)
			s.Depth = roofline.Hyper{Networks: 1, Last: []int{3 * w, hidden, hidden, 1}}
		}
	}
	return s, nil
}

// roofOf adds the lines up, the longest first.
func roofOf(g roofline.GPU, s roofline.Sizes) roof {
	r := roof{GPU: g.Name, Sizes: s}
	for _, l := range roofline.Step(s) {
		line := roofLine{l.Part, l.Name, l.Launches, l.Operations / 1e9, l.Bytes / 1e9, g.Seconds(l, false), g.Seconds(l, true)}
		r.Lines = append(r.Lines, line)
		r.Launches += line.Launches
		r.GFLOP += line.GFLOP
		r.GB += line.GB
		r.Float += line.Float
		r.TF32 += line.TF32
		if l.Product {
			r.Products += line.GFLOP
		}
	}
	slices.SortStableFunc(r.Lines, func(a, b roofLine) int { return cmp.Compare(b.Float, a.Float) })
	return r
}

func (r roof) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, r)
	}
	w := ui.NewTable(out)
	w.Line("part\tkernel or product\tlaunches\tGFLOP\tMB\tfloat32, at least\ttf32, at least")
	for _, l := range r.Lines {
		w.Line("%s\t%s\t%d\t%.2f\t%.1f\t%.0f µs\t%.0f µs", l.Part, l.Name, l.Launches, l.GFLOP, 1e3*l.GB, 1e6*l.Float, 1e6*l.TF32)
	}
	w.Line("a step\ton %s\t%d\t%.1f\t%.0f\t%.2f ms\t%.2f ms", r.GPU, r.Launches, r.GFLOP, 1e3*r.GB, 1e3*r.Float, 1e3*r.TF32)
	w.Line("%s, %s and %s queries; a bound from below and no prediction", ui.Count(r.Sizes.Tasks, "task"),
		ui.Count(r.Sizes.Atoms, "atom"), ui.Grouped(r.Sizes.Queries))
	return w.Flush()
}
