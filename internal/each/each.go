// Package each makes slices and maps from the elements of slices.
package each

// A Number is any of Go's integer and floating-point types.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Of returns the results of f for each element.
func Of[S ~[]T, T, U any](of S, f func(T) U) []U {
	all := make([]U, len(of))
	for i, v := range of {
		all[i] = f(v)
	}
	return all
}

// As converts each number to type U.
func As[U, T Number](of []T) []U {
	all := make([]U, len(of))
	for i, v := range of {
		all[i] = U(v)
	}
	return all
}

// At returns the elements of from at the given indices.
func At[S ~[]T, T any, I ~int | ~int32](from S, places []I) []T {
	return Of(places, func(i I) T { return from[i] })
}

// Order returns the numbers from 0 to n − 1.
func Order[T Number](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// If returns the elements for which keep is true, or nil.
func If[S ~[]T, T any](of S, keep func(T) bool) (kept S) {
	for _, v := range of {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Count returns the number of elements for which counts is true.
func Count[S ~[]T, T any](of S, counts func(T) bool) (n int) {
	for _, v := range of {
		if counts(v) {
			n++
		}
	}
	return n
}

// Pairs returns a map with the key and the value that f returns for each element.
func Pairs[S ~[]T, T any, K comparable, V any](of S, f func(T) (K, V)) map[K]V {
	all := make(map[K]V, len(of))
	for _, v := range of {
		key, value := f(v)
		all[key] = value
	}
	return all
}
