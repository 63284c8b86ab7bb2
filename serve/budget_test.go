package serve

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// TestBudget: results that are kept make room for a request; one that finds no room is refused after a while, and one
// that never could at once.
func TestBudget(t *testing.T) {
	var b *budget
	kept := int64(80)
	b = newBudget(100, func() bool {
		n := kept
		kept = 0
		b.free.Release(n)
		return n > 0
	})
	if err := b.reserve(t.Context(), kept, ""); err != nil {
		t.Fatal(err)
	}
	if err := b.reserve(t.Context(), 90, ""); err != nil {
		t.Errorf("beside a result that can be removed: %v", err)
	}
	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if p := problemOf(b.reserve(short, 20, "")); p.Status != http.StatusServiceUnavailable {
		t.Errorf("beside a request that stays: %+v", p)
	}
	p := problemOf(b.reserve(t.Context(), 101, "send less"))
	if p.Status != http.StatusRequestEntityTooLarge || p.Fix != "send less, or start the server with another --memory" {
		t.Errorf("more than there is: %+v", p)
	}
	go b.free.Release(90)
	if err := b.during(t.Context(), 100, "", func() error { return nil }); err != nil {
		t.Errorf("after the other one: %v", err)
	}
}

// TestMachineMemory: the machine has some memory.
func TestMachineMemory(t *testing.T) {
	if n := machineMemory(); n < 64<<20 || n > 1<<50 {
		t.Errorf("%d bytes", n)
	}
}
