package history

import (
	"context"
	"os"

	"pacia/data/molecule"
	"pacia/internal/each"
	"pacia/internal/scratch"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
)

// Drawn is a file of past assays with the SMILES of its molecules, if they are kept: neither memories nor graph stores have them.
type Drawn struct {
	*past.Memory
	keys   []uint64 // of molecules, perhaps several times
	smiles []string
}

// SMILES returns the SMILES of molecules, as models read them, by their keys.
func (d *Drawn) SMILES(of map[uint64]bool) map[uint64]string {
	found := make(map[uint64]string, len(of))
	for i, key := range d.keys {
		if _, again := found[key]; of[key] && !again {
			found[key] = d.smiles[i]
		}
	}
	return found
}

// Drawn returns the files that were read.
func (p *Past) Drawn() []*Drawn { return each.Of(p.files, func(f *file) *Drawn { return f.drawn }) }

// recording returns a featurizer whose molecules are recorded, and a folder without graph stores, so that it is called.
func (d *Drawn) recording(form molecule.Featurizer) (_ molecule.Featurizer, folder string, err error) {
	if folder, err = scratch.Folder(); err == nil {
		folder, err = os.MkdirTemp(folder, "past")
	}
	parse := form.Parse
	form.Parse = func(ctx context.Context, smiles []string, threads int) (molecule.List, []int32, []error) {
		list, index, errs := parse(ctx, smiles, threads)
		if prints, ok := molecule.FingerprintsOf(list); ok {
			keys := remembered.Keys(prints)
			for i, row := range index {
				if row >= 0 {
					d.keys, d.smiles = append(d.keys, keys[row]), append(d.smiles, smiles[i])
				}
			}
		}
		return list, index, errs
	}
	return form, folder, err
}
