package tune

import (
	"context"
	"maps"
	"slices"
	"sync"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/workers"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Draw makes trials of the assays in m. drawings returns the SMILES of molecules, by their keys. It must be called from within
// ops.Pinned, and reports progress to ctx.
func Draw(ctx context.Context, of *model.Model, m *past.Memory, drawings func(keys map[uint64]bool) map[uint64]string) ([]Trial, error) {
	draws := drawn(m)
	needed := map[uint64]bool{}
	for i := range draws {
		support, queries := draws[i].molecules()
		for _, key := range slices.Concat(support.keys, queries.keys) {
			needed[key] = true
		}
	}
	smiles := drawings(needed)
	keys := slices.Sorted(maps.Keys(smiles))
	list, index, _ := evaluate.ParseSMILES(ctx, of.Config(), each.Of(keys, func(key uint64) string { return smiles[key] }), ops.Threads())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &trier{model: of, list: list, rows: map[uint64]int32{}}
	for i, row := range index {
		if row >= 0 {
			t.rows[keys[i]] = row
		}
	}
	trials, done := make([]Trial, len(draws)), 0
	var mutex sync.Mutex
	err := ops.Share(ctx, of.Device(), len(draws), func(i int) (err error) {
		trials[i], err = t.trial(&draws[i])
		mutex.Lock()
		defer mutex.Unlock()
		done++
		workers.Report(ctx, "past assays tried", done, len(draws))
		return err
	})
	return each.If(trials, func(t Trial) bool { return t.check() == nil }), err
}

// trier makes trials with molecules that the model has read.
type trier struct {
	model *model.Model
	list  molecule.List
	rows  map[uint64]int32 // of molecules in list
}

// trial returns the trial of a draw, without molecules that cannot be read. It may be too small.
func (t *trier) trial(d *draw) (Trial, error) {
	support, queries := d.molecules()
	support, queries = t.readable(support), t.readable(queries)
	all := Trial{Assay: d.name, Keys: slices.Concat(support.keys, queries.keys)}
	all.Support, all.Labels = len(support.keys), slices.Concat(support.labels, queries.labels)
	if all.check() != nil {
		return all, nil
	}
	row := func(key uint64) int32 { return t.rows[key] }
	made, err := t.compare(each.Of(support.keys, row), support.labels, each.Of(queries.keys, row))
	if err != nil {
		return all, err
	}
	made.Labels = all.Labels
	all.Trial = *made
	return all, nil
}

// compare returns a trial of rows of the list.
func (t *trier) compare(support []int32, labels []uint8, queries []int32) (*model.Trial, error) {
	episode, err := data.NewSupport(support, labels)
	if err != nil {
		return nil, err
	}
	learnt, err := data.AssembleSupport(t.list, episode)
	if err != nil {
		return nil, err
	}
	asked, err := data.AssembleQueries(t.list, queries)
	if err != nil {
		return nil, err
	}
	a, err := t.model.Adapt(learnt)
	if err != nil {
		return nil, err
	}
	defer a.Drop()
	return a.Trial(asked)
}

func (t *trier) readable(l labelled) (of labelled) {
	for i, key := range l.keys {
		if _, has := t.rows[key]; has {
			of.keys, of.labels = append(of.keys, key), append(of.labels, l.labels[i])
		}
	}
	return of
}
