package past

import (
	"encoding/json"
	"errors"
	"fmt"

	"pacia/internal/safetensors"
)

// Names of a memory's arrays and of its string in the metadata of a file.
const (
	keysName   = "past.keys"   // [M]
	endsName   = "past.ends"   // [M]
	labelsName = "past.labels" // bytes
	trialsName = "past.trials" // bytes
	taughtName = "past.taught" // bytes

	// Metadata is the name of the string of a file's metadata that describes a memory.
	Metadata = "past"
)

// description is what the metadata hold.
type description struct {
	Assays  []Assay `json:"assays"`
	Weights Weights `json:"weights"`
}

// Arrays returns what a file holds of the memory: a string of its metadata, and arrays.
func (m *Memory) Arrays() (about string, arrays []safetensors.Array, err error) {
	text, err := json.Marshal(description{m.Assays, m.Weights})
	if err != nil {
		return "", nil, fmt.Errorf("past assays: %w", err)
	}
	return string(text), []safetensors.Array{
		{Name: keysName, Type: safetensors.U64, Data: safetensors.Encode(m.keys)},
		{Name: endsName, Type: safetensors.U64, Data: safetensors.Encode(m.ends)},
		{Name: labelsName, Type: safetensors.U8, Data: m.labels},
		{Name: trialsName, Type: safetensors.U8, Data: m.Trials},
		{Name: taughtName, Type: safetensors.U8, Data: m.Taught},
	}, nil
}

// ErrDamaged is the error of past assays that Arrays did not return.
var ErrDamaged = errors.New("its past assays are damaged")

// describe returns the description of the memory of a file, or nil if it has none.
func describe(f *safetensors.File) (*description, error) {
	about, has := f.Metadata[Metadata]
	if !has {
		return nil, nil
	}
	d := new(description)
	if json.Unmarshal([]byte(about), d) != nil {
		return nil, ErrDamaged
	}
	return d, nil
}

// Size is that of a file's past assays.
type Size struct{ Assays, Molecules int }

// SizeOf returns the size of the past assays that a file holds, without reading them.
func SizeOf(f *safetensors.File) (Size, error) {
	d, err := describe(f)
	if err != nil || d == nil {
		return Size{}, err
	}
	return Size{len(d.Assays), int(f.Len(keysName))}, nil
}

// Read returns the memory of a file, or nil if it has none. It is valid until the file is closed.
func Read(f *safetensors.File) (*Memory, error) {
	d, err := describe(f)
	if err != nil || d == nil {
		return nil, err
	}
	m := &Memory{Assays: d.Assays, Stored: Stored{Weights: d.Weights}}
	var all [5]error
	m.keys, all[0] = f.Integers(keysName)
	m.ends, all[1] = f.Integers(endsName)
	m.labels, all[2] = f.Bytes(labelsName)
	m.Trials, all[3] = f.Bytes(trialsName)
	m.Taught, all[4] = f.Bytes(taughtName)
	if err := errors.Join(all[:]...); err != nil {
		return nil, err
	}
	return m, m.check()
}

// check returns an error if keys or ends do not ascend, or an assay is impossible.
func (m *Memory) check() error {
	if len(m.keys) != len(m.ends) {
		return ErrDamaged
	}
	for i := range m.keys {
		if i > 0 && (m.keys[i] <= m.keys[i-1] || m.ends[i] < m.ends[i-1]) {
			return ErrDamaged
		}
	}
	last := uint64(0)
	if n := len(m.ends); n > 0 {
		last = m.ends[n-1]
	}
	if last != uint64(len(m.labels)) {
		return ErrDamaged
	}
	for _, a := range m.Assays {
		if a.Molecules < 0 || a.Actives < 0 || a.Actives > a.Molecules || a.Molecules > len(m.keys) {
			return ErrDamaged
		}
	}
	for _, w := range []float64{m.Weights.Profile, m.Weights.Hits, m.Weights.Agreement} {
		if !(w >= 0 && w < 1000) {
			return ErrDamaged
		}
	}
	return nil
}
