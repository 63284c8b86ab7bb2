package data

import (
	"slices"
	"testing"
)

func TestNewSupport(t *testing.T) {
	e, err := NewSupport([]int32{9, 4, 7, 4}, []uint8{1, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if e.Shots != 1 || !slices.Equal(e.Support, []int32{4, 9, 7, 4}) || !slices.Equal(e.SupportLabels, []uint8{0, 1, 1, 1}) || len(e.Query) != 0 {
		t.Errorf("episode %+v: want one shot, the inactive 4 first, then 9, 7, 4", e)
	}
}

func TestNewSupportFaults(t *testing.T) {
	for want, labels := range map[string][]uint8{
		"0 inactive and 2 active support molecules; give at least one of each": {1, 1},
		"2 inactive and 0 active support molecules; give at least one of each": {0, 0},
		"data.NewMeasured: 2 molecules and 1 labels":                           {1},
		"data.NewMeasured: label 2 is not 0 or 1":                              {1, 2},
	} {
		if _, err := NewSupport([]int32{1, 2}, labels); err == nil || err.Error() != want {
			t.Errorf("labels %v: %v, want %q", labels, err, want)
		}
	}
}
