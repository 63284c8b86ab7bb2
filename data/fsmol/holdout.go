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
	"pacia/data/fsmol/targets"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
)

// HoldOutOptions say which targets are held out, and how many.
type HoldOutOptions struct {
	SMILES   string // name of the SMILES column
	New      int    // targets without an assay in training
	Known    int    // targets with half of their assays in training
	Smallest int    // molecules of each class that a held-out task has at least
	// Unmeasured, if not 0, leaves test tasks only molecules that no assay to train on
	// has, and at least so many of each class.
	Unmeasured int
	Seed       uint64
}

// HeldOut is what a folder for such a test holds.
type HeldOut struct {
	Train, New, Known int // tasks
	Molecules         int // of the test tasks
}

// HoldOutTargets makes of a folder of FS-Mol's CSVs one whose test tasks are as a chemist's:
// each is all assays of a target together, of many papers and series, and none of these
// assays is trained on. They are taken from the training assays; FS-Mol's own test assays
// are left out, and those for validation stay. Molecules that two assays of a target
// disagree on are in none of its tasks. For a known target, this also holds for those that
// its training assays have.
//
// The folder to must not exist; it is there when all is written.
func HoldOutTargets(ctx context.Context, from, to string, opt HoldOutOptions) (HeldOut, error) {
	f, err := find(from, "*.csv", "*.csv.gz")
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
		for part, paths := range map[int][]string{0: h.remaining(), 1: f.of(1)} {
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

func (f *files) of(part int) (paths []string) {
	return each.Of(f.parts[part], func(i int) string { return f.paths[i] })
}

func copyFile(ctx context.Context, from, to string) error {
	content, err := input.ReadAll(ctx, from, input.Regular, maxTask)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// holdOut chooses tasks to hold out among training assays.
type holdOut struct {
	ctx          context.Context
	opt          HoldOutOptions
	random       *rand.Rand
	paths, names []string // of the training assays
	out          []int    // those that are not trained on
	tasks        []heldOutTask
	done         HeldOut
}

type heldOutTask struct {
	name  string
	known bool // half of the target's assays are trained on
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

// choose goes over the targets in a random order until it has enough.
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
		return &badinput.Error{File: from, What: fmt.Sprintf("%d new and %d known targets can be held out, %d and %d were asked for", h.done.New, h.done.Known, h.opt.New, h.opt.Known),
			Fix: "ask for fewer, or for smaller tasks by --smallest"}
	}
	return nil
}

// merge returns the molecules of assays, without those of others; none where a class has
// too few.
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

// each goes over the measurements of a training assay.
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

// remaining are the files of the assays to train on.
func (h *holdOut) remaining() []string {
	var paths []string
	for i, path := range h.paths {
		if !slices.Contains(h.out, i) {
			paths = append(paths, path)
		}
	}
	return paths
}
