package roofline

// Legend: A atoms, E bonds, B tasks, N support molecules of each, Q queries, n = N+1
// nodes of a query's graph, P pairs, d width of atoms, w of nodes.

// tableChunk is kTableChunk of the kernels, bondRows kBondRows, and atomRows the rows of
// the tables of atoms and chiralities.
const (
	tableChunk = 32
	bondRows   = 9
	atomRows   = 123
)

// encoder adds the embedding of the atoms, the layers with their hypernetworks, and the
// readout.
func (w *work) encoder(s Sizes) {
	A, E, d := s.Atoms, s.Bonds, s.Width
	chunks := (A + tableChunk - 1) / tableChunk
	w.kernel("embed", A*d, A*d+atomRows*d)
	w.kernel("embed_back", 2*A*d, A*d+chunks*atomRows*d)
	w.kernel("chunks_sum", chunks*atomRows*d, (chunks+1)*atomRows*d)
	for range s.Layers {
		w.kernel("neighbours", 3*(A+E)*d, 2*A*d)
		w.product("products forward", A, d, 2*d)
		w.product("products forward", A, 2*d, d)
		w.norm(A, d, 2*s.Tasks)
		// Back: through the norm, both products, the tables of bonds, and the neighbours.
		w.sums(A, d)
		w.product("products back", A, d, 2*d)
		w.product("products back", d, A, 2*d)
		w.sums(A, 2*d)
		w.product("products back", A, 2*d, d)
		w.product("products back", 2*d, A, d)
		w.kernel("bonds_back", 2*(A+E)*d, A*d+chunks*bondRows*d)
		w.kernel("chunks_sum", chunks*bondRows*d, (chunks+1)*bondRows*d)
		w.kernel("neighbours", (A+E)*d, 2*A*d)
		w.film(s)
	}
	for _, molecules := range s.apart() {
		w.kernel("segment_mean", A*d/2, A*d/2+molecules*d)
		w.kernel("segment_mean_back", A*d/2, A*d+molecules*d)
	}
}

// norm adds batch norm of groups of atoms, forward and back.
func (w *work) norm(atoms, d, groups int) {
	w.kernel("norm_statistics", 4*atoms*d, 2*atoms*d)
	w.kernel("norm_running", 6*groups*d, 2*groups*d)
	w.kernel("norm_forward", 5*atoms*d, 2*atoms*d)
	w.kernel("norm_back_sums", 6*atoms*d, 2*atoms*d)
	w.kernel("norm_back_groups", 2*groups*d, 4*groups*d) // of doubles
	w.kernel("norm_back", 8*atoms*d, 3*atoms*d)
}

// film adds the hypernetworks of a layer and the atoms that they adapt.
func (w *work) film(s Sizes) {
	if s.Film.Networks == 0 {
		return
	}
	A, d, support := s.Atoms, s.Width, s.Tasks*s.Support
	w.kernel("segment_mean", A*d, A*d/2+support*d)
	w.kernel("segment_mean_back", A*d, A*d+support*d)
	w.hypernetworks(s.Film, support, s.Tasks, d)
	w.kernel("film_vectors", 6*s.Tasks*d, 4*s.Tasks*d)
	w.kernel("film", 2*A*d, 2*A*d)
	w.kernel("film_back", 4*A*d, 3*A*d)
	w.kernel("film_vectors_back", 8*s.Tasks*d, 6*s.Tasks*d)
}

// hypernetworks adds those (Eqs. 9 to 11) of so many molecules with their labels, and of
// so many pairs of the two classes' means.
func (w *work) hypernetworks(h Hyper, molecules, means, d int) {
	for range h.Networks {
		w.kernel("join_labels", 0, 2*molecules*d)
		w.kernel("join_labels_back", 0, 2*molecules*d)
		for _, in := range []int{d + 2, d, d} {
			w.linear(molecules, in, d, true, true)
		}
		w.kernel("class_means", molecules*d, molecules*d+2*means*d)
		w.kernel("class_means_back", molecules*d, molecules*d+2*means*d)
		if h.Means {
			w.mlp(means, 2*d, d)
		}
		w.mlp(means, h.Last...)
	}
}

// relation adds one layer of the graphs (Eqs. 4 and 5), of distinct pairs.
func (w *work) relation(s Sizes, pairs int) {
	d, wide, half := s.NodeWidth, s.Hidden, max(1, s.Hidden/2)
	n := s.Support + 1
	R := s.Queries * n
	w.kernel("pair_distances", 3*pairs*d, pairs*d+R*d)
	w.product("products of pairs forward", pairs, d, wide)
	w.kernel("after_linear", pairs*wide, 2*pairs*wide)
	w.product("products of pairs forward", pairs, wide, half)
	w.kernel("pair_scores", 3*pairs*half, 2*pairs*half)
	w.kernel("strongest", R*n, pairs+R*n)
	w.kernel("join", 2*R*n*d, R*n+3*R*d)
	if s.SingleNode {
		w.linear(R, 2*d, d, false, true)
	} else {
		w.linear(R, 2*d, wide, false, true)
		w.linear(R, wide, d, false, true)
	}
	w.kernel("join_back", 2*R*n*d, R*n+3*R*d)
	w.kernel("strongest_back", 2*R*n*d, 2*R*n+2*R*d)
	w.kernel("pairs_back", 3*pairs, R*n+2*pairs)
	w.kernel("pair_scores_back", 2*pairs*half, 2*pairs*half)
	w.product("products of pairs back", pairs, half, wide)
	w.kernel("after_linear_back", pairs*wide, 3*pairs*wide)
	w.kernel("pair_distances", 3*pairs*d, pairs*d+R*d)
	w.product("products of pairs back", wide, pairs, d)
	w.product("products of pairs back", half, pairs, wide)
	w.product("products of pairs back", 1, pairs, half)
	w.product("products of pairs back", pairs, wide, d)
	w.kernel("nodes_back", 4*pairs*d, pairs*d+2*R*d)
}

// classifier adds MLP_w and MLP_b (Eqs. 16 to 19) of two prototypes for each query and
// layer, the logits, and the loss.
func (w *work) classifier(s Sizes) {
	d, graphs := s.NodeWidth, s.RelationLayers*s.Queries
	w.kernel("class_means", graphs*s.Support*d, graphs*(s.Support+2)*d)
	w.kernel("class_means_back", graphs*s.Support*d, graphs*(s.Support+2)*d)
	sets := 1
	if s.ClassifierOfEach {
		sets = 2
	}
	for range sets {
		w.mlp(2*graphs/sets, d, d, d, d, d)
		w.mlp(2*graphs/sets, d, d, d, d, 1)
	}
	w.kernel("logits", 4*graphs*d, 5*graphs*d)
	w.kernel("logits_back", 6*graphs*d, 9*graphs*d)
	w.kernel("loss", 10*graphs, 4*graphs)
}
