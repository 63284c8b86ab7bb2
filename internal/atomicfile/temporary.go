package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// A temporary file is called PATH.xxxxxxxx.tmp, with eight random hexadecimal
// digits, and is locked as long as it is written. The lock goes with its
// process, however that ends: a temporary file that can be locked is nobody's.
// Where the file system knows no locks, leftovers stay.
var temporary = regexp.MustCompile(`^\.[0-9a-f]{8}\.tmp$`)

// createTemporary makes a locked temporary file beside path. It has the
// permissions of any new file, which os.CreateTemp would not give it.
func createTemporary(path string) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Before it was locked, another process may have taken it for a leftover.
		if !errors.Is(lock(f), syscall.EWOULDBLOCK) && isNamed(f) {
			return f, nil
		}
		_ = f.Close() // nothing is written into it yet
	}
}

// removeLeftovers removes the temporary files of path that nobody writes any
// more. One that cannot be removed does no harm.
func removeLeftovers(path string) {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := e.Name(); len(name) > len(base) && name[:len(base)] == base && temporary.MatchString(name[len(base):]) {
			removeUnlocked(filepath.Join(dir, name))
		}
	}
}

func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0) // some network file systems lock nothing else
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil && isNamed(f) {
		_ = os.Remove(name)
	}
}

// lock locks f until it is closed, or fails at once.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

func isNamed(f *os.File) bool {
	var s syscall.Stat_t
	return syscall.Fstat(int(f.Fd()), &s) == nil && s.Nlink > 0
}
