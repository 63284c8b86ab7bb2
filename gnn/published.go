package gnn

import "regexp"

// published maps the names of tensors in the state dicts of Hu et al. (2020) to ours,
// without "encoder.".
var published = []struct {
	name      *regexp.Regexp
	localName string
}{
	{whole(`x_embedding1\.weight`), "atom"},
	{whole(`x_embedding2\.weight`), "chirality"},
	{whole(`gnns\.(\d+)\.mlp\.0\.(weight|bias)`), "$1.mlp.0.$2"}, // GIN; mlp.1 is its ReLU
	{whole(`gnns\.(\d+)\.mlp\.2\.(weight|bias)`), "$1.mlp.1.$2"},
	{whole(`gnns\.(\d+)\.linear\.(weight|bias)`), "$1.linear.$2"},        // GCN, GraphSAGE
	{whole(`gnns\.(\d+)\.weight_linear\.(weight|bias)`), "$1.linear.$2"}, // GAT, and the next two
	{whole(`gnns\.(\d+)\.att`), "$1.attention"},
	{whole(`gnns\.(\d+)\.bias`), "$1.bias"},
	{whole(`gnns\.(\d+)\.edge_embedding1\.weight`), "$1.bond"},
	{whole(`gnns\.(\d+)\.edge_embedding2\.weight`), "$1.direction"},
	{whole(`batch_norms\.(\d+)\.(weight|bias)`), "$1.norm.$2"},
	{whole(`batch_norms\.(\d+)\.running_(mean|var)`), "$1.norm.$2"},
}

// counter matches the counters that PyTorch keeps beside running averages, which are not used.
var counter = whole(`batch_norms\.\d+\.num_batches_tracked`)

// whole matches a name, optionally with the prefix of an encoder that was saved as part
// of a model.
func whole(name string) *regexp.Regexp { return regexp.MustCompile(`^(?:gnn\.)?` + name + `$`) }

// OwnOfHu is [Spec.LocalName] for the state dicts of Hu et al. (2020).
func OwnOfHu(name string) string {
	for _, p := range published {
		if p.name.MatchString(name) {
			return p.name.ReplaceAllString(name, "encoder."+p.localName)
		}
	}
	return ""
}

// Counts reports whether a tensor of a published state dict only counts
// batches.
func Counts(name string) bool { return counter.MatchString(name) }
