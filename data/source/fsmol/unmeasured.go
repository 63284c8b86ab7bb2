package fsmol

import (
	"slices"

	"pacia/data/molecule"
	"pacia/internal/each"
)

// keepUnmeasured removes from the test tasks all molecules of training assays. Molecules are compared
// by their fingerprints, so that stereoisomers count as one molecule, as they do for a model. Molecules
// that cannot be parsed, and tasks with fewer than opt.Unmeasured molecules of a class, are left
// out.
func (h *holdOut) keepUnmeasured() error {
	var measured []string
	for i := range h.paths {
		if slices.Contains(h.out, i) {
			continue
		}
		if err := h.each(i, func(smiles string, _ uint8) { measured = append(measured, smiles) }); err != nil {
			return err
		}
	}
	slices.Sort(measured)
	known := make(map[string]bool)
	if err := h.fingerprints(slices.Compact(measured), func(_ int, key string) { known[key] = true }); err != nil {
		return err
	}
	tasks := h.tasks
	h.tasks, h.done = nil, HeldOut{Train: h.done.Train}
	for _, t := range tasks {
		var rows []tableRow
		err := h.fingerprints(each.Of(t.rows, func(r tableRow) string { return r.smiles }), func(i int, key string) {
			if !known[key] {
				rows = append(rows, t.rows[i])
			}
		})
		if err != nil {
			return err
		}
		active := each.Count(rows, func(r tableRow) bool { return r.cells[0] == "1" })
		if min(active, len(rows)-active) >= h.opt.Unmeasured {
			h.add(heldOutTask{t.name, t.known, rows})
		}
	}
	return nil
}

// fingerprints calls f with the index of each molecule that can be parsed, and with its fingerprint as a
// key.
func (h *holdOut) fingerprints(smiles []string, f func(i int, key string)) error {
	molecules, rows, _ := molecule.FingerprintsOnly().ParseSMILES(h.ctx, smiles, 0)
	if err := h.ctx.Err(); err != nil {
		return err
	}
	prints, _ := molecule.FingerprintsOf(molecules)
	for i, row := range rows {
		if row < 0 {
			continue
		}
		bit, count := prints.At(int(row))
		key := make([]byte, 0, 4*len(bit))
		for j := range bit {
			key = append(key, byte(bit[j]), byte(bit[j]>>8), byte(count[j]), byte(count[j]>>8))
		}
		f(i, string(key))
	}
	return nil
}
