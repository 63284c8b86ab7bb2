package source

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/input"
)

// readStore maps a graph store into memory and checks that it is complete and has
// the given key.
func readStore(file string, key storeID) (*data.Dataset, error) {
	mapped, err := mapFile(file)
	if err != nil {
		return nil, err
	}
	d, err := parseStore(mapped, key)
	if err != nil {
		_ = unix.Munmap(mapped) // the first error is more useful
		return nil, err
	}
	d.Mapped = mapped
	d.Stored = data.Stored{Path: file, Bytes: int64(len(mapped))}
	return d, nil
}

// mapFile maps a file read only. The map stays valid when the file is replaced.
func mapFile(file string) ([]byte, error) {
	f, err := input.Open(context.Background(), file, input.Regular, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size < int64(headerSize) {
		return nil, fmt.Errorf("%d bytes, fewer than its header", f.Size)
	}
	return unix.Mmap(int(f.Fd()), 0, int(f.Size), unix.PROT_READ, unix.MAP_SHARED)
}

// parseStore returns a Dataset whose graphs refer to the bytes of the file. Tasks are
// copied, since they are used after the data set is closed.
func parseStore(b []byte, key storeID) (*data.Dataset, error) {
	h, err := parseHeader(b, key)
	if err != nil {
		return nil, err
	}
	s := molecule.Arrays{Features: int(h.Features)}
	vectors := h.embeddings(b)
	b = b[headerSize:]
	s.Embeddings = take[float32](&b, vectors)
	taskPtr := take[int64](&b, h.Tasks+1)
	s.MolPtr = take[int32](&b, h.Molecules+1)
	s.EdgePtr = take[int32](&b, h.Molecules+1)
	s.RowPtr = take[int32](&b, h.Atoms+h.Molecules)
	rows := slices.Clone(take[int32](&b, h.Labels))
	s.Fingerprints.Ptr = take[int32](&b, h.fingerprints())
	s.Descriptors = take[float32](&b, h.Values)
	s.Places = take[float32](&b, h.Places)
	s.Col = take[uint16](&b, h.Edges)
	s.Fingerprints.Bit = take[uint16](&b, max(h.Counts, 0))
	s.Fingerprints.Count = take[uint16](&b, max(h.Counts, 0))
	s.Atoms = take[uint8](&b, h.atomBytes())
	s.Bonds = take[uint8](&b, 2*h.Edges)
	labels := slices.Clone(take[uint8](&b, h.Labels))
	var n notes
	if err := json.Unmarshal(take[uint8](&b, h.Notes), &n); err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	if int64(len(n.Tasks)) != h.Tasks {
		return nil, fmt.Errorf("%d names for %d tasks", len(n.Tasks), h.Tasks)
	}
	d := &data.Dataset{Store: molecule.StoreOf(s), Skipped: n.Skipped, Folds: n.Folds, Notes: n.Notes, Tasks: make([]data.Task, h.Tasks)}
	for i := range d.Tasks {
		from, to := taskPtr[i], taskPtr[i+1]
		d.Tasks[i] = data.Task{Name: n.Tasks[i], Rows: rows[from:to:to], Labels: labels[from:to:to]}
		d.Tasks[i].SortClasses()
	}
	return d, nil
}
