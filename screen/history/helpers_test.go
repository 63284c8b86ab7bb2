package history

import (
	"context"

	"pacia/data/molecule"
	"pacia/model/shared/remembered"
)

// keysOf returns the keys of molecules.
func keysOf(smiles ...string) []uint64 {
	store, _, _ := molecule.FingerprintsOnly().ParseSMILES(context.Background(), smiles, 1)
	prints, _ := molecule.FingerprintsOf(store)
	return remembered.Keys(prints)
}
