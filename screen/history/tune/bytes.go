package tune

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"pacia/internal/each"
	"pacia/model"
)

var errDamaged = errors.New("trials of past assays: the model is damaged")

// header is what precedes a trial among bytes.
type header struct {
	Assay, Support, Molecules uint32
	Alike                     bool
}

// Marshal returns trials as bytes, which are the same for the same trials.
func Marshal(trials []Trial) (all []byte) {
	add := func(v any) {
		var err error
		if all, err = binary.Append(all, binary.LittleEndian, v); err != nil {
			panic(err) // not a number: no such field is written
		}
	}
	for i := range trials {
		t := &trials[i]
		add(header{uint32(len(t.Assay)), uint32(t.Support), uint32(len(t.Keys)), t.Alike})
		for _, v := range t.fields() {
			add(v)
		}
	}
	return all
}

// Unmarshal is the inverse of Marshal.
func Unmarshal(all []byte) (trials []Trial, err error) {
	for from := bytes.NewReader(all); from.Len() > 0; {
		var h header
		if binary.Read(from, binary.LittleEndian, &h) != nil {
			return nil, errDamaged
		}
		n, pairs := int64(h.Molecules), int64(h.Molecules)*int64(h.Support)
		if size := int64(h.Assay) + (8+1+4)*n; size > int64(from.Len()) || pairs > int64(from.Len()) || size+2*4*pairs > int64(from.Len()) {
			return nil, errDamaged
		}
		name := make([]byte, h.Assay)
		t := Trial{Keys: make([]uint64, n), Trial: model.Trial{
			Support: int(h.Support), Alike: h.Alike, Labels: make([]uint8, n),
			Kernel: make([]float32, pairs), Structure: make([]float32, pairs), Expected: make([]float32, n),
		}}
		_, err := io.ReadFull(from, name)
		t.Assay = string(name)
		for _, v := range t.fields()[1:] {
			err = errors.Join(err, binary.Read(from, binary.LittleEndian, v))
		}
		if err != nil || t.check() != nil {
			return nil, errDamaged
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// fields returns what follows the header.
func (t *Trial) fields() []any {
	return []any{[]byte(t.Assay), t.Keys, t.Labels, t.Kernel, t.Structure, t.Expected}
}

// check returns an error unless both classes are in the support set and among the queries.
func (t *Trial) check() error {
	if t.Support > len(t.Labels) {
		return errDamaged
	}
	for _, part := range [][]uint8{t.Labels[:t.Support], t.Labels[t.Support:]} {
		for class := range uint8(2) {
			if each.Count(part, func(l uint8) bool { return l == class }) < fewest {
				return errDamaged
			}
		}
		if slices.Max(part) > 1 {
			return errDamaged
		}
	}
	return nil
}
