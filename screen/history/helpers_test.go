package history

import (
	"context"

	"pacia/data/molecule"
)

// keysOf returns the keys of molecules.
func keysOf(smiles ...string) []uint64 {
	store, _, _ := molecule.FingerprintsOnly().ParseSMILES(context.Background(), smiles, 1)
	prints, _ := molecule.FingerprintsOf(store)
	return KeysOf(prints)
}
