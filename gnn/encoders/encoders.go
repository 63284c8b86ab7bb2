// Package encoders is the table of all molecular encoders (model.encoder). An encoder is a
// folder beside this one, and a line here.
package encoders

import (
	"fmt"
	"strings"

	"pacia/gnn"
	"pacia/gnn/fingerprint"
	"pacia/gnn/gat"
	"pacia/gnn/gcn"
	"pacia/gnn/gin"
	"pacia/gnn/gnnfilm"
	"pacia/gnn/graphsage"
	"pacia/gnn/mat"
	"pacia/gnn/minimol"
	"pacia/gnn/params"
	"pacia/gnn/pna"
	"pacia/internal/setting"
)

// Default is the encoder of the paper.
const Default = "gin"

// All lists the encoders.
var All = []gnn.Spec{
	gin.Spec,
	gcn.Spec,
	graphsage.Spec,
	gat.Spec,
	pna.Spec,
	gnnfilm.Spec,
	mat.Spec,
	fingerprint.Spec,
	minimol.Spec,
	minimol.Trained,
}

// joined ends the name of an encoder whose molecules' vectors are joined with fingerprints.
const joined = "+fingerprint"

// The choices of model.encoder, and of pacia pretrain --encoder.
func init() {
	setting.Offer("encoders", Choices)
	setting.Offer("pretrained encoders", func() []string { return Names(func(s gnn.Spec) bool { return s.LocalName != nil }) })
}

// Names lists the encoders that a condition holds for; nil: all of them.
func Names(of func(gnn.Spec) bool) (names []string) {
	for _, s := range All {
		if of == nil || of(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Choices lists the values of model.encoder: the encoders, alone or joined with fingerprints.
func Choices() []string {
	names := Names(nil)
	for _, name := range Names(func(s gnn.Spec) bool { return s.Joins }) {
		names = append(names, name+joined)
	}
	return names
}

// Find returns the encoder that model.encoder names, and whether its molecules' vectors
// are joined with fingerprints.
func Find(name string) (s gnn.Spec, fingerprints bool, err error) {
	alone, fingerprints := strings.CutSuffix(name, joined)
	for _, s := range All {
		if s.Name == alone && (s.Joins || !fingerprints) {
			return s, fingerprints, nil
		}
	}
	return s, false, fmt.Errorf("model.encoder: %q is not one of %s", name, strings.Join(Choices(), ", "))
}

// New lays out the encoder that c names.
func New(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	s, _, err := Find(c.Name)
	if err != nil {
		return nil, err
	}
	return s.New(p, c)
}

// LocalName maps the name of a tensor of public weights to the name in the encoder that has it,
// or to "" if no encoder has it.
func LocalName(published string) string {
	for _, s := range All {
		if s.LocalName == nil {
			continue
		}
		if own := s.LocalName(published); own != "" {
			return own
		}
	}
	return ""
}
