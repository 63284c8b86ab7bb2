package each

import (
	"reflect"
	"strconv"
	"testing"
)

func TestEach(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	numbers := []int{3, 4, 5}
	for name, c := range map[string]struct{ got, want any }{
		"Of":          {Of(numbers, strconv.Itoa), []string{"3", "4", "5"}},
		"Of none":     {Of([]int(nil), strconv.Itoa), []string{}},
		"As":          {As[float32](numbers), []float32{3, 4, 5}},
		"As, rounded": {As[int32]([]float64{1.9, -1.9}), []int32{1, -1}},
		"At":          {At([]string{"a", "b", "c"}, []int32{2, 0, 2}), []string{"c", "a", "c"}},
		"Order":       {Order[uint8](3), []uint8{0, 1, 2}},
		"If":          {If(numbers, odd), []int{3, 5}},
		"If none":     {If([]int{2}, odd), []int(nil)},
		"Count":       {Count(numbers, odd), 2},
		"Pairs":       {Pairs(numbers, func(n int) (bool, int) { return odd(n), n }), map[bool]int{true: 5, false: 4}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %#v, want %#v", name, c.got, c.want)
		}
	}
}
