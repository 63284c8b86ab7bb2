package main

import (
	"fmt"
	"strings"

	"pacia/cuda"
	"pacia/internal/ui"
	"pacia/ops"
)

// A gpu is the driver's description of a GPU.
type gpu struct {
	Name       string `json:"name"`
	Capability string `json:"compute_capability"` // such as 8.6
	Memory     uint64 `json:"memory_bytes"`
}

// gpus adds the GPUs, the driver and NVRTC of this machine. It adds problems only if this
// program was built for a GPU.
func (d *diagnosis) gpus(r cuda.Report, libtorch ops.BuildInfo) {
	d.Driver, d.NVRTC, d.KernelCache, d.GPUs = r.Driver, r.NVRTC, r.Cache, []gpu{}
	for _, g := range r.Devices {
		d.GPUs = append(d.GPUs, gpu{g.Name, fmt.Sprintf("%d.%d", g.Capability[0], g.Capability[1]), g.MemoryBytes})
	}
	if libtorch.CUDA == "" {
		return
	}
	switch {
	case r.Problem != "":
		d.wrong("%s", r.Problem)
	case libtorch.Devices == 0:
		d.wrong("CUDA is linked, and no CUDA device answers: see whether nvidia-smi finds one, and whether the driver is as new as CUDA %s",
			libtorch.CUDA)
	}
	for _, g := range r.Devices {
		if variant := variantFor(g.Capability, libtorch.CUDA); variant != "" {
			d.wrong("libtorch for CUDA %s has no kernels for %s (compute capability %d.%d): build with make build-gpu LIBTORCH=%s",
				libtorch.CUDA, g.Name, g.Capability[0], g.Capability[1], variant)
		}
	}
}

// variantFor returns the value of LIBTORCH for a build that supports the device, or "" if
// this libtorch has kernels for it. scripts/gpu.py has the same limits.
func variantFor(capability [2]int, cudaVersion string) string {
	number := 10*capability[0] + capability[1]
	switch {
	case number >= 90 && strings.HasPrefix(cudaVersion, "11."):
		return "cu130"
	case number < 75 && strings.HasPrefix(cudaVersion, "13."):
		return "cu117"
	}
	return ""
}

// writeGPUs adds the lines about GPUs.
func (d diagnosis) writeGPUs(w *ui.Table) {
	linked := "none: a build for CPU"
	if d.CUDA != "" {
		linked = fmt.Sprintf("%s, %s", d.CUDA, ui.Count(d.Devices, "device"))
	}
	w.Line("CUDA\t%s", linked)
	w.Line("driver\t%s", orNone(d.Driver))
	for i, g := range d.GPUs {
		w.Line("GPU %d\t%s, compute capability %s, %.1f GB", i, g.Name, g.Capability, float64(g.Memory)/1e9)
	}
	w.Line("NVRTC\t%s", orNone(strings.TrimPrefix(d.NVRTC, "NVRTC ")))
	w.Line("kernels\t%s", orNone(d.KernelCache))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
