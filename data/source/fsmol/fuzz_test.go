package fsmol

import (
	"reflect"
	"testing"

	"pacia/harness/bounded"
)

// FuzzParseLine searches for lines that crash the reader. It checks that accepted molecules
// are within the bounds that batches require, and are unchanged after writing and
// reading.
func FuzzParseLine(f *testing.F) {
	f.Add(hydrogenCyanide())
	f.Add(`{"SMILES":"C","Property":1,"graph":{"adjacency_lists":[[],[],[]],"node_features":[[1]]}}`)
	f.Add(`{"SMILES":"C","Property":NaN,"graph":[[["]"],{}]]}`)
	f.Fuzz(func(t *testing.T, line string) {
		var m Molecule
		var err error
		bounded.Do(t, func() { m, err = parseLine([]byte(line)) })
		if err != nil {
			return
		}
		atoms := len(m.Graph.Atoms)
		if m.SMILES == "" || atoms == 0 || atoms > MaxAtoms || m.Fingerprint != nil && len(m.Fingerprint) != Counts {
			t.Errorf("%d atoms, fingerprint of %d", atoms, len(m.Fingerprint))
		}
		for _, ends := range m.Graph.Bonds {
			for i, end := range ends {
				if len(ends)%2 != 0 || int(end) >= atoms || end == ends[i^1] {
					t.Errorf("bonds %v of %d atoms", ends, atoms)
				}
			}
		}
		m.Descriptors = nil // NaN is not equal to itself
		again, err := parseLine(m.appendJSON(nil))
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("written and read (%v)\n got %+v\nwant %+v", err, again, m)
		}
	})
}
