package roofline

// GPU holds the peak rates of a device.
type GPU struct {
	Name   string
	Float  float64 // operations a second in float32, outside of tensor cores
	TF32   float64 // of products of factors in TF32, without sparsity
	Bytes  float64 // a second, from and to its memory
	Launch float64 // seconds from one node of a CUDA graph to the next
}

// launch is assumed for all of them: a graph's short kernels follow each other in one to
// two microseconds.
const launch = 1.5e-6

// GPUs are those that --gpu names, with the figures of NVIDIA's data sheets: GA102 (RTX
// 3090), A100 of 40 GB, H100 SXM.
var GPUs = []GPU{
	{"rtx3090", 35.6e12, 35.6e12, 936e9, launch},
	{"a100", 19.5e12, 156e12, 1555e9, launch},
	{"h100", 66.9e12, 494.7e12, 3350e9, launch},
}

// Seconds is how long a line takes at the least.
func (g GPU) Seconds(l Line, tf32 bool) float64 {
	speed := g.Float
	if tf32 && l.Product {
		speed = g.TF32
	}
	return max(l.Operations/speed, l.Bytes/g.Bytes) + float64(l.Launches)*g.Launch
}
