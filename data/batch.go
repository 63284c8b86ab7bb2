package data

import (
	"pacia/data/environment"
	"pacia/data/molecule"
)

// Batch is everything that a step needs, in the host's memory: B tasks with N support
// molecules each, Q queries in total, n molecules, A atoms, E directed edges.
//
// The order of molecules is task 0 support, task 0 queries, task 1 support, … The
// number of queries may differ between tasks, but N is the same for all.
type Batch struct {
	Tasks   int // B
	Support int // N; 0 in a batch of queries only
	Shots   int // K, the size of the smallest class: the number of neighbours that a row of the relation graph keeps

	molecule.Inputs
	environment.Classes // of the atoms; empty before they are refined

	GroupPtr []int32 // [2B+1] atoms of a group; group 2t is the support of task t, 2t+1 its queries

	TaskNumber []int32 // [B] number of each task in its data set, see Episode.Task

	SupportMol   []int32    // [B·N] molecules of the support, inactive first in each task
	QueryMol     []int32    // [Q] molecules of the queries
	QueryTask    []int32    // [Q] task of the query, 0..B-1
	SupportLabel []uint8    // [B·N]
	SupportValue []Measured // [B·N]; empty: the model learns labels
	QueryLabel   []uint8    // [Q]; empty if not known
}

func (b *Batch) reset() {
	b.Inputs.Reset()
	b.Classes.Reset()
	b.Tasks, b.Support, b.Shots = 0, 0, 0
	b.GroupPtr = append(b.GroupPtr[:0], 0)
	b.SupportMol, b.QueryMol, b.QueryTask = b.SupportMol[:0], b.QueryMol[:0], b.QueryTask[:0]
	b.SupportLabel, b.QueryLabel = b.SupportLabel[:0], b.QueryLabel[:0]
	b.SupportValue = b.SupportValue[:0]
	b.TaskNumber = b.TaskNumber[:0]
}

// Refine finds the environments of atoms up to n bonds away; see [environment.Classes.Refine].
func (b *Batch) Refine(n int) { b.Classes.Refine(&b.Inputs, n) }

// RefineGroups is like Refine, within groups; see [environment.Classes.RefineGroups].
func (b *Batch) RefineGroups(n int) { b.Classes.RefineGroups(&b.Inputs, b.GroupPtr, n) }

// RefineFeatures is like RefineGroups, for atoms with features; see [environment.Classes.RefineFeatures].
func (b *Batch) RefineFeatures(n int) { b.Classes.RefineFeatures(&b.Inputs, b.GroupPtr, n) }

// addTask appends one task: its support group, then its queries.
func (b *Batch) addTask(s molecule.List, e *Episode) {
	for _, row := range e.Support {
		b.SupportMol = append(b.SupportMol, b.addMol(s, row))
	}
	b.endGroup()
	for _, row := range e.Query {
		b.QueryMol = append(b.QueryMol, b.addMol(s, row))
		b.QueryTask = append(b.QueryTask, int32(b.Tasks))
	}
	b.endGroup()
	b.SupportLabel = append(b.SupportLabel, e.SupportLabels...)
	b.SupportValue = append(b.SupportValue, e.SupportValues...)
	b.QueryLabel = append(b.QueryLabel, e.QueryLabels...)
	b.TaskNumber = append(b.TaskNumber, int32(e.Task))
	b.Tasks++
}

func (b *Batch) addMol(s molecule.List, row int32) int32 {
	s.AddTo(&b.Inputs, int(row))
	return int32(len(b.MolPtr) - 2)
}

func (b *Batch) endGroup() { b.GroupPtr = append(b.GroupPtr, b.MolPtr[len(b.MolPtr)-1]) }
