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

// A temporary file is named PATH.xxxxxxxx.tmp, with eight random hexadecimal digits,
// and is locked while it is written. The lock ends with its process, so a temporary
// file that can be locked is a leftover. On file systems without locks, leftovers stay.
var temporary = regexp.MustCompile(`^\.[0-9a-f]{8}\.tmp$`)

// createTemporary makes a locked temporary file beside path. It has the permissions
// of any new file, unlike those of os.CreateTemp.
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
		// Before it was locked, another process may have removed it as a leftover.
		if !errors.Is(lock(f), syscall.EWOULDBLOCK) && isNamed(f) {
			return f, nil
		}
		_ = f.Close() // it is empty
	}
}

// removeLeftovers removes temporary files of path that are not being written. A file
// that cannot be removed does no harm.
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
	f, err := os.OpenFile(name, os.O_RDWR, 0) // some network file systems lock only files that are open for writing
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil && isNamed(f) {
		_ = os.Remove(name)
	}
}

// lock locks f until it is closed. It fails at once if f is locked.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

func isNamed(f *os.File) bool {
	var s syscall.Stat_t
	return syscall.Fstat(int(f.Fd()), &s) == nil && s.Nlink > 0
}
