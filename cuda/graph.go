package cuda

// #include "torch.h"
import "C"

import "log/slog"

// Graph is work of a device that is recorded once and then replayed as a whole:
//
//  1. Use a thread with its own stream, and do the same work there once before, so
//     that libraries have their handles and memory.
//  2. Call Begin, start the work, which is recorded and not done, and call End, or
//     Abort if the work returned an error.
//  3. Call Replay any number of times. The work reads and writes the same memory
//     each time: memory of the graph, and memory that existed before.
type Graph struct {
	c     *C.pacia_graph
	nodes int
}

// NewGraph makes an empty graph.
func NewGraph(device int) (*Graph, error) {
	g := &Graph{nodes: -1}
	if err := failure(C.pacia_graph_new(C.int(device), &g.c)); err != nil {
		return nil, err
	}
	return g, nil
}

// Begin starts to record the work submitted to the current stream. Memory is
// allocated in the graph's own pool or, if pool is not nil, in the pool of another
// graph. Graphs that share a pool must not run at the same time, and each overwrites
// the results of the others. Other threads are not restricted.
func (g *Graph) Begin(pool *Graph) error {
	var shared *C.pacia_graph
	if pool != nil {
		shared = pool.c
	}
	return failure(C.pacia_graph_begin(g.c, shared))
}

// End stops recording and prepares the graph. After an error the graph is as before
// Begin, and the stream executes work again.
func (g *Graph) End() error {
	var nodes C.int64_t
	if err := failure(C.pacia_graph_end(g.c, &nodes)); err != nil {
		return err
	}
	g.nodes = int(nodes)
	return nil
}

// Abort stops recording and discards the recorded work.
func (g *Graph) Abort() error { return failure(C.pacia_graph_abort(g.c)) }

// Replay submits the graph to the current stream.
func (g *Graph) Replay() error { return failure(C.pacia_graph_replay(g.c)) }

// Nodes returns the number of kernels, copies and similar operations, -1 before End.
func (g *Graph) Nodes() int { return g.nodes }

// Drop frees the graph and its memory, except memory in use by tensors or other
// graphs. Its last replay must have finished.
func (g *Graph) Drop() {
	if g.c == nil {
		return
	}
	if err := failure(C.pacia_graph_free(g.c)); err != nil {
		slog.Warn("a CUDA graph was not freed", "error", err)
	}
	g.c = nil
}
