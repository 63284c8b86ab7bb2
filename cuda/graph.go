package cuda

// #include "torch.h"
import "C"

import "log/slog"

// Graph is work of a device that is recorded once and then started as a whole:
//
//  1. on a thread with a stream of its own, and after the same work has been
//     done there once, so that libraries have their handles and memory;
//  2. Begin, the work, which is not done now, End; or Abort, when the work
//     returned an error;
//  3. Replay as often as wanted. The work reads and writes the same memory
//     each time, the graph's own but for what was there before.
type Graph struct {
	c     *C.pacia_graph
	nodes int
}

// NewGraph makes a graph of nothing.
func NewGraph(device int) (*Graph, error) {
	g := &Graph{nodes: -1}
	if err := failure(C.pacia_graph_new(C.int(device), &g.c)); err != nil {
		return nil, err
	}
	return g, nil
}

// Begin starts to record what the current stream is given. Memory is allocated
// in a pool that is kept for the graph, or, if pool is not nil, in that of
// another graph: graphs that share it must not be under way at once, and each
// overwrites what the others left. Other threads may do what they like.
func (g *Graph) Begin(pool *Graph) error {
	var shared *C.pacia_graph
	if pool != nil {
		shared = pool.c
	}
	return failure(C.pacia_graph_begin(g.c, shared))
}

// End stops recording and readies the graph. After an error the graph is as it
// was before Begin, and the stream does again what it is given.
func (g *Graph) End() error {
	var nodes C.int64_t
	if err := failure(C.pacia_graph_end(g.c, &nodes)); err != nil {
		return err
	}
	g.nodes = int(nodes)
	return nil
}

// Abort stops recording and throws away what was recorded.
func (g *Graph) Abort() error { return failure(C.pacia_graph_abort(g.c)) }

// Replay puts the graph behind the work of the current stream.
func (g *Graph) Replay() error { return failure(C.pacia_graph_replay(g.c)) }

// Nodes returns the number of kernels, copies and the like; -1 before End.
func (g *Graph) Nodes() int { return g.nodes }

// Drop frees the graph and its memory, as far as no tensor and no other graph
// has it. Its last replay must be done.
func (g *Graph) Drop() {
	if g.c == nil {
		return
	}
	if err := failure(C.pacia_graph_free(g.c)); err != nil {
		slog.Warn("a CUDA graph was not freed", "error", err)
	}
	g.c = nil
}
