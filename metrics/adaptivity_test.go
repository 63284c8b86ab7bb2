package metrics

import (
	"reflect"
	"testing"
)

// TestMeanAdaptivity compares means with values computed by hand. A figure that only some
// elements have is a mean over these.
func TestMeanAdaptivity(t *testing.T) {
	a := &Adaptivity{Draws: 2, Queries: 10, Known: 4, Own: Values{0.75, 0.25}, Swapped: Values{0.5, 0},
		Foreign: Values{0.5, 0.125}, Depths: []int{1, 2}}
	b := &Adaptivity{Draws: 1, Queries: 5, Known: 5, Own: Values{0.25, 0.75}, Swapped: Values{0, 0.5}, Depths: []int{1, 0, 4}}
	want := &Adaptivity{Draws: 3, Queries: 15, Known: 9, Own: Values{0.5, 0.5}, Swapped: Values{0.25, 0.25},
		Adaptivity: Values{0.25, 0.25}, Foreign: Values{0.5, 0.125}, Depths: []int{2, 2, 4}}
	if got := MeanAdaptivityOf([]Figures{{Adaptivity: a}, {}, {Adaptivity: b}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := want.KnownText(); got != "60 % of the queries are molecules of the training tasks" {
		t.Error(got)
	}
	if got := MeanAdaptivityOf([]Figures{{}}); got != nil {
		t.Errorf("the mean of none is %+v", got)
	}
	if want.Adaptivity.Value(NameROCAUC) != 0.25 || a.Own.Value(NameDeltaAUPRC) != 0.25 || a.Own.Value("") != 0.75 {
		t.Error("Value returns another figure")
	}
}

// TestDepthText checks that a depth at which nearly all queries are read is reported.
func TestDepthText(t *testing.T) {
	for _, tt := range []struct {
		depths []int
		want   string
	}{
		{nil, ""},
		{[]int{1000}, "depth is not chosen: 100 % at 1"},
		{[]int{3, 0, 997, 0}, "depth is not chosen: 100 % at 3"},
		{[]int{1, 3, 0, 4}, "depths: 12 % at 1, 38 % at 2, 0 % at 3, 50 % at 4"},
	} {
		if got := (&Adaptivity{Depths: tt.depths}).DepthText(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.depths, got, tt.want)
		}
	}
}
