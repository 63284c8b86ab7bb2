// Package flip damages files to test their readers: it changes bits or bytes, and makes
// files shorter or longer.
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

// timesVariable sets the number of times that each file is damaged.
const timesVariable = "PACIA_FLIPS"

// usual is the number of times without the variable.
const usual = 200

// times returns the number of times to damage each file.
func times() int {
	if n, err := strconv.Atoi(os.Getenv(timesVariable)); err == nil {
		return n
	}
	return usual
}

// Check repeatedly damages the file at path and reads it. The reader must fail or return
// the value of the undamaged file: any other value would be a wrong figure. Check finally
// restores the file.
func Check[T any](t *testing.T, path string, read func() (T, error)) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := read()
	if err != nil {
		t.Fatalf("the undamaged file: %v", err)
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
			t.Errorf("%s: read without an error, as\n%.2000v\nwant\n%.2000v", what, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("flips: %d of %d found, the others harmless", found, n)
}

// damage returns a changed copy and a description of the change.
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
