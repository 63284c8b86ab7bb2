package modeltest

import (
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// Task returns an episode with shots support molecules of each class and queries
// of both. Its molecules are the rows of a store from first on.
func Task(first, shots, queries int) data.Episode { return Unequal(first, shots, shots, queries) }

// Unequal returns an episode with classes of different sizes, of rows from first on. K is the
// smaller size.
func Unequal(first, inactive, active, queries int) data.Episode {
	e := data.Episode{Shots: min(inactive, active)}
	row := int32(first)
	for i := range inactive + active {
		y := uint8(0)
		if i >= inactive {
			y = 1
		}
		e.Support, e.SupportLabels = append(e.Support, row), append(e.SupportLabels, y)
		row++
	}
	for i := range queries {
		e.Query, e.QueryLabels = append(e.Query, row), append(e.QueryLabels, uint8(i%2))
		row++
	}
	return e
}

// Numbered returns the episode with the given task number.
func Numbered(e data.Episode, task int) data.Episode {
	e.Task = task
	return e
}

// Joined returns the batch of a training step on the episodes.
func Joined(t testing.TB, s *molecule.Store, eps ...data.Episode) *data.Batch {
	t.Helper()
	return from(data.Assemble(s, eps)).or(t)
}

// Support returns the batch of an episode's support set alone.
func Support(t testing.TB, s *molecule.Store, e data.Episode) *data.Batch {
	t.Helper()
	return from(data.AssembleSupport(s, e)).or(t)
}

// Queries returns the batch of rows of a store as queries of one task.
func Queries(t testing.TB, s *molecule.Store, rows []int32) *data.Batch {
	t.Helper()
	return from(data.AssembleQueries(s, rows)).or(t)
}
