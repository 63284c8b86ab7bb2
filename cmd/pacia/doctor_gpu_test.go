package main

import (
	"strings"
	"testing"

	"pacia/cuda"
	"pacia/internal/ui"
	"pacia/ops"
)

func device(name string, major, minor int) cuda.Device {
	return cuda.Device{Name: name, Capability: [2]int{major, minor}, MemoryBytes: 25_000_000_000}
}

func TestDoctorOfGPUs(t *testing.T) {
	well := func(devices ...cuda.Device) cuda.Report {
		return cuda.Report{Driver: "580.1 (CUDA 13.0)", Devices: devices, NVRTC: "NVRTC 11.7 (libnvrtc.so)", Cache: "/cache"}
	}
	cpu, cuda11, cuda13 := ops.BuildInfo{}, ops.BuildInfo{CUDA: "11.7", Devices: 1}, ops.BuildInfo{CUDA: "13.0", Devices: 1}
	for _, c := range []struct {
		name     string
		report   cuda.Report
		libtorch ops.BuildInfo
		wrong    string // empty: no problem
	}{
		{"a build for CPU without a GPU", cuda.Report{Problem: "no GPU that can be used"}, cpu, ""},
		{"a build for CPU beside a GPU", well(device("H100", 9, 0)), cpu, ""},
		{"no GPU", cuda.Report{Problem: "no GPU that can be used"}, cuda11, "no GPU that can be used"},
		{"a GPU that libtorch does not see", well(device("A100", 8, 0)), ops.BuildInfo{CUDA: "13.0"}, "as new as CUDA 13.0"},
		{"the newest of CUDA 11", well(device("RTX 4090", 8, 9)), cuda11, ""},
		{"one too new", well(device("RTX 3090", 8, 6), device("H100", 9, 0)), cuda11, "for H100 (compute capability 9.0): build with make build-gpu LIBTORCH=cu130"},
		{"the oldest of CUDA 13", well(device("T4", 7, 5)), cuda13, ""},
		{"one too old", well(device("V100", 7, 0)), cuda13, "LIBTORCH=cu117"},
	} {
		var d diagnosis
		d.gpus(c.report, c.libtorch)
		switch {
		case c.wrong == "" && len(d.Wrong) > 0:
			t.Errorf("%s: wrong is %q, want nothing", c.name, d.Wrong)
		case c.wrong != "" && (len(d.Wrong) != 1 || !strings.Contains(d.Wrong[0], c.wrong)):
			t.Errorf("%s: wrong is %q, want one thing with %q", c.name, d.Wrong, c.wrong)
		}
	}
}

func TestDoctorWritesGPUs(t *testing.T) {
	d := diagnosis{CUDA: "11.7", Devices: 1}
	d.gpus(cuda.Report{
		Driver: "580.1 (CUDA 13.0)", Devices: []cuda.Device{device("RTX 3090", 8, 6)}, NVRTC: "NVRTC 11.7 (/lib/libnvrtc.so.11.2)", Cache: "/cache",
	}, ops.BuildInfo{CUDA: "11.7", Devices: 1})
	var b strings.Builder
	w := ui.NewTable(&b)
	d.writeGPUs(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = `CUDA     11.7, 1 device
driver   580.1 (CUDA 13.0)
GPU 0    RTX 3090, compute capability 8.6, 25.0 GB
NVRTC    11.7 (/lib/libnvrtc.so.11.2)
kernels  /cache
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
