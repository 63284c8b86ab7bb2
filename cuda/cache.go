package cuda

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"pacia/internal/atomicfile"
	"pacia/internal/input"
)

// cacheVariable names a folder for compiled kernels in place of the user's.
const cacheVariable = "PACIA_KERNEL_CACHE"

// cacheFolder is where compiled kernels are kept.
func cacheFolder() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; set %s to a folder", err, cacheVariable)
	}
	return filepath.Join(dir, "pacia", "kernels"), nil
}

// warnOnce limits the warning about an unusable cache to one per process.
var warnOnce sync.Once

// kernelCode returns a program's code for t. It reads the code from the cache, or
// compiles it, which takes seconds, and writes it there. A cache that cannot be used
// costs only this time.
func kernelCode(c *compiler, program string, t target) ([]byte, error) {
	key := sha256.Sum256([]byte(strings.Join(append(options(t), program, fmt.Sprint(c.version)), "\x00")))
	dir, err := cacheFolder()
	path := filepath.Join(dir, fmt.Sprintf("%x.cubin", key))
	if err == nil {
		image, err := readCode(path, key)
		if err == nil {
			return image, nil
		}
		if errors.Is(err, errDamaged) { // other errors are reported when the file is written, see below
			slog.Warn("compiled kernels are not usable and are compiled again", "file", path, "error", err)
		}
	}
	slog.Debug("compiling kernels", "for", t, "with", c)
	image, _, failed := c.compile(program, t)
	if failed != nil {
		return nil, failed
	}
	if err == nil {
		err = writeCode(path, key, image)
	}
	if err != nil {
		warnOnce.Do(func() {
			slog.Warn("compiled kernels cannot be kept and are compiled at every start; set "+cacheVariable+" to a folder",
				"error", err)
		})
	}
	return image, nil
}

// A file of the cache is the code followed by a checksum of the key and the code.
// The driver, which may crash on damaged code, only gets code with the right checksum.

func writeCode(path string, key [sha256.Size]byte, image []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, func(f *os.File) error {
		_, err := f.Write(append(bytes.Clone(image), codeSum(key, image)...))
		return err
	})
}

// mostCode limits the size of a file of the cache. All kernels together take less than 2 MB.
const mostCode = 256 << 20

var errDamaged = errors.New("damaged, or not a file of this program")

func readCode(path string, key [sha256.Size]byte) ([]byte, error) {
	file, err := input.ReadAll(context.Background(), path, input.Regular, mostCode)
	if err != nil {
		return nil, err
	}
	n := len(file) - sha256.Size
	if n < 0 || !bytes.Equal(file[n:], codeSum(key, file[:n])) {
		return nil, errDamaged
	}
	return file[:n], nil
}

func codeSum(key [sha256.Size]byte, image []byte) []byte {
	sum := sha256.Sum256(append(key[:], image...))
	return sum[:]
}
