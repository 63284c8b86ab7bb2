package teach

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/table"
	"pacia/evaluate"
	"pacia/gnn/minimol"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/model/shared/taught"
	"pacia/ops"
	"pacia/screen/history"
	"pacia/screen/ranking"
)

// Input is what Teach reads.
type Input struct {
	Model      *model.Model // without past assays
	Memory     *past.Memory // all past assays
	Files      []string     // of them, as in history.Open
	Reading    table.Options
	Molecules  history.Molecules
	Checkpoint string // a file for the state, beside which another is written; empty: Teach cannot go on where it was stopped
}

// Teach returns what a network in the form of past.Stored has learnt of the past assays, or nothing if it does not help; the
// judgement states which. It must be called from within ops.Pinned. A call that was stopped continues from the checkpoints.
func Teach(ctx context.Context, in Input) (network []byte, j Judgement, err error) {
	config := in.Model.Config()
	if !config.Embeds() {
		return nil, j, &badinput.Error{What: "--teach: the model does not compare vectors of MiniMol", Fix: "leave it out; the model that ships does"}
	}
	t := &teacher{Input: in, rows: map[uint64]place{}}
	defer func() { err = errors.Join(err, t.close()) }()
	for _, file := range in.Files {
		d, err := history.OpenData(ctx, file, in.Reading, in.Molecules, evaluate.Featurizer(config), 0)
		if err != nil {
			return nil, j, err
		}
		if err := t.add(file, d); err != nil {
			return nil, j, errors.Join(err, d.Close())
		}
	}
	if j, err = t.judge(ctx); err != nil || !j.Helps {
		return nil, j, errors.Join(err, t.done(err))
	}
	all, err := taught.Teach(ctx, t.examples(nil, nil), t.checkpoint("taught"))
	if err != nil {
		return nil, j, err
	}
	return all.Bytes(), j, t.done(nil)
}

// teacher has the molecules of past assays.
type teacher struct {
	Input
	data  []*data.Dataset
	files []string         // their names in the memory
	keys  [][]uint64       // of the rows of each data set
	rows  map[uint64]place // where a molecule with a vector is
}

type place struct{ data, row int }

func (t *teacher) add(file string, d *data.Dataset) error {
	prints, ok := molecule.FingerprintsOf(d.Store)
	vectors, has := molecule.FloatsOf(d.Store, molecule.Embeddings)
	if !ok || !has {
		return fmt.Errorf("%s: the molecules have no fingerprints or vectors", d.Name)
	}
	keys := remembered.Keys(prints)
	for row, key := range keys {
		if _, known := t.rows[key]; !known && !math.IsNaN(float64(vectors[row*minimol.Width])) {
			t.rows[key] = place{len(t.data), row}
		}
	}
	path, _ := ranking.FileAndReading(file)
	t.data, t.files, t.keys = append(t.data, d), append(t.files, filepath.Base(path)), append(t.keys, keys)
	return nil
}

func (t *teacher) close() (err error) {
	for _, d := range t.data {
		err = errors.Join(err, d.Close())
	}
	return err
}

func (t *teacher) checkpoint(stage string) string {
	if t.Checkpoint == "" {
		return ""
	}
	return t.Checkpoint + "." + stage
}

// done removes the checkpoints, unless there is an error.
func (t *teacher) done(err error) error {
	if err != nil || t.Checkpoint == "" {
		return nil
	}
	return errors.Join(taught.Remove(t.checkpoint("judged")), taught.Remove(t.checkpoint("taught")))
}

// most is the number of molecules that are taught. Of more, these are chosen by their hashes.
const most = 200_000

// examples returns the molecules of past assays with vectors and labels, except hidden ones. numbers has the number of each
// assay, −1 for hidden ones; nil: all have theirs.
func (t *teacher) examples(hidden func(key uint64) bool, numbers []int32) taught.Examples {
	parts, _ := past.PartsOf([]*past.Memory{t.Memory}, func(_, assay int) bool { return numbers != nil && numbers[assay] < 0 })
	e := taught.Examples{Width: minimol.Width}
	for _, number := range parts[0].Numbers {
		if number >= 0 {
			e.Assays++
		}
	}
	share := float64(most) / float64(max(1, len(t.rows)))
	for _, key := range t.Memory.Keys() {
		at, there := t.rows[key]
		if !there || hidden != nil && hidden(key) || share < 1 && float64(ops.MixBits(key^1))/math.MaxUint64 > share {
			continue
		}
		if labels := parts[0].Append(nil, key); len(labels) > 0 {
			vectors, _ := molecule.FloatsOf(t.data[at.data].Store, molecule.Embeddings)
			e.Vectors = append(e.Vectors, vectors[at.row*e.Width:(at.row+1)*e.Width]...)
			e.Labels = append(e.Labels, labels)
		}
	}
	return e
}
