// Package scratch has the folder in which a process keeps temporary files that need names, as
// libraries make them. It is locked: the next process removes that of one that was killed.
package scratch

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

const prefix = "pacia-scratch-"

var (
	mu     sync.Mutex
	folder *os.File // open and locked; nil: none was needed yet
)

// Folder returns the folder of this process, which it makes where there is none.
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
		if f != nil { // another process, which begins at this moment, took it for one that was left
			_ = f.Close()
		}
	}
}

// Remove removes the folder, with all that is in it. It is made again where it is needed again.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		_ = os.RemoveAll(folder.Name()) // else the next process does
		_ = folder.Close()
		folder = nil
	}
}

// removeLeft removes the folders of processes of this user that were killed.
func removeLeft() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*")) // the pattern is well formed
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		if f, err := os.Open(dir); err == nil {
			if locks(f) {
				_ = os.RemoveAll(dir) // else the next process tries
			}
			_ = f.Close()
		}
	}
}

func locks(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
