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

// shipped is opened once for all tests, which only read it.
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

// first300 returns a library of the first 300 molecules. In batches of 32 an epoch has eight steps.
func first300(t *testing.T) *Library {
	t.Helper()
	l := *library(t)
	l.rows = l.rows[:300]
	return &l
}
