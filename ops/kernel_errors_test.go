package ops_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestErrorsOfKernels passes inputs that fit the products, but not the kernels between
// them, which would read beyond the end of the inputs.
func TestErrorsOfKernels(t *testing.T) {
	relation := func(l *opstest.Lab, spoil func(r *ops.Relation)) error {
		r := ops.Relation{Similarity: [3]ops.Linear{l.Linear("0", 4, 5, true, 0), l.Linear("1", 5, 3, true, 0), l.Linear("2", 3, 1, true, 0)},
			Node: []ops.Linear{l.Linear("node", 8, 4, true, 0)}}
		spoil(&r)
		_, _, err := r.Layer(ops.Nodes{Graphs: l.Leaf("x", 0, 1, 2, 4, 4)}, 3, 2, false)
		return err
	}
	short := func(l *opstest.Lab, r *ops.Relation, i int) { r.Similarity[i].B = l.Leaf("short", 0, 1, 2) }
	loss := func(l *opstest.Lab, labels []uint8, weights, scores int64) error {
		_, err := ops.Loss(l.Leaf("logits", 0, 1, 2, 1, 2), l.Bytes(labels...), l.Leaf("weights", 0, 1, weights),
			[]*ts.Tensor{l.Leaf("score", 0, 1, scores, 1)}, lossExpected, 1)
		return err
	}
	hyper := func(l *opstest.Lab, support int, labels []uint8, task ...int32) error {
		h := ops.Hypernetwork{Molecule: []ops.Linear{l.Linear("molecule", 5, 3, true, 0)}, Last: []ops.Linear{l.Linear("last", 6, 2, true, 0)}}
		if task == nil {
			_, err := h.Task(l.Leaf("x", 0, 1, 4, 3), l.Bytes(labels...), support, ops.Mode{})
			return err
		}
		_, err := h.Nodes(l.Leaf("x", 0, 1, 2, 5, 3), l.Bytes(labels...), l.Ints(task...), support, ops.Mode{})
		return err
	}
	classifier := func(l *opstest.Lab, labels []uint8, task ...int32) error {
		c := ops.Classifier{W: [][]ops.Linear{{l.Linear("w", 3, 3, true, 0)}}, B: [][]ops.Linear{{l.Linear("b", 3, 1, true, 0)}}}
		_, err := c.Logits([]*ts.Tensor{l.Leaf("x", 0, 1, 2, 5, 3)}, l.Bytes(labels...), l.Ints(task...), 4)
		return err
	}
	for name, c := range map[string]struct {
		call  func(l *opstest.Lab) error
		words string
	}{
		"labels of tasks":   {func(l *opstest.Lab) error { return hyper(l, 4, []uint8{0, 1, 1}) }, "labels has shape [3], not [4]"},
		"support of tasks":  {func(l *opstest.Lab) error { return hyper(l, 3, []uint8{0, 1, 1}) }, "4 molecules are not sets of 3"},
		"no support":        {func(l *opstest.Lab) error { return hyper(l, 0, []uint8{0, 1, 1, 0}) }, "no support molecules"},
		"labels of queries": {func(l *opstest.Lab) error { return hyper(l, 4, []uint8{0, 1, 1}, 0, 0) }, "labels has shape [3], not [0]"},
		"nodes of queries": {func(l *opstest.Lab) error { return hyper(l, 3, []uint8{0, 1, 1}, 0, 0) },
			"graphs of 5 nodes with 3 support molecules"},
		"tasks of queries": {func(l *opstest.Lab) error { return hyper(l, 4, []uint8{0, 1, 1, 0}, 0, 0, 0) },
			"2 sets for 3 tasks of queries"},
		"labels of classes": {func(l *opstest.Lab) error { return classifier(l, []uint8{0, 1, 1, 1, 0}, 0, 0) },
			"labels has shape [5], not [4]"},
		"tasks of the classes": {func(l *opstest.Lab) error { return classifier(l, []uint8{0, 1, 1, 1}, 0) },
			"nodes has shape [1, 2, 5, 3], not [1, 1, any, 3]"},
		"b1 of the pair network": {func(l *opstest.Lab) error { return relation(l, func(r *ops.Relation) { short(l, r, 0) }) },
			"b1 has shape [2], not [5]"},
		"b2 of the pair network": {func(l *opstest.Lab) error { return relation(l, func(r *ops.Relation) { short(l, r, 1) }) },
			"b2 has shape [2], not [3]"},
		"b3 of the pair network": {func(l *opstest.Lab) error { return relation(l, func(r *ops.Relation) { short(l, r, 2) }) },
			"b3 has shape [2], not [1]"},
		"width of the nodes": {func(l *opstest.Lab) error {
			return relation(l, func(r *ops.Relation) { r.Similarity[0] = l.Linear("wide", 6, 5, true, 0) })
		}, "W1 has shape [5, 6], not [any, 4]"},
		"two similarities": {func(l *opstest.Lab) error {
			return relation(l, func(r *ops.Relation) { r.Similarity[2] = l.Linear("two", 3, 2, false, 0) })
		}, "W3 has shape [2, 3], not [1, 3]"},
		"bias of the node update": {func(l *opstest.Lab) error {
			return relation(l, func(r *ops.Relation) { r.Node[0].B = l.Leaf("short", 0, 1, 2) })
		}, "b has shape [2], not [4]"},
		"input that is added": {func(l *opstest.Lab) error {
			_, err := ops.MLP(l.Leaf("x", 0, 1, 2, 3), []ops.Linear{l.Linear("0", 3, 4, true, ops.Residual)}, ops.Mode{})
			return err
		}, "a residual layer has shape [4, 3], not [3, 3]"},
		"labels":  {func(l *opstest.Lab) error { return loss(l, []uint8{1}, 2, 2) }, "labels has shape [1], not [2]"},
		"weights": {func(l *opstest.Lab) error { return loss(l, []uint8{1, 0}, 1, 2) }, "weights has shape [1], not [2]"},
		"scores":  {func(l *opstest.Lab) error { return loss(l, []uint8{1, 0}, 2, 3) }, "p has shape [3, 1], not [2, 1]"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			opstest.Emulated(t)
			l := opstest.New(t, 1, true)
			defer l.Drop()
			opstest.Fails(t, c.call(l), c.words)
		})
	}
}

// TestTensorOfAnotherDevice: a kernel that reads memory of the host would lose the device.
// The refusal can only be tested with a device.
func TestTensorOfAnotherDevice(t *testing.T) {
	if os.Getenv("PACIA_TEST_DEVICE") == "" {
		t.Skip("needs another device than the CPU")
	}
	opstest.Emulated(t)
	l := opstest.New(t, 1, false)
	g := l.Graph(opstest.Molecules(l.Rand, [][]int{{3, 4}, {}}))
	which, err := ops.Vector([]int32{1}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(which)
	_, err = ops.SegmentMean(l.Leaf("h", 0, 1, 7, 4), g, which)
	if err == nil || !strings.Contains(err.Error(), "cannot read a tensor on cpu") {
		t.Errorf("got %v, want a refusal", err)
	}
}
