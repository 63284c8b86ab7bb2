package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pacia/internal/safetensors"
)

// prints holds the SHA-256 of files by their names. Times in the files are left out.
type prints map[string][sha256.Size]byte

// moments matches the values that differ between two runs of one command: durations, times,
// hosts, checksums of files that contain them, and paths. They are in JSON, or in JSON within a
// string; paths are in YAML.
var moments = []*regexp.Regexp{
	regexp.MustCompile(`(\\?"(?:seconds|elapsed|bytes)\\?": ?)[-+.0-9eE]+`),
	regexp.MustCompile(`(\\?"(?:begun|ended|host|time|sum|sha256|config_sha256|metrics_sha256)\\?": ?)\\?"[^"]*"`),
	regexp.MustCompile(`(absolute_path: ).*`),
}

// digest reads the files that match patterns below dir. It returns an error if a file is
// damaged.
func digest(dir string, patterns []string) (prints, error) {
	p := prints{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || strings.HasSuffix(name, ".tmp") || filepath.Base(name) == "lock" {
				continue
			}
			if p[name], err = sum(file); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return p, nil
}

func sum(file string) (s [sha256.Size]byte, err error) {
	switch filepath.Ext(file) {
	case ".ckpt", ".safetensors":
		return sumTensors(file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if filepath.Ext(file) == ".json" && !json.Valid(text) {
		return s, fmt.Errorf("is not JSON (%d bytes)", len(text))
	}
	return sha256.Sum256(timeless(text)), nil
}

func timeless(text []byte) []byte {
	for _, m := range moments {
		text = m.ReplaceAll(text, []byte("${1}0"))
	}
	return text
}

// sumTensors returns a hash of the content of a file, without times. It also verifies the
// checksum in the file.
func sumTensors(file string) (s [sha256.Size]byte, err error) {
	f, err := safetensors.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	var all bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(f.Metadata)) {
		fmt.Fprintf(&all, "%s %s\n", key, timeless([]byte(f.Metadata[key])))
	}
	for _, t := range f.Tensors {
		fmt.Fprintln(&all, t.Name, t.Shape, t.Type)
		values, err := t.Read()
		if err != nil {
			return s, err
		}
		if err := binary.Write(&all, binary.LittleEndian, values); err != nil {
			return s, err
		}
	}
	return sha256.Sum256(all.Bytes()), nil
}

// same returns an error that lists the files in which two digests differ.
func (p prints) same(q prints) error {
	var all []string
	for name := range p {
		switch other, ok := q[name]; {
		case !ok:
			all = append(all, "lacks "+name)
		case other != p[name]:
			all = append(all, "has another "+name)
		}
	}
	for name := range q {
		if _, ok := p[name]; !ok {
			all = append(all, "also has "+name)
		}
	}
	if all == nil {
		return nil
	}
	slices.Sort(all)
	return fmt.Errorf("the folder %s", strings.Join(all, ", "))
}

// within returns the files of p that q also has.
func (p prints) within(q prints) prints {
	r := maps.Clone(p)
	maps.DeleteFunc(r, func(name string, _ [sha256.Size]byte) bool { _, ok := q[name]; return !ok })
	return r
}
