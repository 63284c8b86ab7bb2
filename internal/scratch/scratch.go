// Package scratch manages a folder for a process's temporary files that need names, such as those
// of libraries. The folder is locked while its process runs. The next process removes folders
// of killed ones.
package scratch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

const prefix = "pacia-scratch-"

var (
	mu     sync.Mutex
	folder *os.File // open and locked; nil before the first use
)

// Folder returns the folder of this process. It makes the folder if there is none.
func Folder() (string, error) {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		return folder.Name(), nil
	}
	removeLeft()
	for {
		dir, err := os.MkdirTemp("", prefix)
		if err != nil {
			return "", err
		}
		f, err := os.Open(dir)
		if err == nil && locks(f) {
			if _, err := os.Stat(dir); err == nil {
				folder = f
				return dir, nil
			}
		}
		if f != nil { // another process removed it as a leftover before it was locked
			_ = f.Close()
		}
	}
}

// Remove removes the folder and its content. Folder makes a new one.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		_ = os.RemoveAll(folder.Name()) // otherwise the next process tries again
		_ = folder.Close()
		folder = nil
	}
}

// Exit removes the folder and ends the process with the exit code, while other goroutines still write to
// the folder. They would make it again after its removal. So a shell takes the place of this process, which ends
// all of its threads first.
func Exit(code int) {
	mu.Lock()
	if folder != nil {
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", `rm -rf -- "$0"; exit "$1"`, folder.Name(), strconv.Itoa(code)}, os.Environ())
		_ = os.RemoveAll(folder.Name()) // where there is no shell
	}
	os.Exit(code)
}

// removeLeft removes the folders of this user's killed processes.
func removeLeft() {
	left, _ := fs.Glob(os.DirFS(os.TempDir()), prefix+"*") // the pattern is well formed
	for _, name := range left {
		dir := filepath.Join(os.TempDir(), name)
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		if f, err := os.Open(dir); err == nil {
			if locks(f) {
				_ = os.RemoveAll(dir) // otherwise the next process tries again
			}
			_ = f.Close()
		}
	}
}

func locks(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
