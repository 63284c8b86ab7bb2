package minimol

import (
	_ "embed" // the parameters
	"fmt"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
	"pacia/internal/statedict"
	"pacia/ops"
)

//go:embed state_dict.pth
var stateDict []byte

// layers is how many GINE layers the network has.
const layers = 16

// published returns the parameters under the names of [names], in their order.
func published() ([]statedict.Tensor, error) {
	tensors, err := statedict.Parse(stateDict)
	if err != nil {
		return nil, fmt.Errorf("state_dict.pth of MiniMol: %w", err)
	}
	stored := each.Pairs(tensors, func(t statedict.Tensor) (string, statedict.Tensor) { return t.Name, t })
	var all []statedict.Tensor
	for _, name := range names() {
		t, ok := stored["model."+name]
		if !ok {
			return nil, fmt.Errorf("state_dict.pth of MiniMol has no %s", name)
		}
		t.Name = name
		all = append(all, t)
	}
	return all, nil
}

// network returns the parameters in the order of gnn/minimol/op/network.hh. The first call reads them, and
// they are kept until the program ends: 32 MB.
var network = sync.OnceValues(func() ([]*ts.Tensor, error) {
	stored, err := published()
	if err != nil {
		return nil, err
	}
	var all []*ts.Tensor
	for _, t := range stored {
		made, err := ops.New(t.Values, t.Shape, ops.CPU)
		if err != nil {
			ops.Drop(all...)
			return nil, err
		}
		all = append(all, made)
	}
	return all, nil
})

// names returns the names of the parameters, a weight and a bias of each layer.
func names() (all []string) {
	add := func(prefix string, names ...string) {
		for _, name := range names {
			all = append(all, prefix+name+".weight", prefix+name+".bias")
		}
	}
	const eigen, walks = "encoder_manager.pe_encoders.la_pos.", "encoder_manager.pe_encoders.rw_pos.pe_encoder."
	add(eigen, "linear_in.linear", "pe_encoder.fully_connected.0.linear", "pe_encoder.fully_connected.1.linear",
		"post_mlp.fully_connected.0.linear")
	add(walks, "first_normalization")
	for _, prefix := range []string{walks + "fully_connected", "pre_nn.layers", "pre_nn_edges.layers"} {
		for l := range 2 {
			add(fmt.Sprintf("%s.%d.", prefix, l), "linear", "normalization")
		}
	}
	for l := range layers {
		add(fmt.Sprintf("gnn.layers.%d.", l), "model.lin", "model.nn.fully_connected.0.linear",
			"model.nn.fully_connected.0.normalization", "model.nn.fully_connected.1.linear", "norm_layer")
	}
	for l := range layers - 1 {
		add(fmt.Sprintf("gnn.virtual_node_layers.%d.", l), "fc_layer.linear", "fc_layer.normalization", "node_projection")
	}
	return all
}
