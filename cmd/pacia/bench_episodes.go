package main

import (
	"fmt"
	"os"

	"pacia/cmd/pacia/internal/npz"
	"pacia/data"
	"pacia/internal/atomicfile"
)

// writeEpisodes writes the training steps and the test tasks of a served benchmark,
// so that another program can run the same ones: step0.atoms, …, test0.atoms, …,
// named after the fields of a data.Batch.
func writeEpisodes(path string, steps, tests []*data.Batch) error {
	return atomicfile.Write(path, func(f *os.File) error {
		w := npz.NewWriter(f)
		for i, b := range steps {
			addBatch(w, fmt.Sprintf("step%d.", i), b)
		}
		for i, b := range tests {
			addBatch(w, fmt.Sprintf("test%d.", i), b)
		}
		return w.Close()
	})
}

func addBatch(w *npz.Writer, prefix string, b *data.Batch) {
	npz.Add(w, prefix+"sizes", []int32{int32(b.Tasks), int32(b.Support), int32(b.Shots)})
	npz.Add(w, prefix+"atoms", b.Atoms, len(b.Atoms)/2, 2)
	npz.Add(w, prefix+"row_ptr", b.RowPtr)
	npz.Add(w, prefix+"col", b.Col)
	npz.Add(w, prefix+"bond", b.Bond, len(b.Col), 2)
	npz.Add(w, prefix+"mol_ptr", b.MolPtr)
	npz.Add(w, prefix+"query_task", b.QueryTask)
	npz.Add(w, prefix+"support_label", b.SupportLabel)
	npz.Add(w, prefix+"query_label", b.QueryLabel)
}
