package source

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/atomicfile"
)

// notes are the texts of a graph store.
type notes struct {
	Tasks   []string       `json:"tasks"`
	Skipped []data.Skipped `json:"skipped"`
	Folds   *data.Split    `json:"folds,omitempty"`
	Notes   []string       `json:"told,omitempty"`
}

// writeStore writes the graph store of d. Other processes see the whole file or none.
// If two processes build one store, both succeed, and the later file remains.
func writeStore(file string, key storeID, d *data.Dataset) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, func(f *os.File) error { return writeTo(f, key, d) })
}

func writeTo(f *os.File, key storeID, d *data.Dataset) error {
	h, arrays, err := arraysOf(d)
	if err != nil {
		return err
	}
	h.Magic, h.Version, h.Key = storeMagic, storeVersion, key
	if len(arrays[0]) > 0 {
		h.Version = embeddedVersion
	}
	for _, a := range arrays {
		h.Sum = crc32.Update(h.Sum, castagnoli, a)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for _, a := range append([][]byte{h.bytes()}, arrays...) {
		if _, err := w.Write(a); err != nil {
			return err
		}
	}
	return w.Flush()
}

func arraysOf(d *data.Dataset) (h fileHeader, arrays [][]byte, err error) {
	n := notes{Skipped: d.Skipped, Folds: d.Folds, Notes: d.Notes}
	taskPtr := []int64{0}
	var rows []int32
	var labels []uint8
	for i := range d.Tasks {
		t := &d.Tasks[i]
		n.Tasks = append(n.Tasks, t.Name)
		rows, labels = append(rows, t.Rows...), append(labels, t.Labels...)
		taskPtr = append(taskPtr, int64(len(rows)))
	}
	text, err := json.Marshal(n)
	if err != nil {
		return h, nil, err
	}
	store, ok := d.Store.(*molecule.Store)
	if !ok {
		return h, nil, fmt.Errorf("molecules of the type %T cannot be stored", d.Store)
	}
	s := store.Arrays()
	h.Molecules, h.Atoms, h.Edges = int64(store.Len()), int64(s.MolPtr[len(s.MolPtr)-1]), int64(len(s.Col))
	f := &s.Fingerprints
	h.Features, h.Counts = uint32(s.Features), int64(len(f.Bit))
	h.Values, h.Places = int64(len(s.Descriptors)), int64(len(s.Places))
	if len(f.Ptr) == 0 {
		h.Counts = -1
	}
	h.Tasks, h.Labels, h.Notes = int64(len(d.Tasks)), int64(len(rows)), int64(len(text))
	return h, [][]byte{
		raw(s.Embeddings), raw(taskPtr), raw(s.MolPtr), raw(s.EdgePtr), raw(s.RowPtr), raw(rows), raw(f.Ptr), raw(s.Descriptors), raw(s.Places),
		raw(s.Col), raw(f.Bit), raw(f.Count), s.Atoms, s.Bonds, labels, text,
	}, nil
}
