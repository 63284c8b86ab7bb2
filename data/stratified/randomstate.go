package stratified

import (
	"gonum.org/v1/gonum/mathext/prng"

	"pacia/internal/each"
)

// randomState draws as numpy.random.RandomState does, by a Mersenne Twister.
type randomState struct{ *prng.MT19937 }

// newRandomState seeds as RandomState(seed) does with an integer.
func newRandomState(seed uint32) randomState {
	r := randomState{prng.NewMT19937()}
	r.Seed(uint64(seed))
	return r
}

// interval returns a number of 0..largest: bits under the smallest mask of
// ones, drawn again until they are no larger. Nothing is drawn for 0.
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

// choice returns k of s, none twice, in random order. It draws a permutation
// of all of s, however small k is.
func (r randomState) choice(s []int32, k int) []int32 {
	order := each.Order[int32](len(s))
	r.shuffle(order)
	chosen := make([]int32, k)
	for i := range chosen {
		chosen[i] = s[order[i]]
	}
	return chosen
}
