package atomicfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
)

// castagnoli is the polynomial of the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A sealed file is a JSON object of a checksum and what it is of.
const (
	sealBegin = `{"crc32c":"%08x","of":`
	sealEnd   = "}\n"
)

// ErrSeal is of a file that [ReadSealed] reads and [WriteSealed] did not write.
var ErrSeal = errors.New("its checksum is wrong")

// WriteSealed is WriteJSON with a checksum, so that a changed byte is found when the file is
// read again.
func WriteSealed(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return WriteBytes(path, fmt.Appendf(nil, sealBegin+"%s"+sealEnd, crc32.Checksum(text, castagnoli), text))
}

// ReadSealed reads what WriteSealed wrote. Another text is ErrSeal.
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
