package why

import (
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/weights"
)

// shipped returns the model that ships, on one thread until the test ends.
func shipped(t *testing.T) *model.Model {
	t.Helper()
	modeltest.Locked(t, 1)
	file, err := weights.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	m, err := file.Model("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Drop)
	return m
}

// adapted adapts a model to molecules with labels, until the test ends.
func adapted(t *testing.T, m *model.Model, smiles []string, labels []uint8) *model.Adapted {
	t.Helper()
	store, rows := parsed(t, m, smiles)
	episode, err := data.NewSupport(rows, labels)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := data.AssembleSupport(store, episode)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Adapt(batch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Drop)
	return a
}

// queries returns molecules as a batch of queries.
func queries(t *testing.T, m *model.Model, smiles ...string) *data.Batch {
	t.Helper()
	store, rows := parsed(t, m, smiles)
	batch, err := data.AssembleQueries(store, rows)
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func parsed(t *testing.T, m *model.Model, smiles []string) (molecule.List, []int32) {
	t.Helper()
	store, rows, errs := evaluate.ParseSMILES(t.Context(), m.Config(), smiles, 1)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return store, rows
}
