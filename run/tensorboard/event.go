package tensorboard

import (
	"encoding/binary"
	"math"
)

// Numbers of the fields of event.proto and summary.proto.
const (
	eventWallTime    = 1 // double
	eventStep        = 2 // int64
	eventFileVersion = 3 // string
	eventSummary     = 5 // Summary
	eventSessionLog  = 7 // SessionLog
	sessionStatus    = 1 // enum
	summaryValue     = 1 // repeated Value
	valueTag         = 1 // string
	valueSimple      = 2 // float
)

// Types of fields in protobuf's encoding.
const (
	varint = 0
	eight  = 1 // bytes
	length = 2 // followed by that many bytes
	four   = 5 // bytes
)

const (
	fileVersion  = "brain.Event:2"
	sessionStart = 1
)

// A scalar is the value of a tag.
type scalar struct {
	tag   string
	value float64 // rounded to float32
}

// An event holds the values of some tags at a step.
type event struct {
	time   float64 // seconds since 1970
	step   int64
	values []scalar
}

func (e event) encode() []byte {
	b := head(e.time, e.step)
	var summary []byte
	for _, s := range e.values {
		v := appendBytes(nil, valueTag, []byte(s.tag))
		v = binary.LittleEndian.AppendUint32(appendKey(v, valueSimple, four), math.Float32bits(float32(s.value)))
		summary = appendBytes(summary, summaryValue, v)
	}
	return appendBytes(b, eventSummary, summary)
}

func version(time float64) []byte {
	return appendBytes(head(time, 0), eventFileVersion, []byte(fileVersion))
}

// begins returns the event that makes earlier events of step 0 and later void.
func begins(time float64) []byte {
	return appendBytes(head(time, 0), eventSessionLog, binary.AppendUvarint(appendKey(nil, sessionStatus, varint), sessionStart))
}

// head returns the beginning of every event. A step of 0 is not written, as protobuf prescribes.
func head(time float64, step int64) []byte {
	b := binary.LittleEndian.AppendUint64(appendKey(nil, eventWallTime, eight), math.Float64bits(time))
	if step == 0 {
		return b
	}
	return binary.AppendUvarint(appendKey(b, eventStep, varint), uint64(step))
}

// timeOf returns the time of the first event of a file.
func timeOf(file []byte) float64 {
	const at = 8 + 4 + 1 // after the length of the record, its checksum and the key of the field
	return math.Float64frombits(binary.LittleEndian.Uint64(file[at:]))
}

func appendKey(b []byte, field, kind uint64) []byte { return binary.AppendUvarint(b, field<<3|kind) }

func appendBytes(b []byte, field uint64, data []byte) []byte {
	b = binary.AppendUvarint(appendKey(b, field, length), uint64(len(data)))
	return append(b, data...)
}
