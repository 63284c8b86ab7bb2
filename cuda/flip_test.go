package cuda

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"testing"

	"pacia/harness/flip"
)

// TestDamagedCode: a changed byte of compiled kernels is found before the driver sees it.
func TestDamagedCode(t *testing.T) {
	path, key := filepath.Join(t.TempDir(), "x.cubin"), sha256.Sum256([]byte("key"))
	if err := writeCode(path, key, bytes.Repeat([]byte("code"), 200)); err != nil {
		t.Fatal(err)
	}
	flip.Check(t, path, func() ([]byte, error) { return readCode(path, key) })
}
