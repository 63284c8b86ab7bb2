// Package scratch manages a folder for a process's temporary files that need names, such as those
// of libraries. The folder is locked while its process runs. The next process removes folders
// of killed ones.
package scratch

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"pacia/internal/atomicfile"
)

const name = "pacia-scratch-files"

var (
	mu     sync.Mutex
	folder *atomicfile.Folder // nil before the first use
)

// Folder returns the folder of this process. It makes the folder if there is none, and then removes those of this
// user's killed processes.
func Folder() (string, error) {
	mu.Lock()
	defer mu.Unlock()
	if folder == nil {
		f, err := atomicfile.TemporaryFolder(filepath.Join(os.TempDir(), name), 0o700)
		if err != nil {
			return "", err
		}
		folder = f
	}
	return folder.Path, nil
}

// Remove removes the folder and its content. Folder makes a new one.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		_ = folder.Remove() // otherwise the next process tries again
		folder = nil
	}
}

// Exit removes the temporary files and folders that this process has made, and ends it with the exit code, while
// other goroutines still write to them. They would make them again after their removal. So a shell takes the place of
// this process, which ends all of its threads first.
func Exit(code int) {
	mu.Lock()
	if left := atomicfile.Unfinished(); len(left) > 0 {
		args := append([]string{"sh", "-c", `code=$1; shift; rm -rf -- "$@"; exit "$code"`, "sh", strconv.Itoa(code)}, left...)
		_ = syscall.Exec("/bin/sh", args, os.Environ())
		for _, path := range left { // where there is no shell
			_ = os.RemoveAll(path)
		}
	}
	os.Exit(code)
}
