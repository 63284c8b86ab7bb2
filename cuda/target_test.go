package cuda

import (
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	cuda11 := &compiler{version: [2]int{11, 7}, path: "11", architectures: []int{35, 70, 75, 80, 86, 87}}
	cuda12 := &compiler{version: [2]int{12, 1}, path: "12", architectures: []int{75, 80, 86, 87, 89, 90}}
	cuda13 := &compiler{version: [2]int{13, 0}, path: "13", architectures: []int{75, 80, 86, 87, 88, 89, 90, 100, 120}}
	all := []*compiler{cuda11, cuda12, cuda13}
	for _, c := range []struct {
		name       string
		found      []*compiler
		capability int
		driver     int
		want       string // the compiler's path and the target, or a part of the error
	}{
		{"the device itself, by the first that supports it", all, 86, 13000, "11 sm_86"},
		{"the device itself, by a later one", all, 90, 13000, "12 sm_90"},
		{"machine code of the device before that of an older one", all, 89, 13000, "12 sm_89"},
		{"machine code of an older one, but not of an integrated one", []*compiler{cuda11}, 89, 13000, "11 sm_86"},
		{"PTX for a device of another kind", []*compiler{cuda11}, 90, 13000, "11 compute_86"},
		{"PTX of the newest", all, 123, 13000, "13 sm_120"},
		{"PTX of the newest, for another major version", all, 130, 13000, "13 compute_120"},
		{"an integrated one", all, 87, 13000, "11 sm_87"},
		{"an integrated one takes no other's machine code", []*compiler{{version: [2]int{12, 0}, path: "x", architectures: []int{80, 86}}}, 87, 13000, "x compute_86"},
		{"an older driver", all, 90, 12000, "12 sm_90"},
		{"a driver too old for a compiler's PTX", all, 100, 12000, "11 compute_86"},
		{"a driver too old", []*compiler{cuda13}, 80, 12020, "no NVRTC for a GPU of capability 8.0 with a driver for CUDA 12.2"},
		{"a device too old", []*compiler{cuda13}, 70, 13000, "no NVRTC for a GPU of capability 7.0"},
	} {
		best, target, err := choose(c.found, c.capability, c.driver)
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(err.Error(), "set PACIA_NVRTC") {
				t.Errorf("%s: got %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := best.path + " " + target.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
