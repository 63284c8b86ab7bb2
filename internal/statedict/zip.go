package statedict

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

var zipMagic = []byte("PK\x03\x04")

// openZip reads the form of PyTorch since 1.6; see doc.go.
func openZip(data []byte) (any, storages, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errShort, err)
	}
	a := archive{entries: map[string]*zip.File{}, read: map[string][]byte{}}
	room := uint64(maxGrowth * len(data))
	for _, f := range z.File {
		if f.UncompressedSize64 > room {
			return nil, nil, fmt.Errorf("it unpacks to more than %d times its size", maxGrowth)
		}
		room -= f.UncompressedSize64
		// All entries are in one folder. The writer chooses its name.
		_, name, _ := strings.Cut(f.Name, "/")
		a.entries[name] = f
	}
	if a.entries["data.pkl"] == nil {
		return nil, nil, errors.New("it is a ZIP archive, but not one of torch.save: it has no data.pkl")
	}
	if a.entries["byteorder"] != nil {
		order, err := a.readEntry("byteorder", int64(a.entries["byteorder"].UncompressedSize64))
		if err != nil {
			return nil, nil, err
		}
		if string(order) != "little" {
			return nil, nil, errBigEndian
		}
	}
	pickle, err := a.readEntry("data.pkl", int64(a.entries["data.pkl"].UncompressedSize64))
	if err != nil {
		return nil, nil, err
	}
	m := &machine{data: pickle}
	top, err := m.run()
	return top, func(s *storage) ([]byte, error) { return a.readEntry("data/"+s.key, s.n*s.kind.size) }, err
}

// archive holds the entries of a ZIP archive, and those that were read.
type archive struct {
	entries map[string]*zip.File
	read    map[string][]byte
}

// readEntry reads an entry of size bytes. It reads each entry only once.
func (a archive) readEntry(name string, size int64) ([]byte, error) {
	if data, there := a.read[name]; there && int64(len(data)) == size {
		return data, nil
	}
	f := a.entries[name]
	if f == nil {
		return nil, fmt.Errorf("%w: there is no %s", errShort, name)
	}
	if f.UncompressedSize64 != uint64(size) {
		return nil, fmt.Errorf("%s has %d bytes, not %d", name, f.UncompressedSize64, size)
	}
	r, err := unchecked(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data, err := io.ReadAll(io.LimitReader(r, size+1))
	if err == nil && int64(len(data)) != size {
		err = fmt.Errorf("%d bytes of %d", len(data), size)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errShort, name, err)
	}
	a.read[name] = data
	return data, nil
}

// unchecked opens an entry. torch.serialization.set_crc32_options(False) writes 0 in place of its checksum, which
// the package zip would compare.
func unchecked(f *zip.File) (io.Reader, error) {
	if f.CRC32 == 0 && f.Method == zip.Store {
		return f.OpenRaw()
	}
	return f.Open()
}
