package roofline

import (
	"math"
	"testing"
)

// tox21 is a step of the reference preset on Tox21: 9 tasks of 20 support molecules and 16
// queries.
var tox21 = Sizes{
	Atoms: 6000, Bonds: 12800, Tasks: 9, Support: 20, Queries: 144,
	Layers: 5, Width: 300, RelationLayers: 5, NodeWidth: 128, Hidden: 256, SingleNode: true,
	Film:  Hyper{Networks: 2, Last: []int{600, 300, 300, 300}},
	Depth: Hyper{Networks: 1, Means: true, Last: []int{256, 256, 256, 1}}, Parameters: 9_307_546,
}

// find returns the line of a name in a part.
func find(t *testing.T, part, name string) Line {
	t.Helper()
	for _, l := range Step(tox21) {
		if l.Part == part && l.Name == name {
			return l
		}
	}
	t.Fatalf("no %s in %s", name, part)
	return Line{}
}

// TestPairs: the figures that ops/relation/kernels.cc gives.
func TestPairs(t *testing.T) {
	if first, later := tox21.pairs(true), tox21.pairs(false); first != 4590 || later != 30240 {
		t.Errorf("%d pairs in the first layer and %d in a later one, want 4590 and 30240", first, later)
	}
}

// TestLinesByHand: counted on paper.
func TestLinesByHand(t *testing.T) {
	const pairs = 4590 + 4*30240 // 125,550
	for _, c := range []struct {
		part, name string
		launches   int
		operations float64
		bytes      float64
	}{
		{"encoder", "neighbours", 10, 5 * (3*18800*300 + 18800*300), 10 * 4 * 2 * 6000 * 300},
		{"encoder", "norm_forward", 5, 5 * 5 * 6000 * 300, 5 * 4 * 2 * 6000 * 300},
		{"encoder", "bonds_back", 5, 5 * 2 * 18800 * 300, 5 * 4 * (6000*300 + 188*9*300)},
		{"relation graphs", "products of pairs forward", 10, pairs * 2 * (128*256 + 256*128),
			4 * (pairs*(128+256) + 5*128*256 + pairs*(256+128) + 5*256*128)},
		{"relation graphs", "products of pairs back", 25, pairs * 2 * (2*256*128 + 2*128*256 + 128), 0},
		{"relation graphs", "pair_distances", 10, 2 * 3 * pairs * 128, 2 * 4 * (pairs*128 + 5*144*21*128)},
		{"optimiser", "adam_update", 1, 12 * 9_307_546, 4 * 7 * 9_307_546},
	} {
		l := find(t, c.part, c.name)
		if l.Launches != c.launches || l.Operations != c.operations || c.bytes > 0 && l.Bytes != c.bytes {
			t.Errorf("%s, %s: %d launches, %.0f operations, %.0f bytes; by hand %d, %.0f, %.0f", c.part, c.name,
				l.Launches, l.Operations, l.Bytes, c.launches, c.operations, c.bytes)
		}
	}
}

// TestProductsAreThoseOfTheBenchmark: bench/work.py counts the products of a step with a
// formula of its own; the kernels compute all pairs that are distinct, forward and back.
// Every product costs twice as much on the way back.
func TestProductsAreThoseOfTheBenchmark(t *testing.T) {
	const (
		A, B, N, Q, L, D, R, W = 6000.0, 9.0, 20.0, 144.0, 5.0, 300.0, 5.0, 128.0

		gin       = 2 * (D*2*D + 2*D*D)
		film      = N*2*((D+2)*D+2*D*D) + 2*(2*D*D+2*D*D)
		encoder   = L * (A*gin + 2*B*film)
		projected = (B*N + Q) * 2 * (D*W + W*W)
		pair      = 2 * (W*2*W + 2*W*W)
		node      = 2 * (2 * W * W)
		depth     = N*2*((W+2)*W+2*W*W) + 2*(2*W*W+2*(2*W)*(2*W)+2*W)
		prototype = 2 * (4*W*W + 3*W*W + W)
		layer     = Q*(N+1)*node + Q*(depth+2*prototype)
		last      = 2 * W // of a pair: gives its score, and is not on the way there
		want      = 3*(encoder+projected+R*layer) + (4590+4*30240)*(3*pair+last)
	)
	got := 0.0
	for _, l := range Step(tox21) {
		if l.Product {
			got += l.Operations
		}
	}
	if math.Abs(got-want) > 1e-9*want {
		t.Errorf("%.4f GFLOP of products, by the formula %.4f", got/1e9, want/1e9)
	}
}

// TestSeconds: the slower of operations and bytes, and a launch each.
func TestSeconds(t *testing.T) {
	g := GPU{Float: 100, TF32: 1000, Bytes: 10, Launch: 1}
	for _, c := range []struct {
		line Line
		tf32 bool
		want float64
	}{
		{Line{Product: true, Operations: 500, Bytes: 10, Launches: 2}, false, 7},
		{Line{Product: true, Operations: 500, Bytes: 10, Launches: 2}, true, 3},
		{Line{Operations: 500, Bytes: 10}, true, 5},
		{Line{Launches: 3}, false, 3},
	} {
		if got := g.Seconds(c.line, c.tf32); got != c.want {
			t.Errorf("%+v, TF32 %t: %v s, want %v", c.line, c.tf32, got, c.want)
		}
	}
}
