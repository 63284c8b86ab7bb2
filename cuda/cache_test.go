package cuda

import (
	"bytes"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// logged collects what is logged, at every level, while a test runs.
func logged(t *testing.T) *bytes.Buffer {
	var text bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &text
}

func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := compilerFor(t, 86)
	log := logged(t)
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	t.Setenv(cacheVariable, dir)
	const text = "__global__ void one(float *x) { *x = 1; }"
	sm86 := target{architecture: 86}
	// take checks how often a compiler ran and a warning was given.
	take := func(what, text string, to target, compilations, warnings int) []byte {
		t.Helper()
		log.Reset()
		image, err := kernelCode(c, text, to)
		if err != nil {
			t.Fatal(err)
		}
		n, w := strings.Count(log.String(), "compiling kernels"), strings.Count(log.String(), "level=WARN")
		if n != compilations || w != warnings {
			t.Errorf("%s: compiled %d times with %d warnings, want %d and %d", what, n, w, compilations, warnings)
		}
		return image
	}
	want := take("at first", text, sm86, 1, 0)
	files, _ := filepath.Glob(filepath.Join(dir, "*.cubin"))
	if len(files) != 1 {
		t.Fatalf("the cache holds %v, want one file", files)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	take("another program", "// Changed.\n"+text, sm86, 1, 0)
	take("another device", text, target{architecture: 80}, 1, 0)

	changed := bytes.Clone(whole)
	changed[len(changed)/2] ^= 1
	for _, damage := range []struct {
		what string
		file []byte
	}{
		{"a changed byte", changed},
		{"a short file", whole[:len(whole)-1]},
		{"an empty file", nil},
		{"another program's file", append(bytes.Clone(want), codeSum([sha256.Size]byte{}, want)...)},
	} {
		if err := os.WriteFile(files[0], damage.file, 0o666); err != nil {
			t.Fatal(err)
		}
		take(damage.what, text, sm86, 1, 1)
		if got := take("after "+damage.what, text, sm86, 0, 0); !bytes.Equal(got, want) {
			t.Errorf("after %s: the code is another", damage.what)
		}
	}
}

// TestCodeThatHasNoEnd: reading a file that is too large or not regular fails at once.
func TestCodeThatHasNoEnd(t *testing.T) {
	dir := t.TempDir()
	pipe, sparse := filepath.Join(dir, "pipe"), filepath.Join(dir, "sparse")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, mostCode+1); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, sparse} {
		if code, err := readCode(path, [sha256.Size]byte{}); err == nil {
			t.Errorf("%s: %d bytes of code", path, len(code))
		}
	}
}

// TestCacheThatCannotBeWritten: such a cache costs the compilation, and one warning.
func TestCacheThatCannotBeWritten(t *testing.T) {
	c := compilerFor(t, 86)
	log := logged(t)
	warnOnce = sync.Once{}
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(cacheVariable, filepath.Join(file, "folder"))
	for range 2 {
		if image, err := kernelCode(c, `__global__ void one() {}`, target{architecture: 86}); err != nil || len(image) == 0 {
			t.Fatal(len(image), err)
		}
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 1 || !strings.Contains(log.String(), "cannot be kept") {
		t.Errorf("%d warnings, want one: %s", n, log)
	}
}
