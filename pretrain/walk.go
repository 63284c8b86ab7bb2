package pretrain

import (
	"cmp"
	"slices"
)

// Legend: m motifs of a molecule.

// message goes from a motif to a neighbour when a tree is generated.
type message struct {
	from int32   // the motif
	uses []int32 // messages that came to it before, except that of the neighbour
	asks int32   // kind of the motif to be predicted; none
}

// choice is whether a motif has one more child, or the way leads back from it.
type choice struct {
	at   int32   // the motif
	uses []int32 // messages that came to it before
	more bool
}

// walk is how a tree is generated.
type walk struct {
	messages []message
	choices  []choice // depth first alone
}

// mostHeard is the most messages that a motif receives, as published.
const mostHeard = 8

// walker makes walks over a tree.
type walker struct {
	walk
	tree
	near  [][]int32 // [m] motifs that an edge joins to each
	inbox [][]sent  // [m] messages to each
	stop  int32     // the prediction after the last child, breadth first
}

// sent is a message that was.
type sent struct{ message, from int32 }

// nobody is the receiver of the message that a motif has no more children.
const nobody = -1

// walkOf generates every part of a tree from the motif with its first atom (of several, from
// the last): breadth first, each motif gets its children, then says stop; or depth first.
// Children come in the order of the edges.
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

// roots are where the parts of the tree begin.
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

// heard are the messages that came to a motif, except that of another.
func (w *walker) heard(at, but int32) (list []int32) {
	for _, s := range w.inbox[at] {
		if s.from != but && len(list) < mostHeard {
			list = append(list, s.message)
		}
	}
	return list
}

// levels returns how many messages must be known, one after the other, before each.
func (w *walk) levels() []int {
	list := make([]int, len(w.messages))
	for i, m := range w.messages {
		for _, k := range m.uses {
			list[i] = max(list[i], 1+list[k])
		}
	}
	return list
}
