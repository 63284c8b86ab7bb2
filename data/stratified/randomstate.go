package stratified

import "pacia/internal/each"

// The Mersenne Twister's state of 624 words, and the recurrence's middle word.
const (
	stateWords = 624
	middleWord = 397
)

// randomState draws as numpy.random.RandomState does.
type randomState struct {
	state [stateWords]uint32
	next  int // word of state that is drawn next
}

// newRandomState seeds as RandomState(seed) does with an integer.
func newRandomState(seed uint32) *randomState {
	r := &randomState{next: stateWords}
	for i := range r.state {
		r.state[i] = seed
		seed = 1812433253*(seed^seed>>30) + uint32(i) + 1
	}
	return r
}

func (r *randomState) uint32() uint32 {
	if r.next == stateWords {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// twist makes the next 624 words.
func (r *randomState) twist() {
	s := &r.state
	for i := range s {
		y := s[i]&(1<<31) | s[(i+1)%stateWords]&(1<<31-1)
		s[i] = s[(i+middleWord)%stateWords] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
	r.next = 0
}

// interval returns a number of 0..largest: bits under the smallest mask of
// ones, drawn again until they are no larger. Nothing is drawn for 0.
func (r *randomState) interval(largest uint32) uint32 {
	mask := largest
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	if mask == 0 {
		return 0
	}
	for {
		if v := r.uint32() & mask; v <= largest {
			return v
		}
	}
}

func (r *randomState) shuffle(s []int32) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.interval(uint32(i))
		s[i], s[j] = s[j], s[i]
	}
}

// choice returns k of s, none twice, in random order. It draws a permutation
// of all of s, however small k is.
func (r *randomState) choice(s []int32, k int) []int32 {
	order := each.Order[int32](len(s))
	r.shuffle(order)
	chosen := make([]int32, k)
	for i := range chosen {
		chosen[i] = s[order[i]]
	}
	return chosen
}
