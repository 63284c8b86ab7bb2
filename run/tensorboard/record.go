package tensorboard

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked returns the checksum of a record: CRC-32C, rotated by 15 bits, plus a constant, so
// that checksums of data that contain checksums also work well.
func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// appendRecord appends a record to b: 8 bytes of length, 4 of its checksum, data, 4 of
// its checksum, all little endian.
func appendRecord(b, data []byte) []byte {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = append(b, length...)
	b = binary.LittleEndian.AppendUint32(b, masked(length))
	b = append(b, data...)
	return binary.LittleEndian.AppendUint32(b, masked(data))
}
