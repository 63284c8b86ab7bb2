package tensorboard

import (
	"encoding/hex"
	"testing"
)

// TestKnownRecords compares with the output of TensorBoard 2.21 for the same events, written by
// its RecordWriter and its classes for event.proto.
func TestKnownRecords(t *testing.T) {
	const want = "1800000000000000a37f4b2209000060463fd0d9411a0d627261696e2e4576656e743a32146d982c" +
		"0d000000000000003c37b83409000060463fd0d9413a020801bdbd52ed" +
		"39000000000000008b0737f109000090463fd0d94110ac022a2b0a110a0a747261696e2f6c6f7373150000003f0a160a0f747261696e2f677261645f6e6f726d15000080bea1b3ec3e"
	var got []byte
	for _, data := range [][]byte{
		version(1732312345.5), begins(1732312345.5),
		event{1732312346.25, 300, []scalar{{"train/loss", 0.5}, {"train/grad_norm", -0.25}}}.encode(),
	} {
		got = appendRecord(got, data)
	}
	if hex.EncodeToString(got) != want {
		t.Errorf("got\n%x\nwant\n%s", got, want)
	}
}

// TestChecksum checks a known value: the CRC-32C of the nine digits is 0xe3069283 (RFC 3720).
func TestChecksum(t *testing.T) {
	const want = 0xc78ab0e5 // 0xe3069283 turned by 15 bits, plus 0xa282ead8
	if got := masked([]byte("123456789")); got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}
