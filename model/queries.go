package model

import (
	"pacia/data"
	"pacia/ops"
)

// Limits of one batch of queries on the CPU. At the presets' widths an atom takes 8 kB
// while a layer of the encoder runs, if no other atom has its surroundings. A pair, with
// its share of the nodes of five relation layers, takes 0.4 kB. That makes 130 and 50
// MB. Longer batches share a little more and gain nothing else.
const (
	atomsPerBatch = 1 << 14
	pairsPerBatch = 1 << 17
)

// gpuBatch is how many times as much a batch holds on a GPU: a batch for one core would
// not keep its thousands of threads busy. It takes 2.1 and 0.8 GB, so that two batches
// side by side leave half of a card of 12 GB. Where less is free, the callers that score
// the batches halve them.
const gpuBatch = 16

// commonAtoms is the most atoms of a molecule of common size.
const commonAtoms = 32

// held is how many atoms and queries one batch may hold on a device, for a task
// of so many support molecules.
func held(support int, d ops.Device) (atoms, queries int) {
	atoms, pairs := atomsPerBatch, pairsPerBatch
	if d != ops.CPU {
		atoms, pairs = gpuBatch*atoms, gpuBatch*pairs
	}
	return atoms, max(1, pairs/max(1, support*(support+1)/2))
}

// QueriesPerBatch is how many molecules of common size fill a batch, for those
// who take them from a stream: on the CPU up to 512, enough to keep a core busy in
// its matrix products.
func QueriesPerBatch(support int, d ops.Device) int {
	atoms, queries := held(support, d)
	return min(queries, atoms/commonAtoms)
}

// QueryBatches cuts rows of a store into runs to be scored together, as long
// as memory should allow on a device, for a task of so many support molecules.
// The runs are parts of rows, in order, of about the same length, since they
// are scored side by side; none is empty.
func QueryBatches(s data.Molecules, rows []int32, support int, d ops.Device) [][]int32 {
	atoms, most := held(support, d)
	runs := cut(s, rows, most, atoms)
	if n := len(runs); n > 1 {
		runs = cut(s, rows, (len(rows)+n-1)/n, atoms)
	}
	return runs
}

// leastShared is how many queries a run has at least where a batch is cut for a second
// thread: shorter ones share too few surroundings.
const leastShared = 128

// SharedBatches is QueryBatches for runs that are scored side by side. On the CPU, where
// each has a thread, their number is even, so that of two threads none has to wait for a
// batch of the other's. The cuts do not depend on the number of threads.
func SharedBatches(s data.Molecules, rows []int32, support int, d ops.Device) [][]int32 {
	runs := QueryBatches(s, rows, support, d)
	n := len(runs) + len(runs)%2
	if d != ops.CPU || n == len(runs) || len(rows) < n*leastShared {
		return runs
	}
	atoms, _ := held(support, d)
	return cut(s, rows, (len(rows)+n-1)/n, atoms)
}

// cut makes runs of at most so many queries with so many atoms.
func cut(s data.Molecules, rows []int32, queries, atoms int) (runs [][]int32) {
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
