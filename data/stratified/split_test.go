package stratified

import (
	"errors"
	"slices"
	"testing"

	"pacia/harness/golden"
)

// TestAgreesWithScikitLearn compares indices and their order with those of
// scikit-learn.
func TestAgreesWithScikitLearn(t *testing.T) {
	path := golden.Fixture(t, "sklearn_reference.json.gz")
	var fixture struct {
		Splits []struct {
			Labels           string
			Support, Queries int
			Seed             uint32
			Train, Test      []int32
		}
	}
	golden.Decode(t, path, &fixture)
	if len(fixture.Splits) == 0 {
		t.Fatalf("%s has no splits", path)
	}
	for i, s := range fixture.Splits {
		train, test, err := Split([]byte(s.Labels), s.Support, s.Queries, s.Seed) // '0' and '1' are also labels
		if err != nil {
			t.Errorf("split %d: %v", i, err)
			continue
		}
		if !slices.Equal(train, s.Train) || !slices.Equal(test, s.Test) {
			t.Errorf("split %d, %d and %d of %d, seed %d\n got %v %v\nwant %v %v",
				i, s.Support, s.Queries, len(s.Labels), s.Seed, train, test, s.Train, s.Test)
		}
	}
}

// TestMersenneTwister checks the 10,000th word of the generator.
func TestMersenneTwister(t *testing.T) {
	r := newRandomState(5489) // the seed of the C++ standard, which fixes the 10,000th word
	var last uint32
	for range 10_000 {
		last = r.Uint32()
	}
	if last != 4123659995 {
		t.Errorf("the 10,000th word is %d, want 4123659995", last)
	}
}

// TestShareIsProportional: each class gets its share, rounded down or up, and the shares
// sum to n.
func TestShareIsProportional(t *testing.T) {
	for seed := range uint32(50) {
		sizes := []int{2 + int(seed)%7, 40, 13, 13}
		total := sizes[0] + sizes[1] + sizes[2] + sizes[3]
		n, sum := 4+int(seed), 0
		for i, got := range share(sizes, n, newRandomState(seed)) {
			sum += got
			if low := sizes[i] * n / total; got != low && got != low+1 {
				t.Errorf("seed %d: %d of class %d, want %d or one more", seed, got, i, low)
			}
		}
		if sum != n {
			t.Errorf("seed %d: shares sum to %d, want %d", seed, sum, n)
		}
	}
}

// TestShares compares the bounds with those of a hundred draws.
func TestShares(t *testing.T) {
	for total := 4; total < 24; total++ {
		for size := 2; size <= total-2; size++ {
			labels := make([]uint8, total)
			for i := range size {
				labels[i] = 1
			}
			for n := 2; n <= total-2; n++ {
				least, most := total, 0
				for seed := range uint32(100) {
					first, _, err := Split(labels, n, total-n, seed)
					if err != nil {
						t.Fatal(err)
					}
					got := 0
					for _, p := range first {
						got += int(labels[p])
					}
					least, most = min(least, got), max(most, got)
				}
				if l, m := Shares(size, total, n); l != least || m != most {
					t.Errorf("%d of %d in a part of %d: %d to %d, draws have %d to %d", size, total, n, l, m, least, most)
				}
			}
		}
	}
}

func TestTooSmall(t *testing.T) {
	for _, tt := range []struct {
		labels      []uint8
		train, test int
		want        string
	}{
		{[]uint8{0, 1, 0, 1}, 3, 2, "too few molecules: 3 and 2 are asked for, there are 4"},
		{[]uint8{0, 1, 0, 1}, 3, 1, "too few molecules: a part of 1 for 2 classes"},
		{[]uint8{0, 1, 0, 1}, 1, 3, "too few molecules: a part of 1 for 2 classes"},
		{[]uint8{0, 1, 0, 0}, 2, 2, "too few molecules: a class with one member of 4"},
		{nil, 0, 0, "too few molecules: a part of 0 for 0 classes"},
		{[]uint8{0, 1, 0, 1}, -1, 2, "too few molecules: a part of -1 for 2 classes"},
	} {
		_, _, err := Split(tt.labels, tt.train, tt.test, 0)
		if !errors.Is(err, ErrTooSmall) || err.Error() != tt.want {
			t.Errorf("%v, %d and %d: got %v, want %s", tt.labels, tt.train, tt.test, err, tt.want)
		}
	}
}
