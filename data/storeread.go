package data

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"pacia/internal/input"
)

// readStore maps a graph store into memory and checks that it is complete and has
// the given key.
func readStore(file string, key storeID) (*Dataset, error) {
	mapped, err := mapFile(file)
	if err != nil {
		return nil, err
	}
	d, err := parseStore(mapped, key)
	if err != nil {
		_ = unix.Munmap(mapped) // the first error is more useful
		return nil, err
	}
	d.mapped = mapped
	d.Stored = Stored{Path: file, Bytes: int64(len(mapped))}
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
func parseStore(b []byte, key storeID) (*Dataset, error) {
	h, err := parseHeader(b, key)
	if err != nil {
		return nil, err
	}
	s := &Store{features: int(h.Features)}
	vectors := h.embeddings(b)
	b = b[headerSize:]
	s.embeddings = take[float32](&b, vectors)
	taskPtr := take[int64](&b, h.Tasks+1)
	s.molPtr = take[int32](&b, h.Molecules+1)
	s.edgePtr = take[int32](&b, h.Molecules+1)
	s.rowPtr = take[int32](&b, h.Atoms+h.Molecules)
	rows := slices.Clone(take[int32](&b, h.Labels))
	s.fingerprints.Ptr = take[int32](&b, h.fingerprints())
	s.descriptors = take[float32](&b, h.Values)
	s.places = take[float32](&b, h.Places)
	s.col = take[uint16](&b, h.Edges)
	s.fingerprints.Bit = take[uint16](&b, max(h.Counts, 0))
	s.fingerprints.Count = take[uint16](&b, max(h.Counts, 0))
	s.atoms = take[uint8](&b, h.atomBytes())
	s.bonds = take[uint8](&b, 2*h.Edges)
	labels := slices.Clone(take[uint8](&b, h.Labels))
	var n notes
	if err := json.Unmarshal(take[uint8](&b, h.Notes), &n); err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	if int64(len(n.Tasks)) != h.Tasks {
		return nil, fmt.Errorf("%d names for %d tasks", len(n.Tasks), h.Tasks)
	}
	d := &Dataset{Store: s, Skipped: n.Skipped, Folds: n.Folds, Notes: n.Notes, Tasks: make([]Task, h.Tasks)}
	for i := range d.Tasks {
		from, to := taskPtr[i], taskPtr[i+1]
		d.Tasks[i] = Task{Name: n.Tasks[i], Rows: rows[from:to:to], Labels: labels[from:to:to]}
		d.Tasks[i].sortClasses()
	}
	return d, nil
}
