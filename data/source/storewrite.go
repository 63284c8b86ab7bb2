package source

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/atomicfile"
)

// notes are the texts of a graph store.
type notes struct {
	Tasks   []string         `json:"tasks"`
	Skipped []data.Skipped   `json:"skipped"`
	Folds   *data.Split      `json:"folds,omitempty"`
	Notes   []string         `json:"told,omitempty"`
	Fields  []molecule.Field `json:"fields,omitempty"` // of the named arrays, in their order
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
	h.Magic, h.Key = storeMagic, key
	var parts [][]byte
	for _, a := range arrays {
		if parts = append(parts, a.raw()); int64(len(parts[len(parts)-1])) != a.size {
			return fmt.Errorf("array %d of the graph store has %d bytes, not %d", len(parts)-1, len(parts[len(parts)-1]), a.size)
		}
		h.Sum = crc32.Update(h.Sum, castagnoli, parts[len(parts)-1])
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for _, a := range append([][]byte{h.bytes()}, parts...) {
		if _, err := w.Write(a); err != nil {
			return err
		}
	}
	return w.Flush()
}

func arraysOf(d *data.Dataset) (h fileHeader, all []array, err error) {
	store, ok := d.Store.(*molecule.Store)
	if !ok {
		return h, nil, fmt.Errorf("molecules of the type %T cannot be stored", d.Store)
	}
	c := contents{store: store.Arrays(), taskPtr: []int64{0}}
	n := notes{Skipped: d.Skipped, Folds: d.Folds, Notes: d.Notes}
	for _, a := range c.store.Named {
		n.Fields = append(n.Fields, a.Field)
	}
	measured := slices.ContainsFunc(d.Tasks, func(t data.Task) bool { return t.Values != nil })
	for i := range d.Tasks {
		t := &d.Tasks[i]
		for j := 0; measured && j < len(t.Rows); j++ {
			value := math.NaN()
			if t.Values != nil {
				value = t.Values[j].Value
			}
			c.values = append(c.values, value)
		}
		n.Tasks = append(n.Tasks, t.Name)
		c.rows, c.labels = append(c.rows, t.Rows...), append(c.labels, t.Labels...)
		c.taskPtr = append(c.taskPtr, int64(len(c.rows)))
	}
	if c.text, err = json.Marshal(n); err != nil {
		return h, nil, err
	}
	s := &c.store
	h.Molecules, h.Atoms, h.Edges = int64(store.Len()), int64(s.MolPtr[len(s.MolPtr)-1]), int64(len(s.Col))
	h.Counts = int64(len(s.Fingerprints.Bit))
	if len(s.Fingerprints.Ptr) == 0 {
		h.Counts = -1
	}
	if h.Version = namedVersion; measured {
		h.Version, h.Values = storeVersion, int64(len(c.values))
	}
	h.Tasks, h.Labels, h.Notes = int64(len(d.Tasks)), int64(len(c.rows)), int64(len(c.text))
	return h, c.arrays(h), nil
}
