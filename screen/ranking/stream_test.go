package ranking

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
)

const chunkRows = 512

func lengths(smiles []string) []int {
	n := make([]int, len(smiles))
	for i, s := range smiles {
		n[i] = len(s)
	}
	runtime.Gosched() // let chunks overtake each other
	return n
}

// candidates returns a table of n molecules of 1 to 90 characters.
func candidates(n int) string {
	var b strings.Builder
	b.WriteString("smiles\n")
	for i := range n {
		fmt.Fprintln(&b, strings.Repeat("C", 1+i%90))
	}
	return b.String()
}

func TestStreamKeepsTheOrder(t *testing.T) {
	for _, n := range []int{0, 1, chunkRows - 1, chunkRows, chunkRows + 1, 20*chunkRows + 7} {
		table, err := Open(t.Context(), []string{file(t, "c.csv", candidates(n))}, plain)
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		err = Stream(t.Context(), table, chunkRows, 3, lengths, func(c *Chunk[[]int]) error {
			for i, r := range c.Rows {
				if r.Line != next+2 || c.Result[i] != 1+next%90 {
					return fmt.Errorf("row %d of %d: line %d, length %d", next, n, r.Line, c.Result[i])
				}
				next++
			}
			return nil
		})
		if err != nil || next != n {
			t.Errorf("%d of %d rows, error %v", next, n, err)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestStreamEndsWithTheFirstError(t *testing.T) {
	before := runtime.NumGoroutine()
	table, err := Open(t.Context(), []string{file(t, "c.csv", candidates(10*chunkRows)+"a,b\n")}, plain)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	full := errors.New("disk full")
	calls := 0
	err = Stream(t.Context(), table, chunkRows, 2, lengths, func(*Chunk[[]int]) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("error %v after %d chunks, want %v after 1", err, calls, full)
	}
	for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
		time.Sleep(time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines are left behind", now-before)
	}
}

func TestStreamReportsABrokenRowAfterTheRowsBefore(t *testing.T) {
	table, err := Open(t.Context(), []string{file(t, "c.csv", candidates(chunkRows+5)+strings.Repeat("C", 5<<20)+"\n")}, plain)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	seen := 0
	err = Stream(t.Context(), table, chunkRows, 2, lengths, func(c *Chunk[[]int]) error { seen += len(c.Rows); return nil })
	if !badinput.Is(err) || !strings.Contains(err.Error(), fmt.Sprintf("c.csv: row %d:", chunkRows+7)) || seen != chunkRows+5 {
		t.Errorf("error %v after %d rows, want a fault in row %d after %d", err, seen, chunkRows+7, chunkRows+5)
	}
}
