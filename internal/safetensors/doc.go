// Package safetensors writes and reads named tensors and a few strings
// as one file in the format of the same name
// (https://huggingface.co/docs/safetensors), which other tools open:
//
//	8 bytes   length of the header, little endian
//	header    JSON: {"__metadata__": {…}, "name": {"dtype", "shape", "data_offsets"}, …}
//	data      the tensors, little endian, one after the other
//
// To the format the package adds one string of the metadata, "checksum": the
// SHA-256 of the whole file, taken while the checksum's own 64 digits are 0.
// A file that is cut short, or in which a byte changed, is recognised before any
// of it is used.
//
// A program sees float32. In the file a tensor's elements are float32 (F32) or, in
// half the room, float16 (F16, [Type]): they are rounded when they are written, and
// what is read is exactly what the file holds.
package safetensors
