// Package flip damages files, for tests of those who read them again: bits that
// change, bytes that do, files that are cut short or go on too long.
package flip

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"
)

// timesVariable sets how often each file is damaged.
const timesVariable = "PACIA_FLIPS"

// usual is the number of times where the variable is not set.
const usual = 200

// times is how often each file is to be damaged.
func times() int {
	if n, err := strconv.Atoi(os.Getenv(timesVariable)); err == nil {
		return n
	}
	return usual
}

// Check damages the file at path again and again, and reads it. The reader must fail,
// or return what it returned of the file as it was: anything else is a figure that
// nobody measured. The file is as it was in the end.
func Check[T any](t *testing.T, path string, read func() (T, error)) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := read()
	if err != nil {
		t.Fatalf("the file as it was: %v", err)
	}
	random := rand.New(rand.NewPCG(uint64(len(whole)), 15))
	n, found := times(), 0
	for range n {
		damaged, what := damage(whole, random)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := read()
		if err != nil {
			found++
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read without a word, as\n%.2000v\nwant\n%.2000v", what, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("flips: %d of %d found, the others harmless", found, n)
}

// damage returns a changed copy, which differs from the original, and what was done.
func damage(whole []byte, random *rand.Rand) ([]byte, string) {
	d := bytes.Clone(whole)
	at := random.IntN(len(d))
	switch random.IntN(8) {
	case 0:
		return d[:at], fmt.Sprintf("cut at byte %d of %d", at, len(d))
	case 1:
		d[at] ^= byte(1 + random.IntN(255))
		return d, fmt.Sprintf("byte %d of %d is %q", at, len(d), d[at])
	case 2:
		return append(d, make([]byte, 1+random.IntN(64))...), "zeros at the end"
	}
	bit := random.IntN(8)
	d[at] ^= 1 << bit
	return d, fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(d))
}
