package statedict

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// legacyMagic is the number 0x1950a86a20f9469cfc6c, which begins the files of PyTorch
// before 1.6.
const legacyMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"

const legacyVersion = 1001

// openLegacy reads the old form; see doc.go.
func openLegacy(data []byte) (any, storages, error) {
	m := &machine{data: data}
	var parts [5]any // magic number, version, machine, names and shapes, keys
	for i := range parts {
		var err error
		if parts[i], err = m.run(); err != nil {
			return nil, nil, err
		}
		if magic, ok := parts[0].(bigInt); !ok || string(magic) != legacyMagic {
			return nil, nil, errors.New("it is a pickle, but not one of torch.save")
		}
	}
	if parts[1] != int64(legacyVersion) {
		return nil, nil, fmt.Errorf("its version is %s, not %d", describe(parts[1]), legacyVersion)
	}
	if about, ok := parts[2].(*dict); !ok || about.values["little_endian"] != true {
		return nil, nil, errBigEndian
	}
	keys, ok := parts[4].(*list)
	if !ok {
		return nil, nil, errArguments
	}
	read, err := m.legacyStorages(keys.items)
	return parts[3], read, err
}

var errBigEndian = errors.New("its numbers are big endian")

// legacyStorages finds the storages after the pickles. They are in the order of their keys,
// each after the number of its elements.
func (m *machine) legacyStorages(keys []any) (storages, error) {
	found := map[string][]byte{}
	for _, k := range keys {
		key, _ := k.(string)
		s := m.stores[key]
		if s == nil {
			return nil, fmt.Errorf("no tensor uses storage %q", key)
		}
		b, err := m.next(8)
		if err != nil {
			return nil, err
		}
		if n := int64(binary.LittleEndian.Uint64(b)); n != s.n {
			return nil, fmt.Errorf("storage %q has %d elements, not %d", key, n, s.n)
		}
		if found[key], err = m.next(int(s.n * s.kind.size)); err != nil {
			return nil, err
		}
	}
	return func(s *storage) ([]byte, error) {
		data, there := found[s.key]
		if !there {
			return nil, errShort
		}
		return data, nil
	}, nil
}
