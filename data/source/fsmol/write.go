package fsmol

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"os"
	"strconv"

	"pacia/internal/atomicfile"
)

// writeTask writes a task file that the benchmark's own code can read. Other processes
// see the whole file or none.
func writeTask(path string, molecules iter.Seq[Molecule]) error {
	return atomicfile.Write(path, func(f *os.File) error {
		z := gzip.NewWriter(f)
		w := bufio.NewWriterSize(z, 1<<16)
		var b []byte
		for m := range molecules {
			b = append(m.appendJSON(b[:0]), '\n')
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return errors.Join(w.Flush(), z.Close())
	})
}

// appendJSON appends the line of a molecule, with the keys and types of the benchmark:
// values from its CSVs are strings, and lists may contain NaN.
func (m *Molecule) appendJSON(b []byte) []byte {
	property := "0.0"
	if m.Label != 0 {
		property = "1.0"
	}
	separator := "{"
	for _, f := range []struct{ key, value string }{
		{"SMILES", m.SMILES}, {"Property", property}, {"Assay_ID", m.Assay}, {"RegressionProperty", m.Regression},
		{"LogRegressionProperty", m.LogRegression}, {"Relation", m.Relation}, {"AssayType", m.AssayType},
	} {
		b = appendString(append(b, separator...), f.key)
		b = appendString(append(b, ": "...), f.value)
		separator = ", "
	}
	if m.Fingerprint != nil {
		b = append(b, `, "fingerprints": `...)
		b = appendList(b, m.Fingerprint, func(b []byte, n uint16) []byte { return strconv.AppendUint(b, uint64(n), 10) })
	}
	if m.Descriptors != nil {
		b = append(b, `, "descriptors": `...)
		b = appendList(b, m.Descriptors, appendFloat)
	}
	return append(m.Graph.appendJSON(append(b, `, "graph": `...)), '}')
}

func (g *Graph) appendJSON(b []byte) []byte {
	b = append(b, `{"adjacency_lists": `...)
	b = appendList(b, g.Bonds[:], func(b []byte, ends []uint16) []byte {
		b = append(b, '[')
		for i := 0; i < len(ends); i += 2 {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendUint(append(b, '['), uint64(ends[i]), 10)
			b = strconv.AppendUint(append(b, ", "...), uint64(ends[i+1]), 10)
			b = append(b, ']')
		}
		return append(b, ']')
	})
	if g.Types != nil {
		b = append(b, `, "node_types": `...)
		b = appendList(b, g.Types, appendString)
	}
	b = append(b, `, "node_features": `...)
	var row []float32
	b = appendList(b, g.Atoms, func(b []byte, bits uint32) []byte {
		row = appendFeatures(row[:0], bits)
		return appendList(b, row, appendFloat)
	})
	return append(b, '}')
}

func appendList[T any](b []byte, list []T, item func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = item(b, v)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // every string has a JSON form
	}
	return append(b, text...)
}

// appendFloat writes a number as Python does: 1.0, NaN, Infinity.
func appendFloat(b []byte, v float32) []byte {
	switch {
	case v != v:
		return append(b, "NaN"...)
	case math.IsInf(float64(v), 1):
		return append(b, "Infinity"...)
	case math.IsInf(float64(v), -1):
		return append(b, "-Infinity"...)
	case v == float32(int16(v)):
		return append(strconv.AppendInt(b, int64(v), 10), ".0"...)
	}
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32)
}
