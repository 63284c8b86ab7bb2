package opstest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Fails checks that err is not nil, contains all of the words, and is short enough to read
// at a glance.
func Fails(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not contain %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "frame #") {
		t.Errorf("the error shows a backtrace: %q", err)
	}
}

// Misshapen holds inputs of an operation on support sets. One of them is wrong.
type Misshapen struct {
	Query, Support []int64 // shapes
	Labels         []uint8
	Task           []int32 // of the query
	Shots          int     // support molecules of a task
}

// Refused checks that the operation named what refuses each of these inputs, with an error
// that contains the words of its key.
func Refused(t *testing.T, what string, all map[string]Misshapen, f func(l *Lab, x, support, labels, task *ts.Tensor, c Misshapen) error) {
	t.Helper()
	Locked(t, 2)
	for words, c := range all {
		l := New(t, 1, true)
		err := f(l, l.Leaf("x", 0, 1, c.Query...), l.Leaf("support", 0, 1, c.Support...), l.Bytes(c.Labels...), l.Ints(c.Task...), c)
		Fails(t, err, what+": ", words)
		l.Drop()
	}
}

// SameOnThreads checks that a calculation gives the same numbers on any number of threads.
func SameOnThreads(t *testing.T, c Calculation) {
	t.Helper()
	var first Outcome
	for _, n := range []int{1, 2, 3} {
		Run(t, fmt.Sprint(n), func(t *testing.T) {
			ops.SetThreads(n)
			o := Computed(t, 1, false, c)
			if n == 1 {
				first = o
			}
			for _, name := range o.Names {
				Near(t, name, o.Stages[name], first.Stages[name], 0)
			}
		})
	}
}
