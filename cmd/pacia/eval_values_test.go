package main

import (
	"strings"
	"testing"

	valued "pacia/evaluate/measured"
)

// TestGainOfOneAssay: the gain of a single assay has no standard error.
func TestGainOfOneAssay(t *testing.T) {
	v := valuesTest{Model: "gp", Fold: "test", Draws: 2, Summary: []valued.Summary{
		{Group: "all", Tasks: 2, Gain: 0.25, StandardError: 0.125}, {Group: "new", Tasks: 1, Gain: -0.25},
	}}
	var out strings.Builder
	if err := v.write(&out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" +0.2500 ± 0.1250 ", " -0.2500 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "± 0.0000") {
		t.Errorf("the table has an error of 0:\n%s", &out)
	}
}
