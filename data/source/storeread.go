package source

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sys/unix"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/each"
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
	var n notes
	if err := json.Unmarshal(b[len(b)-int(h.Notes):], &n); err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	var c contents
	b = b[headerSize:]
	if err := c.fields(h, n, int64(len(b))); err != nil {
		return nil, err
	}
	all := c.arrays(h)
	if err := checkSizes(all, int64(len(b))); err != nil {
		return nil, err
	}
	for _, a := range all {
		a.cut(&b)
	}
	rows, labels := slices.Clone(c.rows), slices.Clone(c.labels)
	if int64(len(n.Tasks)) != h.Tasks {
		return nil, fmt.Errorf("%d names for %d tasks", len(n.Tasks), h.Tasks)
	}
	d := &data.Dataset{Store: molecule.StoreOf(c.store), Skipped: n.Skipped, Folds: n.Folds, Notes: n.Notes, Tasks: make([]data.Task, h.Tasks)}
	for i := range d.Tasks {
		from, to := c.taskPtr[i], c.taskPtr[i+1]
		d.Tasks[i] = data.Task{Name: n.Tasks[i], Rows: rows[from:to:to], Labels: labels[from:to:to]}
		if h.Version > namedVersion {
			d.Tasks[i].Values = measuredOf(c.values[from:to])
		}
		d.Tasks[i].SortClasses()
	}
	return d, nil
}

// measuredOf returns stored values; nil if all are NaN.
func measuredOf(values []float64) []data.Measured {
	if !slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) }) {
		return nil
	}
	return each.Of(values, func(v float64) data.Measured { return data.Measured{Value: v} })
}
