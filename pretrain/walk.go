package pretrain

import (
	"cmp"
	"slices"
)

// Legend: m motifs of a molecule.

// message is a message from a motif to a neighbour in the generation of a tree.
type message struct {
	from int32   // the motif
	uses []int32 // messages that it received before, except from the neighbour
	asks int32   // kind of the motif to predict, or none
}

// choice is the target of a step: to another child of a motif, or back.
type choice struct {
	at   int32   // the motif
	uses []int32 // messages that it received before
	more bool
}

// walk holds the steps that generate a tree.
type walk struct {
	messages []message
	choices  []choice // depth first only
}

// mostHeard is the largest number of messages that a motif uses, as published.
const mostHeard = 8

// walker makes walks over a tree.
type walker struct {
	walk
	tree
	near  [][]int32 // [m] neighbours of each motif
	inbox [][]sent  // [m] messages to each
	stop  int32     // the prediction after the last child, breadth first
}

// sent is a message that was sent.
type sent struct{ message, from int32 }

// nobody is the receiver of the message that ends the children of a motif.
const nobody = -1

// walkOf returns the walk over a tree. Each part starts from the motif with its first atom (from
// the last one, if there are several). Breadth first, each motif gets all its children, followed by
// stop. Children are in the order of the edges.
func walkOf(t tree, depthFirst bool, stop int32) walk {
	w := walker{tree: t, near: make([][]int32, len(t.kinds)), inbox: make([][]sent, len(t.kinds)), stop: stop}
	for _, e := range t.edges {
		w.near[e[0]], w.near[e[1]] = append(w.near[e[0]], e[1]), append(w.near[e[1]], e[0])
	}
	for _, root := range w.roots() {
		if !depthFirst {
			w.breadthFirst(root)
			continue
		}
		w.depthFirst(root, nobody)
		w.choose(root, false)
	}
	return w.walk
}

// roots returns the first motif of each part of the tree.
func (w *walker) roots() (roots []int32) {
	order := counting(len(w.kinds))
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(w.atoms[i][0], w.atoms[j][0]), cmp.Compare(j, i))
	})
	seen := make([]bool, len(w.kinds))
	var see func(x int32)
	see = func(x int32) {
		seen[x] = true
		for _, y := range w.near[x] {
			if !seen[y] {
				see(y)
			}
		}
	}
	for _, x := range order {
		if !seen[x] {
			roots = append(roots, x)
			see(x)
		}
	}
	return roots
}

func (w *walker) breadthFirst(root int32) {
	type step struct{ at, parent int32 }
	for queue := []step{{root, nobody}}; len(queue) > 0; queue = queue[1:] {
		x := queue[0].at
		for _, y := range w.near[x] {
			if y == queue[0].parent {
				continue
			}
			w.send(x, y, w.kinds[y])
			w.send(y, x, none)
			queue = append(queue, step{y, x})
		}
		w.send(x, nobody, w.stop)
	}
}

func (w *walker) depthFirst(x, parent int32) {
	for _, y := range w.near[x] {
		if y == parent {
			continue
		}
		w.choose(x, true)
		w.send(x, y, w.kinds[y])
		w.depthFirst(y, x)
		w.choose(y, false)
		w.send(y, x, none)
	}
}

func (w *walker) send(from, to, asks int32) {
	n := int32(len(w.messages))
	w.messages = append(w.messages, message{from, w.heard(from, to), asks})
	if to != nobody {
		w.inbox[to] = append(w.inbox[to], sent{n, from})
	}
}

func (w *walker) choose(at int32, more bool) {
	w.choices = append(w.choices, choice{at, w.heard(at, nobody), more})
}

// heard returns the messages that a motif has received, without the one from motif but.
func (w *walker) heard(at, but int32) (list []int32) {
	for _, s := range w.inbox[at] {
		if s.from != but && len(list) < mostHeard {
			list = append(list, s.message)
		}
	}
	return list
}

// levels returns the depth of each message: the length of the longest chain of messages that it
// depends on.
func (w *walk) levels() []int {
	list := make([]int, len(w.messages))
	for i, m := range w.messages {
		for _, k := range m.uses {
			list[i] = max(list[i], 1+list[k])
		}
	}
	return list
}
