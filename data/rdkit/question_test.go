package rdkit

import (
	"bytes"
	"testing"
)

// TestPatternsAreSentOnce: a process receives patterns with the first molecule, and again when they
// change. Questions arrive unchanged.
func TestPatternsAreSentOnce(t *testing.T) {
	long := string(bytes.Repeat([]byte("+c1ccccc1\n"), 30))
	asked := []struct {
		question
		sent bool
	}{
		{question{kind: askStructure, a: 3, text: "CCO", with: long}, true},
		{question{kind: askParse, a: 1, b: 2, text: "CCN"}, false},
		{question{kind: askStructure, text: "CCO", with: long}, false},
		{question{kind: askStructure, text: "CCO"}, true}, // no patterns
		{question{kind: askStructure, text: "CCO"}, false},
		{question{kind: askStructure, text: "CCO", with: "-N"}, true},
	}
	here, there := "", ""
	for i, q := range asked {
		frame := q.append(nil, here)
		if q.kind == askStructure {
			here = q.with
		}
		if got := frame[0]&withPatterns != 0; got != q.sent || !q.sent && bytes.Contains(frame, []byte("c1cc")) {
			t.Errorf("question %d: patterns are sent: %t, want %t", i, got, q.sent)
		}
		got, err := questionOf(frame, there)
		if err != nil {
			t.Fatal(err)
		}
		there = got.with
		want := q.question
		want.with = here
		if got != want {
			t.Errorf("question %d arrives as %+v, want %+v", i, got, want)
		}
	}
	for _, frame := range []string{"", "12345678", "\x8812345678", "\x8812345678\xff\xff\xff\xffCC"} {
		if _, err := questionOf([]byte(frame), ""); err == nil {
			t.Errorf("%q is read", frame)
		}
	}
}
