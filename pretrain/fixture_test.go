package pretrain

import (
	"context"
	"os"
	"sync"
	"testing"

	"pacia/data"
	"pacia/ops"
)

func TestMain(m *testing.M) {
	ops.SetThreads(1)
	os.Exit(m.Run())
}

// shipped is opened once for all tests, which read it alone.
var shipped = sync.OnceValues(func() (*Library, error) {
	return Open(context.Background(), Source{Path: data.Embedded, Labels: true, Motifs: true, Threads: 1})
})

func library(t *testing.T) *Library {
	t.Helper()
	l, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// firstOf is a library of the first n molecules: an epoch of 300 in batches of 32 is eight steps.
func firstOf(t *testing.T, n int) *Library {
	t.Helper()
	l := *library(t)
	l.rows = l.rows[:n]
	return &l
}
