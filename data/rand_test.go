package data

import (
	"slices"
	"testing"
)

// chiSquare returns Σ (observed − expected)² / expected for equal expectations.
func chiSquare(observed []int) float64 {
	sum := 0
	for _, o := range observed {
		sum += o
	}
	expected := float64(sum) / float64(len(observed))
	var x float64
	for _, o := range observed {
		x += (float64(o) - expected) * (float64(o) - expected) / expected
	}
	return x
}

// TestWithoutIsUniform counts all 20 ordered pairs out of five. A fair sampler
// exceeds the limit (19 degrees of freedom, p = 0.001) with one seed in a thousand.
func TestWithoutIsUniform(t *testing.T) {
	observed := make([]int, 25)
	r := Rand(0, "pairs", 0)
	for range 20_000 {
		p := without(r, 5, 2)
		observed[5*p[0]+p[1]]++
	}
	var pairs []int
	for i, o := range observed {
		if i%6 != 0 {
			pairs = append(pairs, o)
		} else if o > 0 {
			t.Errorf("number %d was drawn twice in one selection", i/6)
		}
	}
	if x := chiSquare(pairs); x > 43.8 {
		t.Errorf("χ² = %.1f over ordered pairs, want at most 43.8: %v", x, pairs)
	}
}

// TestEpisodesAreUniform counts how often each molecule is support and query,
// over episodes with generators of their own, as training draws them. Counts
// within an episode are negatively correlated, which makes χ² smaller, never
// larger. Limits: p = 0.001 at 11 and 19 degrees of freedom.
func TestEpisodesAreUniform(t *testing.T) {
	task := newTask(20, 12)
	support, query := map[int32]int{}, map[int32]int{}
	for n := range uint64(5_000) {
		e, err := drawTraining(task, 0, 3, 4, Rand(0, "episodes", n))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range e.Support {
			support[row]++
		}
		for _, row := range e.Query {
			query[row]++
		}
	}
	for label, limit := range []float64{43.8, 31.3} {
		var asSupport, asQuery []int
		for _, p := range task.Class(uint8(label)) {
			asSupport = append(asSupport, support[task.Rows[p]])
			asQuery = append(asQuery, query[task.Rows[p]])
		}
		if x := chiSquare(asSupport); x > limit {
			t.Errorf("class %d as support: χ² = %.1f, want at most %.1f: %v", label, x, limit, asSupport)
		}
		if x := chiSquare(asQuery); x > limit {
			t.Errorf("class %d as queries: χ² = %.1f, want at most %.1f: %v", label, x, limit, asQuery)
		}
	}
}

func TestWithoutTakesAll(t *testing.T) {
	got := slices.Sorted(slices.Values(without(Rand(3, "", 0), 9, 9)))
	if want := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(got, want) {
		t.Errorf("nine of nine: %v", got)
	}
	if got := without(Rand(3, "", 0), 9, 0); len(got) != 0 {
		t.Errorf("none of nine: %v", got)
	}
}

// TestRandIsPinned: runs that are resumed after an update must continue with the
// same numbers.
func TestRandIsPinned(t *testing.T) {
	r := Rand(42, "episode", 7)
	if got, want := r.Uint64(), uint64(0x27335510b6f5d763); got != want {
		t.Errorf("first number of stream episode, draw 7, seed 42: %#x, want %#x", got, want)
	}
}
