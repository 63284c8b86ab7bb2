package statedict

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

// repack writes the entries of zip.pth again, changed by change.
func repack(t *testing.T, method uint16, change func(name string, data []byte) []byte) []byte {
	t.Helper()
	old := content(t, "zip.pth")
	z, err := zip.NewReader(bytes.NewReader(old), int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if data = change(f.Name, data); data == nil {
			continue
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: method})
		if err == nil {
			_, err = to.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withoutChecksums returns zip.pth as torch.serialization.set_crc32_options(False) has it written.
func withoutChecksums(t *testing.T) []byte {
	t.Helper()
	old := content(t, "zip.pth")
	z, err := zip.NewReader(bytes.NewReader(old), int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(old)
	for _, f := range z.File {
		sum := binary.LittleEndian.AppendUint32(nil, f.CRC32)
		data = bytes.ReplaceAll(data, sum, make([]byte, 4)) // in its headers, and behind it
	}
	return data
}

// TestArchives checks that the archive must agree with its pickle.
func TestArchives(t *testing.T) {
	without := func(what string) func(string, []byte) []byte {
		return func(name string, data []byte) []byte {
			if strings.HasSuffix(name, what) {
				return nil
			}
			return data
		}
	}
	replaced := func(what, by string) func(string, []byte) []byte {
		return func(name string, data []byte) []byte {
			if strings.HasSuffix(name, what) {
				return []byte(by)
			}
			return data
		}
	}
	for name, c := range map[string]struct {
		data  []byte
		words string
	}{
		"as it was, deflated": {repack(t, zip.Deflate, without("none")), ""},
		"without checksums":   {withoutChecksums(t), ""},
		"without pickle":      {repack(t, zip.Store, without("data.pkl")), "it has no data.pkl"},
		"without a storage":   {repack(t, zip.Store, without("data/3")), "there is no data/3"},
		"a storage too short": {repack(t, zip.Store, replaced("data/0", "abcd")), "data/0 has 4 bytes, not 24"},
		"a storage too long":  {repack(t, zip.Store, replaced("data/0", strings.Repeat("a", 28))), "data/0 has 28 bytes, not 24"},
		"a command":           {repack(t, zip.Store, replaced("data.pkl", "\x80\x02cos\nsystem\n(tR.")), `it would call "os.system"`},
		"a bomb":              {repack(t, zip.Deflate, replaced("version", strings.Repeat("0", 1<<20))), "unpacks to more than 200 times its size"},
	} {
		_, err := Parse(c.data)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s: error %v, want %q", name, err, c.words)
		}
	}
}
