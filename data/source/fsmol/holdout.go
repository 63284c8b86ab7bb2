package fsmol

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pacia/data/assay"
	"pacia/data/source/fsmol/targets"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
)

// HoldOutOptions are the options of HoldOutTargets.
type HoldOutOptions struct {
	SMILES   string // name of the SMILES column
	New      int    // number of held-out targets without an assay in training
	Known    int    // number of held-out targets with half of their assays in training
	Smallest int    // smallest number of molecules of each class in a held-out task
	// Unmeasured, if not 0, removes from test tasks all molecules of training assays. Tasks
	// with fewer than Unmeasured molecules of a class are left out.
	Unmeasured int
	Seed       uint64
}

// HeldOut counts the contents of the folder that HoldOutTargets made.
type HeldOut struct {
	Train, New, Known int // tasks
	Molecules         int // of the test tasks
}

// HoldOutTargets makes from a folder of FS-Mol's CSV files one with test tasks like those of a
// chemist. Each test task joins assays of one target, from many papers and series, which are then not in
// training: all assays of a new target, and half of those of a known one. The targets are taken from the
// training assays. FS-Mol's own test assays are left out, and its validation assays are kept. Molecules with
// contradictory labels in two assays of a target are left out of its task, and so are those in the assays of
// a known target that remain in training.
//
// The folder to must be empty or not exist. It appears when everything is written.
func HoldOutTargets(ctx context.Context, from, to string, opt HoldOutOptions) (HeldOut, error) {
	f, err := find(from, ".csv", ".csv.gz")
	if err != nil {
		return HeldOut{}, err
	}
	h := holdOut{ctx: ctx, opt: opt, random: rand.New(rand.NewPCG(opt.Seed, 0))}
	for _, i := range f.parts[0] {
		h.paths, h.names = append(h.paths, f.paths[i]), append(h.names, tableName(f.paths[i]))
	}
	if err := h.choose(from); err != nil {
		return HeldOut{}, err
	}
	if opt.Unmeasured > 0 {
		if err := h.keepUnmeasured(); err != nil {
			return HeldOut{}, err
		}
	}
	if len(h.tasks) == 0 {
		return HeldOut{}, &badinput.Error{File: from, What: "no task for testing is made: none has enough molecules of each class",
			Fix: "write a smaller --unmeasured, or more targets by --new and --known"}
	}
	err = newFolder(to, func(dir string) error {
		for part := range folders {
			if err := os.MkdirAll(filepath.Join(dir, folders[part]), 0o755); err != nil {
				return err
			}
		}
		for _, t := range h.tasks {
			if err := writeTable(filepath.Join(dir, folders[2], t.name+".csv"), []string{t.name}, t.rows); err != nil {
				return err
			}
		}
		for part, paths := range map[int][]string{0: h.remaining(), 1: f.partFiles(1)} {
			for _, path := range paths {
				if err := copyFile(ctx, path, filepath.Join(dir, folders[part], filepath.Base(path))); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return h.done, err
}

func (f *files) partFiles(part int) (paths []string) {
	return each.Of(f.parts[part], func(i int) string { return f.paths[i] })
}

func copyFile(ctx context.Context, from, to string) error {
	content, err := input.ReadAll(ctx, from, input.Regular, maxTask)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// holdOut chooses the tasks to hold out among the training assays.
type holdOut struct {
	ctx          context.Context
	opt          HoldOutOptions
	random       *rand.Rand
	paths, names []string // of the training assays
	out          []int    // indices of the assays that are left out of training
	tasks        []heldOutTask
	done         HeldOut
}

type heldOutTask struct {
	name  string
	known bool // half of the target's assays are in training
	rows  []tableRow
}

// add adds a test task and counts it.
func (h *holdOut) add(t heldOutTask) {
	h.tasks = append(h.tasks, t)
	h.done.Molecules += len(t.rows)
	if t.known {
		h.done.Known++
	} else {
		h.done.New++
	}
}

// choose visits the targets in random order until there are enough tasks.
func (h *holdOut) choose(from string) error {
	shared := targets.SharedBy(h.names)
	h.random.Shuffle(len(shared), func(i, j int) { shared[i], shared[j] = shared[j], shared[i] })
	for _, s := range shared {
		if h.done.New == h.opt.New && h.done.Known == h.opt.Known {
			break
		}
		known := h.done.New == h.opt.New
		assays := slices.Clone(s.Tasks)
		h.random.Shuffle(len(assays), func(i, j int) { assays[i], assays[j] = assays[j], assays[i] })
		out, prefix := assays, "new-target-"
		if known {
			out, prefix = assays[:len(assays)/2], "known-target-"
		}
		rows, err := h.merge(out, assays[len(out):])
		if err != nil {
			return err
		}
		if rows == nil {
			continue
		}
		h.out = append(h.out, out...)
		h.add(heldOutTask{prefix + s.Target, known, rows})
	}
	h.done.Train = len(h.paths) - len(h.out)
	if h.done.New < h.opt.New || h.done.Known < h.opt.Known {
		return &badinput.Error{File: from, What: fmt.Sprintf("%d new and %d known targets can be held out, %d and %d were requested", h.done.New, h.done.Known, h.opt.New, h.opt.Known),
			Fix: "request fewer, or allow smaller tasks with --smallest"}
	}
	return nil
}

// merge returns the molecules of assays. It leaves out molecules that are also in the assays in without, and those
// with contradictory labels. It returns nil if a class has fewer than opt.Smallest molecules.
func (h *holdOut) merge(assays, without []int) ([]tableRow, error) {
	labels, order := make(map[string]uint8), []string(nil)
	const both = 2
	for _, assay := range assays {
		err := h.each(assay, func(smiles string, label uint8) {
			before, met := labels[smiles]
			switch {
			case !met:
				labels[smiles], order = label, append(order, smiles)
			case before != label:
				labels[smiles] = both
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for _, assay := range without {
		if err := h.each(assay, func(smiles string, _ uint8) { labels[smiles] = both }); err != nil {
			return nil, err
		}
	}
	var rows []tableRow
	var of [both]int
	for _, smiles := range order {
		if label := labels[smiles]; label != both {
			rows = append(rows, tableRow{smiles, []string{strconv.Itoa(int(label))}})
			of[label]++
		}
	}
	if min(of[0], of[1]) < h.opt.Smallest {
		return nil, nil
	}
	return rows, nil
}

// each calls f for each measurement of a training assay.
func (h *holdOut) each(number int, f func(smiles string, label uint8)) error {
	t, err := readTable(h.ctx, h.paths[number], assay.Options{Options: table.Options{SMILES: h.opt.SMILES}}, 0)
	if err != nil {
		return err
	}
	for _, task := range t.Tasks {
		for i, row := range task.Rows {
			f(t.SMILES[row], task.Labels[i])
		}
	}
	return nil
}

// remaining returns the files of the assays that remain in training.
func (h *holdOut) remaining() []string {
	var paths []string
	for i, path := range h.paths {
		if !slices.Contains(h.out, i) {
			paths = append(paths, path)
		}
	}
	return paths
}
