package main

import (
	"math/rand/v2"
	"testing"
)

func TestFillRenumbersRingClosures(t *testing.T) {
	a := &assembler{}
	for _, tt := range []struct {
		text  string
		depth int
		slot  string
		want  string
	}{
		{"c1ccc(~)cc1", 0, "F", "c1ccc(F)cc1"},
		{"c1ccc(~)cc1", 0, "", "c1ccccc1"},
		{"c1ccc(~)cc1", 1, "F", "c4ccc(F)cc4"},
		{"C1(~)CC1", 3, "F", "C%10(F)CC%10"},
		{"NC~", 1, "c4ccccc4", "NCc4ccccc4"},
	} {
		if got := a.fill(tt.text, tt.depth, func() string { return tt.slot }); got != tt.want {
			t.Errorf("fill(%q, %d) with %q = %q, want %q", tt.text, tt.depth, tt.slot, got, tt.want)
		}
	}
}

func TestPickFollowsWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := []fragment{{"a", 1}, {"b", 3}}
	const draws = 4000
	n := 0
	for range draws {
		if pick(rng, list) == "b" {
			n++
		}
	}
	// Standard deviation 27 about 3000; five of them.
	if n < 2863 || n > 3137 {
		t.Errorf("b was drawn %d times of %d, want about 3000", n, draws)
	}
}
