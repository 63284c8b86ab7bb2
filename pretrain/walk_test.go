package pretrain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// steps formats a walk: messages as from[used messages]>kind, choices as motif[received messages]+ or -.
func (w *walk) steps() (messages, choices string) {
	var m, c []string
	for _, s := range w.messages {
		text := fmt.Sprintf("%d%v", s.from, s.uses)
		if s.asks != none {
			text += fmt.Sprint(">", s.asks)
		}
		m = append(m, text)
	}
	for _, s := range w.choices {
		c = append(c, fmt.Sprintf("%d%v", s.at, s.uses)+map[bool]string{true: "+", false: "-"}[s.more])
	}
	return strings.Join(m, " "), strings.Join(c, " ")
}

// TestWalk compares walks with ones written by hand. Motif 2 is the root, because it has atom 0. Its
// children are 0 and 1, and 1 has the child 3. The kinds are 10 to 13, and 20 is stop.
func TestWalk(t *testing.T) {
	four := tree{kinds: []int32{10, 11, 12, 13}, atoms: [][]int32{{2}, {3}, {0, 1}, {4}}, edges: [][2]int32{{0, 2}, {2, 1}, {1, 3}}}
	salt := tree{kinds: []int32{10, 11, 12}, atoms: [][]int32{{1}, {0}, {1, 2}}, edges: [][2]int32{{0, 2}}}
	alone := tree{kinds: []int32{10}, atoms: [][]int32{{0}}}
	for _, tt := range []struct {
		what              string
		tree              tree
		deep              bool
		messages, choices string
		levels            []int
	}{
		{"breadth first", four, false,
			// 2 to 0 and back, 2 to 1 (with the message from 0) and back, stop; 0: stop; 1 to 3 and back, stop; 3: stop
			"2[]>10 0[] 2[1]>11 1[] 2[1 3]>20 0[0]>20 1[2]>13 3[] 1[2 7]>20 3[6]>20", "", []int{0, 0, 1, 0, 1, 1, 2, 0, 2, 3}},
		{"depth first", four, true,
			// 2 to 0 and back, 2 to 1, 1 to 3 and back, 1 to 2
			"2[]>10 0[] 2[1]>11 1[2]>13 3[] 1[4]", "2[]+ 0[0]- 2[1]+ 1[2]+ 3[3]- 1[2 4]- 2[1 5]-", []int{0, 0, 1, 2, 0, 1}},
		// Two motifs begin with atom 1: the last is the root of the second part.
		{"two parts", salt, false, "1[]>20 2[]>10 0[] 2[2]>20 0[1]>20", "", []int{0, 0, 0, 1, 1}},
		{"two parts, depth first", salt, true, "2[]>10 0[]", "1[]- 2[]+ 0[0]- 2[1]-", []int{0, 0}},
		{"one motif", alone, false, "0[]>20", "", []int{0}},
		{"one motif, depth first", alone, true, "", "0[]-", nil},
	} {
		w := walkOf(tt.tree, tt.deep, 20)
		if m, c := w.steps(); m != tt.messages || c != tt.choices {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", tt.what, m, c, tt.messages, tt.choices)
		}
		if got := w.levels(); !slices.Equal(got, tt.levels) {
			t.Errorf("%s: levels %v, want %v", tt.what, got, tt.levels)
		}
	}
}

// TestWalkHearsEight: of ten children a motif receives messages from the first eight.
func TestWalkHearsEight(t *testing.T) {
	star := tree{kinds: make([]int32, 11), atoms: [][]int32{{0}}}
	for i := int32(1); i <= 10; i++ {
		star.atoms, star.edges = append(star.atoms, []int32{i}), append(star.edges, [2]int32{0, i})
	}
	w := walkOf(star, false, 1)
	stop := w.messages[20]
	if want := []int32{1, 3, 5, 7, 9, 11, 13, 15}; stop.asks != 1 || !slices.Equal(stop.uses, want) {
		t.Errorf("stop uses %v, want %v", stop.uses, want)
	}
}

// TestWalkOfMolecules: every motif except the roots is predicted once. A part of m motifs has
// 3m−2 messages breadth first, and 2m−2 depth first.
func TestWalkOfMolecules(t *testing.T) {
	l := library(t)
	for row := range l.Store.Len() {
		tree := l.motifs.tree(int32(row))
		m, parts := len(tree.kinds), len(tree.kinds)-len(tree.edges)
		broad, deep := walkOf(tree, false, -2), walkOf(tree, true, -2)
		if len(broad.messages) != 3*m-2*parts || len(deep.messages) != 2*m-2*parts || len(deep.choices) != 2*m-parts {
			t.Fatalf("molecule %d: %d, %d and %d steps of %d motifs in %d parts", row, len(broad.messages), len(deep.messages), len(deep.choices), m, parts)
		}
		for _, w := range []walk{broad, deep} {
			predicted := 0
			for _, s := range w.messages {
				if s.asks >= 0 {
					predicted++
				}
			}
			if predicted != m-parts {
				t.Fatalf("molecule %d: %d of %d motifs are predicted", row, predicted, m-parts)
			}
		}
	}
}
