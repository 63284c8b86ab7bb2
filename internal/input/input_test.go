package input_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadAll(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "empty", "")
	put(t, "five", "12345")
	put(t, "large", strings.Repeat("x", 100_000))
	if err := os.Symlink("five", "link"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"empty": "", "five": "12345", "link": "12345", "large": strings.Repeat("x", 100_000), os.DevNull: ""} {
		got, err := input.ReadAll(t.Context(), name, input.Stream, 100_000)
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes (%v), want %d", name, len(got), err, len(want))
		}
	}
	if got, err := input.ReadAll(t.Context(), "five", input.Regular, 5); err != nil || string(got) != "12345" {
		t.Errorf("exactly the limit: %q, %v", got, err)
	}
}

// TestFaults checks that each error is one line with the file and advice.
func TestFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "five", "12345")
	put(t, "sparse", "")
	if err := os.Truncate("sparse", 1<<40); err != nil {
		t.Log("no sparse files here: ", err)
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path  string
		kind  input.Kind
		limit int64
		want  string
	}{
		{"none", input.Stream, 0, "none: cannot be read: no such file or directory; check the file"},
		{".", input.Stream, 0, ".: cannot be read: is a directory; check the file"},
		{"five/six", input.Stream, 0, "five/six: cannot be read: not a directory; check the file"},
		{"/dev/zero", input.Stream, 0, "/dev/zero: cannot be read: it is a device; name a file"},
		{"/dev/zero", input.Regular, 0, "/dev/zero: cannot be read: it is not a regular file; name a file"},
		{"pipe", input.Regular, 0, "pipe: cannot be read: it is not a regular file; name a file"},
		{"five", input.Stream, 4, "five: is larger than 4 bytes; name another file"},
		{"sparse", input.Stream, 1 << 30, "sparse: is larger than 1 GiB; name another file"},
		{"sparse", input.Stream, 64 << 20, "sparse: is larger than 64 MiB; name another file"},
	} {
		_, err := input.ReadAll(t.Context(), tt.path, tt.kind, tt.limit)
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("got  %v\nwant %s, as a fault", err, tt.want)
		}
	}
}

// pipe makes a named pipe.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPipe checks that a pipe is read to its end or to the limit.
func TestPipe(t *testing.T) {
	for _, limit := range []int64{0, 200_000, 150_000} {
		path := pipe(t)
		go func() {
			w, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			for range 200 {
				if _, err := w.Write(bytes.Repeat([]byte{'x'}, 1000)); err != nil {
					return // the reader has closed the pipe
				}
			}
		}()
		got, err := input.ReadAll(t.Context(), path, input.Stream, limit)
		if limit == 150_000 {
			if err == nil || !strings.HasSuffix(err.Error(), "pipe: is larger than 150000 bytes; name another file") {
				t.Errorf("limit %d: %v", limit, err)
			}
		} else if err != nil || len(got) != 200_000 {
			t.Errorf("limit %d: %d bytes (%v), want 200000", limit, len(got), err)
		}
	}
}

// TestContextEnds checks that a reader stops while it waits for the other end of a pipe, while
// it waits for data, and in the middle of a file.
func TestContextEnds(t *testing.T) {
	check := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	unopened := pipe(t)
	go cancel()
	_, err := input.Open(ctx, unopened, input.Stream, 0)
	check("unopened", err)

	ctx, cancel = context.WithCancel(t.Context())
	silent := pipe(t)
	w, err := os.OpenFile(silent, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString("begun"); err != nil {
		t.Fatal(err)
	}
	f, err := input.Open(ctx, silent, input.Stream, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b := make([]byte, 5); true {
		if _, err := io.ReadFull(f, b); err != nil || string(b) != "begun" {
			t.Errorf("read %q, %v", b, err)
		}
	}
	go cancel()
	_, err = f.Read(make([]byte, 5))
	check("silent", err)

	ctx, cancel = context.WithCancel(t.Context())
	t.Chdir(t.TempDir())
	put(t, "file", strings.Repeat("x", 1<<20))
	g, err := input.Open(ctx, "file", input.Regular, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if _, err := g.Read(make([]byte, 5)); err != nil {
		t.Error(err)
	}
	cancel()
	_, err = g.Read(make([]byte, 5))
	check("file", err)
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPlain checks that a text is the same with and without gzip.
func TestPlain(t *testing.T) {
	for name, text := range map[string]string{"": "", "a": "a", "small": "CC\nCN\n", "large": strings.Repeat("c1ccccc1\n", 9_000)} {
		for _, zip := range []bool{false, true} {
			content := text
			if zip {
				content = packed(t, text)
			}
			p, err := input.NewPlain("file", strings.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(p)
			if err != nil || string(got) != text || p.Packed != zip {
				t.Errorf("%s, packed %v: %d bytes, Packed %v (%v)", name, zip, len(got), p.Packed, err)
			}
		}
	}
}

// TestBombs checks that a file that decompresses to an implausible size is refused early, with
// little memory.
func TestBombs(t *testing.T) {
	whole := packed(t, strings.Repeat("CCO,1\n", 9_000))
	for name, tt := range map[string]struct{ content, want string }{
		"zeros":  {packed(t, strings.Repeat("\x00", 100<<20)), "file: refused: it holds more than 200 times its size; unpack it, if it is what it should be"},
		"rows":   {packed(t, strings.Repeat("C\nN\n", 1_000_000)), "file: refused: it holds more lines than it has bytes; unpack it, if it is what it should be"},
		"cut":    {whole[:len(whole)-9], "file: damaged gzip file: unexpected EOF; fetch it again"},
		"sum":    {whole[:len(whole)-8] + "12345678", "file: damaged gzip file: gzip: invalid checksum; fetch it again"},
		"header": {"\x1f\x8bnot gzip at all", "file: damaged gzip file: gzip: invalid header; fetch it again"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := input.NewPlain("file", strings.NewReader(tt.content))
		if err == nil {
			_, err = io.Copy(io.Discard, p)
		}
		runtime.ReadMemStats(&after)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !badinput.Is(err) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("%s: %d bytes of memory", name, taken)
		}
	}
}

// TestBombOfRows checks a file whose rows are valid and whose size is plausible, but not their
// number.
func TestBombOfRows(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range 200_000 {
		// Some rows of noise keep the ratio of sizes low.
		row := "C\n"
		if i%100 == 0 {
			row = strings.Repeat("C", i%1000) + "N" + strings.Repeat("O", i/1000) + "\n"
		}
		if _, err := io.WriteString(z, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := input.NewPlain("file", &b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, p)
	if err == nil || err.Error() != "file: refused: it holds more lines than it has bytes; unpack it, if it is what it should be" {
		t.Errorf("%d bytes came out: %v", n, err)
	}
}

// TestAFileThatIsCutWhileItIsRead checks that such a file is not accepted as complete.
func TestAFileThatIsCutWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "library.csv")
	if err := os.WriteFile(path, bytes.Repeat([]byte("CCO\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := input.Open(t.Context(), path, input.Stream, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, make([]byte, 400)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 2000); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f); !badinput.Is(err) || !strings.Contains(err.Error(), "has changed while it was read") {
		t.Errorf("the rest of a file that was cut: %v", err)
	}
}
