package model

import (
	"pacia/data/molecule"
	"pacia/ops"
)

// Limits of one batch of queries on the CPU. At the presets' widths an atom takes 8 kB
// while a layer of the encoder runs, if no other atom has its environment. A pair, with
// its share of the nodes of five relation layers, takes 0.4 kB. That makes 130 and 50
// MB. Larger batches share slightly more and have no other advantage.
const (
	atomsPerBatch = 1 << 14
	pairsPerBatch = 1 << 17
)

// gpuBatch is the factor of these limits on a GPU, because a batch for one core would not
// keep its thousands of threads busy. A batch takes 2.1 and 0.8 GB, so that two concurrent
// batches leave half of a card of 12 GB. If less is free, the callers that score the
// batches halve them.
const gpuBatch = 16

// commonAtoms is the largest number of atoms of a molecule of usual size.
const commonAtoms = 32

// held returns how many atoms and queries one batch may hold on a device, for a task
// with the given number of support molecules.
func held(support int, d ops.Device) (atoms, queries int) {
	atoms, pairs := atomsPerBatch, pairsPerBatch
	if d != ops.CPU {
		atoms, pairs = gpuBatch*atoms, gpuBatch*pairs
	}
	return atoms, max(1, pairs/max(1, support*(support+1)/2))
}

// QueriesPerBatch returns how many molecules of usual size fill a batch, for callers
// that read molecules from a stream. On the CPU it is at most 512, enough for efficient
// matrix products.
func QueriesPerBatch(support int, d ops.Device) int {
	atoms, queries := held(support, d)
	return min(queries, atoms/commonAtoms)
}

// QueryBatches splits rows of a store into runs to be scored together, as long as
// memory allows on a device, for a task with the given number of support molecules.
// The runs are consecutive parts of rows, not empty, and of similar length, because
// they are scored concurrently.
func QueryBatches(s molecule.List, rows []int32, support int, d ops.Device) [][]int32 {
	atoms, most := held(support, d)
	runs := cut(s, rows, most, atoms)
	if n := len(runs); n > 1 {
		runs = cut(s, rows, (len(rows)+n-1)/n, atoms)
	}
	return runs
}

// leastShared is the least number of queries in a run if a batch is split for a second
// thread: shorter runs share too few environments.
const leastShared = 128

// SharedBatches is like QueryBatches, for runs that are scored concurrently. On the CPU,
// with one thread for each run, their number is even, so that of two threads none has to wait
// for the last batch of the other. The split does not depend on the number of threads.
func SharedBatches(s molecule.List, rows []int32, support int, d ops.Device) [][]int32 {
	runs := QueryBatches(s, rows, support, d)
	n := len(runs) + len(runs)%2
	if d != ops.CPU || n == len(runs) || len(rows) < n*leastShared {
		return runs
	}
	atoms, _ := held(support, d)
	return cut(s, rows, (len(rows)+n-1)/n, atoms)
}

// cut splits rows into runs of at most the given numbers of queries and atoms.
func cut(s molecule.List, rows []int32, queries, atoms int) (runs [][]int32) {
	first, have := 0, 0
	for i, row := range rows {
		n := s.Atoms(int(row))
		if i > first && (i-first == queries || have+n > atoms) {
			runs = append(runs, rows[first:i])
			first, have = i, 0
		}
		have += n
	}
	if first < len(rows) {
		runs = append(runs, rows[first:])
	}
	return runs
}
