package model

import (
	"fmt"
	"strings"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/internal/badinput"
)

// EncoderSpec returns the encoder that the settings name, and whether the vectors of its
// molecules are joined with fingerprints.
func (c Config) EncoderSpec() (s gnn.Spec, joined bool) {
	s, joined, err := encoders.Find(c.Encoder)
	if err != nil { // Validate reports it
		s, _, _ = encoders.Find(encoders.Default)
	}
	return s, joined
}

// ReadsFingerprints reports whether the encoder reads fingerprints, alone or beside a graph.
func (c Config) ReadsFingerprints() bool {
	e, joined := c.EncoderSpec()
	return joined || e.Reads == gnn.Fingerprints
}

// encoder returns the settings that package gnn needs.
func (c Config) encoder() gnn.Config {
	return gnn.Config{Name: c.Encoder, Layers: c.Layers, Width: c.Width, Heads: c.Heads, Dropout: c.Dropout, Input: c.InputDropout,
		Counts: c.inputs(), FiLM: c.GNNFiLM.layers()}
}

func (c Config) checkEncoder() error {
	e, _ := c.EncoderSpec()
	if e.Check != nil {
		if err := e.Check(c.encoder()); err != nil {
			return err
		}
	}
	switch {
	case c.DropoutMask == MaskSurrounding && e.Shares == gnn.SharesNone:
		return fmt.Errorf("model.dropout_mask: surrounding is for encoders with %s, which model.encoder=%s is not; write atom",
			strings.Join(encoders.Names(func(s gnn.Spec) bool { return s.Shares != gnn.SharesNone }), " or "), c.Encoder)
	case c.DropoutMask == MaskSurrounding && e.Shares == gnn.SharesFirst && c.Jump != "last":
		return fmt.Errorf("model.dropout_mask: surrounding goes with model.jump=last, not with %s; write atom", c.Jump)
	case c.Heads != 0 && e.Heads == 0:
		return fmt.Errorf("model.heads: model.encoder=%s has none; write 0, or model.encoder=%s", c.Encoder,
			strings.Join(encoders.Names(func(s gnn.Spec) bool { return s.Heads > 0 }), " or "))
	case c.Descriptors && !c.ReadsFingerprints():
		return fmt.Errorf("model.descriptors: they are joined to fingerprints, which model.encoder=%s does not read; write model.encoder=fingerprint, or false", c.Encoder)
	case e.Reads.Whole && c.Readout == "combined":
		return fmt.Errorf("model.readout: combined weighs the atoms of a molecule, and model.encoder=%s has one row for each; write mean", c.Encoder)
	}
	return nil
}

// inputs returns F, the number of inputs of a molecule beside its graph: counts, then
// descriptors.
func (c Config) inputs() int {
	if c.Descriptors {
		return molecule.FingerprintLength + molecule.DescriptorCount
	}
	return molecule.FingerprintLength
}

func (c Config) checkMolecules(h *data.Batch) error {
	e, joined := c.EncoderSpec()
	reads := []*gnn.Reading{}
	if joined {
		reads = append(reads, gnn.Fingerprints)
	}
	if e.Reads.Whole || len(h.MolPtr) > 1 {
		reads = append(reads, e.Reads)
	}
	for _, r := range reads {
		if lack := r.Lacks(h); lack != "" {
			return badinput.Newf("model.encoder: %s %s", c.Encoder, lack)
		}
	}
	if c.Descriptors && len(h.Floats(molecule.Descriptors)) != (len(h.MolPtr)-1)*molecule.DescriptorCount {
		return badinput.Newf("model.descriptors: these molecules come without descriptors; write false, or open the molecules for this model")
	}
	if c.Embeds() && len(h.Floats(molecule.Embeddings)) == 0 && h.Support > 0 {
		return badinput.Newf("model.minimol: these molecules come without vectors; write false, or open the molecules for this model")
	}
	return nil
}

// checkGraph returns an error for atoms and bonds that would make a kernel access memory out of bounds.
func (c Config) checkGraph(h *data.Batch) error {
	if e, _ := c.EncoderSpec(); e.Reads.Check != nil {
		if err := e.Reads.Check(h); err != nil {
			return fmt.Errorf("training step: %w", err)
		}
	}
	return nil
}
