package minimol

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"

	_ "embed" // the means and deviations

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/ops"
)

//go:embed standard.txt
var standardText string

// standard is the mean and the inverse deviation of each number.
var standard = readStandard(standardText)

func readStandard(text string) (s [Width][2]float32) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for i := range s {
		var mean, deviation float32
		if !lines.Scan() {
			panic("standard.txt is too short") // it is part of the program
		}
		if _, err := fmt.Sscan(lines.Text(), &mean, &deviation); err != nil {
			panic(err)
		}
		s[i] = [2]float32{mean, 1 / deviation}
	}
	return s
}

// Embedder returns an embedder of standardised vectors of molecules, for [molecule.Featurizer.With].
func Embedder() *molecule.Maker {
	return &molecule.Maker{Name: "minimol 2", Unit: "vectors", Field: molecule.Embeddings.Wide(Width),
		Make: func(_ context.Context, smiles []string) ([]float32, error) { return Vectors(smiles) }}
}

// alone returns the vectors of a batch, computed on the calling thread alone.
func alone(b *batch) ([]float32, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer ops.SetThreads(ops.Threads())
	ops.SetThreads(1)
	return b.vectors(nil)
}

// Vectors returns the standardised vectors [n, Width] of molecules, computed on the calling thread alone.
// A molecule that RDKit refuses has NaN.
func Vectors(smiles []string) ([]float32, error) {
	b, at := newBatch(), make([]int, 0, len(smiles))
	rdkit.AllMiniMol(smiles, func(i int, m rdkit.MiniMol, err error) {
		if err != nil {
			slog.Debug("a molecule without a vector", "smiles", smiles[i], "reason", err)
			return
		}
		b.add(m)
		at = append(at, i)
	})
	all := make([]float32, len(smiles)*Width)
	for i := range all {
		all[i] = float32(math.NaN())
	}
	if len(at) == 0 {
		return all, nil
	}
	vectors, err := alone(b)
	if err != nil {
		return nil, fmt.Errorf("vectors of MiniMol: %w", err)
	}
	for k, i := range at {
		to := all[i*Width : (i+1)*Width]
		for c, v := range vectors[k*Width : (k+1)*Width] {
			to[c] = (v - standard[c][0]) * standard[c][1]
		}
	}
	return all, nil
}
