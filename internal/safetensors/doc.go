// Package safetensors writes and reads named tensors and a few strings
// as one file in the format of the same name
// (https://huggingface.co/docs/safetensors), which other tools open:
//
//	8 bytes   length of the header, little endian
//	header    JSON: {"__metadata__": {…}, "name": {"dtype", "shape", "data_offsets"}, …}
//	data      the tensors, little endian, one after the other
//
// The package adds one string to the metadata, "checksum": the SHA-256 of the whole
// file, computed with the checksum's own 64 digits set to 0. A file that is cut short
// or changed is detected before its content is used.
//
// Values in memory are float32. The elements of a tensor in the file are float32 (F32)
// or float16 (F16, [Type]), which takes half the space. Values are rounded when they are
// written; reading is exact. An [Array] holds bytes (U8) or integers (U64), which are mapped.
package safetensors
