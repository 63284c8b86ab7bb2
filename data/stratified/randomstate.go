package stratified

import (
	"gonum.org/v1/gonum/mathext/prng"

	"pacia/internal/each"
)

// randomState draws the same numbers as numpy.random.RandomState, with a Mersenne Twister.
type randomState struct{ *prng.MT19937 }

// newRandomState is RandomState(seed) for an integer seed.
func newRandomState(seed uint32) randomState {
	r := randomState{prng.NewMT19937()}
	r.Seed(uint64(seed))
	return r
}

// interval returns a random number in 0..largest. It takes as many low bits of a word as
// largest has, and draws again until the number is at most largest. For 0 it draws nothing.
func (r randomState) interval(largest uint32) uint32 {
	mask := largest
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	if mask == 0 {
		return 0
	}
	for {
		if v := r.Uint32() & mask; v <= largest {
			return v
		}
	}
}

func (r randomState) shuffle(s []int32) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.interval(uint32(i))
		s[i], s[j] = s[j], s[i]
	}
}

// choice returns k different elements of s in random order. It draws a permutation of
// all of s for any k.
func (r randomState) choice(s []int32, k int) []int32 {
	order := each.Order[int32](len(s))
	r.shuffle(order)
	chosen := make([]int32, k)
	for i := range chosen {
		chosen[i] = s[order[i]]
	}
	return chosen
}
