package atomicfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
)

// castagnoli is the table for the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A sealed file is a JSON object with a value and its checksum.
const (
	sealBegin = `{"crc32c":"%08x","of":`
	sealEnd   = "}\n"
)

// ErrSeal is the error of [ReadSealed] for a file that [WriteSealed] did not write.
var ErrSeal = errors.New("its checksum is wrong")

// WriteSealed writes value as JSON with a checksum, so that a changed byte is detected when the
// file is read.
func WriteSealed(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return WriteBytes(path, fmt.Appendf(nil, sealBegin+"%s"+sealEnd, crc32.Checksum(text, castagnoli), text))
}

// ReadSealed reads a file of WriteSealed into value. For other content it returns ErrSeal.
func ReadSealed(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head := len(fmt.Sprintf(sealBegin, 0))
	if len(text) < head+len(sealEnd) {
		return ErrSeal
	}
	content := bytes.TrimSuffix(text[head:], []byte(sealEnd))
	want := fmt.Appendf(nil, sealBegin, crc32.Checksum(content, castagnoli))
	if !bytes.Equal(text[:head], want) || !bytes.HasSuffix(text, []byte(sealEnd)) {
		return ErrSeal
	}
	return json.Unmarshal(content, value)
}
