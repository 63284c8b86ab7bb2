package source

import (
	"context"
	"testing"

	"pacia/data"
	"pacia/data/embedded"
	"pacia/data/split"
)

// TestEmbedded opens the embedded data set like any other: all its molecules are
// read, and its split is found automatically.
func TestEmbedded(t *testing.T) {
	d, err := Open(context.Background(), data.Embedded, Options{Cache: t.TempDir(), Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if len(d.Skipped) != 0 {
		t.Errorf("%d molecules were skipped, the first: %v", len(d.Skipped), d.Skipped[0])
	}
	s, err := split.Parse("auto", d)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Train) != embedded.TrainTasks || len(s.Train)+len(s.Test) != len(d.Tasks) || len(s.Test) == 0 {
		t.Errorf("split into %d training and %d test tasks of %d; the first %d are for training",
			len(s.Train), len(s.Test), len(d.Tasks), embedded.TrainTasks)
	}
	for _, i := range s.Test {
		if err := d.Tasks[i].CheckTest(10); err != nil {
			t.Error(err)
		}
	}
}
