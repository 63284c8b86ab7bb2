// Package eventtest reads event files for tests, by the definition of their format.
package eventtest

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A Point is the value of a tag at a step.
type Point struct {
	Step  int64
	Value float32
	Time  float64 // seconds since 1970
}

// Scalars returns the points of each tag in the one event file of a folder, in their order.
// Damage fails the test.
func Scalars(t testing.TB, dir string) map[string][]Point {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s holds the event files %v (%v), want one", dir, found, err)
	}
	content, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	points := map[string][]Point{}
	for number := 0; len(content) > 0; number++ {
		data, rest := record(t, content)
		content = rest
		of := fields(t, data)
		switch number {
		case 0:
			if got := string(of.bytes[3]); got != "brain.Event:2" {
				t.Errorf("the file begins with the version %q", got)
			}
		case 1:
			if got := fields(t, of.bytes[7]).number[1]; got != 1 {
				t.Errorf("the second event has the session status %d, want START", got)
			}
		}
		for _, value := range fields(t, of.bytes[5]).all[1] {
			v := fields(t, value)
			tag := string(v.bytes[1])
			points[tag] = append(points[tag], Point{int64(of.number[2]), math.Float32frombits(uint32(v.number[2])), math.Float64frombits(of.number[1])})
		}
	}
	return points
}

func record(t testing.TB, b []byte) (data, rest []byte) {
	t.Helper()
	if len(b) < 16 {
		t.Fatalf("%d bytes are left of a record", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-16) {
		t.Fatalf("a record of %d bytes; %d are there", n, len(b)-16)
	}
	data, rest = b[12:12+n], b[12+n:]
	for _, part := range []struct{ of, sum []byte }{{b[:8], b[8:12]}, {data, rest[:4]}} {
		sum := crc32.Checksum(part.of, crc32.MakeTable(crc32.Castagnoli))
		if want := (sum>>15 | sum<<17) + 0xa282ead8; binary.LittleEndian.Uint32(part.sum) != want {
			t.Fatalf("a checksum is %x, want %x", part.sum, want)
		}
	}
	return data, rest[4:]
}

// message holds the fields of a protobuf by their numbers.
type message struct {
	number map[uint64]uint64
	bytes  map[uint64][]byte // the last of each
	all    map[uint64][][]byte
}

func fields(t testing.TB, b []byte) message {
	t.Helper()
	m := message{map[uint64]uint64{}, map[uint64][]byte{}, map[uint64][][]byte{}}
	varint := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatalf("no number in %x", b)
		}
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		key := varint()
		switch field := key >> 3; key & 7 {
		case 0:
			m.number[field] = varint()
		case 1:
			m.number[field], b = binary.LittleEndian.Uint64(b), b[8:]
		case 5:
			m.number[field], b = uint64(binary.LittleEndian.Uint32(b)), b[4:]
		case 2:
			n := varint()
			m.bytes[field], b = b[:n], b[n:]
			m.all[field] = append(m.all[field], m.bytes[field])
		default:
			t.Fatalf("a field of type %d", key&7)
		}
	}
	return m
}
